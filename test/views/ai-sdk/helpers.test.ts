import { jsonSchema, zodSchema } from 'ai6'
import { SluiceError } from 'sluice'
import {
  coerceBySchema,
  extractToolCallSegments,
  getPotentialStartIndex,
  jsonMixMiddleware,
  originalToolSchemas,
  RJSON,
  RXML,
} from 'sluice/ai-sdk'
import { type Dialect, deepseekV3, hermes, kimiK2, morphXml, nemotronV2, qwen3Coder } from 'sluice/dialects'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

describe('RJSON.parse', () => {
  test('reads what models write', () => {
    expect(RJSON.parse("{path: 'a', // here\n n: 16, ok: True,}")).toEqual({ path: 'a', n: 16, ok: true })
    expect(RJSON.stringify({ a: [1, 'b'] })).toBe('{"a":[1,"b"]}')
  })

  test('throws on what is cut off', () => {
    expect(() => RJSON.parse('{"a": ')).toThrow('The text ends before its value does.')
  })
})

describe('RXML.parse', () => {
  const schema = {
    type: 'object',
    properties: {
      path: { type: 'string' },
      n: { type: 'integer' },
      list: { type: 'array', items: { type: 'number' } },
    },
  }

  test('types elements by a schema', () => {
    const xml = '<path><b>a</b></path><n>5</n><list><item>1</item><item>2</item></list>'
    expect(RXML.parse(xml, schema)).toEqual({ path: '<b>a</b>', n: 5, list: [1, 2] })
    expect(RXML.parse('<a>1</a><a>2</a>')).toEqual({ a: [1, 2] })
  })

  test('refuses a string that is there twice, and tells of what is odd', () => {
    const problems: string[] = []
    expect(() =>
      RXML.parse('<path>a</path><path>b</path>', schema, { onProblem: ({ code }) => problems.push(code) }),
    ).toThrow('<path> is there twice')
    expect(problems).toEqual(['duplicate-string-tag'])
  })
})

test('coerceBySchema brings values to their types', () => {
  const schema = { type: 'object', properties: { days: { type: 'integer' }, tags: { type: 'array' } } }
  expect(coerceBySchema({ days: '2', tags: "['a',]" }, schema)).toEqual({ days: 2, tags: ['a'] })
})

test('originalToolSchemas keeps the schemas of tools of every kind', () => {
  const schema = { type: 'object', properties: {} } as const
  expect(
    originalToolSchemas({
      plain: { inputSchema: schema },
      held: { inputSchema: jsonSchema(schema) },
      zod: { inputSchema: z.object({ a: z.string() }) },
      lazy: { inputSchema: () => zodSchema(z.object({ a: z.string() })) },
      broken: {
        inputSchema: () => {
          throw new Error('no')
        },
      },
      none: {},
    }),
  ).toEqual({
    plain: schema,
    held: schema,
    zod: expect.objectContaining({ properties: { a: { type: 'string' } } }),
    lazy: expect.objectContaining({ properties: { a: { type: 'string' } } }),
  })
})

test.each([
  ['a <tool_call> b', '<tool_call>', 2],
  ['a <tool', '<tool_call>', 2],
  ['a <tool b', '<tool_call>', null],
  ['<<', '<t', 1],
  ['', '<t', null],
  ['a', '', null],
])('getPotentialStartIndex(%j, %j) is %j', (text, searched, index) => {
  expect(getPotentialStartIndex(text, searched)).toBe(index)
})

describe('extractToolCallSegments', () => {
  const tools = [{ name: 'ls', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }]
  const rows: [dialect: Dialect, segments: string[]][] = [
    [hermes, ['<tool_call>{"name": "ls"}</tool_call>', '<tool_call>\n{"name": "ls"}\n</tool_call>']],
    [morphXml, ['<ls><path>a</path></ls>', '<ls/>']],
    [
      qwen3Coder,
      ['<tool_call>\n<function=ls>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>'],
    ],
  ]

  test.each(rows.map(([dialect, segments]) => [dialect.name, dialect, segments] as const))(
    'finds calls as they are written: %s',
    (_, dialect, segments) => {
      const text = `One ${segments.join(' and ')} done.`
      expect(extractToolCallSegments({ text, dialect, tools })).toEqual(segments)
    },
  )

  const sections: [dialect: Dialect, first: string, between: string, last: string][] = [
    [
      kimiK2,
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.ls:0<|tool_call_argument_begin|>{}<|tool_call_end|>',
      '\n',
      '<|tool_call_begin|>functions.ls:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
    ],
    [
      deepseekV3,
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>ls\n```json\n{}\n```<｜tool▁call▁end｜>',
      '\n',
      '<｜tool▁call▁begin｜>function<｜tool▁sep｜>ls\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [nemotronV2, '<TOOLCALL>[{"name": "ls"}', ', ', '{"name": "ls"}]</TOOLCALL>'],
  ]

  test.each(sections.map(([dialect, ...written]) => [dialect.name, dialect, ...written] as const))(
    'finds each call of a section, the last with the end of the section: %s',
    (_, dialect, first, between, last) => {
      const text = `One ${first}${between}${last} done.`
      expect(extractToolCallSegments({ text, dialect, tools })).toEqual([first, last])
    },
  )

  test('leaves out one that was cut off', () => {
    expect(extractToolCallSegments({ text: '<tool_call>{"name": "ls", "arg', dialect: hermes })).toEqual([])
  })
})

test.each([{ toolCallEnd: '' }, { toolCallStart: '' }])(
  'a format without a marker is a mistake: %j',
  (options) => {
    expect(() => jsonMixMiddleware(options)).toThrow(SluiceError)
  },
)
