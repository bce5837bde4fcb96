import { describe, expect, it } from 'vitest'
import { Backtracker } from '../../../src/values/pattern/backtracker.ts'
import { readPattern } from '../../../src/values/pattern/syntax.ts'

const STEPS = 8_000_000

const open = (expression: RegExp, left = STEPS): Backtracker =>
  new Backtracker(expression, { left }, readPattern(expression))

/** As a text, for what the linter takes for a mistake. */
const written = (source: string, flags = ''): RegExp => new RegExp(source, flags)

describe('a pattern that looks around or back', () => {
  const cases: [expression: RegExp, matching: string[], others: string[]][] = [
    [/^(?!rm\b)/, ['ls', 'rmdir', ''], ['rm', 'rm -r']],
    [/^(?=.*[A-Z])(?=.*\d).{4,}$/, ['aB1x', '1234X'], ['ab1x', 'aB1']],
    [/^(?:(?!secret).)*$/, ['open', 'secre'], ['a secret here']],
    [/(?<!\$)\b\d+/, ['5', 'a 5'], ['$5', '']],
    [/(?<=€)\d/, ['€5'], ['5€', '$5']],
    [/^(['"]).*\1$/, ['"a"', "'a'", '""'], ['"a\'', '"']],
    [/^(?<tag>[a-z]+)>.*<\k<tag>$/, ['b>x<b'], ['b>x<i']],
    // biome-ignore lint/suspicious/noUselessRegexBackrefs: it always matches
    [/\2(a)(b)/, ['ab'], ['a']],
    // What a round of a repetition has captured is forgotten in the next one.
    [/^(?:(a)|b)*\1$/, ['ab', 'aa', ''], ['aba', 'ac']],
    [/^(a*)*\1$/, ['', 'aa'], ['a', 'b']],
    [/^(?:a|()){2}\1$/, ['a', 'aa', ''], ['aaa']],
    // What a look ahead has captured is not tried again.
    [/(?=(a+))a*b\1/, ['baaabaa', 'aba'], ['ab']],
    [/^(?=(a*?))\1b/, ['b'], ['ab']],
    // To the left, the last group is matched first.
    [/^ab(?<=^(.)(.*))\1$/, ['aba'], ['abb']],
    [/(?<=\1(a))b/, ['aab'], ['ab']],
    [/(?<!^|[a-c]{2})d/, ['xad'], ['d', 'abd']],
    [/^(?<=(?=a)^)a/, ['a'], ['b']],
    [/(?<=😀)b/u, ['😀b'], ['\ude00b']],
    [/^(?=)a[^b]$/, ['ac'], ['a', 'ab']],
    [/^(?=).$/u, ['😀', 'a'], ['aa', '😀a']],
    [/^(?=)..$/u, ['\ud83da', 'a\ude00', '\ude00\ud83d'], ['😀']],
    [/^(?=)..$/, ['😀'], ['😀a']],
    [/^(?=)[\ud83d]/, ['😀'], ['a']],
    [/(?<=^|.)\ude00/u, ['\ude00'], ['😀']],
    [/(?<=^.)b/u, ['ab', '😀b'], ['b', 'aab']],
    // The way to the end is found again from a place beside it.
    [/^.?(?=(?:a*)*c)a/, ['ac', 'aac'], ['ab', 'c']],
    [/(?=)^(?:a|a)*b/, ['aab'], ['aac']],
    [/^(?=(?:a*)*$)/, ['aa'], ['ab']],
    // As much as possible first, or as little.
    [/^(?=(a*))\1b/, ['aab', 'b'], ['aa']],
    [/^(?=(a*?))\1b/, ['b'], ['aab']],
    [/^(a)(?:\1){2}$/, ['aaa'], ['aa', 'aaaa']],
    // A group that is not over has not matched.
    [written('^(a\\1b)$'), ['ab'], ['aab']],
    [written('(?<=^b(\\1a))$'), ['ba'], ['baa']],
    [/^(?:(a)|(b)|c)*\2$/, ['bc', 'bb', 'ac'], ['ab', 'd']],
    [/^(x)(?:(a)|(b)|c)*\3$/, ['xbc', 'xbb'], ['xd']],
    [/(?<=^(?:(a))*(b))\2$/, ['abb', 'bb'], ['ab', 'b']],
    [/^(?:(?=a*b)){2}a(b)\1$/, ['abb'], ['ab']],
    [/^(?:(?<n>a)|(?<m>b))\k<m>$/, ['a', 'bb'], ['aa', 'b']],
  ]
  it.each(cases)('%s', (expression, matching, others) => {
    const backtracker = open(expression)
    for (const text of matching) expect(backtracker.matches(text), text).toBe(true)
    for (const text of others) expect(backtracker.matches(text), text).toBe(false)
  })

  it('takes time in proportion to the text where it only looks around', () => {
    expect(open(/^(?:(?!b).)*$/).matches('a'.repeat(100_000))).toBe(true)
    expect(open(/^(?:(?=.*!)a)*!$/).matches(`${'a'.repeat(50_000)}!`)).toBe(true)
    expect(open(/^(?=(?:a|a)*$)(?:a+)+$/).matches(`${'a'.repeat(20_000)}`)).toBe(true)
  })

  it.each([
    [/a(?=b)/, 'aab', 96],
    [/^(?:(?:a(?!b))*)+b$/, 'aab', 352],
    [/^(a|b)*\1(?:c)+$/, 'abbcc', 418.75],
    [/^(?:(a)(b)?)+(?:){9}\2$/, 'abaabb', 567.125],
    [written('(?<=(a+)\\1)b'), 'aaaab', 753.5],
  ])('takes the steps that it takes, and no more: %s on %j', (expression, text, steps) => {
    const budget = { left: 10_000 }
    new Backtracker(expression, budget, readPattern(expression)).matches(text)
    expect(10_000 - budget.left).toBe(steps)
    expect(() => open(expression, steps).matches(text)).not.toThrow()
    expect(() => open(expression, steps - 1).matches(text)).toThrow(
      `The pattern ${expression} takes too many steps on this text.`,
    )
  })

  it('ends when it has taken too many steps', () => {
    const expression = /^(a+)+\1$/
    expect(() => open(expression).matches(`${'a'.repeat(40)}!`)).toThrow(
      'The pattern /^(a+)+\\1$/ takes too many steps on this text.',
    )
  })
})
