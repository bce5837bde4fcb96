import { generateObject, generateText, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai6'
import type { LanguageModelV3StreamPart } from 'provider-v3'
import { createToolMiddlewareV3, type FailureMetadata, type ToolMiddlewareOptions } from 'sluice/ai-sdk'
import { hermes, kimiK2, llama3Json, morphXml, qwen3Coder } from 'sluice/dialects'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { collect, finish, merged, request, scripted, streaming, textParts, USAGE } from './models.ts'

const counted = (): (() => string) => {
  let calls = 0
  return () => `call-${++calls}`
}

function wrapped(
  model: Parameters<typeof wrapLanguageModel>[0]['model'],
  options: Partial<ToolMiddlewareOptions> = {},
) {
  const middleware = createToolMiddlewareV3({ dialect: hermes, generateId: counted(), ...options })
  return wrapLanguageModel({ model, middleware })
}

const WEATHER = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'

describe('a stream', () => {
  test('says text, then the call while it grows, then why it ended', async () => {
    const { stream } = await wrapped(streaming([...textParts(`Let me look. ${WEATHER}`), finish()])).doStream(
      request(),
    )
    expect(merged(await collect(stream))).toEqual([
      { type: 'text-start', id: 'sluice-text-1' },
      { type: 'text-delta', id: 'sluice-text-1', delta: 'Let me look. ' },
      { type: 'text-end', id: 'sluice-text-1' },
      { type: 'tool-input-start', id: 'call-1', toolName: 'get_weather' },
      { type: 'tool-input-delta', id: 'call-1', delta: '{"city": "Paris"}' },
      { type: 'tool-input-end', id: 'call-1' },
      { type: 'tool-call', toolCallId: 'call-1', toolName: 'get_weather', input: '{"city": "Paris"}' },
      { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'eos' }, usage: USAGE },
    ])
  })

  test('says reasoning that the dialect marks', async () => {
    const { stream } = await wrapped(streaming([...textParts('<think>Hm.</think>Yes.'), finish()])).doStream(
      request(),
    )
    expect(merged(await collect(stream))).toEqual([
      { type: 'reasoning-start', id: 'sluice-reasoning-1' },
      { type: 'reasoning-delta', id: 'sluice-reasoning-1', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'sluice-reasoning-1' },
      { type: 'text-start', id: 'sluice-text-2' },
      { type: 'text-delta', id: 'sluice-text-2', delta: 'Yes.' },
      { type: 'text-end', id: 'sluice-text-2' },
      { type: 'finish', finishReason: { unified: 'stop', raw: 'eos' }, usage: USAGE },
    ])
  })

  test.each([
    ['markers with nothing between them', 'One <think></think>two.'],
    ['a marker that never closes', 'One two.<think>'],
  ])('says no reasoning for %s, and does not break the text there', async (_, text) => {
    const { stream } = await wrapped(streaming([...textParts(text), finish()])).doStream(request())
    const parts = merged(await collect(stream))
    expect(parts.map(({ type }) => type)).toEqual(['text-start', 'text-delta', 'text-end', 'finish'])
    expect(parts[1]).toMatchObject({ delta: 'One two.' })
  })

  test('makes one block of text that the provider cut in several', async () => {
    const { stream } = await wrapped(
      streaming([...textParts('One <tool_'), ...textParts('box> two.'), finish()]),
    ).doStream(request())
    const parts = merged(await collect(stream))
    expect(parts.map(({ type }) => type)).toEqual(['text-start', 'text-delta', 'text-end', 'finish'])
    expect(parts[1]).toMatchObject({ delta: 'One <tool_box> two.' })
  })

  test('keeps blocks apart that the provider attached something to', async () => {
    const { stream } = await wrapped(
      streaming([
        { type: 'text-start', id: 'a', providerMetadata: { p: { item: 1 } } },
        { type: 'text-delta', id: 'a', delta: 'One.' },
        { type: 'text-end', id: 'a', providerMetadata: { p: { end: 1 } } },
        ...textParts('Two.'),
        finish(),
      ]),
    ).doStream(request())
    expect(merged(await collect(stream)).slice(0, 6)).toEqual([
      { type: 'text-start', id: 'sluice-text-1', providerMetadata: { p: { item: 1 } } },
      { type: 'text-delta', id: 'sluice-text-1', delta: 'One.' },
      { type: 'text-end', id: 'sluice-text-1', providerMetadata: { p: { end: 1 } } },
      { type: 'text-start', id: 'sluice-text-2' },
      { type: 'text-delta', id: 'sluice-text-2', delta: 'Two.' },
      { type: 'text-end', id: 'sluice-text-2' },
    ])
  })

  test('keeps what the provider attached to a piece of text, and gives it to no other text', async () => {
    const { stream } = await wrapped(
      streaming([
        { type: 'text-start', id: 'a' },
        { type: 'text-delta', id: 'a', delta: 'One ' },
        { type: 'text-delta', id: 'a', delta: 'two <', providerMetadata: { p: { signature: 1 } } },
        { type: 'text-delta', id: 'a', delta: 'tool_call>', providerMetadata: { p: { signature: 2 } } },
        { type: 'text-delta', id: 'a', delta: WEATHER.slice(11), providerMetadata: { p: { signature: 3 } } },
        { type: 'text-end', id: 'a' },
        ...textParts('Three.'),
        finish(),
      ]),
    ).doStream(request())
    const texts = (await collect(stream)).filter(({ type }) => type.startsWith('text'))
    expect(texts.slice(0, 4)).toEqual([
      { type: 'text-start', id: 'sluice-text-1' },
      { type: 'text-delta', id: 'sluice-text-1', delta: 'One ' },
      {
        type: 'text-delta',
        id: 'sluice-text-1',
        delta: 'two ',
        providerMetadata: { p: { signature: 1 } },
      },
      { type: 'text-end', id: 'sluice-text-1', providerMetadata: { p: { signature: 3 } } },
    ])
    expect(merged(texts.slice(4))).toEqual([
      { type: 'text-start', id: 'sluice-text-2' },
      { type: 'text-delta', id: 'sluice-text-2', delta: 'Three.' },
      { type: 'text-end', id: 'sluice-text-2' },
    ])
  })

  test('keeps what the provider attached to no text at the end of a block', async () => {
    const providerMetadata = { google: { thoughtSignature: 's' } }
    const result = streamText({
      model: wrapped(
        streaming([
          { type: 'text-start', id: '0' },
          { type: 'text-delta', id: '0', delta: 'Hi' },
          { type: 'text-delta', id: '0', delta: '', providerMetadata },
          { type: 'text-end', id: '0' },
          finish(),
        ]),
      ),
      prompt: 'Go.',
    })
    expect(await result.content).toEqual([{ type: 'text', text: 'Hi', providerMetadata }])
  })

  test('reads blocks that the provider writes at the same time each for itself', async () => {
    const call = (city: string): string =>
      `<tool_call>{"name": "get_weather", "arguments": {"city": "${city}"}}</tool_call>`
    const one = `a ${call('Rome')} b`
    const two = `c ${call('Oslo')} d`
    const parts: LanguageModelV3StreamPart[] = [
      { type: 'text-start', id: 'one' },
      { type: 'text-start', id: 'two' },
    ]
    for (let at = 0; at < one.length; at += 3) {
      parts.push({ type: 'text-delta', id: 'one', delta: one.slice(at, at + 3) })
      parts.push({ type: 'text-delta', id: 'two', delta: two.slice(at, at + 3) })
    }
    parts.push({ type: 'text-end', id: 'one' }, { type: 'text-end', id: 'two' }, finish())
    const { stream } = await wrapped(streaming(parts), { parser: { start: 'text' } }).doStream(request())
    const said = await collect(stream)
    expect(said.flatMap((part) => (part.type === 'tool-call' ? part.input : []))).toEqual([
      '{"city": "Rome"}',
      '{"city": "Oslo"}',
    ])
    const texts = new Map<string, string>()
    for (const part of said)
      if (part.type === 'text-delta') texts.set(part.id, (texts.get(part.id) ?? '') + part.delta)
    expect([...texts.values()].sort()).toEqual([' b', ' d', 'a ', 'c '])
    expect(said.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls' } })
  })

  test('gives no two calls one id, also where such blocks count each for itself', async () => {
    const call = (city: string): string =>
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "${city}"}<|tool_call_end|><|tool_calls_section_end|>`
    const { stream } = await wrapped(
      streaming([
        { type: 'text-start', id: 'one' },
        { type: 'text-start', id: 'two' },
        { type: 'text-delta', id: 'one', delta: call('Rome') },
        { type: 'text-delta', id: 'two', delta: call('Oslo') },
        finish(),
      ]),
      { dialect: kimiK2 },
    ).doStream(request())
    expect(
      (await collect(stream)).flatMap((part) =>
        part.type === 'tool-call' ? [[part.toolCallId, part.input]] : [],
      ),
    ).toEqual([
      ['functions.get_weather:0', '{"city": "Rome"}'],
      ['call-1', '{"city": "Oslo"}'],
    ])
  })

  const deltaOf = (delta: string, id = '0'): LanguageModelV3StreamPart => ({ type: 'text-delta', id, delta })
  const OUT_OF_ORDER: [what: string, parts: LanguageModelV3StreamPart[], text: string, calls: number][] = [
    ['text that never begins', [deltaOf('Hi '), deltaOf(WEATHER), finish()], 'Hi ', 1],
    ['ends without a start', [{ type: 'text-end', id: '0' }, ...textParts('Hi'), finish()], 'Hi', 0],
    ['a block that never ends', [...textParts('a').slice(0, -1), ...textParts(WEATHER), finish()], 'a', 1],
    ['pieces behind the end', [...textParts('a'), deltaOf('b'), finish()], 'ab', 0],
    ['text behind the finish', [finish(), ...textParts(`a ${WEATHER}`)], `a ${WEATHER}`, 0],
    ['the end behind the finish', [deltaOf('a'), finish(), { type: 'text-end', id: '0' }], 'a', 0],
    ['two finishes', [...textParts(WEATHER), finish(), finish()], '', 1],
    [
      'empty pieces',
      [deltaOf(''), deltaOf('<tool_'), deltaOf(''), deltaOf(WEATHER.slice(6)), finish()],
      '',
      1,
    ],
    [
      'an error in the middle of a call',
      [deltaOf(WEATHER.slice(0, 20)), { type: 'error', error: 'x' }, deltaOf(WEATHER.slice(20)), finish()],
      '',
      1,
    ],
    [
      'an error at the end of half a call',
      [deltaOf('<tool_call>{"na'), { type: 'error', error: 'x' }],
      '<tool_call>{"na',
      0,
    ],
  ]

  test.each(OUT_OF_ORDER)('survives %s', async (_, parts, text, calls) => {
    const result = streamText({
      model: wrapped(streaming(parts)),
      tools: { get_weather: tool({ inputSchema: z.object({ city: z.string() }) }) },
      prompt: 'Go.',
      onError: () => {},
    })
    let said = ''
    let found = 0
    const errors: unknown[] = []
    for await (const part of result.fullStream) {
      if (part.type === 'text-delta') said += part.text
      else if (part.type === 'tool-call') found++
      else if (part.type === 'error') errors.push(part.error)
    }
    expect([said, found]).toEqual([text, calls])
    expect(errors).toEqual(parts.flatMap((part) => (part.type === 'error' ? [part.error] : [])))
  })

  test('lets everything else pass untouched and in order', async () => {
    const source = { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' } as const
    const file = { type: 'file', mediaType: 'image/png', data: 'AAAA' } as const
    const search = {
      type: 'tool-call',
      toolCallId: 'native',
      toolName: 'web_search',
      input: '{}',
      providerExecuted: true,
    } as const
    const found = { type: 'tool-result', toolCallId: 'native', toolName: 'web_search', result: {} } as const
    const { stream } = await wrapped(
      streaming([
        { type: 'stream-start', warnings: [] },
        { type: 'response-metadata', id: 'r' },
        { type: 'reasoning-start', id: 'n' },
        { type: 'reasoning-delta', id: 'n', delta: 'native' },
        { type: 'reasoning-end', id: 'n' },
        ...textParts('One <tool_'),
        search,
        found,
        ...textParts('two'),
        source,
        file,
        finish(),
      ]),
    ).doStream(request())
    expect(merged(await collect(stream))).toEqual([
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', id: 'r' },
      { type: 'reasoning-start', id: 'n' },
      { type: 'reasoning-delta', id: 'n', delta: 'native' },
      { type: 'reasoning-end', id: 'n' },
      { type: 'text-start', id: 'sluice-text-1' },
      { type: 'text-delta', id: 'sluice-text-1', delta: 'One <tool_' },
      { type: 'text-end', id: 'sluice-text-1' },
      search,
      found,
      { type: 'text-start', id: 'sluice-text-2' },
      { type: 'text-delta', id: 'sluice-text-2', delta: 'two' },
      { type: 'text-end', id: 'sluice-text-2' },
      source,
      file,
      finish(),
    ])
  })

  test('finds a call although raw chunks and reasoning come amid its markers', async () => {
    const { stream } = await wrapped(
      streaming([
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: '<tool_' },
        { type: 'raw', rawValue: 1 },
        { type: 'reasoning-start', id: 'n' },
        { type: 'reasoning-delta', id: 'n', delta: 'hm' },
        { type: 'reasoning-end', id: 'n' },
        { type: 'text-delta', id: '0', delta: WEATHER.slice(6) },
        { type: 'text-end', id: '0' },
        finish(),
      ]),
    ).doStream(request())
    expect((await collect(stream)).filter(({ type }) => type === 'tool-call')).toHaveLength(1)
  })

  test.each([
    ['stop', 'tool-calls'],
    ['other', 'tool-calls'],
    ['length', 'length'],
  ] as const)('that ended with %s and held a call ends with %s', async (given, wanted) => {
    const { stream } = await wrapped(streaming([...textParts(WEATHER), finish(given, 'raw word')])).doStream(
      request(),
    )
    expect((await collect(stream)).at(-1)).toMatchObject({
      finishReason: { unified: wanted, raw: 'raw word' },
    })
  })

  test.each([
    ['held back', 'Yes <tool_c', ['text-start', 'text-delta', 'text-end']],
    [
      'a call',
      WEATHER.slice(0, -13),
      ['tool-input-start', 'tool-input-delta', 'tool-input-end', 'tool-call'],
    ],
  ])('that stops without a finish still says what was open: %s', async (_, text, types) => {
    const { stream } = await wrapped(streaming(textParts(text))).doStream(request())
    expect(merged(await collect(stream)).map(({ type }) => type)).toEqual(types)
  })

  test('that fails says what was held back, and then fails', async () => {
    const failing = new ReadableStream({
      start: (controller) => controller.enqueue({ type: 'text-delta', id: '0', delta: 'Yes <tool_c' }),
      pull: (controller) => controller.error(new Error('gone')),
    })
    const { wrapStream } = createToolMiddlewareV3({ dialect: hermes })
    const { stream } = await wrapStream({
      doStream: async () => ({ stream: failing }),
      doGenerate: async () => ({ content: [], finishReason: 'stop' }),
      params: request(),
    })
    const reader = stream.getReader()
    const said: string[] = []
    const read = async (): Promise<void> => {
      for (;;) said.push(((await reader.read()).value as { delta?: string }).delta ?? '')
    }
    await expect(read()).rejects.toThrow('gone')
    expect(said.join('')).toBe('Yes <tool_c')
  })

  test.each([
    ['is read', false],
    ['fails', true],
  ])('that %s while an option throws fails with that, once', async (_, fails) => {
    const unhandled: unknown[] = []
    const note = (error: unknown): void => void unhandled.push(error)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const source = new ReadableStream({
      start: (controller) => controller.enqueue({ type: 'text-delta', id: '0', delta: '<tool_call>{' }),
      pull: (controller) => (fails ? controller.error(new Error('gone')) : controller.close()),
      cancel: () => Promise.reject(new Error('no')),
    })
    const { wrapStream } = createToolMiddlewareV3({
      dialect: hermes,
      onError: () => {
        throw new Error('mine')
      },
    })
    const { stream } = await wrapStream({
      doStream: async () => ({ stream: source }),
      doGenerate: async () => ({ content: [], finishReason: 'stop' }),
      params: request(),
    })
    await expect(collect(stream)).rejects.toThrow('mine')
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
  })

  test('is not read before someone asks, and is cancelled when someone stops', async () => {
    let pulled = 0
    let cancelled: unknown
    const source = new ReadableStream(
      {
        pull(controller) {
          pulled++
          controller.enqueue({ type: 'text-delta', id: '0', delta: 'a' })
        },
        cancel(reason) {
          cancelled = reason
        },
      },
      { highWaterMark: 0 },
    )
    const { wrapStream } = createToolMiddlewareV3({ dialect: hermes })
    const { stream } = await wrapStream({
      doStream: async () => ({ stream: source }),
      doGenerate: async () => ({ content: [], finishReason: 'stop' }),
      params: request(),
    })
    expect(pulled).toBe(0)
    await stream.cancel('enough')
    expect(cancelled).toBe('enough')
  })

  test.each([
    ['a call', { type: 'tool-call' as const, input: {} }],
    [
      'a call that failed',
      { type: 'tool-result' as const, output: { type: 'error-json' as const, value: 'cut off' } },
    ],
  ])('gives a call another id when the conversation has had it for %s', async (_, past) => {
    const call = '<tool_call>{"id": "0", "name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>'
    const prompt = [
      {
        role: 'assistant' as const,
        content: [{ ...past, toolCallId: '0', toolName: 'get_weather' }],
      },
    ]
    const { stream } = await wrapped(streaming([...textParts(call), finish()])).doStream(request({ prompt }))
    const ids = (await collect(stream)).flatMap((part) =>
      part.type === 'tool-call'
        ? part.toolCallId
        : part.type.startsWith('tool-input')
          ? (part as { id: string }).id
          : [],
    )
    expect(new Set(ids)).toEqual(new Set(['call-1']))
  })
})

describe('order, not clocks', () => {
  const content = 'x'.repeat(400)
  const texts = [
    [
      hermes,
      `<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "${content}"}}</tool_call>`,
    ],
    [morphXml, `<write_file><path>a</path><content>${content}</content></write_file>`],
    [
      qwen3Coder,
      `<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n${content}\n</parameter>\n</function>\n</tool_call>`,
    ],
  ] as const

  test.each(texts.map(([dialect, text]) => [dialect.name, dialect, text] as const))(
    '%s: an argument leaves while it is still being written',
    async (_, dialect, text) => {
      /** What was given and what had left when it was, in the order in which it happened. */
      const given: string[] = []
      let left = ''
      const perCharacter = new ReadableStream({
        pull(controller) {
          const character = text[given.length]
          if (character === undefined) {
            controller.enqueue(finish())
            controller.close()
            return
          }
          given.push(left)
          controller.enqueue({ type: 'text-delta', id: '0', delta: character })
        },
      })
      const { wrapStream } = createToolMiddlewareV3({ dialect })
      const { stream } = await wrapStream({
        doStream: async () => ({ stream: perCharacter }),
        doGenerate: async () => ({ content: [], finishReason: 'stop' }),
        params: request(),
      })
      for (const reader = stream.getReader(); ; ) {
        const { done, value } = await reader.read()
        if (done) break
        if (value.type === 'tool-input-delta') left += (value as unknown as { delta: string }).delta
      }
      const half = text.indexOf(content) + content.length / 2
      expect(given[half]).toContain('x'.repeat(content.length / 2 - 2))
      expect(JSON.parse(left)).toEqual({ path: 'a', content })
    },
  )
})

describe('a whole response', () => {
  test('is the same as its stream', async () => {
    const result = await wrapped(scripted(`<think>Hm.</think>Look. ${WEATHER} Done.`)).doGenerate(request())
    expect(result.content).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Look. ' },
      { type: 'tool-call', toolCallId: 'call-1', toolName: 'get_weather', input: '{"city": "Paris"}' },
      { type: 'text', text: ' Done.' },
    ])
    expect(result.finishReason).toEqual({ unified: 'tool-calls', raw: 'eos' })
  })

  test('keeps what is not text where it stands', async () => {
    const file = { type: 'file', mediaType: 'image/png', data: 'AAAA' } as const
    const { wrapGenerate } = createToolMiddlewareV3({ dialect: hermes, generateId: counted() })
    const result = await wrapGenerate({
      doGenerate: async () => ({
        content: [
          { type: 'reasoning', text: 'native' },
          { type: 'text', text: 'One', providerMetadata: { p: { id: 1 } } },
          file,
          { type: 'text', text: WEATHER },
        ],
        finishReason: 'stop',
      }),
      params: request(),
    })
    expect(result).toEqual({
      content: [
        { type: 'reasoning', text: 'native' },
        { type: 'text', text: 'One', providerMetadata: { p: { id: 1 } } },
        file,
        { type: 'tool-call', toolCallId: 'call-1', toolName: 'get_weather', input: '{"city": "Paris"}' },
      ],
      finishReason: 'tool-calls',
    })
  })
})

describe('in the AI SDK', () => {
  const tools = {
    get_weather: tool({
      inputSchema: z.object({ city: z.string(), days: z.number().int().optional() }),
      execute: async ({ city }) => ({ city, sky: 'clear' }),
    }),
  }
  const steps = [`I look. ${WEATHER}`, 'It is clear.']

  test('streamText runs the tool and goes on', async () => {
    const model = scripted(...steps)
    const result = streamText({
      model: wrapped(model),
      tools,
      prompt: 'How is the weather?',
      stopWhen: stepCountIs(3),
    })
    const types: string[] = []
    for await (const part of result.fullStream) if (types.at(-1) !== part.type) types.push(part.type)
    expect(types).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'tool-result',
      'finish-step',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
    ])
    expect(await result.text).toBe('It is clear.')
    expect((await result.steps)[0]!.finishReason).toBe('tool-calls')
    const [, second] = model.doStreamCalls
    expect(second!.tools).toBeUndefined()
    expect(second!.prompt.slice(1)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'How is the weather?' }], providerOptions: undefined },
      {
        role: 'assistant',
        content: [
          {
            type: 'text',
            text: 'I look. <tool_call>\n{"name":"get_weather","arguments":{"city":"Paris"}}\n</tool_call>',
          },
        ],
        providerOptions: undefined,
      },
      {
        role: 'user',
        content: [{ type: 'text', text: '<tool_response>{"city":"Paris","sky":"clear"}</tool_response>' }],
      },
    ])
  })

  test('generateText does the same', async () => {
    const result = await generateText({
      model: wrapped(scripted(...steps)),
      tools,
      prompt: 'How is the weather?',
      stopWhen: stepCountIs(3),
    })
    expect(result.steps.map(({ finishReason, text }) => [finishReason, text])).toEqual([
      ['tool-calls', 'I look. '],
      ['stop', 'It is clear.'],
    ])
    expect(result.steps[0]!.toolResults[0]!.output).toEqual({ city: 'Paris', sky: 'clear' })
  })

  test('a call that only fails its schema is for the AI SDK to repair', async () => {
    const call = WEATHER.replace('"Paris"', '["Paris"]')
    const { toolCalls } = await generateText({
      model: wrapped(scripted(call)),
      tools,
      prompt: 'Go.',
      experimental_repairToolCall: async ({ toolCall }) => ({
        ...toolCall,
        input: toolCall.input.replace(/[[\]]/g, ''),
      }),
    })
    expect(toolCalls.map(({ input }) => input)).toEqual([{ city: 'Paris' }])
  })

  test('a call of a tool that is not there is shown to the AI SDK, too', async () => {
    const { toolCalls } = await generateText({
      model: wrapped(scripted(WEATHER.replace('get_weather', 'rm'))),
      tools,
      prompt: 'Go.',
    })
    expect(toolCalls).toMatchObject([{ toolName: 'rm', invalid: true }])
  })

  test('a call of a tool that the provider defines does not run: the model was not told of it', async () => {
    // The AI SDK would print that the tool is left out.
    vi.stubGlobal('AI_SDK_LOG_WARNINGS', false)
    onTestFinished(() => void vi.unstubAllGlobals())
    const ran: unknown[] = []
    const bash = {
      type: 'provider' as const,
      id: 'anthropic.bash_20241022' as const,
      args: {},
      inputSchema: z.object({ command: z.string() }),
      execute: async (input: unknown) => ran.push(input),
    }
    const call = '<tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>'
    const ask = { tools: { ...tools, bash }, prompt: 'Go.' }
    const { toolCalls } = await generateText({ model: wrapped(scripted(call)), ...ask })
    expect(toolCalls).toMatchObject([{ toolName: 'bash', invalid: true }])
    await streamText({ model: wrapped(scripted(call)), ...ask }).consumeStream()
    expect(ran).toEqual([])
  })

  test.each([
    ['a call', hermes, 'So: <tool_call>{"name": "ls", "arguments": {}}</tool_call>'],
    ['an object like a call', llama3Json, '{"name": "ls", "parameters": {"path": "."}}'],
  ])('a request without tools gets %s as the text it is', async (_, dialect, answer) => {
    const { text, finishReason } = await generateText({
      model: wrapped(scripted(answer), { dialect }),
      prompt: 'Go.',
    })
    expect([text, finishReason]).toEqual([answer, 'stop'])
    const result = streamText({ model: wrapped(scripted(answer), { dialect }), prompt: 'Go.' })
    expect([await result.text, await result.finishReason]).toEqual([answer, 'stop'])
  })

  test('an object that was asked for is not a call, although it looks like one', async () => {
    const { object } = await generateObject({
      model: wrapped(scripted('{"name": "ls", "parameters": {"path": "."}}'), { dialect: llama3Json }),
      schema: z.object({ name: z.string(), parameters: z.object({ path: z.string() }) }),
      prompt: 'Go.',
    })
    expect(object).toEqual({ name: 'ls', parameters: { path: '.' } })
  })

  test('a call that was cut off runs nothing', async () => {
    const errors: [string, FailureMetadata][] = []
    const { toolCalls, text } = await generateText({
      model: wrapped(scripted('<write_file><path>a</path><content>hello wor'), {
        dialect: morphXml,
        onError: (...error) => errors.push(error),
      }),
      tools: { write_file: tool({ inputSchema: z.object({ path: z.string(), content: z.string() }) }) },
      prompt: 'Go.',
    })
    expect(toolCalls).toMatchObject([{ toolName: 'write_file', invalid: true }])
    expect(text).toBe('')
    expect(errors).toMatchObject([
      [
        'The call of `write_file` was cut off: the argument `content` ends at "hello wor". It was not run. Send the whole call again with all of its markers.',
        { reason: 'truncated', toolName: 'write_file' },
      ],
    ])
  })
})
