import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/event.ts'
import { coerceValue, type JsonSchema } from '../../../src/values/schema/index.ts'

const INTEGER: JsonSchema = { type: 'integer' }
const STRING: JsonSchema = { type: 'string' }
const STRINGS: JsonSchema = { type: 'array', items: STRING }
const INTEGERS: JsonSchema = { type: 'array', items: INTEGER }
const POINT: JsonSchema = { type: 'object', properties: { x: INTEGER, y: INTEGER }, required: ['x'] }

const ITEMS: JsonSchema = { type: 'array', items: { type: 'object', properties: { item: STRING } } }
const TREE: JsonSchema = { type: 'object', properties: { n: INTEGER, children: { items: { $ref: '#' } } } }

/** Values that are right, but that other schemas would want to be changed. */
const BESIDE: [sentence: string, schema: JsonSchema, value: JsonValue][] = [
  ['a list of one text that may be a list', { type: ['string', 'array'] }, ['a']],
  ['a text beside items without a type', { items: STRING }, 'x'],
  ['a text beside additional properties without a type', { additionalProperties: INTEGER }, '5'],
  ['null where everything goes', {}, null],
  ['null where it is allowed', { type: ['integer', 'null'] }, null],
  ['a text of the enum that another has without space', { enum: [' a', 'a'] }, ' a'],
  [
    'what is right for the second member of a union',
    { anyOf: [{ properties: { x: INTEGER } }, { properties: { x: STRING } }] },
    { x: '1' },
  ],
]

