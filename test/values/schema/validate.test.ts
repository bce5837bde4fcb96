import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/event.ts'
import { type JsonSchema, matchesPattern, validate } from '../../../src/values/schema/index.ts'
import { KnownSchemas } from '../../../src/values/schema/known.ts'
import { Patterns } from '../../../src/values/schema/pattern.ts'
import { checkWithin } from '../../../src/values/schema/validate.ts'

const INTEGER: JsonSchema = { type: 'integer' }
const STRING: JsonSchema = { type: 'string' }

describe('a value that is not what its schema says', () => {
  const cases: [
    sentence: string,
    schema: JsonSchema,
    value: JsonValue,
    path: string,
    keyword: string,
    message: string,
  ][] = [
    ['another type', INTEGER, 'two', '', 'type', 'must be an integer, not a string'],
    ['a fraction for an integer', INTEGER, 2.5, '', 'type', 'must be an integer, not a fraction'],
    [
      'none of several types',
      { type: ['string', 'number', 'null'] },
      true,
      '',
      'type',
      'must be a string or a number or null, not a boolean',
    ],
    ['another type by an alias', { type: 'dict' }, [], '', 'type', 'must be an object, not an array'],
    [
      'another type, and nothing else of such a value',
      { type: 'integer', enum: [1] },
      'a',
      '',
      'type',
      'must be an integer, not a string',
    ],
    ['a value outside a nullable enum', { nullable: true, enum: ['a'] }, 'b', '', 'enum', 'must be "a"'],
    ['null outside the enum', { enum: ['a'] }, null, '', 'enum', 'must be "a"'],
    [
      'a value outside a long enum',
      { enum: Array.from({ length: 21 }, (_, at) => at) },
      'b',
      '',
      'enum',
      'must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, …',
    ],
    [
      'a value outside an enum of twenty',
      { enum: Array.from({ length: 20 }, (_, at) => at) },
      'b',
      '',
      'enum',
      'must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19',
    ],
    [
      'an unknown property, whatever is declared',
      { properties: { a: INTEGER }, additionalProperties: false },
      { a: 1, b: 2 },
      '/b',
      'additionalProperties',
      'is not a property that the schema knows',
    ],
    [
      'a property that the schema knows from nowhere',
      { unevaluatedProperties: false },
      { a: 1 },
      '/a',
      'unevaluatedProperties',
      'is not a property that the schema knows',
    ],
    [
      'an item that the schema knows from nowhere',
      { unevaluatedItems: false },
      [1],
      '/0',
      'unevaluatedItems',
      'is not an item that the schema knows',
    ],
    [
      'too many items of a form',
      { contains: INTEGER, maxContains: 1 },
      [1, 2],
      '',
      'maxContains',
      'must have at most 1 items of the wanted form, not 2',
    ],
    [
      'equal items, once',
      { uniqueItems: true },
      [1, 1, 1],
      '',
      'uniqueItems',
      'must have no equal items, but 0 and 1 are equal',
    ],
    [
      'equal items that are null',
      { uniqueItems: true },
      [null, 0, null],
      '',
      'uniqueItems',
      'must have no equal items, but 0 and 2 are equal',
    ],
    [
      'the upper bound itself, excluded as in OpenAPI',
      { maximum: 1, exclusiveMaximum: true },
      1,
      '',
      'exclusiveMaximum',
      'must be less than 1',
    ],
    [
      'a reference behind a reference',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: INTEGER } },
      'a',
      '',
      'type',
      'must be an integer, not a string',
    ],
    [
      'the only form of a union that is one',
      { anyOf: [5, INTEGER] } as unknown as JsonSchema,
      'a',
      '',
      'anyOf',
      'must match one of the 1 forms that are allowed',
    ],
    [
      'a reference that a union looks at twice',
      { anyOf: [{ $ref: '#/$defs/a', minimum: 5 }, { $ref: '#/$defs/a' }], $defs: { a: INTEGER } },
      'a',
      '',
      'anyOf',
      'must match one of the 2 forms that are allowed',
    ],
    [
      'a fraction where no text is possible',
      { anyOf: [{ type: 'object' }, { type: 'null' }] },
      3.1,
      '',
      'anyOf',
      'must match one of the 2 forms that are allowed',
    ],
    ['a value outside the enum', { enum: ['a', 1, null] }, 'b', '', 'enum', 'must be one of "a", 1, null'],
    [
      'a constant that is not in the enum',
      { enum: ['a', 'b'], const: 'c' },
      'c',
      '',
      'const',
      'is not allowed',
    ],
    ['a value of the enum that is not the constant', { enum: [1, 2], const: 2 }, 1, '', 'const', 'must be 2'],
    ['no value at all', { enum: [] }, 1, '', 'enum', 'is not allowed'],
    ['another constant', { const: { a: 1 } }, { a: 2 }, '', 'const', 'must be an object'],
    ['a missing property', { required: ['a', 'b'] }, { a: 1 }, '', 'required', "must have the property 'b'"],
    [
      'a property that is only inherited',
      { required: ['toString'] },
      {},
      '',
      'required',
      "must have the property 'toString'",
    ],
    [
      'a property of another type',
      { properties: { a: INTEGER } },
      { a: '1' },
      '/a',
      'type',
      'must be an integer, not a string',
    ],
    [
      'an unknown property',
      { properties: {}, additionalProperties: false },
      { 'a/b': 1 },
      '/a~1b',
      'additionalProperties',
      'is not a property that the schema knows',
    ],
    [
      'an additional property of another type',
      { additionalProperties: INTEGER },
      { a: '' },
      '/a',
      'type',
      'must be an integer, not a string',
    ],
    [
      'a text that looks ahead',
      { pattern: '^(?!rm)' },
      'rm -r',
      '',
      'pattern',
      'must match the pattern ^(?!rm)',
    ],
    [
      'a key that no pattern knows',
      { patternProperties: { '^(?=a)': true }, additionalProperties: false },
      { b: 1 },
      '/b',
      'additionalProperties',
      'is not a property that the schema knows',
    ],
    [
      'a property that fits a pattern',
      { patternProperties: { '^n': INTEGER } },
      { n1: '' },
      '/n1',
      'type',
      'must be an integer, not a string',
    ],
    [
      'a name of a property',
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      '/ab',
      'propertyNames',
      'has a name that is not allowed',
    ],
    [
      'a property that another needs',
      { dependentRequired: { a: ['b'] } },
      { a: 1 },
      '',
      'dependentRequired',
      "must have the property 'b'",
    ],
    [
      'a property that another needs, in draft 07',
      { dependencies: { a: ['b'] } },
      { a: 1 },
      '',
      'dependencies',
      "must have the property 'b'",
    ],
    [
      'what another property asks for',
      { dependentSchemas: { a: { properties: { b: { type: 'integer' } } } } },
      { a: 1, b: 'x' },
      '/b',
      'type',
      'must be an integer, not a string',
    ],
    [
      'what another property asks for, in draft 07',
      { dependencies: { a: { properties: { b: { type: 'integer' } } } } },
      { a: 1, b: 'x' },
      '/b',
      'type',
      'must be an integer, not a string',
    ],
    [
      'too few properties',
      { minProperties: 1 },
      {},
      '',
      'minProperties',
      'must have at least 1 properties, not 0',
    ],
    [
      'too many properties',
      { maxProperties: 0 },
      { a: 1 },
      '',
      'maxProperties',
      'must have at most 0 properties, not 1',
    ],
    [
      'an item of another type',
      { items: INTEGER },
      [1, '2'],
      '/1',
      'type',
      'must be an integer, not a string',
    ],
    [
      'an item of a tuple',
      { prefixItems: [INTEGER, STRING] },
      [1, 2],
      '/1',
      'type',
      'must be a string, not an integer',
    ],
    [
      'an item too many in a tuple',
      { prefixItems: [INTEGER], items: false },
      [1, 2],
      '/1',
      'false',
      'is not allowed',
    ],
    [
      'an item of a tuple in draft 07',
      { items: [INTEGER], additionalItems: STRING },
      [1, 2],
      '/1',
      'type',
      'must be a string, not an integer',
    ],
    ['too few items', { minItems: 2 }, [1], '', 'minItems', 'must have at least 2 items, not 1'],
    ['too many items', { maxItems: 0 }, [1], '', 'maxItems', 'must have at most 0 items, not 1'],
    [
      'equal scalars',
      { uniqueItems: true },
      [1, '1', 1],
      '',
      'uniqueItems',
      'must have no equal items, but 0 and 2 are equal',
    ],
    [
      'equal objects',
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      '',
      'uniqueItems',
      'must have no equal items, but 0 and 1 are equal',
    ],
    [
      'no item of a form',
      { contains: INTEGER },
      ['a'],
      '',
      'contains',
      'must have at least 1 items of the wanted form, not 0',
    ],
    ['a short text', { minLength: 2 }, '😀', '', 'minLength', 'must have at least 2 characters, not 1'],
    ['a long text', { maxLength: 1 }, 'ab', '', 'maxLength', 'must have at most 1 characters, not 2'],
    [
      'a text of another form',
      { pattern: '^[a-z]+$' },
      'A',
      '',
      'pattern',
      'must match the pattern ^[a-z]+$',
    ],
    ['a fraction for a text', STRING, 3.1, '', 'type', 'must be a string, not a number; write it in quotes'],
    [
      'a fraction for a text or null',
      { anyOf: [STRING, { type: 'null' }] },
      3.1,
      '',
      'anyOf',
      'must match one of the 2 forms that are allowed; write it in quotes',
    ],
    ['a small number', { minimum: 1 }, 0, '', 'minimum', 'must be at least 1'],
    ['a large number', { maximum: 1 }, 2, '', 'maximum', 'must be at most 1'],
    [
      'the bound itself, excluded',
      { exclusiveMinimum: 1 },
      1,
      '',
      'exclusiveMinimum',
      'must be greater than 1',
    ],
    [
      'the upper bound itself, excluded',
      { exclusiveMaximum: 1 },
      1,
      '',
      'exclusiveMaximum',
      'must be less than 1',
    ],
    [
      'the bound itself, excluded as in OpenAPI',
      { minimum: 1, exclusiveMinimum: true },
      1,
      '',
      'exclusiveMinimum',
      'must be greater than 1',
    ],
    ['not a multiple', { multipleOf: 0.1 }, 0.25, '', 'multipleOf', 'must be a multiple of 0.1'],
    [
      'no member of a union',
      { anyOf: [INTEGER, { type: 'null' }] },
      'a',
      '',
      'anyOf',
      'must match one of the 2 forms that are allowed',
    ],
    [
      'the only member of a union that was meant',
      { anyOf: [{ properties: { a: INTEGER } }, STRING] },
      { a: '' },
      '/a',
      'type',
      'must be an integer, not a string',
    ],
    [
      'no member of a strict union',
      { oneOf: [{ minimum: 5 }, { maximum: 1 }] },
      3,
      '',
      'oneOf',
      'must match one of the 2 forms that are allowed',
    ],
    [
      'two members of a strict union',
      { oneOf: [INTEGER, { minimum: 1 }] },
      3,
      '',
      'oneOf',
      'must match exactly one form, but matches 2',
    ],
    ['one part of a whole', { allOf: [INTEGER, { minimum: 5 }] }, 3, '', 'minimum', 'must be at least 5'],
    ['what is excluded', { not: INTEGER }, 3, '', 'not', 'must not be what the schema excludes'],
    [
      'a condition that holds',
      JSON.parse('{"if": {"minimum": 5}, "then": {"multipleOf": 5}}'),
      6,
      '',
      'multipleOf',
      'must be a multiple of 5',
    ],
    [
      'a condition that does not hold',
      { if: { minimum: 5 }, else: { multipleOf: 2 } },
      3,
      '',
      'multipleOf',
      'must be a multiple of 2',
    ],
    [
      'a reference',
      { $ref: '#/$defs/a', $defs: { a: INTEGER } },
      '',
      '',
      'type',
      'must be an integer, not a string',
    ],
    ['anything at all', false, 1, '', 'false', 'is not allowed'],
  ]
  it.each(cases)('%s', (_, schema, value, path, keyword, message) => {
    expect(validate(value, schema)).toEqual([{ path, keyword, message }])
  })

  it('is described in full', () => {
    const schema: JsonSchema = { properties: { a: INTEGER, b: STRING }, required: ['c'] }
    expect(validate({ a: '', b: 1 }, schema).map((issue) => issue.path)).toEqual(['', '/a', '/b'])
  })
})

