import { describe, expect, it } from 'vitest'
import { matchesPattern } from '../../../src/values/schema/index.ts'
import { Patterns, problemOfPattern } from '../../../src/values/schema/pattern.ts'

const SCRIPTS = [
  'Arab',
  'Cyrl',
  'Deva',
  'Grek',
  'Hani',
  'Hebr',
  'Hira',
  'Kana',
  'Latn',
  'Thai',
  'Tibt',
  'Yiii',
]

const PROPERTIES = ['Script', 'sc', 'scx']
  .flatMap((name) => [...'pP'].flatMap((letter) => SCRIPTS.map((one) => `\\${letter}{${name}=${one}}`)))
  .join('')

const row = (text: string, times = 100_000): string => text.repeat(times)

describe('a pattern', () => {
  const long: [source: string, text: string, isMatch: boolean][] = [
    ['^[a-z]+$', row('a'), true],
    ['^[a-z0-9]+(-[a-z0-9]+)*$', row('abc-'), false],
    ['[a-z]+$', row('ab1'), false],
    ['\\s+$', `${row(' ')}x`, false],
    ['^.*needle.*$', row('hay'), false],
    ['rm .*-rf', row('rm '), false],
    ['^[^@]+@[^@]+\\.[^@]+$', `${row('a')}@${row('b.')}c`, true],
    ['^(a+)+$', `${row('a')}!`, false],
    ['^(a*)*$', `${row('a')}!`, false],
    ['^(\\w+\\s?)*$', `${row('word ')}!`, false],
    ['^(a|aa)+$', `${row('a')}!`, false],
    ['^.*.*.*x$', row('a'), false],
    ['^a?a?a?a?a?a?aaaaaa$', 'aaaaaaa', true],
    ['^(a{1,9}){1,9}$', row('a', 81), true],
    ['^(a{1,9}){1,9}$', row('a', 82), false],
    ['^[\\s\\S]{1,5000}$', row('a', 5001), false],
  ]
  it.each(long)('%s takes time in proportion to the text', (source, text, isMatch) => {
    expect(matchesPattern(source, text)).toBe(isMatch)
  })

  const unicode: [source: string, text: string, isMatch: boolean][] = [
    ['^.$', '😀', true],
    ['^[一-龥]+$', '漢字', true],
    ['^\\u{1f600}$', '😀', true],
    // Only without the flag for Unicode is this a pattern.
    ['^a\\-b$', 'a-b', true],
    ['^{$', '{', true],
  ]
  it.each(unicode)('%s on %j: %j', (source, text, isMatch) => {
    expect(matchesPattern(source, text)).toBe(isMatch)
  })

  const around: [source: string, text: string, isMatch: boolean][] = [
    ['^(?!rm\\b)', 'ls', true],
    ['^(?!rm\\b)', 'rm -r', false],
    ['^(?=.*\\d)(?=.*[a-z]).{8,}$', 'correct1', true],
    ['^(?=.*\\d)(?=.*[a-z]).{8,}$', 'correct', false],
    ['(?<!a)b', 'ab', false],
    ['^(a)\\1$', 'aa', true],
    ['^(?<x>a)\\k<x>$', 'ab', false],
    ['^\\p{L}+$', 'Ærøskøbing', true],
    ['^\\p{L}+$', 'a1', false],
    ['^[\\p{Script=Han}\\d]+$', '漢字12', true],
    ['^[^\\p{Lu}]+$', 'aB', false],
    ['^\\P{L}+$', '\ud800', true],
    ['^\\p{Emoji_Presentation}$', '😀', true],
    ['^\\P{Cs}$', '\udfff', false],
  ]
  it.each(around)('%s on %j: %j', (source, text, isMatch) => {
    expect(matchesPattern(source, text)).toBe(isMatch)
  })

  const notRun: [sentence: string, source: string][] = [
    ['a search that takes too long', '^(a+)+b\\1$'],
    ['a look that takes too long', '^(?=.*b)'],
    ['a property without its flag', '\\-\\p{L}'],
    ['a reference to no group', '\\-(a)\\2'],
    ['a reference to a name that no group has, which is read as letters', '^\\k<n>'],
    ['a property that there is not', '^\\p{Lettre}$'],
    ['too many properties', PROPERTIES],
    ['more than 1024 characters', 'a'.repeat(1025)],
    ['counts that multiply', '^((a{99}){99}){99}$'],
    ['a bracket that is never closed', '(a'],
    ['a class that is never closed', '[a'],
  ]
  it.each(notRun)('is not run because of %s', (_, source) => {
    expect(matchesPattern(source, row('a', 1_000_000))).toBeUndefined()
  })
})

describe('the steps of all patterns together', () => {
  it('are used up by long texts, too', () => {
    const patterns = new Patterns()
    const text = row(' ', 16_000_000)
    for (let time = 1; time <= 7; time++) expect(patterns.matches('^a', text)).toBe(false)
    expect(patterns.isSpent).toBe(false)
    expect(patterns.matches('^a', text)).toBeUndefined()
    expect(patterns.isSpent).toBe(true)
    expect(patterns.matches('^a', '')).toBeUndefined()
  })

  it('are used up by many classes of many ranges', () => {
    const classes = Array.from({ length: 127 }, (_, at) => `[\\p{L}${String.fromCharCode(0x2500 + at)}]`)
    const [many, few] = [classes.join(''), classes.slice(0, 9).join('')]
    expect(problemOfPattern(many)).toBe(`The pattern /${many}/u has too many characters in its classes.`)
    expect(problemOfPattern(few)).toBeUndefined()
    // These are known from the test above, which takes its time to find their characters.
    expect(problemOfPattern(PROPERTIES)).toBe(
      `The pattern /${PROPERTIES}/u has too many characters in its classes.`,
    )
  })
})
