import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import {
  type InferInput,
  type InferOutput,
  isStandardSchema,
  type StandardSchemaV1,
  toJsonSchema,
} from '../../../src/values/schema/index.ts'

function standard(jsonSchema?: unknown): StandardSchemaV1<string, number> {
  const props = { version: 1, vendor: 'test', validate: (value: unknown) => ({ value: Number(value) }) }
  return {
    '~standard': { ...props, ...(jsonSchema === undefined ? {} : { jsonSchema }) },
  } as StandardSchemaV1<string, number>
}

describe('a Standard Schema', () => {
  it('is recognised by what it has', () => {
    expect(isStandardSchema(standard())).toBe(true)
    expect(isStandardSchema(Object.assign(() => {}, standard()))).toBe(true)
  })

  it.each([
    [undefined],
    [null],
    ['~standard'],
    [{}],
    [{ '~standard': null }],
    [{ '~standard': {} }],
    [{ '~standard': 5 }],
    [{ '~standard': Object.assign(() => {}, { validate: () => {} }) }],
    [{ type: 'object' }],
  ])('is not %j', (value) => {
    expect(isStandardSchema(value)).toBe(false)
  })

  it('tells its types', () => {
    expectTypeOf<InferInput<StandardSchemaV1<string, number>>>().toEqualTypeOf<string>()
    expectTypeOf<InferOutput<StandardSchemaV1<string, number>>>().toEqualTypeOf<number>()
  })
})

describe('the JSON Schema of a schema', () => {
  it('is itself when it is JSON Schema', () => {
    const schema = { type: 'object' }
    expect(toJsonSchema(schema)).toBe(schema)
    expect(toJsonSchema(true)).toBe(true)
    for (const odd of [null, 5]) {
      const marked = { type: 'object', '~standard': odd }
      expect(toJsonSchema(marked)).toBe(marked)
    }
  })

  it('is what a Standard Schema says for its input', () => {
    expect(toJsonSchema(standard({ input: () => ({ type: 'string' }) }))).toEqual({ type: 'string' })
  })

  it('is asked for in draft 07 when 2020-12 is not known', () => {
    const input = ({ target }: { target: string }) => {
      if (target !== 'draft-07') throw new Error('unknown target')
      return { type: 'string' }
    }
    expect(toJsonSchema(standard({ input }))).toEqual({ type: 'string' })
  })

  it('is asked for in draft 07 when that of 2020-12 is only promised', () => {
    const input = ({ target }: { target: string }) =>
      target === 'draft-07' ? { type: 'string' } : Promise.resolve({ type: 'string' })
    expect(toJsonSchema(standard({ input }))).toEqual({ type: 'string' })
  })

  it('accepts anything where JSON Schema has no type, and keeps the types of the other fields', () => {
    expect(toJsonSchema(z.object({ n: z.number(), when: z.date().optional() }))).toMatchObject({
      type: 'object',
      properties: { n: { type: 'number' }, when: {} },
      required: ['n'],
    })
    expect(toJsonSchema(z.object({ list: z.array(z.object({ id: z.bigint() })) }))).toMatchObject({
      properties: { list: { type: 'array', items: { type: 'object', properties: { id: {} } } } },
    })
  })

  it('is asked for leniently only after the exact conversions failed', () => {
    const asked: unknown[] = []
    const input = (options: unknown) => {
      asked.push(options)
      throw new Error('no')
    }
    toJsonSchema(standard({ input }))
    expect(asked).toEqual([
      { target: 'draft-2020-12' },
      { target: 'draft-07' },
      { target: 'draft-2020-12', libraryOptions: { unrepresentable: 'any' } },
    ])
  })

  it('is what a wrapper holds, unless it is only promised', () => {
    expect(toJsonSchema({ jsonSchema: { type: 'object' } })).toEqual({ type: 'object' })
    expect(toJsonSchema({ jsonSchema: Promise.resolve({ type: 'object' }) })).toBeUndefined()
  })

  const without: [sentence: string, value: unknown][] = [
    ['a Standard Schema that cannot say it', standard()],
    [
      'one that throws',
      standard({
        input: () => {
          throw new Error('no')
        },
      }),
    ],
    ['one that gives something else', standard({ input: () => 'string' })],
    [
      'one whose getter throws',
      {
        get '~standard'() {
          throw new Error('no')
        },
      },
    ],
    [
      'a wrapper whose getter throws',
      {
        get jsonSchema() {
          throw new Error('no')
        },
      },
    ],
    ['a string', 'object'],
    ['a list', []],
    ['null', null],
    ['nothing', undefined],
  ]
  it.each(without)('is undefined for %s', (_, value) => {
    expect(toJsonSchema(value)).toBeUndefined()
  })
})
