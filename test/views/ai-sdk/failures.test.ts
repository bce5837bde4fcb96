import {
  createToolMiddlewareV3,
  type FailureMetadata,
  type PartLike,
  type ToolMiddlewareOptions,
} from 'sluice/ai-sdk'
import {
  type Dialect,
  functionCalls,
  hermes,
  longcat,
  morphXml,
  qwen3Coder,
  shorthand,
} from 'sluice/dialects'
import { yamlXml } from 'sluice/yaml'
import { describe, expect, it, test } from 'vitest'
import { collect, finish, merged, request, streamOf, textParts } from './models.ts'

async function read(text: string, options: Partial<ToolMiddlewareOptions> & { dialect: Dialect }) {
  const errors: [message: string, metadata: FailureMetadata][] = []
  let ids = 0
  const { wrapStream } = createToolMiddlewareV3({
    generateId: () => `call-${++ids}`,
    onError: (...error) => errors.push(error),
    ...options,
  })
  const { stream } = await wrapStream({
    doStream: async () => ({ stream: streamOf([...textParts(text), finish()] as PartLike[]) }),
    doGenerate: async () => ({ content: [], finishReason: 'stop' }),
    params: request(),
  })
  return { parts: merged(await collect(stream)), errors }
}

const CUT_OFF =
  'The call of `get_weather` was cut off: the argument `city` ends at "Par". It was not run. Send the whole call again with all of its markers.'
const AS_TEXT = { malformed: 'text', truncated: 'text', guessed: 'text', 'unknown-tool': 'text' } as const

const said = (parts: readonly PartLike[], type: string): string =>
  parts.map((part) => (part.type === type ? (part as PartLike & { delta: string }).delta : '')).join('')
const calls = (parts: readonly PartLike[]): PartLike[] => parts.filter(({ type }) => type === 'tool-call')

