/** What the compiler knows of a call that may run. `tsc` checks the types; what is run checks that they are true. */

import { jsonSchema, tool } from 'ai6'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, it, test } from 'vitest'
import { z } from 'zod'
import type { JsonValue, ToolCall } from '../../../src/base/event.ts'
import { prepareCall } from '../../../src/engine/calls/prepare.ts'
import type { FromJsonSchema } from '../../../src/values/schema/from-json-schema.ts'

const call = (toolName: string, input: JsonValue): ToolCall => ({
  type: 'tool-call',
  id: 'call-1',
  toolName,
  input,
  status: 'complete',
  repairs: [],
})

interface Edit {
  path: string
  mode?: 'insert' | 'replace'
  lines: { from: number; to: number | null }[]
}

const INPUT = { path: 'a.ts', mode: 'insert', lines: [{ from: 1, to: null }] }

const withZod = z.object({
  path: z.string(),
  mode: z.enum(['insert', 'replace']).optional(),
  lines: z.array(z.object({ from: z.number(), to: z.number().nullable() })),
})

const withValibot = v.object({
  path: v.string(),
  mode: v.optional(v.picklist(['insert', 'replace'])),
  lines: v.array(v.object({ from: v.number(), to: v.nullable(v.number()) })),
})

const withArkType = type({
  path: 'string',
  'mode?': "'insert' | 'replace'",
  lines: type({ from: 'number', to: 'number | null' }).array(),
})

const withJsonSchema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    mode: { enum: ['insert', 'replace'] },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: { from: { type: 'integer' }, to: { type: ['number', 'null'] } },
        required: ['from', 'to'],
      },
    },
  },
  required: ['path', 'lines'],
} as const

/** The same as `Edit`: libraries differ in whether an optional key may be undefined. */
type IsEdit<Input> = [Input] extends [{ path: string; mode?: Edit['mode'] | undefined; lines: Edit['lines'] }]
  ? [Edit] extends [Input]
    ? true
    : false
  : false

describe('the input of a call that may run has the type of its schema', () => {
  it('of zod', async () => {
    const prepared = await prepareCall(call('edit', INPUT), {
      edit: { inputSchema: withZod },
      stop: { description: 'Stops.' },
    })
    expect(prepared).toMatchObject({ ok: true, toolName: 'edit', input: INPUT })
    if (prepared.ok && prepared.toolName === 'edit')
      expectTypeOf<IsEdit<typeof prepared.input>>().toEqualTypeOf<true>()
    if (prepared.ok && prepared.toolName === 'stop') expectTypeOf(prepared.input).toEqualTypeOf<JsonValue>()
    // @ts-expect-error there is no such tool
    if (prepared.ok && prepared.toolName === 'edlt') throw new Error('never')
  })

  it('of valibot', async () => {
    const prepared = await prepareCall(call('edit', INPUT), [
      { name: 'edit', inputSchema: withValibot },
      { name: 'stop', parameters: v.object({ why: v.pipe(v.string(), v.transform(Number)) }) },
    ])
    expect(prepared).toMatchObject({ ok: true, toolName: 'edit', input: INPUT })
    if (prepared.ok && prepared.toolName === 'edit')
      expectTypeOf<IsEdit<typeof prepared.input>>().toEqualTypeOf<true>()
    if (prepared.ok && prepared.toolName === 'stop')
      expectTypeOf(prepared.input).toEqualTypeOf<{ why: number }>()
  })

  it('of arktype, whose schemas are functions', async () => {
    const prepared = await prepareCall(call('edit', INPUT), {
      edit: { parameters: withArkType },
      stop: { inputSchema: type({ why: 'string' }) },
    })
    expect(prepared).toMatchObject({ ok: true, toolName: 'edit', input: INPUT })
    if (prepared.ok && prepared.toolName === 'edit')
      expectTypeOf<IsEdit<typeof prepared.input>>().toEqualTypeOf<true>()
    if (prepared.ok && prepared.toolName === 'stop')
      expectTypeOf(prepared.input).toEqualTypeOf<{ why: string }>()
  })

  it('of a JSON Schema that is written as a literal', async () => {
    const prepared = await prepareCall(call('edit', INPUT), {
      edit: { inputSchema: withJsonSchema },
      stop: { inputSchema: { type: 'object', properties: { why: { type: 'string' } } } },
    })
    expect(prepared).toMatchObject({ ok: true, toolName: 'edit', input: INPUT })
    if (prepared.ok && prepared.toolName === 'edit') expectTypeOf(prepared.input).toEqualTypeOf<Edit>()
    if (prepared.ok && prepared.toolName === 'stop')
      expectTypeOf(prepared.input).toEqualTypeOf<{ why?: string }>()
  })
})

