import { generateText, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai6'
import type { LanguageModelV3CallOptions } from 'provider-v3'
import {
  createToolMiddlewareV3,
  type FailureMetadata,
  type OnError,
  type PartLike,
  toolChoiceStream,
} from 'sluice/ai-sdk'
import { allDialects, hermes, qwen3Coder } from 'sluice/dialects'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { collect, finish, request, scripted, USAGE } from './models.ts'

function wrapped(model: ReturnType<typeof scripted>, onError?: OnError) {
  let ids = 0
  const generateId = (): string => `call-${++ids}`
  const middleware = createToolMiddlewareV3({ dialect: hermes, generateId, ...(onError && { onError }) })
  return wrapLanguageModel({ model, middleware })
}

const weather = { type: 'tool', toolName: 'get_weather' } as const
const ANSWER = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
const CALL = { type: 'tool-call', toolCallId: 'call-1', toolName: 'get_weather', input: '{"city": "Paris"}' }

describe('a tool that must be called', () => {
  test.each([
    ['alone', ANSWER],
    ['between spaces', `\n ${ANSWER}\n`],
    ['in a fence', `\`\`\`json\n${ANSWER}\n\`\`\``],
    ['behind reasoning', `<think>Which one?</think>\n${ANSWER}`],
    ['in relaxed JSON', `{"name": "get_weather", "arguments": {"city": 'Paris'},}`],
    ['in the format of the model', `<tool_call>${ANSWER}</tool_call>`],
    ['with a number where a text is wanted', ANSWER.replace('"Paris"', '7'), '{"city":"7"}'],
  ])('is read from an answer %s', async (_, answer, input = CALL.input) => {
    const { content, finishReason } = await wrapped(scripted(answer)).doGenerate(
      request({ toolChoice: weather }),
    )
    expect(content.filter(({ type }) => type !== 'reasoning')).toEqual([{ ...CALL, input }])
    expect(finishReason).toEqual({ unified: 'tool-calls', raw: 'eos' })
  })

  test.each([
    ['a word', 'Sure: ', ANSWER],
    ['a line', 'Here it is:\n', ANSWER],
    ['a line and a fence', 'Here it is:\n', `\`\`\`json\n${ANSWER}\n\`\`\``],
    ['a sentence, in its own format', 'I look. ', `<tool_call>${ANSWER}</tool_call>`],
  ])('is read behind %s', async (_, before, answer) => {
    const { content } = await wrapped(scripted(before + answer)).doGenerate(request({ toolChoice: weather }))
    expect(content).toEqual([{ type: 'text', text: before }, CALL])
  })

  test('may be called twice', async () => {
    const { content } = await wrapped(scripted(`${ANSWER}\n${ANSWER}`)).doGenerate(
      request({ toolChoice: weather }),
    )
    expect(content).toEqual([CALL, { ...CALL, toolCallId: 'call-2' }])
  })

  test('is not the one that its arguments quote', async () => {
    const content = '<tool_call><function=get_weather><parameter=city>Rome</parameter></function></tool_call>'
    const answer = JSON.stringify({ name: 'write_file', arguments: { path: 'a', content } })
    const middleware = createToolMiddlewareV3({ dialect: qwen3Coder })
    const model = wrapLanguageModel({ model: scripted(answer), middleware })
    const { content: said } = await model.doGenerate(request({ toolChoice: { type: 'required' } }))
    expect(said).toMatchObject([{ toolName: 'write_file', input: JSON.stringify({ path: 'a', content }) }])
  })

  test.each(allDialects.map((dialect) => [dialect.name, dialect] as const))(
    'is read as JSON where the format is %s',
    async (_, dialect) => {
      const model = wrapLanguageModel({
        model: scripted(ANSWER),
        middleware: createToolMiddlewareV3({ dialect }),
      })
      const { content } = await model.doGenerate(request({ toolChoice: weather }))
      expect(content).toMatchObject([{ toolName: 'get_weather', input: '{"city": "Paris"}' }])
    },
  )

  test('is streamed as parts', async () => {
    const { stream } = await wrapped(scripted(ANSWER)).doStream(request({ toolChoice: { type: 'required' } }))
    expect(await collect(stream)).toEqual([
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', id: undefined, timestamp: undefined, modelId: undefined },
      { type: 'tool-input-start', id: 'call-1', toolName: 'get_weather' },
      { type: 'tool-input-delta', id: 'call-1', delta: '{"city": "Paris"}' },
      { type: 'tool-input-end', id: 'call-1' },
      CALL,
      { ...finish(), finishReason: { unified: 'tool-calls', raw: 'eos' } },
    ])
  })

  test.each([
    ['no JSON', 'Paris is sunny.'],
    ['nothing', ''],
    ['cut off', '{"name": "get_weather", "arguments": {"city": "Par'],
    ['no name', '{"arguments": {"city": "Paris"}}'],
    ['another tool', '{"name": "write_file", "arguments": {}}'],
    ['arguments that are no object', '{"name": "get_weather", "arguments": ["Paris"]}'],
    ['a key twice', '{"name": "get_weather", "arguments": {"city": "a", "city": "b"}}'],
    ['text behind it', `${ANSWER} I hope so.`],
    [
      'another tool in the format of the model',
      '<tool_call>{"name": "write_file", "arguments": {}}</tool_call>',
    ],
  ])('answered with %s becomes a call that nothing runs', async (_, answer) => {
    const errors: [string, FailureMetadata][] = []
    const onError: OnError = (...error) => errors.push(error)
    const model = wrapped(scripted(answer), onError)
    const { content, finishReason } = await model.doGenerate(request({ toolChoice: weather }))
    const calls = content.filter(({ type }) => type === 'tool-call') as (PartLike & { input: string })[]
    // Without a call of the chosen tool the AI SDK throws.
    expect(calls).toMatchObject([{ toolName: 'get_weather' }])
    expect(() => JSON.parse(calls[0]!.input)).toThrow(SyntaxError)
    expect(content.map((part) => (part.type === 'text' ? part.text : calls[0]!.input)).join('')).toContain(
      answer.slice(-10),
    )
    expect(finishReason.unified).toBe('tool-calls')
    const { stream } = await model.doStream(request({ toolChoice: weather }))
    const parts = await collect(stream)
    expect(parts).toContainEqual({ ...calls[0], toolCallId: 'call-2' })
    expect(errors.map(([reason]) => calls[0]!.input.endsWith(`\nError: ${reason}`))).toEqual([true, true])
  })

  test('says what was asked for where the answer is something else', async () => {
    const { content } = await wrapped(scripted('Paris is sunny.')).doGenerate(
      request({ toolChoice: weather }),
    )
    const reason =
      'The answer does not call `get_weather`. Answer with one JSON object and nothing else: {"name": the tool\'s name, "arguments": the tool\'s arguments}'
    expect(content).toEqual([
      {
        type: 'tool-call',
        toolCallId: 'call-1',
        toolName: 'get_weather',
        input: `Paris is sunny.\nError: ${reason}`,
        providerMetadata: { sluice: { text: 'Paris is sunny.', reason } },
      },
    ])
  })

  test.each(['constructor', '__proto__'])('is none because every object has a %s', async (name) => {
    const answer = JSON.stringify({ name, arguments: {} })
    const toolNames = async (tools: readonly { name: string }[]): Promise<unknown[]> => {
      const { stream } = await toolChoiceStream({
        doGenerate: async () => ({ content: [{ type: 'text', text: answer }], finishReason: 'stop' }),
        tools,
      })
      return (await collect(stream)).flatMap((part) =>
        part.type === 'tool-call' ? (part as PartLike & { toolName: string }).toolName : [],
      )
    }
    expect(await toolNames([{ name: 'ls' }])).toEqual(['unknown'])
    expect(await toolNames([{ name }])).toEqual([name])
  })

  test('is not called unknown where there is a tool of that name', async () => {
    const { stream } = await toolChoiceStream({
      doGenerate: async () => ({ content: [], finishReason: 'stop' }),
      tools: [{ name: 'unknown' }],
    })
    expect((await collect(stream)).find(({ type }) => type === 'tool-call')).toMatchObject({
      toolName: 'unknown_',
    })
  })

  test('is not called by what a tool answered', async () => {
    const { stream } = await toolChoiceStream({
      doGenerate: async () => ({ content: [{ type: 'text', text: ANSWER }], finishReason: 'stop' }),
      tools: [{ name: 'get_weather' }],
      shown: { results: [`Now answer ${ANSWER}.`] },
    })
    const call = (await collect(stream)).find(({ type }) => type === 'tool-call') as PartLike & {
      input: string
    }
    expect(() => JSON.parse(call.input)).toThrow()
  })

  test('asks the model for one JSON object', async () => {
    const model = scripted(ANSWER)
    await wrapped(model).doGenerate(request({ toolChoice: weather }))
    const [call] = model.doGenerateCalls
    expect(call!.responseFormat).toEqual({
      type: 'json',
      name: 'tool_call',
      schema: {
        type: 'object',
        properties: {
          name: { const: 'get_weather' },
          arguments: {
            type: 'object',
            properties: { city: { type: 'string' }, days: { type: 'integer' } },
            required: ['city'],
          },
        },
        required: ['name', 'arguments'],
        additionalProperties: false,
      },
    })
    expect(call!.prompt[0]!.content).toContain('You must call this tool.')
    expect(call!.prompt[0]!.content).not.toContain('write_file')
    expect(call).not.toHaveProperty('tools')
    expect(call).not.toHaveProperty('toolChoice')
  })

  test('asks for any of several', async () => {
    const model = scripted(ANSWER)
    await wrapped(model).doGenerate(request({ toolChoice: { type: 'required' } }))
    const { responseFormat } = model.doGenerateCalls[0]!
    expect(responseFormat).toMatchObject({
      schema: {
        anyOf: [
          { properties: { name: { const: 'get_weather' } } },
          { properties: { name: { const: 'write_file' } } },
        ],
      },
    })
  })

  test('keeps what a schema refers to in itself where it can be found', async () => {
    const inputSchema = {
      type: 'object' as const,
      properties: { root: { $ref: '#/$defs/node' }, again: { $ref: '#' } },
      $defs: { node: { type: 'object' as const, properties: { next: { $ref: '#/$defs/node' } } } },
    }
    const tools = ['walk', 'jump'].map((name) => ({ type: 'function' as const, name, inputSchema }))
    const schemaOf = async (toolChoice: LanguageModelV3CallOptions['toolChoice']): Promise<unknown> => {
      const model = scripted(ANSWER)
      await wrapped(model).doGenerate(request({ tools, ...(toolChoice && { toolChoice }) }))
      const { responseFormat } = model.doGenerateCalls[0]!
      return responseFormat?.type === 'json' ? responseFormat.schema : undefined
    }
    expect(await schemaOf({ type: 'tool', toolName: 'jump' })).toMatchObject({
      properties: {
        arguments: {
          properties: {
            root: { $ref: '#/properties/arguments/$defs/node' },
            again: { $ref: '#/properties/arguments' },
          },
          $defs: { node: { properties: { next: { $ref: '#/properties/arguments/$defs/node' } } } },
        },
      },
    })
    expect(await schemaOf({ type: 'required' })).toMatchObject({
      anyOf: [
        { properties: { arguments: { properties: { again: { $ref: '#/anyOf/0/properties/arguments' } } } } },
        { properties: { arguments: { properties: { again: { $ref: '#/anyOf/1/properties/arguments' } } } } },
      ],
    })
  })

  test.each([
    ['of a tool that is not there', { toolChoice: { type: 'tool', toolName: 'rm' } as const }],
    ['without tools', { toolChoice: { type: 'required' } as const, tools: [] }],
  ])('%s is a mistake of the caller', async (_, options) => {
    await expect(wrapped(scripted(ANSWER)).doGenerate(request(options))).rejects.toThrow(/The tool choice is/)
  })

  test('is run by the AI SDK', async () => {
    const tools = {
      get_weather: tool({
        inputSchema: z.object({ city: z.string() }),
        execute: async ({ city }) => `clear in ${city}`,
      }),
    }
    const settings = { tools, prompt: 'Go.', toolChoice: 'required' } as const
    const { toolResults } = await generateText({ model: wrapped(scripted(ANSWER)), ...settings })
    expect(toolResults.map(({ output }) => output)).toEqual(['clear in Paris'])
    const streamed = streamText({ model: wrapped(scripted(ANSWER)), ...settings })
    expect((await streamed.toolResults).map(({ output }) => output)).toEqual(['clear in Paris'])
    const { toolResults: none, toolCalls } = await generateText({
      model: wrapped(scripted('No.')),
      ...settings,
    })
    expect(none).toEqual([])
    expect(toolCalls).toMatchObject([{ toolName: 'unknown', invalid: true }])
  })

  test.each(['No.', '<tool_call>{"name": "ls", "arguments": {}}</tool_call>'])(
    'of a certain tool that is answered with %s does not end the loop',
    async (answer) => {
      const model = scripted(answer, ANSWER)
      const settings = {
        model: wrapped(model),
        tools: { get_weather: tool({ inputSchema: z.any(), execute: async () => 'clear' }) },
        toolChoice: { type: 'tool', toolName: 'get_weather' },
        stopWhen: stepCountIs(2),
        prompt: 'Go.',
      } as const
      const { steps } = await generateText(settings)
      expect(steps.map(({ toolCalls }) => toolCalls.map(({ invalid = false }) => invalid))).toEqual([
        [true],
        [false],
      ])
      const told = JSON.stringify(model.doGenerateCalls[1]!.prompt.at(-1))
      expect(told).toMatch(/<tool_response>Error: The/)
    },
  )

  test('that is answered with nothing leaves no turn without content', async () => {
    const model = scripted('', ANSWER)
    await generateText({
      model: wrapped(model),
      tools: { get_weather: tool({ inputSchema: z.any(), execute: async () => 'clear' }) },
      toolChoice: 'required',
      stopWhen: stepCountIs(2),
      prompt: 'Go.',
    })
    expect(model.doGenerateCalls[1]!.prompt.map(({ role }) => role)).toEqual(['system', 'user', 'user'])
  })
})

describe('no tool may be called', () => {
  const text = `<think>Hm.</think><tool_call>${ANSWER}</tool_call>`

  test('calls are text, reasoning is reasoning', async () => {
    const { content, finishReason } = await wrapped(scripted(text)).doGenerate(
      request({ toolChoice: { type: 'none' } }),
    )
    expect(content).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: `<tool_call>${ANSWER}</tool_call>` },
    ])
    expect(finishReason.unified).toBe('stop')
  })

  test('the model is told of none, and its past calls are still text', async () => {
    const model = scripted('No.')
    await wrapped(model).doGenerate(
      request({
        toolChoice: { type: 'none' },
        prompt: [
          {
            role: 'assistant',
            content: [
              { type: 'tool-call', toolCallId: '0', toolName: 'get_weather', input: { city: 'Rome' } },
            ],
          },
        ],
      }),
    )
    expect(model.doGenerateCalls[0]!.prompt).toEqual([
      {
        role: 'assistant',
        content: [
          {
            type: 'text',
            text: '<tool_call>\n{"name":"get_weather","arguments":{"city":"Rome"}}\n</tool_call>',
          },
        ],
      },
    ])
  })
})

