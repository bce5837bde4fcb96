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

  test('gives what there is of it, where that is asked for', () => {
    expect(RJSON.parse('{"a": 1, "b": [2, 3', { tolerant: true })).toEqual({ a: 1, b: [2] })
  })

  test('can be strict, and takes a reviver', () => {
    expect(() => RJSON.parse('{a: 1}', { relaxed: false })).toThrow(SluiceError)
    const double = (_: string, value: unknown): unknown => (typeof value === 'number' ? value * 2 : value)
    expect(RJSON.parse('{a: 1}', double)).toEqual({ a: 2 })
    expect(RJSON.parse('{a: 1}', { reviver: double })).toEqual({ a: 2 })
    expect(() => RJSON.parse('{"a": 1, "a": 2}')).toThrow(SluiceError)
    expect(RJSON.parse('{"a": 1, "a": 2}', { duplicate: true })).toEqual({ a: 2 })
    expect(() => RJSON.parse('{"a": 1, "b"', { tolerant: true, warnings: true })).toThrow(SluiceError)
    expect(() => RJSON.parse('{}', { tolerantly: true } as object)).toThrow(/tolerantly/)
  })

  test('becomes JSON', () => {
    expect(RJSON.transform("{a: 'b',}")).toBe('{"a":"b"}')
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
    ).toThrow('<path> appears twice')
    expect(problems).toEqual(['duplicate-string-tag'])
  })
})

describe('RXML', () => {
  const schema = {
    type: 'object',
    properties: {
      path: { type: 'string' },
      line: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
    },
  }
  const codesOf = (xml: string): [unknown, string[]] => {
    const codes: string[] = []
    const value = RXML.parse(xml, schema, { onProblem: ({ code, name }) => codes.push(`${code} ${name}`) })
    return [value, codes]
  }

  test.each([
    ['<Path>a.ts</path><LINE>3</Line>', ['miscased-tag path', 'miscased-tag line', 'miscased-tag line']],
    ['<PATH>a.ts</PATH><line>3</line>', ['miscased-tag path', 'miscased-tag path']],
    ['<path>a.ts<line>3</line>', ['unclosed-element path']],
    ['<path>a.ts<line>3', ['unclosed-element path', 'unclosed-element line']],
    ['<path>a.ts</path><line>3', ['unclosed-element line']],
  ])('reads %j as a guess', (xml, codes) => {
    expect(codesOf(xml)).toEqual([{ path: 'a.ts', line: 3 }, codes])
  })

  test('leaves tags alone that the schema does not know, and that stand in a string', () => {
    expect(codesOf('<path><Br>x</path>')).toEqual([{ path: '<Br>x' }, []])
    expect(codesOf('<path>see <line></path>')).toEqual([{ path: 'see <line>' }, []])
    expect(RXML.parse('<Path>a</path>', schema, { repair: false })).not.toHaveProperty('path')
  })

  test('keeps attributes, and the text beside them', () => {
    expect(RXML.parse('<a href="x">y</a><b id="1"><c>2</c></b>')).toEqual({
      a: { '@_href': 'x', '#text': 'y' },
      b: { '@_id': '1', c: 2 },
    })
    expect(RXML.parse('<a href="x">y</a>', undefined, { attributePrefix: '$', textNodeName: '_' })).toEqual({
      a: { $href: 'x', _: 'y' },
    })
  })

  test('reads elements that are never closed, and comments', () => {
    expect(RXML.parse('<b><br><c>y</c></b>', undefined, { noChildNodes: ['br'] })).toEqual({
      b: { br: '', c: 'y' },
    })
    expect(RXML.parse('<b><!-- <x> -->y</b>')).toEqual({ b: 'y' })
    expect(RXML.parse('<b><!-- <x> -->y</b>', undefined, { keepComments: true })).toEqual({
      b: '<!-- <x> -->y',
    })
  })

  test('takes the first of two strings where nothing is thrown', () => {
    const options = { throwOnDuplicateStringTags: false }
    expect(RXML.parse('<path>a</path><path>b</path>', schema, options)).toEqual({ path: 'a' })
  })

  test('writes what it reads', () => {
    const value = { path: 'a < b', line: 3, tags: ['x', 'y'] }
    const xml = RXML.stringify('edit', value)
    expect(xml).toBe(
      '<edit><path>a &lt; b</path><line>3</line><tags><item>x</item><item>y</item></tags></edit>',
    )
    expect(RXML.parse(xml, { type: 'object', properties: { edit: schema } })).toEqual({ edit: value })
  })

  test('writes the attributes and the text that it reads', () => {
    const value = { '@_name': 'a "b" <c>', '#text': 'x < y', line: { '@_n': '1', '#text': 'z' } }
    const xml = RXML.stringify('file', value)
    expect(xml).toBe('<file name="a &quot;b&quot; &lt;c&gt;">x &lt; y<line n="1">z</line></file>')
    expect(RXML.parse(xml)).toEqual({ file: value })
    expect(() => RXML.stringify('file', { '@_a b': 1 })).toThrow(/cannot be the name of an attribute/)
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
