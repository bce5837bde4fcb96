import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { JsonValue, SluiceEvent } from '../../../../src/base/event.ts'
import { pointer as at } from '../../../../src/base/path.ts'
import { hermes, morphXml, qwen3Coder } from '../../../../src/dialects/index.ts'
import type { ToolDefinitions } from '../../../../src/engine/calls/tools.ts'
import { createParser, type ParserOptions, restoreParser } from '../../../../src/engine/parser.ts'
import {
  createCallFollower,
  followCalls,
  type GrowingCall,
  type Handlers,
  type Place,
  watch,
} from '../../../../src/views/compat/progress/index.ts'

const EMIT = { json: false, arguments: true }

const TOOLS = [
  {
    name: 'edit',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        edits: {
          type: 'array',
          items: { type: 'object', properties: { old: { type: 'string' }, line: { type: 'integer' } } },
        },
      },
    },
  },
  { name: 'ping', inputSchema: { type: 'object', properties: {} } },
] as const

function eventsOf(text: string, options: ParserOptions = {}): SluiceEvent[] {
  const parser = createParser({ dialect: hermes, emit: EMIT, ...options })
  return [...parser.push(text), ...parser.end()]
}

/** Everything that handlers at these pointers are told of a text. */
function told(pointers: readonly string[], events: readonly SluiceEvent[]): string[] {
  const lines: string[] = []
  const handlers = Object.fromEntries(
    pointers.map((pointer) => [
      pointer,
      {
        start: (kind: string, { path }: Place) => lines.push(`${pointer} ${at(path)} begins: ${kind}`),
        delta: (delta: string, { path }: Place) => lines.push(`${pointer} ${at(path)} + ${delta}`),
        end: (value: JsonValue, { path }: Place) =>
          lines.push(`${pointer} ${at(path)} = ${JSON.stringify(value)}`),
      },
    ]),
  )
  const follower = createCallFollower({}, (call) => void watch(call, handlers as Handlers<JsonValue>))
  for (const event of events) follower.add(event)
  return lines
}

const CALL =
  '<tool_call>{"name": "edit", "arguments": {"path": "a.ts", "edits": [{"old": "x", "line": 1}, {"old": "y"}]}}</tool_call>'