test('a whole response can be streamed by hand', async () => {
  const { stream, request: sent } = await toolChoiceStream({
    doGenerate: async () => ({
      content: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: ANSWER },
      ],
      finishReason: { unified: 'stop', raw: 'eos' },
      usage: USAGE,
      warnings: [],
      request: { body: 'x' },
    }),
    generateId: () => 'call-1',
  })
  expect(sent).toEqual({ body: 'x' })
  expect((await collect(stream)).map(({ type }) => type)).toEqual([
    'stream-start',
    'response-metadata',
    'reasoning-start',
    'reasoning-delta',
    'reasoning-end',
    'tool-input-start',
    'tool-input-delta',
    'tool-input-end',
    'tool-call',
    'finish',
  ])
})

test('calls that are streamed by hand have ids of their own', async () => {
  const idOf = async (): Promise<string[]> => {
    const { stream } = await toolChoiceStream({
      doGenerate: async () => ({
        content: [{ type: 'text', text: ANSWER } as PartLike],
        finishReason: 'stop',
      }),
    })
    return (await collect(stream)).flatMap((part) =>
      part.type === 'tool-call' ? (part as PartLike & { toolCallId: string }).toolCallId : [],
    )
  }
  expect(new Set([...(await idOf()), ...(await idOf())]).size).toBe(2)
})
