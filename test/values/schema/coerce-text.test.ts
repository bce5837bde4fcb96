import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/event.ts'
import { asWritten, beginsJson } from '../../../src/values/schema/coerce-text.ts'
import { coerceText, expects, type JsonSchema, readUntyped } from '../../../src/values/schema/index.ts'

const STRING: JsonSchema = { type: 'string' }
const INTEGER: JsonSchema = { type: 'integer' }
const NUMBER: JsonSchema = { type: 'number' }
const BOOLEAN: JsonSchema = { type: 'boolean' }
const OBJECT: JsonSchema = { type: 'object' }
const ARRAY: JsonSchema = { type: 'array' }

describe('text that becomes a value', () => {
  const cases: [sentence: string, schema: JsonSchema, text: string, value: JsonValue][] = [
    ['an integer', INTEGER, '2', 2],
    ['a negative integer', INTEGER, '-2', -2],
    ['an integer with space around it', INTEGER, '\n 2 \n', 2],
    ['an integer with a plus', INTEGER, '+2', 2],
    ['an integer with a fraction of zero', INTEGER, '5.0', 5],
    ['an integer with leading zeros', INTEGER, '007', 7],
    ['an integer with an exponent', INTEGER, '1e3', 1000],
    ['minus zero, which JSON cannot tell from zero', INTEGER, '-0', 0],
    ['the largest safe integer', INTEGER, '9007199254740991', 9007199254740991],
    ['a number', NUMBER, '2.5', 2.5],
    ['a number that happens to be whole', NUMBER, '2', 2],
    ['a number without a whole part', NUMBER, '.5', 0.5],
    ['a number without a fraction', NUMBER, '5.', 5],
    ['a large number with an exponent', NUMBER, '1e20', 1e20],
    ['a number with more digits than fit', NUMBER, '0.10000000000000000555', 0.1],
    ['true', BOOLEAN, 'true', true],
    ['a Python boolean', BOOLEAN, 'False', false],
    ['one for a boolean', BOOLEAN, '1', true],
    ['zero for a boolean', BOOLEAN, '0', false],
    ['one for a boolean that may be null', { type: ['boolean', 'null'] }, '1', true],
    ['zero where numbers are possible too', { type: ['boolean', 'integer'] }, '0', 0],
    ['a number with a capital exponent', NUMBER, '1E+2', 100],
    ['a number with a negative exponent', NUMBER, '15e-1', 1.5],
    ['one where numbers are possible too', { type: ['boolean', 'integer'] }, '1', 1],
    ['null', { type: ['integer', 'null'] }, 'null', null],
    ["Python's None", { type: ['integer', 'null'] }, 'None', null],
    ['null beside strings', { type: ['string', 'null'] }, 'null', null],
    ['an object', OBJECT, ' {"a": [1, "x"]} ', { a: [1, 'x'] }],
    ['an array', ARRAY, '[1, 2]', [1, 2]],
    [
      'strings that look like keys',
      OBJECT,
      '{"a": "\\"a\\": 1, \\\\", "b": {"a": ":"}}',
      { a: '"a": 1, \\', b: { a: ':' } },
    ],
    [
      'an object whose inside has other types than wanted',
      { properties: { n: INTEGER } },
      '{"n": "5"}',
      { n: '5' },
    ],
    ['an integer beside strings', { type: ['string', 'integer'] }, '5', 5],
    ['true beside strings', { anyOf: [STRING, BOOLEAN] }, 'true', true],
    ['an array beside strings', { oneOf: [STRING, ARRAY] }, '["a"]', ['a']],
    ['a number among the values of an enum', { enum: [1, 2, 'auto'] }, '2', 2],
    [
      'a text among the values of an enum, with space around it',
      { enum: [1, 2, 'auto'] },
      '\nauto\n',
      'auto',
    ],
    ['a text in an enum inside a union', { anyOf: [INTEGER, { enum: ['auto'] }] }, ' auto', 'auto'],
    ['a value of a referenced schema', { $ref: '#/$defs/n', $defs: { n: INTEGER } }, '5', 5],
    ['a value of a schema put together', { allOf: [{ description: 'days' }, INTEGER] }, '5', 5],
    ['a value of OpenAPI that may be null', { type: 'integer', nullable: true }, 'null', null],
    ['an object that nobody called an object', { properties: { a: STRING } }, '{"a":"x"}', { a: 'x' }],
    ['an array that nobody called an array', { items: STRING }, '["x"]', ['x']],
    ['an int', { type: 'int' }, '5', 5],
    ['an int32', { type: 'int32' }, '5', 5],
    ['a float', { type: 'float' }, '5.5', 5.5],
    ['a bool', { type: 'bool' }, 'true', true],
    ['a dict', { type: 'dict' }, '{}', {}],
    ['a List[int]', { type: 'List[int]' }, '[1]', [1]],
    ['a tuple', { type: 'tuple' }, '[1]', [1]],
  ]
  it.each(cases)('%s', (_, schema, text, value) => {
    const { json, ...read } = coerceText(text, schema)
    expect(json === undefined || JSON.parse(json)).toEqual(json === undefined || value)
    expect(read).toEqual({ value, coerced: true, exact: true })
  })

  it.each([
    ['5.0', INTEGER, '5.0'],
    ['1e3', INTEGER, '1e3'],
    ['1e20', NUMBER, '1e20'],
    ['+.50', NUMBER, '0.50'],
    ['007', INTEGER, undefined],
    ['-0', NUMBER, undefined],
    ['1.0', { type: ['number', 'string'] }, '1.0'],
    ['[1.0]', { type: ['array', 'string'] }, '[1.0]'],
    ['5', { type: ['number', 'string'] }, undefined],
    ['9007199254740993', { type: ['number', 'string'] }, undefined],
    ['[1.0, 2]', ARRAY, '[1.0,2]'],
    ['[1, 2]', ARRAY, undefined],
  ])('%j has JSON text of its own where a number cannot say how it was written', (text, schema, json) => {
    expect(coerceText(text, schema).json).toBe(json)
  })

  it('keeps __proto__ as data', () => {
    const { value } = coerceText('{"__proto__": {"admin": true}}', OBJECT)
    expect(Object.keys(value as object)).toEqual(['__proto__'])
    expect((value as Record<string, unknown>).admin).toBeUndefined()
  })

  it('asks the relaxed parser about what is not quite JSON', () => {
    const asked: string[] = []
    const relaxed = (text: string): JsonValue => {
      asked.push(text)
      return { a: 1 }
    }
    expect(coerceText(' {a: 1} ', OBJECT, { relaxed }).value).toEqual({ a: 1 })
    expect(coerceText('{"a": 2}', OBJECT, { relaxed }).value).toEqual({ a: 2 })
    expect(coerceText('{a: 1}', { type: ['string', 'object'] }, { relaxed }).value).toBe('{a: 1}')
    expect(asked).toEqual(['{a: 1}'])
  })

  it('asks the relaxed parser only about what begins like an object or a list that is wanted', () => {
    const asked: string[] = []
    const relaxed = (text: string): undefined => void asked.push(text)
    for (const text of ['{a', '[a', '5a', 'true', '"a']) {
      coerceText(text, OBJECT, { relaxed })
      coerceText(text, ARRAY, { relaxed })
      coerceText(text, INTEGER, { relaxed })
    }
    expect(asked).toEqual(['{a', '[a'])
  })

  it('reads references in the document they stand in', () => {
    const root = { $defs: { n: INTEGER } }
    expect(coerceText('5', { $ref: '#/$defs/n' }, { root }).value).toBe(5)
    expect(coerceText('5', { $ref: '#/$defs/n', $defs: { n: STRING } }, { root }).value).toBe(5)
  })

  it('takes from the relaxed parser only what the schema accepts', () => {
    expect(coerceText('[a', ARRAY, { relaxed: () => 'a' })).toEqual({
      value: '[a',
      coerced: false,
      exact: true,
    })
  })
})