describe('a value that is what its schema says', () => {
  const cases: [sentence: string, schema: JsonSchema, value: JsonValue][] = [
    ['an integer written with a fraction', INTEGER, 5.0],
    ['null where OpenAPI allows it', { type: 'string', nullable: true, enum: ['a'] }, null],
    ['an alias of a type', { type: 'List[int]', items: { type: 'int' } }, [1]],
    ['a type nobody knows', { type: 'quaternion' }, 'x'],
    ['an object equal to the constant', { const: { a: [1], b: 2 } }, { b: 2, a: [1] }],
    ['equal texts and numbers, which differ', { uniqueItems: true }, [1, '1', true, null]],
    ['a multiple that floating point misses', { multipleOf: 0.1 }, 0.3],
    ['characters beyond the basic plane', { maxLength: 1 }, '😀'],
    [
      'a property that a pattern knows',
      { patternProperties: { '^x-': true }, additionalProperties: false },
      { 'x-a': 1 },
    ],
    [
      'a declared property beside no others',
      { properties: { a: INTEGER }, additionalProperties: false },
      { a: 1 },
    ],
    ['a boolean, of which no properties are asked', { required: ['a'], minProperties: 1 }, true],
    ['null, which has no members', { unevaluatedProperties: false, unevaluatedItems: false }, null],
    ['a text, which has no members', { unevaluatedProperties: false, unevaluatedItems: false }, 'a'],
    ['a text as short and as long as it may be', { minLength: 2, maxLength: 2 }, 'ab'],
    ['a text of pairs as long as it may be', { minLength: 2, maxLength: 2 }, '😀😀'],
    ['a list as short and as long as it may be', { minItems: 1, maxItems: 1 }, [1]],
    ['an object as small and as large as it may be', { minProperties: 1, maxProperties: 1 }, { a: 1 }],
    ['a number at both bounds', { minimum: 1, maximum: 1 }, 1],
    ['a number between bounds that are excluded', { exclusiveMinimum: 1, exclusiveMaximum: 3 }, 2],
    ['a number of OpenAPI between such bounds', JSON.parse('{"minimum": 1, "exclusiveMinimum": true}'), 2],
    ['a form that is met twice at most', { contains: INTEGER, minContains: 1, maxContains: 2 }, [1, 'a', 2]],
    ['no multiple of nothing', { multipleOf: 0 }, 5],
    ['a condition without branches', { if: INTEGER }, 5],
    ['a member of a union', { anyOf: [INTEGER, STRING] }, 'a'],
    ['a reference to itself', { $ref: '#' }, 'a'],
    ['a reference to nowhere', { $ref: '#/$defs/none' }, 'a'],
    [
      'a recursive tree',
      { properties: { children: { items: { $ref: '#' } } } },
      { children: [{ children: [] }] },
    ],
    [
      'keywords that are broken',
      JSON.parse('{"required": 1, "anyOf": "x", "pattern": 5, "minLength": "a", "items": null}'),
      'a',
    ],
    ['bounds of texts that are texts', JSON.parse('{"minLength": "5", "maxLength": "0"}'), 'a'],
    [
      'bounds of numbers that are texts',
      JSON.parse(
        '{"minimum": "9", "maximum": "0", "exclusiveMinimum": "9", "exclusiveMaximum": "0", "multipleOf": "2"}',
      ),
      5,
    ],
    ['bounds of lists that are texts', JSON.parse('{"minItems": "9", "maxItems": "0"}'), [1]],
    [
      'bounds of objects that are texts, and names that are none',
      JSON.parse('{"minProperties": "9", "maxProperties": "0", "required": [5, null]}'),
      { a: 1 },
    ],
  ]
  it.each(cases)('%s', (_, schema, value) => {
    expect(validate(value, schema)).toEqual([])
  })
})

