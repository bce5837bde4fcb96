import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../src/event.ts'
import { type RenderElementsOptions, renderElements } from '../../src/xml/index.ts'

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

  const refused: [sentence: string, value: JsonValue, message: string][] = [
    ['a key that is no name', { 'a b': 1 }, "'a b' cannot be the name of an element; rename the key."],
    ['an empty key', { '': 1 }, "'' cannot be the name of an element; rename the key."],
    [
      'a text that ends its element',
      { a: 'x</a>' },
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