describe('a pointer', () => {
  test.each([
    [['/path'], ['/path /path begins: string', '/path /path + a.ts', '/path /path = "a.ts"']],
    [
      ['/edits/*/old'],
      [
        '/edits/*/old /edits/0/old begins: string',
        '/edits/*/old /edits/0/old + x',
        '/edits/*/old /edits/0/old = "x"',
        '/edits/*/old /edits/1/old begins: string',
        '/edits/*/old /edits/1/old + y',
        '/edits/*/old /edits/1/old = "y"',
      ],
    ],
    [
      ['/edits/1', '/*/*/line'],
      [
        '/*/*/line /edits/0/line begins: scalar',
        '/*/*/line /edits/0/line = 1',
        '/edits/1 /edits/1 begins: object',
        '/edits/1 /edits/1 = {"old":"y"}',
      ],
    ],
    [
      ['/edits/**'],
      [
        '/edits/** /edits/0 begins: object',
        '/edits/** /edits/0/old begins: string',
        '/edits/** /edits/0/old + x',
        '/edits/** /edits/0/old = "x"',
        '/edits/** /edits/0/line begins: scalar',
        '/edits/** /edits/0/line = 1',
        '/edits/** /edits/0 = {"old":"x","line":1}',
        '/edits/** /edits/1 begins: object',
        '/edits/** /edits/1/old begins: string',
        '/edits/** /edits/1/old + y',
        '/edits/** /edits/1/old = "y"',
        '/edits/** /edits/1 = {"old":"y"}',
      ],
    ],
    [
      ['/**/line', '/edits/**/*/line'],
      [
        '/**/line /edits/0/line begins: scalar',
        '/edits/**/*/line /edits/0/line begins: scalar',
        '/**/line /edits/0/line = 1',
        '/edits/**/*/line /edits/0/line = 1',
      ],
    ],
    [
      ['/**/path', '/path/**'],
      ['/**/path /path begins: string', '/**/path /path + a.ts', '/**/path /path = "a.ts"'],
    ],
    [['/nothing', '/path/below', '/edits/*/old/*'], []],
  ])('of %j tells of what stands there', (pointers, lines) => {
    expect(told(pointers, eventsOf(CALL))).toEqual(lines)
  })

  test('may be met by several handlers', () => {
    expect(told(['/path', '/*'], eventsOf(CALL)).filter((line) => line.includes('='))).toEqual([
      '/path /path = "a.ts"',
      '/* /path = "a.ts"',
      '/* /edits = [{"old":"x","line":1},{"old":"y"}]',
    ])
  })

  test('names keys with slashes and tildes as pointers do, and takes keys decoded', () => {
    const text =
      '<tool_call>{"name": "f", "arguments": {"a/b": {"m~n": 1}, "p\\u0061th": 2, "": 3}}</tool_call>'
    expect(told(['/a~1b/m~0n', '/path', '/'], eventsOf(text)).filter((line) => line.includes('='))).toEqual([
      '/a~1b/m~0n /a~1b/m~0n = 1',
      '/path /path = 2',
      '/ / = 3',
    ])
  })

  test.each(['path', '', '/a~2', '/~'])('is refused if it is none: %j', (pointer) => {
    expect(() => told([pointer], eventsOf(CALL))).toThrow(
      expect.objectContaining({ code: 'invalid-pointer' }),
    )
  })

  test.each([
    [morphXml, '<edit><path>a.ts</path><edits><old>x</old></edits></edit>'],
    [
      qwen3Coder,
      '<tool_call><function=edit><parameter=path>a.ts</parameter><parameter=edits>[{"old": "x"}]</parameter></function></tool_call>',
    ],
  ])('means the same in every dialect', (dialect, text) => {
    expect(told(['/path', '/edits/*/old'], eventsOf(text, { dialect, tools: TOOLS }))).toEqual([
      '/path /path begins: string',
      '/path /path + a.ts',
      '/path /path = "a.ts"',
      '/edits/*/old /edits/0/old begins: string',
      '/edits/*/old /edits/0/old + x',
      '/edits/*/old /edits/0/old = "x"',
    ])
  })

  test('is found again when the parser went on in another process', () => {
    const at = CALL.indexOf('"y') + 1
    const options = { dialect: hermes, emit: EMIT }
    const first = createParser(options)
    const events = first.push(CALL.slice(0, at))
    const second = restoreParser(JSON.parse(JSON.stringify(first.snapshot())), options)
    events.push(...second.push(CALL.slice(at)), ...second.end())
    expect(told(['/edits/*/old'], events)).toEqual(told(['/edits/*/old'], eventsOf(CALL)))
  })
})