describe('a call that cannot be read', () => {
  test('because of attributes in its tag is told so, and by the name of its tool', async () => {
    const { errors } = await read('<get_weather city="Paris"></get_weather>', { dialect: morphXml })
    expect(errors.map(([message]) => message)).toEqual([
      'The call of `get_weather` cannot be read: the attributes in its tag are not read. It was not run. Send the whole call again in the form that was asked for.',
    ])
  })

  const rows: [what: string, dialect: Dialect, text: string, metadata: Partial<FailureMetadata>][] = [
    ['no JSON', hermes, '<tool_call>not JSON</tool_call>', { reason: 'malformed', toolName: '' }],
    ['no name', hermes, '<tool_call>{"arguments": {}}</tool_call>', { reason: 'malformed', toolName: '' }],
    [
      'a missing brace',
      hermes,
      '<tool_call>{"name": "get_weather", "arguments": {"city": "x"</tool_call>',
      { reason: 'malformed', toolName: 'get_weather', toolCallId: 'call-1' },
    ],
    [
      'an integer that a number cannot hold',
      hermes,
      '<tool_call>{"name": "get_weather", "arguments": {"city": "x", "days": 9007199254740993}}</tool_call>',
      { reason: 'malformed', toolName: 'get_weather', toolCallId: 'call-1' },
    ],
    ['cut off in the name', hermes, '<tool_call>{"name": "get_we', { reason: 'truncated', toolName: '' }],
    [
      'cut off in an argument',
      hermes,
      '<tool_call>{"name": "get_weather", "arguments": {"city": "Par',
      { reason: 'truncated', toolName: 'get_weather' },
    ],
    [
      'cut off before the end of an element',
      morphXml,
      '<write_file><path>a</path><content>hello wor',
      { reason: 'truncated', toolName: 'write_file' },
    ],
    [
      'one string twice',
      morphXml,
      '<get_weather><city>a</city><city>b</city></get_weather>',
      { reason: 'malformed', toolName: 'get_weather' },
    ],
    [
      'cut off in a parameter',
      qwen3Coder,
      '<tool_call>\n<function=write_file>\n<parameter=path>\na.ts',
      { reason: 'truncated', toolName: 'write_file' },
    ],
    [
      'no YAML',
      yamlXml,
      '<get_weather>\ncity: [a\n</get_weather>',
      { reason: 'malformed', toolName: 'get_weather' },
    ],
    [
      'cut off in YAML',
      yamlXml,
      '<get_weather>\ncity: a\n',
      { reason: 'truncated', toolName: 'get_weather' },
    ],
  ]

  test.each(rows)('%s (%o) can be text again, and someone is told', async (_, dialect, text, metadata) => {
    const { parts, errors } = await read(text, { dialect, failures: AS_TEXT })
    expect(calls(parts)).toEqual([])
    expect(said(parts, 'text-delta')).toBe(text)
    expect(errors).toHaveLength(1)
    expect(errors[0]![1]).toMatchObject({ toolCall: text.replace('Now ', ''), ...metadata })
    expect(parts.at(-1)).toEqual(finish())
  })

  test.each(rows)('%s (%o) is a call that cannot run', async (_, dialect, text, metadata) => {
    const { parts, errors } = await read(`Now ${text}`, { dialect })
    expect(errors).toHaveLength(1)
    const [reason] = errors[0]!
    const [call, ...others] = calls(parts) as (PartLike & { input: string; toolName: string })[]
    expect(others).toEqual([])
    expect(() => JSON.parse(call!.input)).toThrow(SyntaxError)
    // One that names no tool is text already.
    const isNamed = metadata.toolName !== ''
    expect(said(parts, 'text-delta')).toBe(isNamed ? 'Now ' : `Now ${text}`)
    expect(call).toEqual({
      type: 'tool-call',
      toolCallId: expect.any(String) as string,
      toolName: isNamed ? metadata.toolName : 'unknown',
      input: `${isNamed ? text : ''}\nError: ${reason}`,
      providerMetadata: { sluice: { text: isNamed ? text : '', reason } },
    })
    expect(reason).toMatch(/It was not run\. [A-Z]/)
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls', raw: 'eos' } })
  })

  test('leaves the prose around it where it was', async () => {
    const bad = '<tool_call>{"name": "get_weather", "arguments": {"city": "x", "city": "y"}}\n</tool_call>'
    const { parts } = await read(`One. ${bad}\nTwo.`, { dialect: hermes })
    expect(parts.map((part) => (part as { delta?: string }).delta ?? part.type)).toEqual([
      ...['text-start', 'One. ', 'text-end'],
      ...['tool-input-start', '{"city": "x", "city": "y"}', 'tool-input-end', 'tool-call'],
      ...['text-start', '\nTwo.', 'text-end', 'finish'],
    ])
    expect(calls(parts)).toMatchObject([{ providerMetadata: { sluice: { text: bad } } }])
  })

  test('is no guess that may run if one of its numbers has lost digits', async () => {
    const text =
      '<tool_call>{"name": "get_weather", "arguments": {"city": New York, "days": 9007199254740993}}'
    const { parts } = await read(`${text}</tool_call>`, { dialect: hermes, failures: { guessed: 'run' } })
    const [call] = calls(parts) as (PartLike & { input: string })[]
    expect(call!.input).toContain('because a larger integer may lose digits')
    expect(() => JSON.parse(call!.input)).toThrow(SyntaxError)
  })

  test('that only mentions the marker is no call', async () => {
    const { parts } = await read('It opens with <tool_call> and a line break.', { dialect: hermes })
    expect(calls(parts)).toEqual([])
  })

  it('is told with what the format lets see of it, if nothing says where it ends', async () => {
    const { parts, errors } = await read('See <get_weather city="a" <b>x', { dialect: shorthand })
    expect(said(parts, 'text-delta')).toBe('See <get_weather city="a" <b>x')
    expect(errors.map(([message, { toolCall, reason }]) => [message, toolCall, reason])).toEqual([
      [
        expect.stringMatching(/^The call of `get_weather` cannot be read: the attributes in its tag/),
        '<get_weather city="a" ',
        'malformed',
      ],
    ])
  })

  it('is not told where a thought mentions it', async () => {
    const { errors } = await read('<think>Not <tool_call>this</tool_call>.</think>Hi', { dialect: hermes })
    expect(errors).toEqual([])
  })

  const WHOLE: [what: string, dialect: Dialect, text: string][] = [
    [
      'a key twice',
      hermes,
      '<tool_call>{"name": "get_weather", "arguments": {"city": 1, "city": 2}}</tool_call>',
    ],
    ['a guess', hermes, '<tool_call>{"name": "get_weather", "arguments": {"city": New York}}</tool_call>'],
    ['no closer, and text', hermes, '<tool_call>{"name": "get_weather", "arguments": {"city": New York}}'],
    ['an unknown tool', hermes, '<tool_call>{"name": "rm", "arguments": {}}</tool_call>'],
    ['space before its closer', hermes, '<tool_call>\n{"name": "rm", "arguments": {}}\n  </tool_call>'],
    ['an unknown tool, with parameters', qwen3Coder, '<tool_call><function=rm></function></tool_call>'],
  ]

  test.each(WHOLE)('that was whole (%s) is text with its closer', async (_, dialect, text) => {
    const { parts } = await read(`a${text} b`, { dialect, failures: AS_TEXT })
    expect(said(parts, 'text-delta')).toBe(`a${text} b`)
    expect(parts.filter(({ type }) => type === 'text-start')).toHaveLength(2)
    const alone = await read(text, { dialect, failures: AS_TEXT })
    expect(said(alone.parts, 'text-delta')).toBe(text)
  })

  test('ends the input that was announced as an error, before its text', async () => {
    const text = '<tool_call>{"name": "get_weather", "arguments": {"city": "Par'
    const { parts } = await read(`Go. ${text}`, { dialect: hermes, failures: AS_TEXT })
    expect(parts).toEqual([
      { type: 'text-start', id: 'sluice-text-1' },
      { type: 'text-delta', id: 'sluice-text-1', delta: 'Go. ' },
      { type: 'text-end', id: 'sluice-text-1' },
      { type: 'tool-input-start', id: 'call-1', toolName: 'get_weather' },
      { type: 'tool-input-delta', id: 'call-1', delta: '{"city": "Par' },
      { type: 'tool-input-end', id: 'call-1' },
      {
        type: 'tool-result',
        toolCallId: 'call-1',
        toolName: 'get_weather',
        result: CUT_OFF,
        isError: true,
        providerExecuted: true,
      },
      { type: 'text-start', id: 'sluice-text-2' },
      { type: 'text-delta', id: 'sluice-text-2', delta: text },
      { type: 'text-end', id: 'sluice-text-2' },
      finish(),
    ])
  })

  test('says where it broke', async () => {
    const { errors } = await read('<tool_call>{"name": "get_weather", "arguments": {"city": "Par', {
      dialect: hermes,
    })
    expect(errors).toEqual([
      [
        CUT_OFF,
        {
          toolCall: '<tool_call>{"name": "get_weather", "arguments": {"city": "Par',
          toolName: 'get_weather',
          toolCallId: 'call-1',
          reason: 'truncated',
          error: {
            code: 'truncated',
            message: 'The call was cut off in the argument /city.',
            offset: 61,
            path: '/city',
          },
        },
      ],
    ])
  })
})