describe('a typed value that is brought to its schema', () => {
  const cases: [sentence: string, schema: JsonSchema, value: JsonValue, coerced: JsonValue][] = [
    ['a text for an integer', INTEGER, '5', 5],
    ['a text for a number', { type: 'number' }, ' 2.5 ', 2.5],
    ['a number for a text', STRING, 5, '5'],
    ['a boolean for a text', STRING, true, 'true'],
    ['a text for a boolean', { type: 'boolean' }, 'True', true],
    ['a number for a boolean', { type: 'boolean' }, 0, false],
    ['a text for null', { type: ['integer', 'null'] }, 'null', null],
    ['a number for an enum of texts', { enum: ['1', '2'] }, 1, '1'],
    ['a text for an enum of numbers', { enum: [1, 2] }, '2', 2],
    ['a text of the enum with space around it', { enum: ['celsius'] }, ' celsius\n', 'celsius'],
    ['an object written as text', POINT, '{"x": 1}', { x: 1 }],
    ['an array written as text', STRINGS, '["a"]', ['a']],
    ['an object written as text, and wrong inside', POINT, '{"x": "1"}', { x: 1 }],
    ['a list under item', STRINGS, { item: ['a', 'b'] }, ['a', 'b']],
    ['a single item under item', STRINGS, { item: 'a' }, ['a']],
    ['a list by number', STRINGS, { 1: 'b', 0: 'a' }, ['a', 'b']],
    ['a text where a list of texts is wanted', STRINGS, 'a', ['a']],
    ['a text where a list of integers is wanted', INTEGERS, '5', [5]],
    ['a number where a list of texts is wanted', STRINGS, 5, ['5']],
    ['a number where a list of anything is wanted', { type: 'array' }, 5, [5]],
    ['an object where a list of objects is wanted', { type: 'array', items: POINT }, { x: '1' }, [{ x: 1 }]],
    ['a list of one text where a text is wanted', STRING, ['a'], 'a'],
    ['values in an object', POINT, { x: '1', y: '2' }, { x: 1, y: 2 }],
    ['values in an array', INTEGERS, ['1', 2, '3'], [1, 2, 3]],
    ['values in a tuple', { type: 'array', prefixItems: [INTEGER, STRING] }, ['1', 2], [1, '2']],
    ['values of additional properties', { additionalProperties: INTEGER }, { a: '1' }, { a: 1 }],
    [
      'values behind a reference',
      { properties: { p: { $ref: '#/$defs/p' } }, $defs: { p: POINT } },
      { p: { x: '1' } },
      { p: { x: 1 } },
    ],
    [
      'values under allOf',
      { allOf: [{ properties: { a: INTEGER } }, { properties: { b: INTEGER } }] },
      { a: '1', b: '2' },
      { a: 1, b: 2 },
    ],
    ['one for a boolean', { type: 'boolean' }, 1, true],
    ['a text of the enum with space around it, beside others', { enum: ['a', ' b'] }, ' a', 'a'],
    ['a list of anything under item', { type: 'array' }, { item: [1] }, [1]],
    ['an object where lists of objects with an item are wanted', ITEMS, { item: 'a' }, [{ item: 'a' }]],
    ['a list under item in a union', { anyOf: [STRINGS, { type: 'null' }] }, { item: ['a'] }, ['a']],
    [
      'a text where a list that begins with an integer is wanted',
      { type: 'array', prefixItems: [INTEGER, POINT] },
      '5',
      [5],
    ],
    ['a list of one by number', STRINGS, { 0: 'a' }, ['a']],
    ['an object that may not have null', POINT, { x: 1, y: null }, { x: 1 }],
    [
      'values of keys that a pattern knows',
      { properties: { na: STRING }, patternProperties: { '^n': INTEGER, '^.': { type: 'boolean' } } },
      { na: '1', nb: '1', c: '1' },
      { na: '1', nb: 1, c: true },
    ],
    [
      'values of keys that no pattern knows',
      { patternProperties: { '^n': STRING }, additionalProperties: INTEGER },
      { na: '1', b: '1' },
      { na: '1', b: 1 },
    ],
    [
      'values in trees',
      TREE,
      { n: '1', children: [{ n: '2', children: [{ n: '3' }] }] },
      { n: 1, children: [{ n: 2, children: [{ n: 3 }] }] },
    ],
    [
      'values in every union of a list',
      { items: { anyOf: [POINT, { required: ['z'] }] } },
      [{ x: '1' }, { x: '2' }, { x: '3' }, { x: '4' }, { x: '5' }],
      [{ x: 1 }, { x: 2 }, { x: 3 }, { x: 4 }, { x: 5 }],
    ],
    [
      'an object written as text in a union of objects and null',
      { anyOf: [POINT, { type: 'null' }] },
      '{"x": 1}',
      { x: 1 },
    ],
    [
      'a value of a union that is a member of itself',
      { $ref: '#/$defs/n', $defs: { n: { anyOf: [{ $ref: '#/$defs/n', type: 'object' }, INTEGER] } } },
      '5',
      5,
    ],
    ...BESIDE.map(([sentence, schema, value]): (typeof cases)[number] => [
      `a wrong value, and not ${sentence} beside it`,
      { properties: { wrong: INTEGER, right: schema } },
      { wrong: '1', right: value },
      { wrong: 1, right: value },
    ]),
    ['a scalar in a union', { anyOf: [INTEGER, { type: 'null' }] }, '5', 5],
    ['a digit in a union that has numbers', { anyOf: [{ type: 'boolean' }, INTEGER] }, '1', 1],
    ['a digit in a union that has texts', { anyOf: [{ type: 'boolean' }, STRING] }, 1, '1'],
    ['a digit in a union without numbers', { anyOf: [{ type: 'boolean' }, { type: 'null' }] }, '1', true],
    ['a text in a union, which no member accepts', { anyOf: [INTEGER, { enum: ['auto'] }] }, '5', 5],
    ['an object that may be null', { anyOf: [POINT, { type: 'null' }] }, { x: '1' }, { x: 1 }],
    ['an incomplete object that may be null', { anyOf: [POINT, { type: 'null' }] }, { y: '1' }, { y: 1 }],
    [
      'a member of a union told by its kind',
      {
        oneOf: [
          { properties: { kind: { const: 'a' }, n: STRING }, required: ['kind'] },
          { properties: { kind: { const: 'b' }, n: INTEGER }, required: ['kind'] },
        ],
      },
      { kind: 'b', n: '5' },
      { kind: 'b', n: 5 },
    ],
    [
      'a property beside a union',
      {
        type: 'object',
        properties: { a: INTEGER, b: INTEGER },
        anyOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      { b: '5' },
      { b: 5 },
    ],
  ]
  it.each(cases)('%s', (_, schema, value, coerced) => {
    const given = structuredClone(value)
    const result = coerceValue(given, schema)
    expect(result.value).toStrictEqual(coerced)
    expect(result.changes.length).toBeGreaterThan(0)
    expect(given).toEqual(value)
  })

  it('says what was changed, and where', () => {
    const schema: JsonSchema = { properties: { 'a/b': INTEGERS, c: POINT } }
    expect(coerceValue({ 'a/b': ['1'], c: '{"x": "2"}' }, schema).changes).toEqual([
      { path: '/a~1b/0', from: '1', to: 1 },
      { path: '/c', from: '{"x": "2"}', to: { x: '2' } },
      { path: '/c/x', from: '2', to: 2 },
    ])
  })

  it('reports only the member of a union that it became', () => {
    const schema: JsonSchema = { anyOf: [{ ...INTEGERS, minItems: 2 }, INTEGER] }
    expect(coerceValue('5', schema)).toEqual({ value: 5, changes: [{ path: '', from: '5', to: 5 }] })
  })

  it('asks the relaxed parser about texts that are not quite JSON', () => {
    expect(coerceValue('{x: 1}', POINT, { relaxed: () => ({ x: 1 }) }).value).toEqual({ x: 1 })
  })

  it('shares what did not change', () => {
    const same = { x: 1 }
    const result = coerceValue({ same, other: '1' }, { properties: { same: POINT, other: INTEGER } })
    expect((result.value as { same: JsonValue }).same).toBe(same)
  })
})

describe('a typed value that is left alone', () => {
  const FORMS: JsonSchema = {
    anyOf: [
      { properties: { x: INTEGER }, required: ['x', 'y'] },
      { properties: { x: STRING }, required: ['z'] },
    ],
  }
  const cases: [sentence: string, schema: JsonSchema, value: JsonValue][] = [
    ['where the schema is silent', {}, '5'],
    ['where everything goes', true, '5'],
    ['where it is right', POINT, { x: 1 }],
    ['a text beside items without a type', { items: STRING }, 'a'],
    ['a text of JSON beside properties without a type', { properties: { x: INTEGER } }, '{"x": "1"}'],
    ['a text beside tuples without a type', { properties: { a: { prefixItems: [INTEGER] } } }, { a: '1' }],
    [
      'a property that only another form declares',
      {
        allOf: [
          { anyOf: [{ properties: { a: INTEGER } }, { required: ['a'] }] },
          { not: { required: ['b'] } },
        ],
      },
      { a: '1' },
    ],
    [
      'a property that only another form of what cannot be folded declares',
      { allOf: [{ anyOf: [{}] }, { anyOf: [{ properties: { a: INTEGER } }, { required: ['a'] }] }] },
      { a: '1' },
    ],
    ['a property that cannot be read beside one that is right', POINT, { x: 1, y: 'bad' }],
    ['an object whose two forms it could only begin to be', FORMS, { x: '5' }],
    ['a text that is none of the enum, with space around it', { enum: ['a'] }, ' b '],
    ['an object under item for an integer', INTEGER, { item: 5 }],
    ['a number that is neither one nor zero for a boolean', { type: 'boolean' }, 2],
    ['a list of one object for an object', POINT, [{ x: 1 }]],
    ['an object for a list of anything', { type: 'array' }, { a: 1 }],
    ['a list under item beside other keys', STRINGS, { item: ['a'], b: 'c' }],
    ['an empty object for a list', STRINGS, {}],
    ['null where it is required', POINT, { x: null }],
    ['null where no schema is', POINT, { x: 1, z: null }],
    ['a text beside integers', { type: ['string', 'integer'] }, '5'],
    ['a word for an integer', INTEGER, 'five'],
    ['a fraction for an integer', INTEGER, 2.5],
    ['an integer beyond 2^53', INTEGER, '12345678901234567890'],
    ['a number that may have lost digits, for a text', STRING, 12345678901234567000],
    ['a fraction for a text, of which `3.1` and `3.10` are one', STRING, 3.1],
    ['a fraction for a text or null', { anyOf: [STRING, { type: 'null' }] }, 3.1],
    ['a fraction for an enum of texts', { enum: ['3.1', '3.10'] }, 3.1],
    ['a list with an integer beyond 2^53, written as text', { type: 'array' }, '[9007199254740993]'],
    ['null for a text', STRING, null],
    ['null for a list', STRINGS, null],
    ['an object for a text', STRING, { a: 1 }],
    ['two items for one', STRING, ['a', 'b']],
    ['an item of another kind for one', STRING, [5]],
    ['an empty text for a list', STRINGS, ''],
    ['broken JSON for a list', STRINGS, '["a'],
    ['a word for a list of integers', INTEGERS, 'five'],
    ['an object for a list of texts', STRINGS, { a: 'b' }],
    ['numbers with a gap for a list', STRINGS, { 0: 'a', 2: 'c' }],
    ['an item that is a property of the items', { items: { properties: { item: STRING } } }, [{ item: 'a' }]],
    ['a property nobody declared', POINT, { x: 1, z: '5' }],
    ['a text outside the enum', { enum: ['a'] }, 'b'],
    ['a number out of range beside texts', { anyOf: [{ ...INTEGER, maximum: 5 }, STRING] }, 9],
    [
      'a text that a pattern refuses beside lists',
      { anyOf: [{ ...STRING, pattern: '^/safe/' }, STRINGS] },
      '/etc/passwd',
    ],
    [
      'a digit that a pattern refuses beside integers',
      { anyOf: [{ ...STRING, pattern: '^a' }, INTEGER] },
      '5',
    ],
    ['a list that is too long beside texts', { oneOf: [{ ...STRINGS, maxItems: 0 }, STRING] }, ['a']],
    ['a text beside lists that is none of the enum', { anyOf: [{ enum: ['a'] }, STRINGS] }, 'b'],
    ['what fits no member of a union', { anyOf: [INTEGERS, POINT] }, 'word'],
    ['what is right for one member of a union', { anyOf: [INTEGERS, STRING] }, '5'],
  ]
  it.each(cases)('%s', (_, schema, value) => {
    const result = coerceValue(value, schema)
    expect(result).toEqual({ value, changes: [] })
    expect(result.value).toBe(value)
  })

  it('below a depth that no honest value has', () => {
    const schema: JsonSchema = { items: { anyOf: [{ $ref: '#' }, INTEGER] } }
    let deep: JsonValue = '5'
    for (let level = 0; level < 5000; level++) deep = [deep]
    expect(coerceValue(deep, schema).changes).toEqual([])
  })
})

describe('coercion of values', () => {
  it('looks for references in the document they stand in', () => {
    const schema: JsonSchema = { properties: { n: { $ref: '#/$defs/n' } } }
    const root: JsonSchema = { $defs: { n: INTEGER } }
    expect(coerceValue({ n: '5' }, schema, { root }).value).toEqual({ n: 5 })
    expect(coerceValue('5', { $ref: '#/$defs/n' }, { root }).value).toBe(5)
  })

  it('rejects options that there are not', () => {
    expect(() => coerceValue(1, true, { bigInt: true } as object)).toThrow("There is no option 'bigInt'")
  })

  it('reads integers beyond 2^53 as bigints on request', () => {
    const read = (value: unknown, schema: JsonSchema) =>
      coerceValue(value as JsonValue, schema, { bigint: true }).value
    expect(read('9007199254740993', INTEGER)).toBe(9007199254740993n)
    expect(read('[9007199254740993]', INTEGERS)).toEqual([9007199254740993n])
    expect(read('5', INTEGER)).toBe(5)
    expect(read('five', INTEGER)).toBe('five')
    expect(read(9007199254740993n, STRING)).toBe('9007199254740993')
  })

  it('says which property was left out', () => {
    expect(coerceValue({ x: 1, y: null }, POINT).changes).toStrictEqual([{ path: '/y', from: null }])
  })

  it('goes 256 values deep, and no deeper', () => {
    const nested = (levels: number, value: JsonValue): JsonValue =>
      levels === 0 ? value : [nested(levels - 1, value)]
    const lists = (levels: number): JsonSchema =>
      levels === 0 ? INTEGER : { type: 'array', items: lists(levels - 1) }
    expect(coerceValue(nested(255, '5'), lists(255)).value).toEqual(nested(255, 5))
    expect(coerceValue(nested(256, '5'), lists(256)).value).toEqual(nested(256, '5'))
  })

  it('goes three unions of unions deep, and no deeper', () => {
    const unions = (levels: number): JsonSchema =>
      levels === 0
        ? INTEGER
        : { anyOf: [{ properties: { a: unions(levels - 1) }, required: ['a'] }, { required: ['b'] }] }
    const nested = (levels: number, value: JsonValue): JsonValue =>
      levels === 0 ? value : { a: nested(levels - 1, value) }
    expect(coerceValue(nested(3, '5'), unions(3)).value).toEqual(nested(3, 5))
    expect(coerceValue(nested(4, '5'), unions(4)).changes).toEqual([])
  })

  it('looks at 100,000 values, and leaves the rest as it is', () => {
    const { changes } = coerceValue(new Array(100_001).fill('5'), INTEGERS)
    expect(changes).toHaveLength(99_999)
  })

  it('tries no member of a union that takes more looks than are left', () => {
    const schema: JsonSchema = { anyOf: [INTEGERS, { type: 'null' }] }
    const coerced = (length: number) =>
      coerceValue([...new Array(length - 1).fill(1), '5'], schema).changes.length
    expect([coerced(30_000), coerced(34_000)]).toEqual([1, 0])
  })

  it('does not look at what no schema is about', () => {
    const schema: JsonSchema = {
      properties: { list: { type: 'array' }, object: { type: 'object' }, n: INTEGER },
    }
    const list = new Array(150_000).fill(1)
    const object = Object.fromEntries(list.map((one, at) => [`a${at}`, one]))
    expect(coerceValue({ list, object, n: '5' }, schema).changes).toEqual([{ path: '/n', from: '5', to: 5 }])
  })

  it('treats __proto__ as data', () => {
    const value = JSON.parse('{"__proto__": "5", "constructor": "6"}')
    const schema = JSON.parse(
      '{"properties": {"__proto__": {"type": "integer"}, "constructor": {"type": "integer"}}}',
    )
    const coerced = coerceValue(value, schema).value as Record<string, JsonValue>
    expect(JSON.stringify(coerced)).toBe('{"__proto__":5,"constructor":6}')
    expect(Object.getPrototypeOf(coerced)).toBe(Object.prototype)
  })

  it('ends on a schema that goes in circles', () => {
    const circle: JsonSchema = { anyOf: [{ $ref: '#' }, { items: { $ref: '#' } }] }
    expect(coerceValue(['5'], circle).value).toEqual(['5'])
    expect(coerceValue('5', { type: 'array', items: { $ref: '#' } }).value).toEqual('5')
  })

  const { schema: schemas } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom<JsonSchema>(
        INTEGER,
        STRING,
        { type: 'boolean' },
        { type: ['integer', 'null'] },
        { enum: ['a', 'b'] },
        {},
      ),
      fc
        .dictionary(fc.constantFrom('a', 'b', 'item', '__proto__'), tie('schema'))
        .map((properties) => ({ type: 'object', properties })),
      tie('schema').map((items) => ({ type: 'array', items })),
      fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      // Members of allOf that contradict each other would be followed in turn, forever.
      tie('schema').map((schema) => ({ allOf: [schema] })),
      fc.constant<JsonSchema>({ $ref: '#' }),
    ),
  }))
  const { value: values } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom<JsonValue>(
        '5',
        ' a ',
        'true',
        5,
        0,
        2.5,
        true,
        null,
        '[1,"2"]',
        '{"a":"1"}',
        '{"item":"1"}',
        'word',
        '',
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'item', '0', '1', '__proto__'), tie('value'), { maxKeys: 3 }),
    ),
  }))

  it('done twice is the same as done once', () => {
    fc.assert(
      fc.property(values, schemas, (value, schema) => {
        const before = JSON.stringify(value)
        const once = coerceValue(value, schema)
        expect(coerceValue(once.value, schema)).toEqual({ value: once.value, changes: [] })
        expect(JSON.stringify(value)).toBe(before)
      }),
      { seed: 7, numRuns: 1500 },
    )
  })
})
