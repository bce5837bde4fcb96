import { describe, expect, it } from 'vitest'
import { itemSchema, type JsonSchema, propertySchema, resolve } from '../../../src/values/schema/index.ts'

const CITY: JsonSchema = { type: 'string', description: 'a city' }

describe('resolving a schema', () => {
  const root: JsonSchema = {
    $defs: {
      city: CITY,
      'a/b~c': { type: 'integer' },
      hop: { $ref: '#/$defs/city' },
      loop: { $ref: '#/$defs/loop' },
    },
    definitions: { old: { type: 'boolean' } },
    properties: { days: { type: 'number' } },
    prefixItems: [{ type: 'null' }],
  }
  const cases: [sentence: string, schema: JsonSchema, resolved: JsonSchema][] = [
    ['leaves a plain schema alone', { type: 'string' }, { type: 'string' }],
    ['follows $defs', { $ref: '#/$defs/city' }, CITY],
    ['follows definitions', { $ref: '#/definitions/old' }, { type: 'boolean' }],
    ['follows any pointer', { $ref: '#/properties/days' }, { type: 'number' }],
    ['follows a pointer into a list', { $ref: '#/prefixItems/0' }, { type: 'null' }],
    ['follows one reference to the next', { $ref: '#/$defs/hop' }, CITY],
    ['understands escapes in pointers', { $ref: '#/$defs/a~1b~0c' }, { type: 'integer' }],
    ['understands percent signs in pointers', { $ref: '#/%24defs/city' }, CITY],
    ['takes a circle as anything', { $ref: '#/$defs/loop' }, {}],
    ['takes an unknown reference as anything', { $ref: '#/$defs/none' }, {}],
    ['takes a bad escape as anything', { $ref: '#/%zz' }, {}],
    ['takes a reference to a prototype as anything', { $ref: '#/$defs/constructor' }, {}],
    [
      'keeps what stands beside a reference',
      { $ref: '#/$defs/city', description: 'mine' },
      { type: 'string', description: 'mine' },
    ],
    [
      'folds allOf into one',
      {
        allOf: [
          { properties: { a: CITY }, required: ['a'] },
          { type: 'object', properties: { b: CITY }, required: ['b'] },
        ],
      },
      { type: 'object', properties: { a: CITY, b: CITY }, required: ['a', 'b'] },
    ],
    [
      'says both where both speak of one property',
      { properties: { a: { type: 'string' } }, allOf: [{ properties: { a: { minLength: 1 } } }] },
      { properties: { a: { allOf: [{ type: 'string' }, { minLength: 1 }] } } },
    ],
    [
      'keeps apart what disagrees',
      { type: 'string', allOf: [{ type: 'integer' }] },
      { type: 'string', allOf: [{ type: 'integer' }] },
    ],
    ['forbids what one member forbids', { allOf: [{ type: 'string' }, false] }, false],
    ['ignores what allows everything', { type: 'string', allOf: [true, {}] }, { type: 'string' }],
  ]
  it.each(cases)('%s', (_, schema, resolved) => {
    expect(resolve(schema, root)).toEqual(resolved)
  })

  it('follows a reference to the whole', () => {
    expect(resolve({ $ref: '#' }, root)).toBe(root)
  })
})

describe('the schema of a property', () => {
  const schema: JsonSchema = {
    $defs: { base: { properties: { id: { type: 'integer' } } } },
    allOf: [{ $ref: '#/$defs/base' }],
    properties: { path: CITY, ['__proto__' as string]: { type: 'boolean' } },
    additionalProperties: { type: 'number' },
  }
  const cases: [sentence: string, key: string, found: JsonSchema | undefined][] = [
    ['is the one declared', 'path', CITY],
    ['is found through allOf and $ref', 'id', { type: 'integer' }],
    ['is the one for additional properties otherwise', 'other', { type: 'number' }],
    ['is not a method that objects happen to have', 'toString', { type: 'number' }],
  ]
  it.each(cases)('%s', (_, key, found) => {
    expect(propertySchema(schema, key)).toEqual(found)
  })

  it('is undefined where nothing is said', () => {
    expect(propertySchema({ properties: { a: CITY } }, 'b')).toBeUndefined()
    expect(
      propertySchema({ properties: { a: CITY }, additionalProperties: true }, 'constructor'),
    ).toBeUndefined()
    expect(propertySchema(true, 'a')).toBeUndefined()
  })

  it('is found for __proto__ when it is declared as data', () => {
    expect(
      propertySchema(JSON.parse('{"properties": {"__proto__": {"type": "boolean"}}}'), '__proto__'),
    ).toEqual({ type: 'boolean' })
  })

  it('is a union where the members of a union differ', () => {
    const union: JsonSchema = {
      anyOf: [
        { properties: { kind: { const: 'file' }, path: CITY } },
        { properties: { kind: { const: 'shell' }, command: CITY } },
      ],
    }
    expect(propertySchema(union, 'kind')).toEqual({ anyOf: [{ const: 'file' }, { const: 'shell' }] })
    expect(propertySchema(union, 'command')).toEqual(CITY)
  })
})

describe('the schema of an item', () => {
  it('is that of all items', () => {
    expect(itemSchema({ items: CITY }, 3)).toEqual(CITY)
  })

  it('is that of its place in a tuple, then that of the rest', () => {
    const tuple: JsonSchema = { prefixItems: [CITY, { type: 'integer' }], items: { type: 'boolean' } }
    expect([0, 1, 2].map((index) => itemSchema(tuple, index))).toEqual([
      CITY,
      { type: 'integer' },
      { type: 'boolean' },
    ])
  })

  it('is understood as draft 07 writes it', () => {
    const tuple: JsonSchema = { items: [CITY], additionalItems: { type: 'boolean' } }
    expect([0, 1].map((index) => itemSchema(tuple, index))).toEqual([CITY, { type: 'boolean' }])
  })
})