describe('choices for calls that fail', () => {
  const MALFORMED = '<tool_call>{"name": "get_weather", "arguments": {"city": "a", "city": "b"}}</tool_call>'
  const GUESSED = '<tool_call>{"name": "get_weather", "arguments": {"city": New York}}</tool_call>'
  const UNKNOWN = '<tool_call>{"name": "rm", "arguments": {}}</tool_call>'
  const TRUNCATED = '<tool_call>{"name": "get_weather", "arguments": {"city": "Par'

  test.each([
    ['malformed', MALFORMED],
    ['guessed', GUESSED],
    ['unknown-tool', UNKNOWN],
    ['truncated', TRUNCATED],
  ])('%s can be dropped', async (failure, text) => {
    const { parts, errors } = await read(`a${text}b`, { dialect: hermes, failures: { [failure]: 'drop' } })
    expect(calls(parts)).toEqual([])
    expect(said(parts, 'text-delta')).toBe(text === TRUNCATED ? 'a' : 'ab')
    expect(errors.map(([, { reason }]) => reason)).toEqual([failure])
  })

  test('a guess can run, and is then a call like any other', async () => {
    const { parts, errors } = await read(GUESSED, { dialect: hermes, failures: { guessed: 'run' } })
    expect(calls(parts)).toEqual([
      { type: 'tool-call', toolCallId: 'call-1', toolName: 'get_weather', input: '{"city": "New York"}' },
    ])
    expect(errors.map(([message]) => message)).toEqual([
      'The call of `get_weather` was not written correctly, and what it means had to be guessed (bare-string).',
    ])
  })

  test.each(['emit', 'run'] as const)(
    'a call that may be data of another never runs (%s)',
    async (guessed) => {
      const broken = '<tool_call>{"name": "get_weather", "arguments": nope}</tool_call>'
      const whole = '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>'
      const { parts } = await read(broken + whole, { dialect: hermes, failures: { guessed } })
      expect(calls(parts)).toMatchObject([
        { input: expect.stringContaining(`${broken}\nError: `) as string },
        { input: expect.stringContaining(`${whole}\nError: `) as string },
      ])
    },
  )

  test('a call of an unknown tool is emitted, unless another choice is made', async () => {
    expect(calls((await read(UNKNOWN, { dialect: hermes })).parts)).toMatchObject([{ toolName: 'rm' }])
    const { parts, errors } = await read(UNKNOWN, { dialect: hermes, failures: { 'unknown-tool': 'text' } })
    expect(calls(parts)).toEqual([])
    expect(said(parts, 'text-delta')).toContain('"name": "rm"')
    expect(errors[0]![0]).toBe(
      'There is no tool `rm`. The tools are `get_weather` and `write_file`. It was not run. Call a tool that exists.',
    )
  })

  test.each([
    ['a call that was cut off cannot run', { truncated: 'run' }],
    ['a call that cannot be read cannot run', { malformed: 'run' }],
    ['a choice must be one of those there are', { malformed: 'ignore' }],
    ['a class must be one of four', { broken: 'text' }],
  ])('%s', (_, failures) => {
    expect(() => createToolMiddlewareV3({ dialect: hermes, failures: failures as object })).toThrow(
      /'failures' cannot have/,
    )
  })
})

