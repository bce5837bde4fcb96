import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/event.ts'
import type { JsonSchema } from '../../../src/values/schema/index.ts'
import {
  readElements,
  readValue,
  renderElements,
  type ValueOptions,
  valueOfElements,
} from '../../../src/values/xml/index.ts'

const STRING: JsonSchema = { type: 'string' }
const INTEGER: JsonSchema = { type: 'integer' }

function read(xml: string, options?: ValueOptions) {
  const { value, problems } = readValue(xml, options)
  return { value, problems: problems.map(({ code, name }) => `${code} ${name}`) }
}

describe('elements without a schema', () => {
  const cases: [sentence: string, xml: string, value: JsonValue, problems?: string[]][] = [
    ['are the properties of an object', '<path>a.ts</path><mode>rw</mode>', { path: 'a.ts', mode: 'rw' }],
    ['may have space between them', '\n  <path>a.ts</path>\n', { path: 'a.ts' }],
    ['may hold objects', '<a><b>x</b></a>', { a: { b: 'x' } }],
    ['are a text when there are none', 'hello', 'hello'],
    ['make a list when repeated', '<tag>a</tag><x>y</x><tag>b</tag>', { tag: ['a', 'b'], x: 'y' }],
    ['make a list when they are items', '<tags><item>a</item><item>b</item></tags>', { tags: ['a', 'b'] }],
    ['make a list of one item', '<tags><item>a</item></tags>', { tags: ['a'] }],
    [
      'make lists of lists',
      '<m><item><item>1</item></item><item><item>2</item></item></m>',
      { m: [[1], [2]] },
    ],
    ['make a tuple when they are numbered', '<p><1>b</1><0>a</0></p>', { p: ['a', 'b'] }],
    ['make an object when their numbers have a gap', '<p><1>a</1><3>b</3></p>', { p: { 1: 'a', 3: 'b' } }],
    ['are empty texts when empty', '<a></a><b/>', { a: '', b: '' }],
    ['are numbers when written like numbers', '<a>5</a><b>-2.5</b><c> 7 </c>', { a: 5, b: -2.5, c: 7 }],
    [
      'are texts when a number would change them',
      '<a>007</a><b>5.0</b><c>1e3</c><d>12345678901234567890</d><e>NaN</e><f>-0</f>',
      { a: '007', b: '5.0', c: '1e3', d: '12345678901234567890', e: 'NaN', f: '-0' },
    ],
    ['keep words that a schema might take for values', '<a>true</a><b>null</b>', { a: 'true', b: 'null' }],
    ['keep space in texts', '<a> x\n</a>', { a: ' x\n' }],
    ['decode references once', '<a>&lt;b&gt; &amp;lt;</a>', { a: '<b> &lt;' }],
    ['keep CDATA as it is', '<a><![CDATA[<b>&lt;</b>]]></a>', { a: '<b>&lt;</b>' }],
    ['keep text that stands between them', 'x <a>1</a> y', { $text: 'x  y', a: 1 }, ['mixed-text a']],
    ['lose their attributes, and that is said', '<a k="v">1</a>', { a: 1 }, ['ignored-attribute a']],
    [
      'lose those of items, and that is said',
      '<a><item k="v">1</item></a>',
      { a: [1] },
      ['ignored-attribute item'],
    ],
    ['that never close are text', '<a>x <br> y</a>', { a: 'x <br> y' }, ['unclosed-element br']],
  ]
  it.each(cases)('%s', (_, xml, value, problems = []) => {
    expect(read(xml)).toEqual({ value, problems })
  })

  it('keep numbers as texts when asked to', () => {
    expect(read('<a>5</a>', { numbers: false }).value).toEqual({ a: '5' })
  })

  it('keep processing instructions when asked to', () => {
    expect(read('<a><?b c?></a>', { instructions: true }).value).toEqual({ a: '<?b c?>' })
  })

  it('keep references when asked to', () => {
    expect(read('<a>&lt;</a>', { entities: false }).value).toEqual({ a: '&lt;' })
  })

  it('treat __proto__ as data', () => {
    const { value } = readValue('<__proto__><admin>true</admin></__proto__>')
    expect(JSON.stringify(value)).toBe('{"__proto__":{"admin":"true"}}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})

describe('elements with a schema', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      text: STRING,
      note: { type: ['string', 'null'] },
      count: INTEGER,
      flag: { type: 'boolean' },
      tags: { type: 'array', items: STRING },
      sizes: { type: 'array', items: INTEGER },
      pair: { type: 'array', prefixItems: [STRING, INTEGER] },
      edits: { type: 'array', items: { type: 'object', properties: { path: STRING, line: INTEGER } } },
      options: { type: 'object', properties: { item: STRING, depth: INTEGER } },
      map: { type: 'object', additionalProperties: STRING },
      either: { type: ['object', 'string'] },
      free: {},
      tree: { $ref: '#/$defs/tree' },
    },
    $defs: {
      tree: {
        type: 'object',
        properties: { name: STRING, children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
      },
    },
  }
  const cases: [sentence: string, xml: string, value: JsonValue, problems?: string[]][] = [
    ['keep a number that is a text', '<text>5</text>', { text: '5' }],
    ['keep the space of a text', '<text>\n  x\n</text>', { text: '\n  x\n' }],
    [
      'keep the markup in a text',
      '<text><b>bold</b> &amp; <i>more</text>',
      { text: '<b>bold</b> & <i>more' },
    ],
    [
      'join lists that are repeated, and that is said',
      '<tags><item>a</item></tags><tags><item>b</item></tags>',
      { tags: ['a', 'b'] },
      ['repeated-key tags'],
    ],
    ['keep the comments in a text', '<text><!-- x --></text>', { text: '<!-- x -->' }],
    [
      'keep the tags of other properties in a text',
      '<text>see <count>5</count></text>',
      { text: 'see <count>5</count>' },
    ],
    [
      'keep the closers of other properties in a text',
      '<text>x</count></text><count>5</count>',
      { text: 'x</count>', count: 5 },
    ],
    ['balance a text that holds itself', '<text>a <text>b</text> c</text>', { text: 'a <text>b</text> c' }],
    [
      'take CDATA around a whole text for markup',
      '<text>\n<![CDATA[<a> &lt; ]]>\n</text>',
      { text: '<a> &lt; ' },
    ],
    ['keep CDATA inside a text', '<text>a <![CDATA[b]]></text>', { text: 'a <![CDATA[b]]>' }],
    [
      'join sections of CDATA, which is how the end of one is written',
      '<text> <![CDATA[a]]]]><![CDATA[>b]]> </text>',
      { text: 'a]]>b' },
    ],
    [
      'keep what stands between and behind sections of CDATA',
      '<text><![CDATA[&lt;]]> &lt; <![CDATA[b]]> c </text>',
      { text: '&lt; < b c ' },
    ],
    ['keep CDATA that does not end', '<text><![CDATA[a</text>', { text: '<![CDATA[a' }],
    [
      'keep sections of CDATA of which one does not end',
      '<text><![CDATA[a]]><![CDATA[b</text>',
      { text: '<![CDATA[a]]><![CDATA[b' },
    ],
    ['tell null from a text', '<note>null</note>', { note: null }],
    ['keep the markup of a text that may be null', '<note><b>x</b></note>', { note: '<b>x</b>' }],
    ['type integers', '<count> 5 </count>', { count: 5 }],
    ['type booleans', '<flag>True</flag>', { flag: true }],
    ['keep what has the wrong type', '<count>many</count>', { count: 'many' }],
    ['make a list of items', '<tags><item>5</item><item>b</item></tags>', { tags: ['5', 'b'] }],
    ['make a list of repeated elements', '<tags>a</tags><tags>b</tags>', { tags: ['a', 'b'] }],
    ['make a list of a single element', '<tags>a</tags>', { tags: ['a'] }],
    [
      'make a list of elements with a name of their own',
      '<tags><tag>a</tag><tag>b</tag></tags>',
      { tags: ['a', 'b'] },
    ],
    ['make a list of JSON', '<tags>["a", "b"]</tags>', { tags: ['a', 'b'] }],
    ['make an empty list', '<tags></tags>', { tags: [] }],
    ['keep a list that is broken JSON', '<tags>["a", </tags>', { tags: '["a", ' }],
    ['type the items of a list', '<sizes><item>1</item><item>2</item></sizes>', { sizes: [1, 2] }],
    ['type a single item of a list', '<sizes>1</sizes>', { sizes: [1] }],
    ['make a tuple', '<pair><0>1</0><1>2</1></pair>', { pair: ['1', 2] }],
    ['make a list of numbers with a gap', '<sizes><3>1</3><1>2</1></sizes>', { sizes: [2, 1] }],
    [
      'make a list of objects',
      '<edits><item><path>1</path><line>2</line></item><item><path>b</path></item></edits>',
      { edits: [{ path: '1', line: 2 }, { path: 'b' }] },
    ],
    [
      'make a list of objects with a name of their own',
      '<edits><edit><path>1</path></edit></edits>',
      { edits: [{ path: '1' }] },
    ],
    [
      'make a list of repeated objects',
      '<edits><path>a</path></edits><edits><path>b</path></edits>',
      { edits: [{ path: 'a' }, { path: 'b' }] },
    ],
    [
      'make a list of an object alone',
      '<edits><path>a</path><line>2</line></edits>',
      { edits: [{ path: 'a', line: 2 }] },
    ],
    ['know a property called item', '<options><item>5</item></options>', { options: { item: '5' } }],
    ['type additional properties', '<map><a>5</a><b><i>x</i></b></map>', { map: { a: '5', b: '<i>x</i>' } }],
    ['make an empty object', '<options/>', { options: {} }],
    ['make an object of JSON', '<options>{"depth": 1}</options>', { options: { depth: 1 } }],
    ['make an object where a text was possible', '<either><a>1</a></either>', { either: { a: 1 } }],
    ['keep a text where an object was possible', '<either>5</either>', { either: '5' }],
    ['are free where the schema is silent', '<free>5</free><other>6</other>', { free: 5, other: 6 }],
    [
      'follow references',
      '<tree><name>1</name><children><item><name>2</name></item></children></tree>',
      { tree: { name: '1', children: [{ name: '2' }] } },
    ],
    ['are an empty object when there are none', ' \n', {}],
    ['are an object when they are JSON', '{"count": 5}', { count: 5 }],
    [
      'take the first of two texts, and say so',
      '<text>a</text><text>b</text>',
      { text: 'a' },
      ['duplicate-string-tag text'],
    ],
    ['make a list of repeated numbers', '<count>1</count><count>2</count>', { count: [1, 2] }],
    [
      'understand elements where a number was wanted',
      '<count><value>5</value></count>',
      { count: { value: 5 } },
    ],
  ]
  it.each(cases)('%s', (_, xml, value, problems = []) => {
    expect(read(xml, { schema })).toEqual({ value, problems })
  })

  it('ask the relaxed parser about what is not quite JSON', () => {
    expect(read('<options>{depth: 1}</options>', { schema, relaxed: () => ({ depth: 1 }) }).value).toEqual({
      options: { depth: 1 },
    })
  })

  it('do not go in circles with a list of lists of lists', () => {
    const endless: JsonSchema = { type: 'array', items: { $ref: '#' } }
    expect(read('<a>1</a><b>2</b>', { schema: endless }).value).toEqual({ a: 1, b: 2 })
    expect(read('x', { schema: endless }).value).toEqual(['x'])
  })

  it('may be read first and valued later', () => {
    const nodes = readElements('<text>5</text><count>5</count>')
    expect(valueOfElements(nodes, { schema }).value).toEqual({ text: '5', count: 5 })
  })
})

describe('elements named by an attribute', () => {
  const nameAttribute = 'name'
  const cases: [sentence: string, xml: string, value: JsonValue][] = [
    [
      'go by that name',
      '<arg name="path">a</arg><param name="n">1</param><parameter name="m">2</parameter>',
      { path: 'a', n: 1, m: 2 },
    ],
    ['may be nested', '<arg name="outer"><arg name="inner">v</arg></arg>', { outer: { inner: 'v' } }],
    ['make a list when repeated', '<arg name="a">1</arg><arg name="a">2</arg>', { a: [1, 2] }],
    ['go by their own name without it', '<arg>1</arg><path name="x">a</path>', { arg: 1, path: 'a' }],
    ['make a list when they are called item', '<arg name="a"><arg name="item">1</arg></arg>', { a: [1] }],
  ]
  it.each(cases)('%s', (_, xml, value) => {
    expect(read(xml, { nameAttribute }).value).toEqual(value)
  })

  it('hold texts with elements like themselves', () => {
    const schema: JsonSchema = { properties: { code: STRING } }
    const xml = '<arg name="code">a <arg name="x">b</arg> c</arg>'
    expect(read(xml, { nameAttribute, schema }).value).toEqual({ code: 'a <arg name="x">b</arg> c' })
  })
})

describe('elements in a wrapper', () => {
  const wrapper = 'arguments'
  it('are as if it were not there', () => {
    expect(read('\n<arguments><a>1</a></arguments>\n', { wrapper }).value).toEqual({ a: 1 })
  })

  it('are typed by the schema', () => {
    const schema: JsonSchema = { type: 'object', properties: { a: STRING } }
    expect(read('<arguments><a><b>1</b></a></arguments>', { wrapper, schema }).value).toEqual({
      a: '<b>1</b>',
    })
    expect(read('<arguments></arguments>', { wrapper, schema }).value).toEqual({})
    expect(read('<arguments>{"a": "x"}</arguments>', { wrapper, schema }).value).toEqual({ a: 'x' })
  })

  it('are read without its attributes, which are reported', () => {
    const { value, problems } = read('<arguments mode="dry"><a>1</a></arguments>', { wrapper })
    expect([value, problems]).toEqual([{ a: 1 }, ['ignored-attribute arguments']])
  })

  it('stand beside its attributes, if those are properties', () => {
    const options = { wrapper, attributePrefix: '@' }
    const { value, problems } = read('<arguments mode="dry"><a>1</a></arguments>', options)
    expect([value, problems]).toEqual([{ '@mode': 'dry', a: 1 }, []])
  })

  it('are not, when the schema knows a property of that name', () => {
    const schema: JsonSchema = { type: 'object', properties: { arguments: STRING } }
    expect(read('<arguments>x</arguments>', { wrapper, schema }).value).toEqual({ arguments: 'x' })
  })

  it('are not, when the wrapper is not alone', () => {
    expect(read('<arguments>1</arguments><b>2</b>', { wrapper }).value).toEqual({ arguments: 1, b: 2 })
  })
})

describe('the value of elements', () => {
  it('is found at any depth', () => {
    const depth = 10_000
    const levelOf = (xml: string): number => {
      let level = 0
      for (let at: JsonValue = readValue(xml).value; typeof at === 'object' && at !== null; level++)
        at = Object.values(at)[0]!
      return level
    }
    expect(levelOf(`${'<a>'.repeat(depth)}x${'</a>'.repeat(depth)}`)).toBe(depth)
    expect(levelOf(`${'<item>'.repeat(depth)}x${'</item>'.repeat(depth)}`)).toBe(depth)
  })

  it('is found at any depth with a schema that repeats itself', () => {
    const schema: JsonSchema = { type: 'object', properties: { a: { $ref: '#' } } }
    const depth = 10_000
    expect(readValue(`${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`, { schema }).problems).toEqual([])
  })

  it('never throws on text that was cut, doubled or mixed up', () => {
    const whole = [
      '<edits>',
      '<item>',
      '<path>',
      'a.ts',
      '</path>',
      '<line n="1">',
      '5',
      '</line>',
      '</item>',
      '<0>',
      '</0>',
      '<![CDATA[x]]>',
      '</edits>',
      '&lt;',
      '<__proto__>',
      '</__proto__>',
    ]
    const schemas = fc.constantFrom<JsonSchema | undefined>(
      undefined,
      { properties: { edits: { items: { properties: { path: STRING, line: INTEGER } } } } },
      { additionalProperties: STRING },
      { type: 'array', items: { $ref: '#' } },
      { anyOf: [STRING, { $ref: '#' }] },
      false,
    )
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...whole), { maxLength: 30 }),
        schemas,
        fc.nat(200),
        (parts, schema, cut) => {
          const { value } = readValue(parts.join('').slice(0, cut), {
            schema,
            nameAttribute: 'n',
            wrapper: 'edits',
          })
          expect(value).not.toBeUndefined()
        },
      ),
      { seed: 7, numRuns: 1500 },
    )
  })

  it('reads back what was rendered, with a schema', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        text: STRING,
        list: { type: 'array', items: STRING },
        rows: { type: 'array', items: { type: 'object', properties: { n: INTEGER, s: STRING } } },
      },
    }
    const texts = fc.string({
      unit: fc.constantFrom(
        'a',
        ' ',
        '<',
        '>',
        '&',
        ';',
        '</text>',
        '&lt;',
        '5',
        '\n',
        '<item>',
        ']]>',
        '<![CDATA[',
      ),
    })
    const values = fc.record({
      text: texts,
      list: fc.array(texts),
      rows: fc.array(fc.record({ n: fc.integer(), s: texts })),
    })
    fc.assert(
      fc.property(values, (value) => {
        const xml = renderElements('call', value)
        const inner = xml.slice('<call>'.length, -'</call>'.length)
        expect(readValue(inner, { schema })).toEqual({ value, problems: [] })
      }),
      { seed: 7, numRuns: 500 },
    )
  })
})