describe('validation', () => {
  it('looks for references in the document they stand in', () => {
    expect(validate('a', { $ref: '#/$defs/a' }, { root: { $defs: { a: INTEGER } } })).toEqual([
      { path: '', keyword: 'type', message: 'must be an integer, not a string' },
    ])
  })

  it('rejects options that there are not', () => {
    expect(() => validate(1, true, { formt: 'check' } as object)).toThrow("There is no option 'formt'")
  })

  it('checks bigints, and accepts what is no JSON where nothing is said', () => {
    const messages = (value: unknown, schema: JsonSchema) =>
      validate(value as JsonValue, schema).map(({ message }) => message)
    expect(messages(5n, { minimum: 10 })).toEqual(['must be at least 10'])
    expect(messages(5n, { multipleOf: 5 })).toEqual([])
    expect(messages(9007199254740993n, { multipleOf: 2 })).toEqual(['must be a multiple of 2'])
    expect(messages(undefined, {})).toEqual([])
    expect(messages(undefined, { type: 'quaternion' })).toEqual([])
  })

  it('says nothing more once it has stopped', () => {
    const limit = {
      path: '/a',
      keyword: 'limit',
      message: 'cannot be checked: The pattern ( is not a regular expression.',
    }
    const schema: JsonSchema = { properties: { a: { pattern: '(' }, b: INTEGER } }
    expect(validate({ a: 'a', b: 'b' }, schema)).toEqual([limit])
  })

  it('names the place where it has stopped', () => {
    const schema: JsonSchema = { properties: { a: { items: {} } }, unevaluatedProperties: false }
    expect(validate({ a: new Array(1_000_001).fill(0) }, schema)).toEqual([
      { path: '/a/999998', keyword: 'limit', message: 'takes too many steps to check' },
    ])
  })

  it('asks no format that is none', () => {
    const unknown: unknown[] = []
    const schema = { format: 5 } as unknown as JsonSchema
    const onUnknownFormat = (format: string) => unknown.push(format)
    expect(validate('a', schema, { format: 'check', onUnknownFormat })).toEqual([])
    expect(unknown).toEqual([])
  })

  it('runs a pattern that would run away elsewhere', () => {
    expect(validate(`${'a'.repeat(50)}!`, { pattern: '^(a+)+$' })).toEqual([
      { path: '', keyword: 'pattern', message: 'must match the pattern ^(a+)+$' },
    ])
  })

  it.each([
    ['(', 'The pattern ( is not a regular expression.'],
    [
      `${'a'.repeat(1025)}`,
      `The pattern /${'a'.repeat(1025)}/u is longer than 1024 characters. Split it into several.`,
    ],
    ['^\\-\\p{L}', 'The pattern /^\\-\\p{L}/ has unsupported syntax at character 6.'],
  ])('accepts nothing where a pattern cannot be checked', (pattern, problem) => {
    const limit = { path: '/a', keyword: 'limit', message: `cannot be checked: ${problem}` }
    for (const a of [{ pattern }, { not: { pattern } }, { anyOf: [{ pattern }, {}] }])
      expect(validate({ a: 'a' }, { properties: { a } })).toEqual([limit])
    for (const rest of [{}, { additionalProperties: false }, { unevaluatedProperties: false }])
      expect(validate({ a: 'a' }, { patternProperties: { [pattern]: true }, ...rest })).toContainEqual(limit)
  })

  it('accepts nothing where a pattern takes too many steps', () => {
    const steps = { path: '', keyword: 'limit', message: 'takes too many steps to check' }
    expect(validate(`${'a'.repeat(50)}!`, { pattern: '^(a+)+\\1$' })).toEqual([steps])
    expect(validate(`${'a'.repeat(50)}!`, { not: { pattern: '^(a+)+\\1$' } })).toContainEqual(steps)
  })

  it('stops when a text took all steps that patterns may take, so that no text can switch patterns off', () => {
    const schema: JsonSchema = {
      properties: { log: { pattern: '[ab]*a[ab]{900}x' }, path: { pattern: '^[a-z]+$' } },
    }
    const log = Array.from({ length: 20_000 }, (_, at) => (Math.sin(at * at) > 0 ? 'a' : 'b')).join('')
    expect(validate({ log, path: '../../etc/passwd' }, schema)).toEqual([
      { path: '/log', keyword: 'limit', message: 'takes too many steps to check' },
    ])
  })

  it('stops at values nested too deeply, and says so', () => {
    const schema: JsonSchema = { items: { $ref: '#' } }
    let deep: JsonValue = []
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(validate(deep, schema).map((issue) => issue.keyword)).toEqual(['limit'])
  })

  it('does not take an excluded form for absent because checking it stopped', () => {
    const schema: JsonSchema = {
      not: { $ref: '#/$defs/deep' },
      $defs: { deep: { items: { $ref: '#/$defs/deep' } } },
    }
    let deep: JsonValue = []
    for (let level = 0; level < 1000; level++) deep = [deep]
    expect(validate(deep, schema).map((issue) => issue.keyword)).toContain('limit')
  })

  it('lists no more issues than anyone reads', () => {
    expect(validate(new Array(1000).fill('a'), { items: INTEGER })).toHaveLength(100)
  })

  it('checks a long list in a moment', () => {
    const rows = Array.from({ length: 50_000 }, (_, id) => ({ id, name: `row ${id}` }))
    const schema: JsonSchema = {
      items: { type: 'object', properties: { id: INTEGER, name: { pattern: '^row \\d+$' } } },
    }
    expect(validate(rows, schema)).toEqual([])
  })

  it('never throws, whatever the schema', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.object(), (value, schema, keywords) => {
        validate(value as JsonValue, schema as JsonSchema)
        const odd = {
          properties: keywords,
          items: keywords,
          anyOf: [keywords],
          type: keywords,
          enum: keywords,
          $ref: '#/properties',
        }
        validate(value as JsonValue, odd as unknown as JsonSchema)
      }),
      { seed: 7, numRuns: 1000 },
    )
  })
})

