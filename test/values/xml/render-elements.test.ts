import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/event.ts'
import { type RenderElementsOptions, renderElements } from '../../../src/values/xml/index.ts'

describe('a value rendered as elements', () => {
  const cases: [sentence: string, value: JsonValue, xml: string, options?: RenderElementsOptions][] = [
    ['a text', 'x', '<call>x</call>'],
    ['a number', 5, '<call>5</call>'],
    ['a boolean', true, '<call>true</call>'],
    ['null', null, '<call>null</call>'],
    ['an object', { path: 'a.ts', line: 3 }, '<call><path>a.ts</path><line>3</line></call>'],
    ['an empty object', {}, '<call></call>'],
    ['a list', { tags: ['a', 'b'] }, '<call><tags><item>a</item><item>b</item></tags></call>'],
    ['an empty list', { tags: [] }, '<call><tags></tags></call>'],
    ['a list of objects', [{ a: 1 }], '<call><item><a>1</a></item></call>'],
    ['a text with markup', { a: '<b> & "c"' }, '<call><a>&lt;b&gt; &amp; "c"</a></call>'],
    ['a text with markup, as it is', { a: '<b> & "c"' }, '<call><a><b> & "c"</a></call>', { escape: false }],
    [
      'lines',
      { a: 1, b: { c: 'x\ny' } },
      '<call>\n  <a>1</a>\n  <b>\n    <c>x\ny</c>\n  </b>\n</call>',
      { indent: 2 },
    ],
    ['a key called __proto__', JSON.parse('{"__proto__": 1}'), '<call><__proto__>1</__proto__></call>'],
  ]
  it.each(cases)('%s', (_, value, xml, options) => {
    expect(renderElements('call', value, options)).toBe(xml)
  })

  it('may be nested to any depth', () => {
    let value: JsonValue = 'x'
    for (let level = 0; level < 10_000; level++) value = { a: value }
    expect(renderElements('a', value)).toHaveLength(7 * 10_001 + 1)
  })

  it('is indented to a certain depth, so that its length stays in proportion to it', () => {
    let value: JsonValue = 'x'
    for (let level = 0; level < 50_000; level++) value = { a: value }
    expect(renderElements('a', value, { indent: 2 }).length).toBeLessThan(50_000 * 500)
  })

  it('takes time in proportion to the value, although each text is held against all that is around it', () => {
    let value: JsonValue = 'x < y'
    for (let level = 0; level < 30_000; level++) value = { text: 'x < y', [`level${level}`]: value }
    expect(renderElements('a', value, { escape: false })).toContain('<text>x < y</text>')
  })

  it('keeps a tag that is like that of no element around it', () => {
    expect(renderElements('call', { a: '<ab>' }, { escape: false })).toBe('<call><a><ab></a></call>')
  })

  it('is refused for a value that holds itself', () => {
    const list: JsonValue[] = []
    list.push([list])
    expect(() => renderElements('call', list)).toThrow(
      expect.objectContaining({ code: 'unrepresentable', message: 'The value of <item> holds itself.' }),
    )
  })

  it('takes a value that is there twice', () => {
    const shared = { b: 1 }
    expect(renderElements('call', [shared, shared])).toBe(
      '<call><item><b>1</b></item><item><b>1</b></item></call>',
    )
  })

  it.each([-1, 17, Number.NaN, Infinity])('is not indented by %s spaces', (indent) => {
    expect(() => renderElements('call', 1, { indent })).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    )
  })

  const refused: [sentence: string, value: JsonValue, message: string][] = [
    ['a key that is no name', { 'a b': 1 }, "'a b' cannot be the name of an element; rename the key."],
    ['an empty key', { '': 1 }, "'' cannot be the name of an element; rename the key."],
    [
      'a text that ends its element',
      { a: 'x</a>' },
      'The text of <a> contains a tag of <a>, which would be read as its end; escape it.',
    ],
    [
      'a text that ends its element, with space in it',
      { a: 'x</ a >' },
      'The text of <a> contains a tag of <a>, which would be read as its end; escape it.',
    ],
    [
      'a text that ends its parent',
      { a: 'x</call>' },
      'The text of <a> contains a tag of <call>, which would be read as its end; escape it.',
    ],
  ]
  it.each(refused)('is refused for %s', (_, value, message) => {
    expect(() => renderElements('call', value, { escape: false })).toThrow(
      expect.objectContaining({ code: 'unrepresentable', message }),
    )
  })
})
