import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Automaton } from '../../../src/values/pattern/automaton.ts'
import { runs } from '../../effort.ts'

const open = (expression: RegExp): Automaton => new Automaton(expression, { left: 1_000_000 })

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
  ])('%s on %j: %j', (expression, text, isMatch) => {
    expect(open(expression).matches(text)).toBe(isMatch)
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

  test('ends a pattern that has to remember more and more', () => {
    const automaton = new Automaton(/[ab]*a[ab]{40}x/, { left: 100_000 })
    expect(() => automaton.matches(letters)).toThrow(expect.objectContaining({ code: 'unsafe-pattern' }))
  })

  test('that is large enough outlives many tables', () => {
    const automaton = new Automaton(/[ab]*a[ab]{300}x/, { left: Infinity })
    expect(automaton.matches(`${letters}a${'b'.repeat(300)}x`)).toBe(true)
    expect(automaton.matches(`${letters}b${'b'.repeat(300)}x`)).toBe(false)
  })
})

// ── against the language ─────────────────────────────────────────────────────────────────────────

const atoms = fc.constantFrom(
  ...['a', 'b', '-', '.', '😀', 'é', '', '[ab]', '[^a]', '[a-c_]', '[-a]', '[a\\-]', '[^]', '[]', '[\\b]'],
  ...[
    '\\d',
    '\\w',
    '\\s',
    '\\D',
    '\\W',
    '\\S',
    '[\\w.]',
    '[^\\s\\S]',
    '[^\\d\\n]',
    '[😀-😂]',
    '[^😀]',
    '\\0',
  ],
  ...['^', '$', '\\b', '\\B', '\\x61', '\\u0061', '\\n', '\\/', '/', '\\ud83d', '\\ude00', '\\ud83d\\ude00'],
  ...['[\\ud83d]', '[\\udc00-\\udfff]', '\\u{1f600}', '{', ']', 'a{,2}', '[\\d-z]', '\\-'],
)

/** Patterns of every kind of part. */
const sources = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    atoms,
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}${other}`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(${one}|${other})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{0}', '{2}', '{1,2}', '*?', '{2,}', '{0,3}?'))
      .map(([one, times]) => `(?:${one})${times}`),
  ),
})).pattern

const characters = fc.constantFrom(
  ...['a', 'b', 'c', '-', '_', ' ', '\n', '\u2028', '1', '.', '/', '{', '}', ',', '2', ']', '\0', '\b', 'é'],
  ...['😀', '😁', '\ud83d', '\ude00'],
)
const texts = fc.array(characters, { maxLength: 8 }).map((all) => all.join(''))

test('it agrees with the language on random patterns and texts', () => {
  let compared = 0
  fc.assert(
    fc.property(sources, fc.constantFrom('', 'u', 'm', 's', 'i', 'ms', 'mu'), fc.array(texts), (...made) => {
      const [source, flags, all] = made
      const expression = parsed(source, flags)
      if (expression === undefined) return
      const automaton = open(expression)
      for (const text of all) {
        // V8 also looks for `\B` between the halves of one character, where the standard has no place.
        if (flags.includes('u') && source.includes('\\B') && /[\ud800-\udbff][\udc00-\udfff]/.test(text))
          continue
        expect(automaton.matches(text), JSON.stringify(text)).toBe(expression.test(text))
        compared++
      }
    }),
    { seed: 5, numRuns: runs(5000) },
  )
  expect(compared).toBeGreaterThan(runs(8000))
})

/** Undefined if it is no regular expression with these flags, or one of the few spellings that are not understood. */
function parsed(source: string, flags: string): RegExp | undefined {
  if (!flags.includes('u') && source.includes('\\u{')) return undefined
  try {
    return new RegExp(source, flags)
  } catch {
    return undefined
  }
}