describe('a schema nested', () => {
  type Wrap = [
    keyword: string,
    schema: (inner: JsonSchema) => JsonSchema,
    value: (inner: JsonValue) => JsonValue,
  ]
  const same = (value: JsonValue): JsonValue => value
  const inObject = (a: JsonValue): JsonValue => ({ a })
  const inList = (item: JsonValue): JsonValue => [item]
  const wraps: Wrap[] = [
    ['allOf', (inner) => ({ allOf: [inner] }), same],
    ['anyOf', (inner) => ({ anyOf: [inner] }), same],
    ['oneOf', (inner) => ({ oneOf: [inner] }), same],
    ['not', (inner) => ({ not: inner }), same],
    ['if', (inner) => ({ if: inner }), same],
    ['then', (inner) => JSON.parse(`{"if":true,"then":${JSON.stringify(inner)}}`), same],
    ['else', (inner) => ({ if: false, else: inner }), same],
    ['items', (items) => ({ items }), inList],
    ['contains', (contains) => ({ contains }), inList],
    ['unevaluatedItems', (unevaluatedItems) => ({ unevaluatedItems }), inList],
    ['properties', (a) => ({ properties: { a } }), inObject],
    ['patternProperties', (a) => ({ patternProperties: { a } }), inObject],
    ['additionalProperties', (additionalProperties) => ({ additionalProperties }), inObject],
    ['unevaluatedProperties', (unevaluatedProperties) => ({ unevaluatedProperties }), inObject],
    ['dependentSchemas', (a) => ({ dependentSchemas: { a } }), (value) => (value === 0 ? { a: 0 } : value)],
  ]
  it.each(wraps)('under %s is checked 512 levels deep, and no deeper', (_, schema, value) => {
    const stopsAt = (levels: number): boolean => {
      let [nested, inner]: [JsonSchema, JsonValue] = [{}, 0]
      for (let level = 0; level < levels; level++) [nested, inner] = [schema(nested), value(inner)]
      return validate(inner, nested).some(({ keyword }) => keyword === 'limit')
    }
    expect([stopsAt(512), stopsAt(513)]).toEqual([false, true])
  })

  it('behind references is checked 512 levels deep, and no deeper', () => {
    const $defs: Record<string, JsonSchema> = { s0: {} }
    for (let step = 1; step <= 513; step++) $defs[`s${step}`] = { $ref: `#/$defs/s${step - 1}` }
    const issues = (step: number) => validate(1, $defs[`s${step}`]!, { root: { $defs } })
    expect(issues(512)).toEqual([])
    expect(issues(513).map(({ keyword }) => keyword)).toEqual(['limit'])
  })

  it('under propertyNames is checked as deep', () => {
    const stopsAt = (levels: number): boolean => {
      let inner: JsonSchema = {}
      for (let level = 1; level < levels; level++) inner = { allOf: [inner] }
      return validate({ a: 1 }, { propertyNames: inner }).length > 0
    }
    expect([stopsAt(512), stopsAt(513)]).toEqual([false, true])
  })

  it('far too deeply does not overflow what knows no more members', () => {
    let deep: JsonSchema = {}
    for (let level = 0; level < 20_000; level++) deep = { allOf: [deep] }
    const issues = validate({ a: 1 }, { allOf: [deep], unevaluatedProperties: false })
    expect(issues.map(({ keyword }) => keyword)).toEqual(['limit'])
  })
})

