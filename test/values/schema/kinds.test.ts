import { describe, expect, it } from 'vitest'
import { expects, type JsonSchema } from '../../../src/values/schema/index.ts'
import { INTEGER, kindsOf, NULL, STRING } from '../../../src/values/schema/kinds.ts'

describe('a schema expects', () => {
  const cases: [
    expected: 'string' | 'other' | 'unknown',
    sentence: string,
    schema: JsonSchema | undefined,
  ][] = [
    ['string', 'type string', { type: 'string' }],
    ['string', 'a list of just that type', { type: ['string'] }],
    ['string', 'the alias str', { type: 'str' }],
    ['string', 'the alias text', { type: 'Text' }],
    ['string', 'the alias varchar(20)', { type: 'varchar(20)' }],
    ['string', 'the alias enum', { type: 'enum', enum: ['a'] }],
    ['string', 'an enum of strings', { enum: ['a', 'b'] }],
    ['string', 'a constant string', { const: 'a' }],
    ['string', 'a string with a format', { type: 'string', format: 'date' }],
    ['string', 'a union of strings', { anyOf: [{ type: 'string', format: 'uri' }, { const: 'none' }] }],
    ['string', 'a reference to a string', { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }],
    [
      'string',
      'a reference with a description',
      { $ref: '#/$defs/a', description: 'x', $defs: { a: { type: 'string' } } },
    ],
    ['string', 'a string narrowed by allOf', { allOf: [{ type: 'string' }, { minLength: 1 }] }],
    [
      'string',
      'a union narrowed by its type',
      { type: 'string', anyOf: [{ minLength: 1 }, { pattern: 'x' }] },
    ],
    [
      'string',
      'a string whose enum allows a null that its type forbids',
      { type: 'string', enum: ['a', null] },
    ],
    ['string', 'a string that contradicts itself', { type: 'string', enum: [1, 2] }],
    ['string', 'two types of which one is an alias', { type: ['string', 'str'] }],
    [
      'string',
      'a string that is said again where it cannot be folded',
      { type: ['string', 'null'], minLength: 1, allOf: [{ type: 'string', minLength: 2 }] },
    ],
    ['string', 'a string in an empty union', { type: 'string', anyOf: [], enum: [], const: undefined }],
    ['string', 'an alias with space and capitals', { type: ' VARCHAR (20)' }],
    ['other', 'a nullable enum of OpenAPI', { enum: ['a'], nullable: true }],
    ['other', 'an object by what it needs', { required: ['a'] }],
    ['other', 'an object by what it may have beside', { additionalProperties: false }],
    ['other', 'an array by its first items', { prefixItems: [{ type: 'string' }] }],
    ['unknown', 'an empty list of types', { type: [] }],
    ['unknown', 'a string or a type nobody knows', { type: ['string', 'quaternion'] }],
    ['other', 'a string or null', { type: ['string', 'null'] }],
    ['other', 'a nullable string of OpenAPI', { type: 'string', nullable: true }],
    ['other', 'a string or null in a union', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['other', 'a string or a number', { type: ['string', 'number'] }],
    ['other', 'an enum with a number', { enum: ['a', 1] }],
    ['other', 'an integer', { type: 'integer' }],
    ['other', 'an object by its properties', { properties: {} }],
    ['other', 'an array by its items', { items: { type: 'string' } }],
    ['other', 'nothing at all', false],
    ['unknown', 'no schema', undefined],
    ['unknown', 'the schema true', true],
    ['unknown', 'a description alone', { description: 'free' }],
    ['unknown', 'a pattern, which says nothing about numbers', { pattern: '^a' }],
    ['unknown', 'the type any', { type: 'any' }],
    ['unknown', 'a type nobody knows', { type: 'quaternion' }],
    ['unknown', 'a string or anything', { anyOf: [{ type: 'string' }, {}] }],
    ['unknown', 'a reference to nowhere', { $ref: '#/$defs/gone' }],
    ['unknown', 'a reference to another document', { $ref: 'https://example.com/schema.json' }],
    ['unknown', 'a reference in a circle', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }],
    ['unknown', 'a union that holds itself', { anyOf: [{ $ref: '#' }] }],
  ]
  it.each(cases)('%s for %s', (expected, _, schema) => {
    expect(expects(schema)).toBe(expected)
  })

  it('resolves references in the document they stand in', () => {
    const root: JsonSchema = { definitions: { name: { type: 'string' } } }
    expect(expects({ $ref: '#/definitions/name' }, root)).toBe('string')
  })

  describe('what lies', () => {
    const TEXT: JsonSchema = { type: 'string' }
    const nested = (levels: number): JsonSchema => (levels === 0 ? TEXT : { anyOf: [nested(levels - 1)] })
    const apart = (schema: object): JsonSchema => ({
      ...{ type: ['string', 'null'], minLength: 1, allOf: [{ minLength: 2, ...schema }] },
    })
    it.each<[expected: string, where: string, schema: JsonSchema]>([
      ['string', '16 unions deep', nested(16)],
      ['unknown', '17 unions deep', nested(17)],
      ['string', '15 unions deep in what cannot be folded', apart({ anyOf: [nested(14)] })],
      ['other', '16 unions deep in what cannot be folded', apart({ anyOf: [nested(15)] })],
      ['string', 'among 511 members', { anyOf: Array(511).fill(TEXT) }],
      ['unknown', 'among 512 members', { anyOf: Array(512).fill(TEXT) }],
    ])('%s %s', (expected, _, schema) => {
      expect(expects(schema)).toBe(expected)
    })
  })

  it('answers quickly for a schema that doubles at every step', () => {
    const defs: Record<string, JsonSchema> = { s0: { type: 'string' } }
    for (let step = 1; step <= 60; step++) {
      const $ref = `#/$defs/s${step - 1}`
      defs[`s${step}`] = step % 2 === 0 ? { anyOf: [{ $ref }, { $ref }] } : { allOf: [{ $ref }, { $ref }] }
    }
    expect(expects({ $ref: '#/$defs/s60', $defs: defs })).toBe('unknown')
  })
})

it('the kinds of a union are those of its members', () => {
  expect(kindsOf({ anyOf: [{ type: 'integer' }] })).toBe(INTEGER)
  expect(kindsOf({ oneOf: [{ type: 'integer' }, { type: 'null' }, false] })).toBe(INTEGER | NULL)
  expect(kindsOf({ type: ['string', 'null'], anyOf: [{ type: 'integer' }, { type: 'string' }] })).toBe(STRING)
})
