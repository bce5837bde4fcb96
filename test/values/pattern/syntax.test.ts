import { describe, expect, it } from 'vitest'
import { readPattern } from '../../../src/values/pattern/syntax.ts'

describe('a pattern', () => {
  it('may have 1024 characters', () => {
    expect(readPattern(new RegExp('a'.repeat(1024))).sets).toEqual([[[97, 97]]])
    expect(() => readPattern(new RegExp('a'.repeat(1025)))).toThrow(
      /^The pattern \/a{1025}\/ is longer than 1024 characters\. Split it into several\.$/,
    )
  })

  it.each<[source: string, at: number]>([
    // Numbers and names of groups that are not there.
    ['\\1', 3],
    ['(a)\\2\\1', 8],
    ['\\8', 3],
    ['^\\k<n>$', 8],
    ['\\k', 3],
    // Old spellings of characters.
    ['a\\01', 4],
    ['[\\1]', 4],
    ['\\x6', 3],
    ['\\u61', 3],
    ['\\u{61}', 3],
    ['\\cA', 3],
    ['\\p{Lu}', 3],
    ['\\P{Lu}', 3],
  ])('%s, which is read only in the older syntax and means something else, is refused', (source, at) => {
    const expression = new RegExp(source)
    const message = `The pattern /${source}/ has unsupported syntax at character ${at}.`
    expect(() => readPattern(expression)).toThrow(
      expect.objectContaining({ code: 'unsafe-pattern', message }),
    )
  })

  it('with a control letter is refused with every flag', () => {
    expect(() => readPattern(/\cA/u)).toThrow(
      expect.objectContaining({ message: 'The pattern /\\cA/u has unsupported syntax at character 3.' }),
    )
  })

  it('with a kind of group that is not known is refused', () => {
    const source = '(?i:a)'
    const expression = { source, flags: '', toString: () => `/${source}/` } as unknown as RegExp
    expect(() => readPattern(expression)).toThrow(
      'The pattern /(?i:a)/ has unsupported syntax at character 3.',
    )
  })

  it('names each set of characters once', () => {
    const syntax = readPattern(/a[b-d]\x61[bcd]\n$/m)
    expect(syntax.sets).toEqual([
      [[97, 97]],
      [[98, 100]],
      [[10, 10]],
      [
        [10, 10],
        [13, 13],
        [0x2028, 0x2029],
      ],
    ])
    expect(syntax).toMatchObject({ lineSet: 3, wordSet: -1 })
  })

  it('tells sets apart that only together have the same ranges', () => {
    expect(readPattern(new RegExp(['[\\x01-\\x0b]', '[\\x01\\x0b]'].join('|'))).sets).toEqual([
      [[1, 11]],
      [
        [1, 1],
        [11, 11],
      ],
    ])
  })

  it.each([
    [
      /a(b)(?:c)*(?<n>d)+/u,
      { groups: 2, loops: 2, properties: 0, hasLooks: false, hasBackreferences: false },
    ],
    [/(?=a)/u, { groups: 0, loops: 0, properties: 0, hasLooks: true, hasBackreferences: false }],
    [/(?<!a)/u, { groups: 0, loops: 0, properties: 0, hasLooks: true, hasBackreferences: false }],
    [/(a)\1/u, { groups: 1, loops: 0, properties: 0, hasLooks: false, hasBackreferences: true }],
    [/\p{Lu}\p{Lu}\P{Lu}[\p{Nd}]/u, { groups: 0, properties: 3, hasLooks: false, hasBackreferences: false }],
  ])('is counted: %s', (expression, expected) => {
    expect(readPattern(expression)).toMatchObject(expected)
  })
})