describe('the steps of validation', () => {
  const within = (steps: number, value: unknown, schema: JsonSchema) =>
    checkWithin(steps, value as JsonValue, schema, new KnownSchemas(schema), new Patterns(), undefined)

  const cases: [steps: number, schema: unknown, value: unknown][] = [
    [1, {}, 1],
    [1, { const: 'abc' }, 'abc'],
    [1 + 2 / 64, { const: { a: 1, b: 2 } }, { a: 1, b: 2 }],
    [2, { allOf: [true] }, 1],
    [3, { anyOf: [INTEGER, STRING] }, 'a'],
    [2, { anyOf: [STRING, INTEGER] }, 'a'],
    [2, { if: true }, 1],
    [3, { if: true, ['then' as string]: INTEGER }, 1],
    [1.125, { pattern: 'a' }, 'a'],
    [1, { items: true }, [1, 2]],
    [3, { items: INTEGER }, [1, 2]],
    [2, { prefixItems: [INTEGER] }, [1, 2]],
    [1, { uniqueItems: true }, [1, 'a', null]],
    [3, { uniqueItems: true }, [[10, 2], {}]],
    [3, { contains: INTEGER, minContains: 0 }, [1, 2]],
    [3, { properties: { a: INTEGER, b: INTEGER, c: INTEGER } }, { a: 1, b: 2 }],
    [2 + 2 / 64, { required: ['a', 'b'], properties: { a: INTEGER } }, { a: 1, b: 2 }],
    [2.25, { patternProperties: { a: INTEGER } }, { a: 1, b: 1 }],
    [1, { additionalProperties: false }, {}],
    [2, { propertyNames: STRING }, { a: 1 }],
    [1, { dependentSchemas: { b: STRING } }, { a: 1 }],
    [2, { dependentSchemas: { a: true } }, { a: 1 }],
    [1, { unevaluatedProperties: true }, { a: 1 }],
    [3, { unevaluatedProperties: {} }, { a: 1 }],
    [3, { unevaluatedProperties: {}, allOf: [true] }, {}],
    [5, { unevaluatedProperties: false, properties: { a: INTEGER }, allOf: [{}] }, { a: 1 }],
    [4, { unevaluatedProperties: false, additionalProperties: INTEGER, allOf: [{}] }, { a: 1 }],
    [6, { unevaluatedItems: false, contains: INTEGER }, [1, 2]],
  ]
  it.each(cases)('are %d for %j and %j', (steps, schema, value) => {
    expect(within(1000, value, schema as JsonSchema)).toEqual({ outcome: 'valid', steps })
    expect(within(steps, value, schema as JsonSchema).outcome).toBe('valid')
    expect(within(steps - 1 / 128, value, schema as JsonSchema).outcome).toBe('unknown')
  })

  it('end with a schema that doubles at every step', () => {
    const $defs: Record<string, JsonSchema> = { s0: INTEGER }
    for (let step = 1; step <= 60; step++)
      $defs[`s${step}`] = { allOf: [{ $ref: `#/$defs/s${step - 1}` }, { $ref: `#/$defs/s${step - 1}` }] }
    expect(within(1000, 1, { $ref: '#/$defs/s60', $defs }).outcome).toBe('unknown')
  })

  it('go 512 levels deep', () => {
    let [value, schema]: [JsonValue, JsonSchema] = [1, INTEGER]
    for (let level = 0; level < 512; level++) [value, schema] = [[value], { items: schema }]
    expect(within(1000, value, schema)).toEqual({ outcome: 'valid', steps: 513 })
    expect(within(1000, [value], { items: schema }).outcome).toBe('unknown')
  })

  it('are not taken for what nobody would read', () => {
    const objects = new Array(150).fill({ a: 'x' })
    expect(within(1000, objects, { items: { properties: { a: INTEGER } } })).toEqual({
      ...{ outcome: 'invalid', steps: 251 },
    })
    const wrong = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`a${at}`, 'a']))
    const patterns = { '^a': INTEGER, '^b': INTEGER }
    expect(within(1000, wrong, { patternProperties: patterns })).toEqual({ outcome: 'invalid', steps: 126 })
  })

  it('are used up before a pattern is run', () => {
    const run: string[] = []
    const patterns = new Patterns()
    patterns.matches = (pattern, text) => {
      run.push(pattern)
      return matchesPattern(pattern, text)
    }
    const check = (steps: number) =>
      checkWithin(steps, 'a', { pattern: 'a' }, new KnownSchemas(true), patterns, undefined).outcome
    expect([check(1), run, check(2), run]).toEqual(['unknown', ['a'], 'valid', ['a']])
  })

  it('decide whether a long item is compared', () => {
    expect(within(10, [['abcdef'], ['abcdef']], { uniqueItems: true }).outcome).toBe('invalid')
    expect(within(6, [['abcdef'], ['abcdef']], { uniqueItems: true }).outcome).toBe('invalid')
    expect(within(5, [['abcdef'], ['abcdef']], { uniqueItems: true }).outcome).toBe('unknown')
  })
})