describe('text that stays text', () => {
  const cases: [sentence: string, schema: JsonSchema, text: string][] = [
    ['a number for a string', STRING, '5'],
    ['null for a string', STRING, 'null'],
    ['space around a string', STRING, '\n  x  \n'],
    ['JSON for a string', STRING, '{"a":1}'],
    ['a number for a varchar(255)', { type: 'varchar(255)' }, '5'],
    ['a text with space for an enum of strings, which streams as it comes', { enum: ['a', 'b'] }, ' a '],
    ['a word for an integer', INTEGER, 'many'],
    ['an object that has a key twice', OBJECT, '{"a": 1, "a": 2}'],
    ['an object inside a list that has a key twice', ARRAY, '[{"a": "x:y"}, {"b": {"c": 1, "\\u0063": 2}}]'],
    ['the same beside strings', { type: ['string', 'object'] }, '{"a": 1, "a": 2}'],
    ['nothing for an integer', INTEGER, ''],
    ['a fraction for an integer', INTEGER, '2.5'],
    ['hexadecimal digits for an integer', INTEGER, '0x1f'],
    ['grouped digits for an integer', INTEGER, '1_000'],
    ['infinity for a number', NUMBER, 'Infinity'],
    ['inf for a number', NUMBER, 'inf'],
    ['a number too large for a number', NUMBER, '1e999'],
    ['nan for a number', NUMBER, 'NaN'],
    ['a sign alone for a number', NUMBER, '-'],
    ['a point alone for a number', NUMBER, '.'],
    ['an exponent alone for a number', NUMBER, 'e5'],
    ['an exponent that is a fraction', NUMBER, '1e1.5'],
    ['binary digits for a number', NUMBER, '0b1'],
    ['a date for a number', NUMBER, '2024-01-01'],
    ['space for a number that may be null', { type: ['number', 'null'] }, '  '],
    ['a value of the referenced schema in another document', { $ref: '#/$defs/n' }, '5'],
    ['an exponent without digits for a number', NUMBER, '1e'],
    ['null where nothing allows it', INTEGER, 'null'],
    ['true where nothing allows it', INTEGER, 'true'],
    ['false where nothing allows it', OBJECT, 'false'],
    ['yes for a boolean', BOOLEAN, 'yes'],
    ['one for a boolean beside strings', { type: ['boolean', 'string'] }, '1'],
    ['NULL in capitals beside strings', { type: ['string', 'null'] }, 'NULL'],
    ['None beside strings', { type: ['string', 'null'] }, 'None'],
    ['True in Python beside strings', { type: ['string', 'boolean'] }, 'True'],
    ['leading zeros beside strings', { type: ['string', 'integer'] }, '007'],
    ['a fraction where only integers stand beside strings', { type: ['string', 'integer'] }, '2.5'],
    ['a quoted text beside strings', { type: ['string', 'integer'] }, '"a"'],
    ['an array for an object', OBJECT, '[1]'],
    ['an object for an array', ARRAY, '{"a":1}'],
    ['broken JSON for an object', OBJECT, '{"a":'],
    ['a comma for an array', ARRAY, 'a, b'],
    ['anything where the schema is silent', { description: 'who knows' }, '5'],
    ['anything where everything goes', true, '5'],
    ['anything where nothing goes', false, '5'],
    ['anything for a reference to nowhere', { $ref: '#/$defs/none' }, '5'],
    ['anything for a reference in a circle', { $ref: '#' }, '5'],
    ['a text in an enum that is also a number', { enum: ['1', 1] }, '1'],
  ]
  it.each(cases)('%s', (_, schema, text) => {
    expect(coerceText(text, schema)).toEqual({ value: text, coerced: false, exact: true })
  })

  const lost: [sentence: string, schema: JsonSchema, text: string, json?: string][] = [
    ['for an integer', INTEGER, '9007199254740993', '9007199254740993'],
    ['for a negative integer', INTEGER, '-12345678901234567890', '-12345678901234567890'],
    ['for a number', NUMBER, '12345678901234567890', '12345678901234567890'],
    ['that would be an integer', INTEGER, '19.99999999999999999999', '19.99999999999999999999'],
    ['that would be zero', NUMBER, '1e-400', '1e-400'],
    ['in a list', ARRAY, '["a", 9007199254740993]', '["a",9007199254740993]'],
    ['in an object', OBJECT, '{"b":-12345678901234567890}', '{"b":-12345678901234567890}'],
    ['beside strings', { type: ['string', 'integer'] }, '12345678901234567890'],
  ]
  it.each(lost)('a number that would be another one %s, and that is said', (_, schema, text, json) => {
    const expected = { value: text, coerced: false, exact: false, ...(json !== undefined && { json }) }
    expect(coerceText(text, schema)).toEqual(expected)
  })
})