test('a call that is coerced keeps how its other numbers are written', async () => {
  const text =
    '<tool_call>{"name": "get_weather", "arguments": {"days": "2", "at": [1.0, {"to": 1e3}]}}</tool_call>'
  const { parts } = await read(text, { dialect: hermes })
  expect(calls(parts)).toMatchObject([{ input: '{"days":2,"at":[1.0,{"to":1e3}]}' }])
})

test('a call of an unknown tool is one whatever its numbers are', async () => {
  const text = '<tool_call>{"name": "rm", "arguments": {"id": 9007199254740993}}</tool_call>'
  const { parts, errors } = await read(text, { dialect: hermes, failures: { malformed: 'text' } })
  expect(calls(parts)).toMatchObject([{ toolName: 'rm' }])
  expect(errors.map(([, { reason }]) => reason)).toEqual(['unknown-tool'])
})

describe('what a string holds', () => {
  test.each([
    '{"constructor": 1}',
    'const x = {\n  constructor: Foo,\n  b: 2\n}',
    'export default {\n name: 1,\n prototype: {}\n}',
    '__proto__: 1\nkey: 2',
    '</tool_call>',
    '<tool_call>{"name": "rm"}</tool_call>',
  ])('never vetoes a call: %j', async (content) => {
    const input = { path: 'a', content }
    const text = `<tool_call>${JSON.stringify({ name: 'write_file', arguments: input })}</tool_call>`
    const { parts, errors } = await read(text, { dialect: hermes })
    expect(calls(parts).map((part) => JSON.parse((part as PartLike & { input: string }).input))).toEqual([
      input,
    ])
    expect(errors).toEqual([])
  })
})