test('every way to write a tool down has the same types', async () => {
  const tools = [
    { name: 'a', inputSchema: withJsonSchema },
    { name: 'b', parameters: withJsonSchema },
    { name: 'c', input_schema: withJsonSchema },
    { type: 'function', function: { name: 'd', parameters: withJsonSchema } },
    { type: 'function', name: 'e', parameters: withJsonSchema },
    { name: 'f', inputSchema: () => withJsonSchema },
    { name: 'g', inputSchema: { jsonSchema: withJsonSchema } },
    { type: 'custom', custom: { name: 'free' } },
    { type: 'web_search' },
  ] as const
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    const prepared = await prepareCall(call(name, INPUT), tools)
    expect(prepared).toMatchObject({ ok: true, toolName: name, input: INPUT })
    if (!prepared.ok) continue
    expectTypeOf(prepared.toolName).toEqualTypeOf<'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'free'>()
    if (prepared.toolName === 'free') expectTypeOf(prepared.input).toEqualTypeOf<string>()
    else expectTypeOf(prepared.input).toEqualTypeOf<Edit>()
    if (prepared.toolName === 'd') expectTypeOf(prepared.input).toEqualTypeOf<Edit>()
  }
})

test("the tools of the AI SDK have the types of the AI SDK's own", async () => {
  const tools = {
    edit: tool({ inputSchema: withZod, execute: async ({ path }) => path }),
    move: tool({
      inputSchema: jsonSchema<{ to: string }>({ type: 'object', properties: { to: { type: 'string' } } }),
    }),
  }
  const prepared = await prepareCall(call('edit', INPUT), tools)
  expect(prepared).toMatchObject({ ok: true, toolName: 'edit', input: INPUT })
  if (prepared.ok && prepared.toolName === 'edit')
    expectTypeOf<IsEdit<typeof prepared.input>>().toEqualTypeOf<true>()
  if (prepared.ok && prepared.toolName === 'move')
    expectTypeOf(prepared.input).toEqualTypeOf<{ to: string }>()
})

test('tools that are known only at run time have any name and any input', async () => {
  const tools: { name: string; inputSchema: { [keyword: string]: unknown } }[] = [
    { name: 'edit', inputSchema: {} },
  ]
  const prepared = await prepareCall(call('edit', INPUT), tools)
  expect(prepared).toMatchObject({ ok: true, toolName: 'edit' })
  if (prepared.ok) {
    expectTypeOf(prepared.toolName).toEqualTypeOf<string>()
    expectTypeOf(prepared.input).toEqualTypeOf<JsonValue>()
  }
})

test('a JSON Schema that is not known in full is any JSON value, and never none', () => {
  type Of<Schema> = FromJsonSchema<Schema>
  expectTypeOf<Of<{ readonly anyOf: readonly [{ type: 'string' }, { const: 3 }] }>>().toEqualTypeOf<
    string | 3
  >()
  expectTypeOf<Of<{ readonly oneOf: readonly [{ type: 'boolean' }, { type: 'null' }] }>>().toEqualTypeOf<
    boolean | null
  >()
  expectTypeOf<Of<{ type: 'array'; items: { type: 'array'; items: { type: 'number' } } }>>().toEqualTypeOf<
    number[][]
  >()
  expectTypeOf<Of<{ type: 'object'; additionalProperties: { type: 'number' } }>>().toEqualTypeOf<{
    [key: string]: number
  }>()
  expectTypeOf<Of<{ type: 'object' }>>().toEqualTypeOf<{ [key: string]: JsonValue }>()
  expectTypeOf<Of<{ type: 'array'; prefixItems: readonly [] }>>().toEqualTypeOf<JsonValue[]>()
  expectTypeOf<Of<{ type: string }>>().toEqualTypeOf<JsonValue>()
  expectTypeOf<Of<{ $ref: '#/$defs/a' }>>().toEqualTypeOf<JsonValue>()
  expectTypeOf<Of<{ type: 'file' }>>().toEqualTypeOf<JsonValue>()
  expectTypeOf<Of<true>>().toEqualTypeOf<JsonValue>()
  expectTypeOf<Of<object>>().toEqualTypeOf<JsonValue>()
  expectTypeOf<
    Of<{ type: 'object'; properties: { a: { type: 'string' } }; required: string[] }>
  >().toEqualTypeOf<{ a?: string }>()
})

test('a schema in place of a tool is an error, of types and at run time', async () => {
  const tools = { edit: withZod }
  // @ts-expect-error It has to be in `inputSchema`.
  await expect(prepareCall(call('edit', INPUT), tools)).rejects.toThrow("The tool 'edit' is a schema itself")
})