describe('text without a schema', () => {
  const cases: [text: string, untyped: 'string' | 'json', value: JsonValue][] = [
    ['5', 'string', '5'],
    ['5', 'json', 5],
    [' {"a":1} ', 'json', { a: 1 }],
    ['"quoted"', 'json', 'quoted'],
    ['null', 'json', null],
    ['not json', 'json', 'not json'],
    ['True', 'json', 'True'],
    ['007', 'json', '007'],
    ['1e999', 'json', '1e999'],
    ['12345678901234567890', 'json', '12345678901234567890'],
    ['[12345678901234567890]', 'json', '[12345678901234567890]'],
    ['["12345678901234567890", true]', 'json', ['12345678901234567890', true]],
    ['[1e20, 0.12345678901234568, 9007199254740991]', 'json', [1e20, 0.12345678901234568, 9007199254740991]],
    ['', 'json', ''],
  ]
  it.each(cases)('%j read as %s is %j', (text, untyped, value) => {
    expect(readUntyped(text, untyped).value).toEqual(value)
    expect(coerceText(text, {}, { untyped }).value).toEqual(value)
  })
})

describe('coercion of text, for whatever text and schema', () => {
  const names = fc.constantFrom(
    'string',
    'integer',
    'number',
    'boolean',
    'null',
    'object',
    'array',
    'int',
    'weird',
  )
  const { schema: schemas } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      names.map((type) => ({ type })),
      fc.array(names, { maxLength: 3 }).map((type) => ({ type })),
      fc.boolean(),
      fc.constant({ $ref: '#' }),
      fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null))).map((values) => ({ enum: values })),
      fc.array(tie('schema'), { maxLength: 3 }).map((anyOf) => ({ anyOf })),
      fc.array(tie('schema'), { maxLength: 3 }).map((allOf) => ({ allOf })),
    ),
  }))
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom('5', '-1.5e3', 'true', 'None', ' null ', '{', '[1', '1e999', '0', '12345678901234567890'),
  )

  it('never throws, and leaves alone what it cannot read', () => {
    fc.assert(
      fc.property(texts, schemas, (text, schema) => {
        const result = coerceText(text, schema)
        if (!result.coerced) expect(result.value).toBe(text)
      }),
      { seed: 7, numRuns: 2000 },
    )
  })

  it('never changes what may stream as it comes', () => {
    fc.assert(
      fc.property(texts, schemas, (text, schema) => {
        if (expects(schema) === 'string')
          expect(coerceText(text, schema)).toEqual({ value: text, coerced: false, exact: true })
      }),
      { seed: 7, numRuns: 2000 },
    )
  })
})