describe('what no part of the schema has an opinion on', () => {
  const NAMED: JsonSchema = { properties: { name: STRING } }
  const AGED: JsonSchema = { properties: { age: INTEGER }, required: ['age'] }
  const cases: [schema: JsonSchema, value: JsonValue, issues: string[]][] = [
    [{ ...NAMED, unevaluatedProperties: false }, { name: 'a' }, []],
    [{ ...NAMED, unevaluatedProperties: false }, { name: 'a', x: 1 }, ['/x unevaluatedProperties']],
    [{ ...NAMED, unevaluatedProperties: INTEGER }, { x: 1, y: 'a' }, ['/y type']],
    [{ unevaluatedProperties: false }, { x: 1 }, ['/x unevaluatedProperties']],
    [{ unevaluatedProperties: true }, { x: 1 }, []],
    [
      { dependentSchemas: { x: NAMED }, properties: { x: {} }, unevaluatedProperties: false },
      { x: 1, name: 'a' },
      [],
    ],
    [
      { dependentSchemas: { x: NAMED }, unevaluatedProperties: false },
      { name: 'a' },
      ['/name unevaluatedProperties'],
    ],
    [{ allOf: [NAMED], unevaluatedProperties: false }, { name: 'a' }, []],
    [{ allOf: [NAMED], unevaluatedProperties: false }, { name: 'a', age: 1 }, ['/age unevaluatedProperties']],
    [{ anyOf: [NAMED, AGED], unevaluatedProperties: false }, { name: 'a', age: 1 }, []],
    [
      { anyOf: [AGED, NAMED], unevaluatedProperties: false },
      { name: 'a', x: 1 },
      ['/x unevaluatedProperties'],
    ],
    [
      { oneOf: [AGED, { required: ['x'] }], unevaluatedProperties: false },
      { x: 1 },
      ['/x unevaluatedProperties'],
    ],
    [{ $ref: '#/$defs/a', $defs: { a: NAMED }, unevaluatedProperties: false }, { name: 'a' }, []],
    [
      { $ref: '#/$defs/a', $defs: { a: NAMED }, unevaluatedProperties: false },
      { x: 1 },
      ['/x unevaluatedProperties'],
    ],
    [{ if: AGED, else: NAMED, unevaluatedProperties: false }, { age: 1 }, []],
    [{ if: AGED, else: NAMED, unevaluatedProperties: false }, { name: 'a' }, []],
    [{ patternProperties: { '^x-': true }, unevaluatedProperties: false }, { 'x-a': 1 }, []],
    [{ additionalProperties: INTEGER, unevaluatedProperties: false }, { x: 1 }, []],
    [{ allOf: [{ additionalProperties: true }], unevaluatedProperties: false }, { x: 1 }, []],
    [{ allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: false }, { x: 1 }, []],
    [
      { allOf: [{ $ref: '#' }], unevaluatedProperties: false },
      { x: 1 },
      Array(2).fill('/x unevaluatedProperties'),
    ],
    [
      { properties: { in: { unevaluatedProperties: false } } },
      { in: { x: 1 } },
      ['/in/x unevaluatedProperties'],
    ],
    [{ unevaluatedProperties: false }, [1], []],
    [{ prefixItems: [INTEGER], unevaluatedItems: false }, [1], []],
    [{ prefixItems: [INTEGER], unevaluatedItems: false }, [1, 2], ['/1 unevaluatedItems']],
    [{ prefixItems: [INTEGER], unevaluatedItems: STRING }, [1, 2, 'a'], ['/1 type']],
    [{ items: INTEGER, unevaluatedItems: false }, [1, 2], []],
    [{ allOf: [{ prefixItems: [true, true] }], unevaluatedItems: false }, [1, 2, 3], ['/2 unevaluatedItems']],
    [{ contains: STRING, unevaluatedItems: false }, ['a', 1], ['/1 unevaluatedItems']],
    [{ items: [INTEGER], unevaluatedItems: false }, [1], []],
    [{ items: [INTEGER], unevaluatedItems: false }, [1, 2], ['/1 unevaluatedItems']],
    [{ items: [INTEGER], additionalItems: INTEGER, unevaluatedItems: false }, [1, 2], []],
    [{ allOf: [{ unevaluatedItems: true }], unevaluatedItems: false }, [1], []],
    // A list has no properties that others depend on.
    [{ dependentSchemas: { 0: { items: true } }, unevaluatedItems: false }, [1], ['/0 unevaluatedItems']],
    [
      { anyOf: [{ properties: { x: {} }, required: ['y'] }, NAMED], unevaluatedProperties: false },
      { name: 'a', x: 1 },
      ['/x unevaluatedProperties'],
    ],
    [
      { if: { properties: { x: {} }, required: ['y'] }, unevaluatedProperties: false },
      { x: 1 },
      ['/x unevaluatedProperties'],
    ],
    [{ if: AGED, ['then' as string]: NAMED, unevaluatedProperties: false }, { age: 1, name: 'a' }, []],
    [
      { ['then' as string]: NAMED, unevaluatedProperties: false },
      { name: 'a' },
      ['/name unevaluatedProperties'],
    ],
  ]

  it.each(cases)('%j and %j', (schema, value, issues) => {
    expect(validate(value, schema).map(({ path, keyword }) => `${path} ${keyword}`)).toEqual(issues)
  })

  it('takes a bounded time to find', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `a${at}`,
        { anyOf: [{ $ref: `#/$defs/a${at + 1}` }, { allOf: [{ $ref: `#/$defs/a${at + 1}` }] }] },
      ]),
    )
    const schema = { $defs, $ref: '#/$defs/a0', unevaluatedProperties: false }
    expect(validate({ x: 1 }, schema).length).toBeGreaterThan(0)
  })
})

describe('multiples', () => {
  it.each([
    [0.3, 0.1, true],
    [0.7, 0.1, true],
    [1.1, 0.1, true],
    [19.99, 0.01, true],
    [4.35, 0.01, true],
    [1e21, 0.1, true],
    [1e-7, 1e-7, true],
    [3e-7, 1e-7, true],
    [-0.3, 0.1, true],
    [0, 0.1, true],
    [1e300, 3, false],
    [9007199254740992, 2, true],
    [0.30000000000000004, 0.1, false],
    [0.1000000001, 0.1, false],
    [1000000000.05, 0.1, false],
    [10000000001.5, 1, false],
    [2.5, 2, false],
    [1.5, 0.5, true],
    [100, 0.5, true],
    [6, 4, false],
    [Infinity, 2, false],
    [-Infinity, 0.1, false],
    [Number.NaN, 0.1, false],
    [5, Infinity, false],
    [5e-324, 1e-323, false],
  ])('%d of %d: %s', (value, multipleOf, isMultiple) => {
    expect(validate(value, { multipleOf }).length === 0).toBe(isMultiple)
  })
})
