import { describe, expect, it } from 'vitest'
import { matchesPattern } from '../../../src/values/schema/index.ts'

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

  const notRun: [sentence: string, source: string][] = [
    ['a backreference', '^(a)\\1$'],
    ['a backreference by name', '^(?<x>a)\\k<x>$'],
    ['a look ahead', '^(?=a)a$'],
    ['a look behind', '(?<!a)b'],
    ['a property of Unicode', '^\\p{L}+$'],
    ['more than 1024 characters', 'a'.repeat(1025)],
    ['counts that multiply', '^((a{99}){99}){99}$'],
    ['a bracket that is never closed', '(a'],
    ['a class that is never closed', '[a'],
  ]
  it.each(notRun)('is not run because of %s', (_, source) => {
    expect(matchesPattern(source, row('a', 1_000_000))).toBeUndefined()
  })
})
