import { describe, expect, test } from 'vitest'
import { Automaton } from '../../../src/values/pattern/automaton.ts'

const open = (expression: RegExp): Automaton => new Automaton(expression, { left: 1_000_000 })

/** As a text, for what the linter takes for a mistake. */
const written = (source: string, flags = ''): RegExp => new RegExp(source, flags)

describe('a pattern matches', () => {
  test.each([
    [/^(a+)+$/, 'aaa', true],
    [/^(a+)+$/, 'aaa!', false],
    [/needle/, 'hay needle hay', true],
    [/^needle/, 'hay needle', false],
    [/(?:a|ab)(?:c|bcd)$/, 'abcd', true],
    [/^.$/, '😀', false],
    [/^.$/u, '😀', true],
    [/^[^a]$/u, '😀', true],
    [/^[😀-😂]{2}$/u, '😁😂', true],
    [/^[😀-😂]$/u, '😃', false],
    [/^[\ud83d\ude00-\ud83d\ude02]$/u, '😁', true],
    [/^\ud83d\ude00\u{1f601}$/u, '😀😁', true],
    [/\ud83d/u, '😀', false],
    [/\ud83d/u, '\ud83d', true],
    [/\ude00/, '😀', true],
    [/\ude00/u, '😀', false],
    [/^\W$/u, '\udfff', true],
    [/^\u{0041}$/u, 'A', true],
    [written('^\uffffa$', 'u'), '\uffffa', true],
    [/^.a$/u, '\uffffa', true],
    [written('^\u{10000}a$', 'u'), '\u{10000}a', true],
    [written('^\\x01$'), '\0', false],
    [/^.a$/u, '\ud83da', true],
    [written('^😀$'), '😀', true],
    [written('^[😀]'), '\ud83d', true],
    [/^\ud800\udc00$/u, '\u{10000}', true],
    [/^\udbff\udfff$/u, '\u{10ffff}', true],
    [/^\ud7ff\udc00$/u, '\ud7ff\udc00', true],
    [/^\udc00\udc00$/u, '\udc00\udc00', true],
    [/^\ue000\udc00$/u, '\ue000\udc00', true],
    [/^\ud83d\ude00$/, '😀', true],
    [/$/, 'a', true],
    // How often.
    [/^a?$/, '', true],
    [/^a?$/, 'aa', false],
    [/^a{1,2}$/, 'aa', true],
    [/^a{1,2}$/, 'aaa', false],
    [/^a{2,}$/, 'a', false],
    [/^a{2,}$/, 'aaaa', true],
    [/^(?:a|b){2}$/, 'ba', true],
    // Lines.
    [/^b$/m, 'a\nb\nc', true],
    [/^b$/m, 'ab', false],
    [/^b$/m, 'b', true],
    [/^b$/m, 'bc', false],
    [/^b$/m, 'b\rc', true],
    [/^b$/, 'b\n', false],
    [/^.$/, '\n', false],
    [/^.$/, 'a', true],
    [/^.$/s, '\n', true],
    // Words.
    [/a\b/, 'a-', true],
    [/a\b/, 'ab', false],
    [/a\b/, 'a', true],
    [/\bb/, '-b', true],
    [/\bb/, 'ab', false],
    [/\b-/, '--', false],
    [/a\B/, 'ab', true],
    [/a\B/, 'a-', false],
    [/a\B/, 'a', false],
    [/-\B/, '--', true],
    [/\Bb/, '-b', false],
    [/\Bb/, 'ab', true],
    // Classes.
    [/^[a-]+$/, 'a-', true],
    [/^[a-]$/, ']', false],
    [/^[-a]+$/, '-a', true],
    [/^[a\d-z]$/, 'm', false],
    [/^[a\d-z]+$/, 'a1-z', true],
    [/^[a-\d]+$/, 'a-1', true],
    [/^[a-\d]$/, 'b', false],
    [/^[\0-\b]$/, '\x05', true],
    [/^[\0-\b]$/, 'b', false],
    [/^[\b]$/, '\b', true],
    [/^[\b]$/, 'b', false],
    [/^\0$/, '\0', true],
    [/^\0$/, '0', false],
    [/^[\t-\r]{2}$/, '\n\v', true],
    [/^[^a-c]$/, 'b', false],
    [/^[^a-c]$/, 'd', true],
    [/^\p{Lu}+$/u, 'AÄ', true],
    [/^\P{Lu}$/u, 'A', false],
    [/^[\p{Lu}\d]+$/u, 'A1', true],
    [/^[^k]$/i, 'K', false],
    [/^[A-C]$/i, 'b', true],
  ])('%s on %j: %j', (expression, text, isMatch) => {
    expect(open(expression).matches(text)).toBe(isMatch)
  })

  test.each([
    [/a(?=b)/, 'uses lookaround, which cannot be decided while the text still grows.'],
    [/(a)\1/, 'uses a backreference, which can take exponential time to match.'],
  ])('only without a look around or back: %s', (expression, why) => {
    expect(() => open(expression)).toThrow(`The pattern ${expression} ${why}`)
  })

  test.each([[/(?:){999999999}/], [/(?:(?:(?:){99999}){99999}){99999}/], [/a(?:(?:)){99999999,}b|ab/]])(
    'where it repeats nothing, however often: %s',
    (expression) => {
      expect(open(expression).matches('ab')).toBe(true)
    },
  )

  test('upper and lower case as the language does', () => {
    for (const letter of ['k', 's', 'ß', 'ä', 'ı', 'ſ', 'K', 'Ω', 'σ']) {
      const expression = new RegExp(`^${letter}$`, 'i')
      const automaton = open(expression)
      for (let code = 0; code < 0x10000; code++) {
        const text = String.fromCharCode(code)
        if (automaton.matches(text) !== expression.test(text))
          expect.unreachable(`${letter} and the character ${code}`)
      }
    }
  })
})

