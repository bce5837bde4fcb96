import { describe, expect, it } from 'vitest'
import { createToolTable, type ToolDefinitions } from '../../../src/engine/calls/tools.ts'
import type { JsonSchema, StandardSchemaV1 } from '../../../src/values/schema/index.ts'

const WEATHER = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { $ref: '#/$defs/days' } },
  required: ['city'],
  $defs: { days: { type: 'integer' } },
} as const satisfies JsonSchema

describe('a table of tools', () => {
  const standard = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => WEATHER as Record<string, unknown> },
    },
  } satisfies StandardSchemaV1

  const forms: [form: string, tools: ToolDefinitions][] = [
    ['a name and an inputSchema', [{ name: 'get_weather', description: 'd', inputSchema: WEATHER }]],
    ['a name and parameters', [{ name: 'get_weather', description: 'd', parameters: WEATHER }]],
    [
      "OpenAI's chat form",
      [{ type: 'function', function: { name: 'get_weather', description: 'd', parameters: WEATHER } }],
    ],
    [
      "OpenAI's Responses form",
      [{ type: 'function', name: 'get_weather', description: 'd', parameters: WEATHER }],
    ],
    ["Anthropic's form", [{ name: 'get_weather', description: 'd', input_schema: WEATHER }]],
    ['a record by name', { get_weather: { description: 'd', inputSchema: WEATHER } }],
    ['a Standard Schema', [{ name: 'get_weather', description: 'd', inputSchema: standard }]],
    [
      'a wrapper around the schema',
      { get_weather: { description: 'd', inputSchema: { jsonSchema: WEATHER } } },
    ],
    ['a function that gives the schema', { get_weather: { description: 'd', inputSchema: () => WEATHER } }],
  ]
  it.each(forms)('is made from %s', (_, tools) => {
    const table = createToolTable(tools)
    const tool = table.get('get_weather')!
    expect([table.size, table.names, table.has('get_weather'), table.has('other')]).toEqual([
      1,
      ['get_weather'],
      true,
      false,
    ])
    expect([tool.name, tool.description, tool.schema]).toEqual(['get_weather', 'd', WEATHER])
  })

  it('keeps the Standard Schema for validation, also when it has no JSON Schema', () => {
    const silent: StandardSchemaV1 = {
      '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
    }
    const tool = createToolTable([{ name: 'a', inputSchema: silent }]).get('a')!
    expect([tool.standard, tool.schema]).toEqual([silent, undefined])
  })

  it('carries how a tool is shown', () => {
    const presentation = {
      streams: 'content',
      headlines: ['path'],
      markers: { start: '>>>', end: '<<<' },
      segmentType: 'write_file',
    }
    const table = createToolTable([
      { name: 'write_file', inputSchema: {}, ...presentation },
      { type: 'function', function: { name: 'other' }, ...presentation },
    ])
    expect(table.get('write_file')).toMatchObject(presentation)
    expect(table.get('other')).toMatchObject(presentation)
  })

  it('shows nothing in particular unless told', () => {
    const tool = createToolTable([{ name: 'a' }]).get('a')!
    expect([tool.streams, tool.headlines, tool.markers, tool.segmentType]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('keeps the order of its tools', () => {
    const table = createToolTable([{ name: 'b' }, { name: 'a' }])
    expect([...table].map((tool) => tool.name)).toEqual(['b', 'a'])
  })

  it('is empty without tools', () => {
    expect(createToolTable(undefined).size).toBe(0)
    expect(createToolTable([]).size).toBe(0)
  })

  it('takes names like __proto__ for names', () => {
    const table = createToolTable([{ name: '__proto__', inputSchema: WEATHER }])
    expect([table.has('__proto__'), table.has('constructor'), table.get('toString')]).toEqual([
      true,
      false,
      undefined,
    ])
  })

  it('passes over what a provider runs itself', () => {
    expect(createToolTable([{ type: 'web_search' }, { name: 'a' }]).names).toEqual(['a'])
  })

  it('knows tools whose input is free text', () => {
    const table = createToolTable([{ type: 'custom', custom: { name: 'run', description: 'd' } }])
    expect([table.names, table.get('run')!.schema]).toEqual([['run'], undefined])
  })

  it('takes a schema of null for none', () => {
    expect(
      createToolTable([{ type: 'function', name: 'a', parameters: null }]).get('a')!.schema,
    ).toBeUndefined()
  })

  it('is made once for one list, and again when the list has changed', () => {
    const tools = [{ name: 'a' }]
    const first = createToolTable(tools)
    expect(createToolTable(tools)).toBe(first)
    expect(createToolTable(first)).toBe(first)
    tools.push({ name: 'b' })
    expect(createToolTable(tools).names).toEqual(['a', 'b'])
  })

  const wrong: [sentence: string, tools: unknown, code: string, message: string][] = [
    [
      'a tool without a name',
      [{ name: 'a' }, {}],
      'invalid-option',
      'Tool 2 of the list has no name; give it a `name`.',
    ],
    ['an empty name', [{ name: '' }], 'invalid-option', 'Tool 1 of the list has no name; give it a `name`.'],
    [
      'a function without a name',
      [{ type: 'function', function: {} }],
      'invalid-option',
      'Tool 1 of the list has no name; give it a `name`.',
    ],
    ['an empty key', { '': {} }, 'invalid-option', 'A tool has an empty name; give it one as its key.'],
    [
      'two tools with one name',
      [{ name: 'a' }, { name: 'a' }],
      'invalid-option',
      "There are two tools named 'a'; give each tool its own name.",
    ],
    [
      'something that is no tool',
      ['a'],
      'invalid-option',
      'Tool 1 of the list must be an object with a name and a schema, not a string.',
    ],
    [
      'something that is no list',
      'a',
      'invalid-option',
      'Tools must be a list or an object of tools by name, not a string.',
    ],
    [
      'a schema that is a string',
      [{ name: 'a', inputSchema: 'object' }],
      'invalid-schema',
      "The schema of the tool 'a' must be a JSON Schema or a Standard Schema, not a string.",
    ],
    [
      'a schema that is a list',
      { a: { inputSchema: [] } },
      'invalid-schema',
      "The schema of the tool 'a' must be a JSON Schema or a Standard Schema, not a list.",
    ],
    [
      'a streamed argument that is no name',
      [{ name: 'a', streams: 1 }],
      'invalid-option',
      "`streams` of the tool 'a' must be the name of an argument.",
    ],
    [
      'headlines that are no list',
      [{ name: 'a', headlines: 'path' }],
      'invalid-option',
      "`headlines` of the tool 'a' must be a list of names of arguments.",
    ],
    [
      'a marker without an end',
      [{ name: 'a', markers: { start: 'x' } }],
      'invalid-option',
      "`markers` of the tool 'a' must be an object with the texts `start` and `end`.",
    ],
    [
      'an empty segment type',
      [{ name: 'a', segmentType: '' }],
      'invalid-option',
      "`segmentType` of the tool 'a' must be the name of a type.",
    ],
  ]
  it.each(wrong)('refuses %s', (_, tools, code, message) => {
    expect(() => createToolTable(tools as ToolDefinitions)).toThrow(
      expect.objectContaining({ code, message }),
    )
  })
})