describe('a result that a model makes up', () => {
  const call = '<tool_call>{"name": "get_weather", "arguments": {"city": "x"}}</tool_call>'
  const invoke =
    '<function_calls><invoke name="get_weather"><parameter name="city">x</parameter></invoke></function_calls>'

  test.each<[string, Dialect, string]>([
    ['hermes', hermes, 'It says <tool_response>42</tool_response>.'],
    ['hermes', hermes, `I see: <tool_response>x ${call}</tool_response> Done.`],
    ['hermes', hermes, `I see: <tool_response>x ${call}`],
    [
      'longcat',
      longcat,
      `I see: <tool_response>x ${call.replaceAll('tool_call', 'longcat_tool_call')}</tool_response>`,
    ],
    [
      'morph-xml',
      morphXml,
      'I see: <tool_response>x <get_weather><city>x</city></get_weather></tool_response>',
    ],
    ['yaml-xml', yamlXml, 'I see: <tool_response>x <get_weather>\ncity: x\n</get_weather></tool_response>'],
    ['function-calls', functionCalls, `I see: <function_results><result>x ${invoke}</result>`],
    [
      'function-calls',
      functionCalls,
      `I see: <function_results>\n<result tool_use_id="a">\n${invoke}\n</result>`,
    ],
  ])('in %s is no more than text, and so is a call quoted in it: %#', async (_, dialect, text) => {
    const { parts } = await read(text, { dialect })
    expect(calls(parts)).toEqual([])
    expect(said(parts, 'text-delta')).toBe(text)
  })

  test('keeps its markup, so that nobody who reads the text again finds a call in it', async () => {
    const text = `I see: <function_results>\n<result>\n1\n</result>\n<error tool_use_id="b">\n${invoke}\n</error>\n</function_results>`
    const { parts } = await read(text, { dialect: functionCalls })
    const shown = said(parts, 'text-delta')
    expect(shown).toBe(
      `I see: <function_results>\n<result>\n1\n</result><function_results>\n<result>\n${invoke}\n</error>`,
    )
    expect(calls((await read(shown, { dialect: functionCalls })).parts)).toEqual([])
  })

  test('leaves the call behind it a call', async () => {
    const { parts } = await read(`<tool_response>x</tool_response>${call}`, { dialect: hermes })
    expect(calls(parts)).toHaveLength(1)
  })
})

describe('values that the schema wants otherwise', () => {
  test.each<[string, Dialect, string, unknown]>([
    ['a number in a string', hermes, '{"city": "x", "days": "2"}', { city: 'x', days: 2 }],
    ['a number for a string', hermes, '{"city": 7}', { city: '7' }],
    ['JSON in a string', hermes, '{"city": "x", "tags": "[\\"a\\"]"}', { city: 'x', tags: ['a'] }],
    ['one value for a list', hermes, '{"city": "x", "tags": "a"}', { city: 'x', tags: ['a'] }],
    ['a boolean in a string', hermes, '{"city": "x", "exact": "true"}', { city: 'x', exact: true }],
    ['a key of a pattern', hermes, '{"city": "x", "day_1": "3"}', { city: 'x', day_1: 3 }],
  ])(
    '%s is what it wants in the call, and as it was written in the deltas',
    async (_, dialect, input, wanted) => {
      const inputSchema = {
        type: 'object',
        properties: {
          city: { type: 'string' },
          days: { type: 'integer' },
          exact: { type: 'boolean' },
          tags: { type: 'array', items: { type: 'string' } },
        },
        patternProperties: { '^day_': { type: 'integer' } },
      } as const
      const text = `<tool_call>{"name": "find", "arguments": ${input}}</tool_call>`
      const params = request({ tools: [{ type: 'function', name: 'find', inputSchema }] })
      const { wrapStream, wrapGenerate } = createToolMiddlewareV3({ dialect })
      const doGenerate = async () => ({ content: [{ type: 'text', text } as PartLike], finishReason: 'stop' })
      const { stream } = await wrapStream({
        doStream: async () => ({ stream: streamOf([...textParts(text), finish()] as PartLike[]) }),
        doGenerate,
        params,
      })
      const parts = merged(await collect(stream))
      expect(said(parts, 'tool-input-delta')).toBe(input)
      const { content } = await wrapGenerate({ doGenerate, params })
      for (const [call] of [calls(parts), calls(content)])
        expect(JSON.parse((call as PartLike & { input: string }).input)).toEqual(wanted)
    },
  )
})

test('openers without end are text, and one call that was meant', async () => {
  const { parts, errors } = await read('<tool_call>'.repeat(1000), { dialect: hermes })
  expect(said(parts, 'text-delta')).toHaveLength(11_000)
  expect(errors).toHaveLength(1)
})
