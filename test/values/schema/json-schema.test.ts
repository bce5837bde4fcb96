import { describe, expect, it } from 'vitest'
import { itemSchema, type JsonSchema, propertySchema, resolve } from '../../../src/values/schema/index.ts'
import { alternatives, resolveRef } from '../../../src/values/schema/json-schema.ts'

const CITY: JsonSchema = { type: 'string', description: 'a city' }

describe('resolving a schema', () => {
  const root: JsonSchema = {
    $defs: {
      city: CITY,
      'a/b~c': { type: 'integer' },
      hop: { $ref: '#/$defs/city' },
      loop: { $ref: '#/$defs/loop' },
      round: { allOf: [{ $ref: '#/$defs/round' }, { allOf: [{ type: 'string' }] }] },
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
    [
      'says once what is said twice',
      { type: 'string', allOf: [{ type: 'string' }, { type: undefined, title: 'b' }, { title: 'c' }] },
      { type: 'string', title: 'b' },
    ],
    [
      'keeps one schema of a property that both have',
      { properties: { a: CITY }, allOf: [{ properties: { a: CITY } }] },
      { properties: { a: CITY } },
    ],
    [
      'keeps apart properties that are none',
      { properties: { a: CITY }, allOf: [{ properties: 5 }] } as unknown as JsonSchema,
      { properties: { a: CITY }, allOf: [{ properties: 5 }] } as unknown as JsonSchema,
    ],
    [
      'forbids additional properties that one member forbids',
      { additionalProperties: CITY, allOf: [{ additionalProperties: false }] },
      { additionalProperties: false },
    ],
    [
      'keeps them forbidden',
      { additionalProperties: false, allOf: [{ additionalProperties: CITY }] },
      { additionalProperties: false },
    ],
    [
      'narrows additional properties that may be anything',
      { additionalProperties: true, allOf: [{ additionalProperties: CITY }] },
      { additionalProperties: CITY },
    ],
    [
      'keeps them as they are beside anything',
      { additionalProperties: CITY, allOf: [{ additionalProperties: true }] },
      { additionalProperties: CITY },
    ],
    [
      'keeps apart additional properties that differ',
      { additionalProperties: CITY, allOf: [{ additionalProperties: { type: 'null' } }] },
      { additionalProperties: CITY, allOf: [{ additionalProperties: { type: 'null' } }] },
    ],
    [
      'keeps apart booleans of other keywords',
      { uniqueItems: true, allOf: [{ uniqueItems: false }] },
      { uniqueItems: true, allOf: [{ uniqueItems: false }] },
    ],
    ['reads what stands beside a circle', { $ref: '#/$defs/round' }, { type: 'string' }],
    ['forbids what one member forbids', { allOf: [{ type: 'string' }, false] }, false],
    ['ignores what allows everything', { type: 'string', allOf: [true, {}] }, { type: 'string' }],
  ]
  it.each(cases)('%s', (_, schema, resolved) => {
    expect(resolve(schema, root)).toEqual(resolved)
  })

  it('follows a reference to the whole', () => {
    expect(resolve({ $ref: '#' }, root)).toBe(root)
  })

  it.each([
    [256, { type: 'string' }],
    [257, {}],
  ])('follows %i references', (length, resolved) => {
    const $defs: Record<string, JsonSchema> = { s0: { type: 'string' } }
    for (let step = 1; step <= length; step++) $defs[`s${step}`] = { $ref: `#/$defs/s${step - 1}` }
    expect(resolve($defs[`s${length}`]!, { $defs })).toEqual(resolved)
  })
})

describe('a reference', () => {
  const long = 'a'.repeat(1020)
  const root = {
    $defs: { city: CITY, no: false, [long]: CITY, gone: undefined },
    title: 'a title',
    minLength: 5,
    default: null,
  } as JsonSchema

  it.each<[ref: string, found: JsonSchema]>([
    ['#', root],
    ['#/$defs/city', CITY],
    ['#/$defs/no', false],
    ['#/$defs', (root as { $defs: JsonSchema }).$defs],
    ['$defs/city', true],
    ['#$defs/city', true],
    ['##/$defs/city', true],
    ['#/title', true],
    ['#/title/0', true],
    ['#/minLength', true],
    ['#/minLength/a', true],
    ['#/default', true],
    ['#/default/a', true],
    ['#/$defs/gone/a', true],
    ['#/toString', true],
    ['#/__proto__', true],
  ])('%s', (ref, found) => {
    expect(resolveRef(ref, root)).toBe(found)
  })

  it('has at most 1024 characters', () => {
    const at = (name: string) => resolveRef(`#/${name}`, { [name]: CITY } as JsonSchema)
    expect(at('a'.repeat(1022))).toBe(CITY)
    expect(at('a'.repeat(1023))).toBe(true)
  })
})

describe('the alternatives of a schema', () => {
  it('are itself and the members of its unions, each once', () => {
    const root: JsonSchema = {
      anyOf: [CITY, { oneOf: [{ $ref: '#' }, true] }, CITY],
      allOf: [{ anyOf: [{ type: 'null' }] }],
    }
    const { allOf: _, ...resolved } = root
    expect(alternatives(root)).toEqual([
      { ...resolved, allOf: [{ anyOf: [{ type: 'null' }] }] },
      { anyOf: [{ type: 'null' }] },
      { type: 'null' },
      CITY,
      { oneOf: [{ $ref: '#' }, true] },
      { ...resolved, allOf: [{ anyOf: [{ type: 'null' }] }] },
      true,
    ])
  })

  it('are 256 at most', () => {
    const members = Array.from({ length: 300 }, (_, at) => ({ const: at }))
    const found = alternatives({ anyOf: members })
    expect(found).toHaveLength(256)
    expect(found.at(-1)).toEqual({ const: 254 })
    expect(alternatives({ anyOf: [true, true] })).toEqual([{ anyOf: [true, true] }, true])
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

  it('is undefined where it is none', () => {
    const odd = { properties: { a: 5 }, anyOf: [true, null, { properties: { b: CITY } }] }
    expect(propertySchema(odd as unknown as JsonSchema, 'a')).toBeUndefined()
    expect(propertySchema(odd as unknown as JsonSchema, 'b')).toEqual(CITY)
  })

  it('is that of additional properties only where no member of a union declares it, and then the first', () => {
    const union: JsonSchema = {
      anyOf: [
        { additionalProperties: { type: 'number' } },
        { additionalProperties: { type: 'null' } },
        { properties: { path: CITY } },
      ],
    }
    expect(propertySchema(union, 'path')).toEqual(CITY)
    expect(propertySchema(union, 'other')).toEqual({ type: 'number' })
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

  it('is undefined where it is none', () => {
    const odd = { items: 5, anyOf: [true, null, { prefixItems: [CITY] }] }
    expect(itemSchema(odd as unknown as JsonSchema, 0)).toEqual(CITY)
    expect(itemSchema(odd as unknown as JsonSchema, 1)).toBeUndefined()
    expect(itemSchema(true, 0)).toBeUndefined()
  })

  it('is understood as draft 07 writes it', () => {
    const tuple: JsonSchema = { items: [CITY], additionalItems: { type: 'boolean' } }
    expect([0, 1].map((index) => itemSchema(tuple, index))).toEqual([CITY, { type: 'boolean' }])
  })
})