describe('watching', () => {
  test('tells calls apart that come at the same time', () => {
    const [a, b] = [['x'], ['x']]
    const events: SluiceEvent[] = [
      { type: 'tool-input-start', id: '1', toolName: 'f' },
      { type: 'tool-input-start', id: '2', toolName: 'g' },
      { type: 'argument-start', id: '1', path: a, kind: 'string' },
      { type: 'argument-start', id: '2', path: b, kind: 'string' },
      { type: 'argument-delta', id: '1', path: a, delta: 'one' },
      { type: 'argument-delta', id: '2', path: b, delta: 'two' },
      { type: 'argument-end', id: '2', path: b, value: 'two' },
      { type: 'argument-end', id: '1', path: a, value: 'one' },
    ]
    const lines: string[] = []
    const follower = createCallFollower({}, (call) => {
      if (call.toolName === 'g')
        watch(call, { '/x': (value, place) => lines.push(`${place.call.id} ${value}`) })
    })
    for (const event of events) follower.add(event)
    expect(lines).toEqual(['2 two'])
  })

  test('goes through a stream, call by call', async () => {
    const lines: string[] = []
    for await (const call of followCalls(eventsOf(CALL + CALL.replace('edit', 'other')), { tools: TOOLS })) {
      lines.push(call.toolName, String(call.verdict))
      if (call.toolName === 'edit') watch(call, { '/path': (path) => lines.push(path) })
    }
    expect(lines).toEqual(['edit', 'undefined', 'a.ts'])
  })

  test('goes through all calls of a stream', async () => {
    const lines: string[] = []
    await watch(eventsOf(CALL + CALL), {
      '/path': (path, { call }) => lines.push(`${call.toolName} ${path}`),
    })
    expect(lines).toEqual(['edit a.ts', 'edit a.ts'])
  })

  test('ends when it is told to, and the call has its verdict in the end', () => {
    const lines: string[] = []
    const calls: GrowingCall[] = []
    const follower = createCallFollower({}, (call) => {
      calls.push(call)
      const stop = watch(call, {
        '/*': (value) => {
          lines.push(JSON.stringify(value))
          stop()
        },
      })
    })
    for (const event of eventsOf(CALL)) follower.add(event)
    expect(lines).toEqual(['"a.ts"'])
    expect(calls[0]?.verdict?.status).toBe('complete')
  })

  test('tells the same of a call, if the parser emits its JSON text', () => {
    const text =
      '<tool_call>{"name": "edit", "arguments": {"path": "a.ts", "edits": [{"line": 3}]}}</tool_call>'
    for (const emit of [{}, { arguments: true }, { input: false }])
      for (const dialect of [hermes, qwen3Coder])
        for (const end of [55, 60, text.length]) {
          const part =
            dialect === hermes
              ? text.slice(0, end)
              : '<tool_call><function=edit><parameter=path>a.ts</parameter>'.slice(0, end)
          expect(told(['/path', '/edits/*/line'], eventsOf(part, { dialect, emit }))).toEqual(
            told(['/path', '/edits/*/line'], eventsOf(part, { dialect })),
          )
        }
    expect(told(['/path'], eventsOf(text.slice(0, 55), { emit: {} }))).toEqual([
      '/path /path begins: string',
      '/path /path + a.ts',
    ])
  })

  test('tells of a call when it is complete, if the parser emits neither arguments nor JSON text', () => {
    const emit = { json: false }
    const text =
      '<tool_call>{"name": "edit", "arguments": {"path": "a.ts", "edits": [{"line": 3}]}}</tool_call>'
    expect(told(['/path', '/edits/*/line'], eventsOf(text, { emit }))).toEqual(
      told(['/path', '/edits/*/line'], eventsOf(text)),
    )
    expect(told(['/path'], eventsOf(text.slice(0, 60), { emit }))).toEqual([])
    expect(told(['/path'], eventsOf(text, { emit: { json: false, input: false } }))).toEqual([])
  })

  describe('refuses a pointer that leads nowhere, where the schema is known:', () => {
    const schema = {
      type: 'object',
      properties: {
        path: { type: 'string' },
        edits: { type: 'array', items: { $ref: '#/$defs/edit' } },
        meta: { type: 'object', additionalProperties: { type: 'object', properties: { name: {} } } },
        closed: { type: 'object', properties: { a: {}, 'b/c': {} }, additionalProperties: false },
      },
      $defs: {
        edit: { anyOf: [{ properties: { old: {}, line: {} } }, { properties: { path: {} } }] },
      },
    }
    const watching = (pointer: string, tools: ToolDefinitions = [{ name: 'edit', inputSchema: schema }]) => {
      const follower = createCallFollower({ tools }, (call) => {
        watch(call as GrowingCall, { [pointer]: () => {} })
      })
      for (const event of eventsOf('<tool_call>{"name": "edit"}</tool_call>')) follower.add(event)
    }

    test.each([
      ['/pth', "'/pth' leads to no argument of 'edit'; did you mean '/path'?"],
      ['/edits/*/pth', "'/edits/*/pth' leads to no argument of 'edit'; did you mean '/edits/*/path'?"],
      ['/edits/0/lnie', "'/edits/0/lnie' leads to no argument of 'edit'; did you mean '/edits/0/line'?"],
      ['/meta/x/nam', "'/meta/x/nam' leads to no argument of 'edit'; did you mean '/meta/x/name'?"],
      ['/closed/b~1', "'/closed/b~1' leads to no argument of 'edit'; did you mean '/closed/b~1c'?"],
      ['/closed/other', "'/closed/other' leads to no argument of 'edit'; its arguments are a, b/c."],
    ])('%s', (pointer, message) => {
      expect(() => watching(pointer)).toThrow(
        expect.objectContaining({ name: 'SluiceError', code: 'invalid-pointer', message }),
      )
    })

    test.each([
      '/path',
      '/*',
      '/**',
      '/**/pth',
      '/edits/*/old',
      '/edits/3/path',
      '/meta/x/name',
      '/note',
      '/path/x',
    ])('but not %s', (pointer) => {
      expect(() => watching(pointer)).not.toThrow()
    })

    test('but not one that another tool has, or a tool without a schema', () => {
      const tools = [{ name: 'edit', inputSchema: schema }]
      const other = { name: 'pipe', inputSchema: { properties: { pth: {} } } }
      expect(() => watching('/pth', [...tools, other])).not.toThrow()
      expect(() => watching('/pth', [...tools, { name: 'any' }])).not.toThrow()
      expect(() => watching('/pth', [{ name: 'edit' }])).not.toThrow()
    })
  })

  test('takes nothing else', () => {
    expect(() => watch({} as GrowingCall, {})).toThrow(expect.objectContaining({ code: 'invalid-source' }))
    expect(() => watch([], { '/a': 1 as never })).toThrow(expect.objectContaining({ code: 'invalid-option' }))
    expect(() => watch([], { '/a': { dleta: () => {} } as never })).toThrow(
      "The handler of '/a' needs at least one of the functions start, delta and end.",
    )
  })
})