describe('one character at a time', () => {
  const walk = (automaton: Automaton, text: string): number =>
    [...text].reduce(
      (state, one) => automaton.next(state, automaton.kindOf(one.charCodeAt(0))),
      automaton.start,
    )

  test('a pattern matches where the text may end', () => {
    const automaton = open(/^ab*$/)
    expect(automaton.kinds).toBe(3)
    expect(['', 'a', 'abb', 'abbc', 'b'].map((text) => automaton.isMatch(walk(automaton, text)))).toEqual([
      ...[false, true, true, false, false],
    ])
  })

  test('what has matched leads to nothing else, nor does what can match no more', () => {
    const automaton = open(/^a/)
    const [matched, failed] = [walk(automaton, 'ab'), walk(automaton, 'b')]
    expect([walk(automaton, 'abb'), walk(automaton, 'aba')]).toEqual([matched, matched])
    expect([walk(automaton, 'bb'), walk(automaton, 'ba')]).toEqual([failed, failed])
    expect([automaton.isMatch(matched), automaton.isMatch(failed)]).toEqual([true, false])
    // These two, the start, and what is behind the first character.
    expect(automaton.size).toBe(4)
  })

  test('the same states in another order are one set', () => {
    // Behind the first `a` it is in the middle of a round or at its end, and behind the second at the end or in the middle.
    const automaton = open(/^(?:a?a?)*$/)
    expect(automaton.matches('aaa')).toBe(true)
    expect(automaton.size).toBe(4)
  })
})

describe('a budget', () => {
  /** Letters in no order that comes again. */
  const letters = Array.from({ length: 3000 }, (_, at) => (Math.sin(at * at) > 0 ? 'a' : 'b')).join('')

  test('is not touched by characters whose way is known', () => {
    const budget = { left: 1_000_000 }
    const automaton = new Automaton(/^(ab|ba)+$/, budget)
    automaton.matches('abba'.repeat(10))
    const { left } = budget
    expect(automaton.matches('abba'.repeat(10_000))).toBe(true)
    expect(budget.left).toBe(left)
  })

  test.each([
    [/a/, 'ba', 20],
    [/^abc$/, 'abc', 117],
    [/^a$/, 'b', 48],
    [/^(?:a|b|)+$/, 'abba', 167],
    [/^(?:){9}(?:ab){2,}?$/, 'ababab', 253],
    [/^a{2,4}b?\b/m, 'aaa', 217],
  ])('has the steps that are taken, and no more: %s on %j', (expression, text, steps) => {
    const budget = { left: 1000 }
    new Automaton(expression, budget).matches(text)
    expect(1000 - budget.left).toBe(steps)
    const matchWith = (left: number) => () => new Automaton(expression, { left }).matches(text)
    expect(matchWith(steps)).not.toThrow()
    expect(matchWith(steps - 1)).toThrow(`The pattern ${expression} needs too many states. Make it simpler.`)
  })

  test('ends a pattern that has to remember more and more', () => {
    const automaton = new Automaton(/[ab]*a[ab]{40}x/, { left: 100_000 })
    expect(() => automaton.matches(letters)).toThrow(expect.objectContaining({ code: 'unsafe-pattern' }))
  })

  test('however large does not let the table grow with the text', () => {
    const automaton = new Automaton(/[ab]*a[ab]{300}x/, { left: Infinity })
    expect(automaton.matches(letters)).toBe(false)
    expect(automaton.size).toBe(1246)
  })

  test('that is large enough outlives many tables', () => {
    const automaton = new Automaton(/[ab]*a[ab]{300}x/, { left: Infinity })
    expect(automaton.matches(`${letters}a${'b'.repeat(300)}x`)).toBe(true)
    expect(automaton.matches(`${letters}b${'b'.repeat(300)}x`)).toBe(false)
  })
})
