import { describe, expect, it } from 'vitest'
import { expects, type JsonSchema } from '../../../src/values/schema/index.ts'

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

  it('answers quickly for a schema that doubles at every step', () => {
    const defs: Record<string, JsonSchema> = { s0: { type: 'string' } }
    for (let step = 1; step <= 60; step++) {
      const $ref = `#/$defs/s${step - 1}`
      defs[`s${step}`] = step % 2 === 0 ? { anyOf: [{ $ref }, { $ref }] } : { allOf: [{ $ref }, { $ref }] }
    }
    expect(expects({ $ref: '#/$defs/s60', $defs: defs })).toBe('unknown')
  })
})