describe('types', () => {
  test('come from a JSON Schema that is written out', () => {
    createCallFollower({ tools: TOOLS }, (call) => {
      if (call.toolName === 'edit')
        watch(call, {
          '/path': (path) => expectTypeOf(path).toEqualTypeOf<string>(),
          '/edits': {
            end: (edits) => expectTypeOf(edits).toEqualTypeOf<{ old?: string; line?: number }[]>(),
          },
          '/edits/*/old': { delta: (delta) => expectTypeOf(delta).toEqualTypeOf<string>() },
          '/edits/*/line': (line) => expectTypeOf(line).toEqualTypeOf<number>(),
        })
      if (call.toolName === 'edit')
        watch(call, {
          '/path': (path) => expectTypeOf(path).toEqualTypeOf<string>(),
          // @ts-expect-error there is no such argument
          '/edits/*/lin': () => {},
        })
    })
  })

  test('come from a Standard Schema', () => {
    const tools = {
      write_file: {
        inputSchema: z.object({ path: z.string(), mode: z.enum(['a', 'w']).optional(), 'a/b': z.number() }),
      },
    }
    createCallFollower({ tools }, (call) => {
      expectTypeOf(call.toolName).toEqualTypeOf<'write_file'>()
      watch(call, {
        '/path': (path) => expectTypeOf(path).toEqualTypeOf<string>(),
        '/mode': (mode) => expectTypeOf(mode).toEqualTypeOf<'a' | 'w'>(),
        '/a~1b': (number) => expectTypeOf(number).toEqualTypeOf<number>(),
      })
      // @ts-expect-error a string has nothing below it
      watch(call, { '/path/x': () => {} })
    })
  })

  test('are any JSON where nothing is known', () => {
    createCallFollower({}, (call) => {
      watch(call, { '/anything/*': (value) => expectTypeOf(value).toEqualTypeOf<JsonValue>() })
    })
  })
})
