import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSafePattern } from '../../src/schema/index.ts'

describe('a pattern', () => {
  const linear = [
    '^[a-z]+$',
    '^[a-z0-9]+(-[a-z0-9]+)*$',
    '^\\d+(\\.\\d+)*$',
    '^(?:[a-z]+,)*[0-9]$',
    '^(\\d{1,3}\\.){3}\\d{1,3}$',
    '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2})?$',
    '^(?<year>\\d{4})$',
    '^#([0-9a-f]{3}|[0-9a-f]{6})$',
    '^(GET|POST|PUT)$',
    '^(ab|cd)*$',
    '^(ab?)*$',
    '^[\\w.-]+$',
    '^[^@]+@[a-z]+$',
    '^\\u0041\\x42\\t+$',
    '^src/',
    'needle',
    '^.*needle',
    '^[A-Za-z0-9+/]*={0,2}$',
    '^-?\\d+$',
    '^[一-龥]+$',
  ]
  it.each(linear)('%s is safe on texts of any length', (source) => {
    expect(isSafePattern(source, Number.MAX_SAFE_INTEGER)).toBe(true)
  })

  const quadratic = ['[a-z]+$', '\\s+$', '.*needle.*', '^.*needle.*$', 'rm .*-rf', '^[^@]+@[^@]+\\.[^@]+$']
  it.each(quadratic)('%s is safe on short texts', (source) => {
    expect([isSafePattern(source), isSafePattern(source, 5000)]).toEqual([true, false])
  })

  const refused: [sentence: string, source: string][] = [
    ['a loop in a loop', '^(a+)+$'],
    ['a loop of loops that may be empty', '^(a*)*$'],
    ['a loop of words with optional spaces', '^(\\w+\\s?)*$'],
    ['a loop over a choice whose members start alike', '^(a|aa)+$'],
    ['a loop over a choice of classes that overlap', '^(\\w|\\d)*$'],
    ['a loop that ends with what follows it, inside a loop', '^(-[a-z]+[a-z0-9]+)*$'],
    ['three loops that compete', '^.*.*.*x$'],
    ['two loops that compete, without an anchor', 'a.*b.*c'],
    ['optional parts that compete, many times', '^a?a?a?a?a?a?aaaaaa$'],
    ['choices that compete, many times', '^(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)$'],
    ['counted loops that compete in counted loops', '^(a{1,9}){1,9}$'],
    ['counts that multiply', '^((a{99}){99}){99}$'],
    ['a backreference', '^(a)\\1$'],
    ['a backreference by name', '^(?<x>a)\\k<x>$'],
    ['a look ahead', '^(?=a)a$'],
    ['a look behind', '(?<!a)b'],
    ['a property of Unicode, which is not understood', '^\\p{L}+$'],
    ['a pattern that is too long', 'a'.repeat(257)],
    ['a pattern that is broken', '(a'],
    ['a class that is broken', '[a'],
  ]
  it.each(refused)('is refused for %s', (_, source) => {
    expect(isSafePattern(source, 1)).toBe(false)
  })

  const parts = fc.constantFrom(
    'a',
    'b',
    '-',
    '[ab]',
    '\\w',
    '.',
    '(',
    ')',
    '(?:',
    '|',
    '*',
    '+',
    '?',
    '{2,3}',
    '^',
    '$',
    '\\s',
  )
  const sources = fc.array(parts, { maxLength: 14 }).map((all) => all.join(''))

  it('that is called safe is quick on texts made to hurt it', () => {
    const hurtful = [...'ab- '].flatMap((one) => [`${one.repeat(3000)}!`, `${`a${one}`.repeat(1500)}!`])
    fc.assert(
      fc.property(sources, (source) => {
        if (!isSafePattern(source)) return
        const pattern = new RegExp(source)
        const start = performance.now()
        for (const text of hurtful) pattern.test(text)
        expect(performance.now() - start).toBeLessThan(5000)
      }),
      { seed: 7, numRuns: 600 },
    )
  })
})