it.each([
  ['[', ']'],
  ['{"a":', '}'],
])('text that is nested a hundred thousand levels deep is read: %s', (open, close) => {
  const deep = (number: string): string => `${open.repeat(100_000)}${number}${close.repeat(100_000)}`
  for (const untyped of ['json', 'string'] as const) {
    expect(() => coerceText(deep('1'), { type: ['array', 'object'] }, { untyped })).not.toThrow()
    // The text is kept where its value does not say how a number was written.
    expect(coerceText(deep('1.0'), { type: ['array', 'object'] }, { untyped }).json).toBe(deep('1.0'))
  }
})

it('a number that cannot be held is one all the same, with its text', () => {
  expect(asWritten(coerceText('5', INTEGER))).toStrictEqual({ value: 5 })
  expect(asWritten(coerceText('1.0', NUMBER))).toStrictEqual({ value: 1, json: '1.0' })
  expect(asWritten(coerceText('9007199254740993', INTEGER))).toStrictEqual({
    ...{ value: 9007199254740992, json: '9007199254740993' },
  })
  expect(asWritten({ value: 'a', coerced: true, exact: true, json: '1.0' }).value).toBe('a')
})

it.each<[head: string, isJson: boolean | undefined]>([
  ['', undefined],
  ['  ', undefined],
  ['"a', true],
  [' {', true],
  ['[', true],
  ['-', true],
  ['0', true],
  ['9', true],
  ['/', false],
  [':', false],
  ['a', false],
  ['t', undefined],
  [' tru', undefined],
  ['true ', undefined],
  ['fals', undefined],
  ['nul', undefined],
  ['tr ue', false],
  ['e', false],
  ['true1', false],
])('text that begins with %j: whether it can be JSON is %j', (head, isJson) => {
  expect(beginsJson(head)).toBe(isJson)
})
