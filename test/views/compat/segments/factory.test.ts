import {
  ApiToolCallStreamingResponseHandler,
  ParsingStreamingResponseHandler,
  PassThroughStreamingResponseHandler,
  type SegmentToolDefinition,
  StreamingResponseHandlerFactory,
} from 'sluice/segments'
import { afterEach, describe, expect, it, vi } from 'vitest'

afterEach(() => vi.unstubAllEnvs())

const schema = { type: 'object', properties: { q: { type: 'string' } } } as const
const tools = [{ name: 'find', description: 'Finds.', inputSchema: schema }]

describe('the factory', () => {
  it('makes a handler for native calls, with the tools as the provider wants them', () => {
    const { handler, toolSchemas } = StreamingResponseHandlerFactory.create({
      toolNames: ['find', 'write_file'],
      tools,
      provider: 'OPENAI',
      agentId: 'a1',
    })
    expect(handler).toBeInstanceOf(ApiToolCallStreamingResponseHandler)
    const text = { type: 'string' }
    expect(toolSchemas).toEqual([
      { type: 'function', function: { name: 'find', description: 'Finds.', parameters: schema } },
      {
        type: 'function',
        function: {
          name: 'write_file',
          parameters: {
            type: 'object',
            properties: { path: text, content: text },
            required: ['path', 'content'],
          },
        },
      },
    ])
  })

  it.each([
    ['anthropic', { name: 'find', description: 'Finds.', input_schema: schema }],
    ['GEMINI', { name: 'find', description: 'Finds.', parameters: schema }],
  ])('describes tools for %s', (provider, expected) => {
    expect(StreamingResponseHandlerFactory.create({ tools, provider }).toolSchemas).toEqual([expected])
  })

  it('makes a handler that looks for nothing where there are no tools', () => {
    const { handler, toolSchemas } = StreamingResponseHandlerFactory.create({ toolNames: [] })
    expect(handler).toBeInstanceOf(PassThroughStreamingResponseHandler)
    expect(toolSchemas).toBeNull()
  })

  it('looks at its list of tools anew each time', () => {
    const tools: SegmentToolDefinition[] = [{ name: 'one' }]
    const names = () => StreamingResponseHandlerFactory.create({ tools, provider: 'GEMINI' }).toolSchemas
    expect(names()).toMatchObject([{ name: 'one' }])
    tools[0] = { name: 'two' }
    expect(names()).toMatchObject([{ name: 'two' }])
  })

  it('knows providers by their name alone', () => {
    expect(() => StreamingResponseHandlerFactory.create({ provider: 5 as never })).toThrow(
      /'provider' takes a string, not 5/,
    )
  })

  it('asks the environment', () => {
    vi.stubEnv('AUTOBYTEUS_STREAM_PARSER', 'xml')
    const { handler, toolSchemas } = StreamingResponseHandlerFactory.create({ toolNames: ['run_bash'] })
    expect(handler).toBeInstanceOf(ParsingStreamingResponseHandler)
    expect(toolSchemas).toBeNull()
    vi.stubEnv('AUTOBYTEUS_STREAM_PARSER', 'html')
    expect(() => StreamingResponseHandlerFactory.create({ toolNames: ['run_bash'] })).toThrow(
      /Supported: api_tool_call, json, sentinel, xml/,
    )
  })

  it('gives each turn ids of its own', () => {
    const ids = [1, 2].map(
      () => StreamingResponseHandlerFactory.create({ toolNames: ['f'] }).handler.feed('x')[0]!.segment_id,
    )
    expect(ids[0]).toMatch(/^turn_[0-9a-f]{32}:seg_1$/)
    expect(ids[0]).not.toBe(ids[1])
    const { handler } = StreamingResponseHandlerFactory.create({ toolNames: ['f'], segmentIdPrefix: 't7:' })
    expect(handler.feed('x')[0]?.segment_id).toBe('t7:seg_1')
  })

  const openAi = '{"tool_calls": [{"function": {"name": "find", "arguments": {"q": "a"}}}]}'
  const gemini = '{"name": "find", "args": {"q": "a"}}'
  const plain = '{"tool": {"function": "find", "parameters": {"q": "a"}}}'
  it.each<[provider: string | null, text: string]>([
    ...['OPENAI', 'OPENAI_COMPATIBLE', 'MISTRAL', 'DEEPSEEK', 'GROK'].map((provider): [string, string] => [
      provider,
      openAi,
    ]),
    ['GEMINI', gemini],
    ...['ANTHROPIC', 'OLLAMA', 'AUTOBYTEUS', 'KIMI', 'QWEN', 'LMSTUDIO', 'ZHIPU', 'MINIMAX'].map(
      (provider): [string, string] => [provider, plain],
    ),
    [null, plain],
  ])('reads JSON as %s writes it', (provider, text) => {
    const { handler } = StreamingResponseHandlerFactory.create({
      toolNames: ['find'],
      parserName: 'json',
      ...(provider !== null && { provider }),
    })
    for (const character of `${text} and {"rows": 1}`) handler.feed(character)
    handler.finalize()
    expect(handler.getAllInvocations().map(({ name, arguments: args }) => [name, args])).toEqual([
      ['find', { q: 'a' }],
    ])
  })

  it('passes options on to its handlers', () => {
    const { handler } = StreamingResponseHandlerFactory.create({
      toolNames: ['write_file'],
      segmentStart: 'deferred',
      invokeIncomplete: true,
    })
    const delta = { index: 0, call_id: 'c', name: 'write_file', arguments_delta: '{"path":"/p","content":"x' }
    const [start] = handler.feed({ tool_calls: [delta] })
    expect(start?.payload.metadata).toEqual({ tool_name: 'write_file', path: '/p' })
    handler.finalize()
    expect(handler.getAllInvocations()).toHaveLength(1)
  })

  it.each([
    [{ provider: 'ANTHROPIC' }, 'xml'],
    [{ provider: 'OPENAI' }, 'json'],
    [{}, 'json'],
    [{ provider: 'OPENAI', formatOverride: 'xml' }, 'xml'],
    [{ provider: 'ANTHROPIC', formatOverride: 'sentinel' }, 'sentinel'],
    [{ provider: 'ANTHROPIC', formatOverride: 'api_tool_call' }, 'xml'],
  ])('knows which strategy for text a provider wants: %j', (wish, name) => {
    expect(StreamingResponseHandlerFactory.resolveParserName(wish)).toBe(name)
  })
})
