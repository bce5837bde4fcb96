import { stepCountIs, streamText, tool, wrapLanguageModel } from 'ai6'
import { foldEvents, pointer, type SluiceEvent } from 'sluice'
import { createToolMiddlewareV3, readUiEvents, type UiChunkLike, UiEventReader } from 'sluice/ai-sdk'
import { hermes } from 'sluice/dialects'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { wellFormedEvents } from '../../laws/laws.ts'
import { merged as mergedEvents } from '../../laws/observe.ts'
import { scripted, streamOf } from './models.ts'

const FINISH: UiChunkLike & object = { type: 'finish' }

/** The events of chunks that are a whole stream, unless they have an end of their own. */
function read(chunks: readonly UiChunkLike[], end: readonly UiChunkLike[] = [FINISH]): SluiceEvent[] {
  const events: SluiceEvent[] = []
  const reader = new UiEventReader((event) => events.push(event))
  for (const chunk of [...chunks, ...end]) reader.add(chunk)
  reader.end()
  reader.end()
  return events
}

const plain = (events: readonly SluiceEvent[]): unknown[] =>
  mergedEvents(events.filter(({ type }) => type !== 'tool-input-delta')).map((event) =>
    'path' in event ? { ...event, path: pointer(event.path) } : event,
  )

const start = { type: 'tool-input-start', toolCallId: 'c', toolName: 'write_file' }
const delta = (inputTextDelta: string): UiChunkLike & object =>
  ({ type: 'tool-input-delta', toolCallId: 'c', inputTextDelta }) as UiChunkLike

describe('readUiEvents', () => {
  test('reads what streamText sends to a page, over several steps', async () => {
    const call =
      '<tool_call>{"name": "write_file", "arguments": {"path": "a.md", "content": "One\\nTwo"}}</tool_call>'
    const result = streamText({
      model: wrapLanguageModel({
        model: scripted(`<think>Hm.</think>I write. ${call}`, 'Done.'),
        middleware: createToolMiddlewareV3({ dialect: hermes, generateId: () => 'c' }),
      }),
      tools: {
        write_file: tool({
          inputSchema: z.object({ path: z.string(), content: z.string() }),
          execute: async ({ content }) => `${content.length} characters`,
        }),
      },
      prompt: 'Go.',
      stopWhen: stepCountIs(2),
    })
    const events: SluiceEvent[] = []
    for await (const event of readUiEvents(result.toUIMessageStream())) events.push(event)
    expect(wellFormedEvents(events)).toBeUndefined()
    const message = foldEvents(events)
    expect(message).toMatchObject({
      text: 'I write. Done.',
      reasoning: 'Hm.',
      toolCalls: [
        { toolName: 'write_file', input: { path: 'a.md', content: 'One\nTwo' }, status: 'complete' },
      ],
      results: [{ id: 'c', toolName: 'write_file', content: '7 characters' }],
      finish: { reason: 'stop' },
    })
    const grown = events.map((event) =>
      event.type === 'argument-delta' && event.path[0] === 'content' ? event.delta : '',
    )
    expect(grown.join('')).toBe('One\nTwo')
    expect(grown.filter((piece) => piece !== '').length).toBeGreaterThan(1)
  })

  test('reads any iterable of chunks', async () => {
    async function* chunks(): AsyncGenerator<UiChunkLike> {
      yield { type: 'text-start', id: '1' } as UiChunkLike
      yield { type: 'text-delta', id: '1', delta: 'Hi' } as UiChunkLike
      yield FINISH
    }
    const types: string[] = []
    for await (const { type } of readUiEvents(chunks())) types.push(type)
    expect(types).toEqual(['text-start', 'text-delta', 'text-end', 'finish'])
  })

  test('fails as the stream does, once', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown): void => void unhandled.push(error)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const failing = new ReadableStream<UiChunkLike>({
      pull: (controller) => controller.error(new Error('gone')),
    })
    const read = async (): Promise<void> => {
      for await (const _ of readUiEvents(failing));
    }
    await expect(read()).rejects.toThrow('gone')
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
  })

  test('lets go of the stream when someone stops reading', async () => {
    let cancelled = false
    const endless = new ReadableStream<UiChunkLike>({
      pull: (controller) => controller.enqueue({ type: 'data-tick' }),
      cancel() {
        cancelled = true
      },
    })
    for await (const _ of readUiEvents(endless)) break
    expect(cancelled).toBe(true)
  })
})

describe('a call', () => {
  test('is told argument by argument', () => {
    const input = { path: 'a', lines: [1, true] }
    expect(
      plain(
        read([
          start,
          delta('{"path": "a'),
          delta('", "lines": [1, tr'),
          delta('ue]}'),
          { type: 'tool-input-available', toolCallId: 'c', toolName: 'write_file', input } as UiChunkLike,
        ]),
      ),
    ).toEqual([
      { type: 'tool-input-start', id: 'c', toolName: 'write_file' },
      { type: 'argument-start', id: 'c', path: '/path', kind: 'string' },
      { type: 'argument-delta', id: 'c', path: '/path', delta: 'a' },
      { type: 'argument-end', id: 'c', path: '/path', value: 'a' },
      { type: 'argument-start', id: 'c', path: '/lines', kind: 'array' },
      { type: 'argument-start', id: 'c', path: '/lines/0', kind: 'scalar' },
      { type: 'argument-end', id: 'c', path: '/lines/0', value: 1 },
      { type: 'argument-start', id: 'c', path: '/lines/1', kind: 'scalar' },
      { type: 'argument-end', id: 'c', path: '/lines/1', value: true },
      { type: 'argument-end', id: 'c', path: '/lines', value: [1, true] },
      { type: 'tool-input-end', id: 'c' },
      { type: 'tool-call', id: 'c', toolName: 'write_file', input, status: 'complete', repairs: [] },
      { type: 'finish', reason: 'tool-calls' },
    ])
  })

  test('that comes whole is told the same way', () => {
    const events = read([
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'ls', input: { path: '.' } } as UiChunkLike,
    ])
    expect(events.map(({ type }) => type)).toEqual([
      'tool-input-start',
      'argument-start',
      'argument-delta',
      'argument-end',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'finish',
    ])
  })

  test('that is never finished is cut off', () => {
    expect(read([start, delta('{"path": "a')], []).slice(-3)).toMatchObject([
      { type: 'tool-call', input: { path: 'a' }, status: 'truncated' },
      { type: 'diagnostic', code: 'truncated-stream' },
      { type: 'finish', reason: 'error' },
    ])
    expect(read([start], []).at(-3)).toMatchObject({ type: 'tool-call', status: 'truncated' })
  })

  test.each([
    ['whole', '{"path":"a"}', 'invalid', { code: 'refused', message: 'no' }],
    ['cut off', '{"path":"a', 'truncated', { code: 'truncated' }],
  ])('that the AI SDK refused may not run: its input is %s', (_, input, status, error) => {
    const refused = {
      type: 'tool-input-error',
      toolCallId: 'c',
      toolName: 'write_file',
      input,
      errorText: 'no',
    }
    const { toolCalls, results } = foldEvents(read([start, delta(input), refused as UiChunkLike]))
    expect(toolCalls).toMatchObject([{ input: { path: 'a' }, status, raw: input, error }])
    expect(results).toEqual([
      { type: 'result', id: 'c', toolName: 'write_file', content: 'no', isError: true },
    ])
  })

  test.each([
    ['cut off', '{"path": "a', 'truncated'],
    ['whole', '{"path": "a"}', 'invalid'],
  ])('whose input failed when it was %s is over with its error', (_, input, status) => {
    const failed = { type: 'tool-output-error', toolCallId: 'c', errorText: 'It failed.' }
    const text = [
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Hi' },
    ]
    const events = read([start, delta(input), failed, ...text] as UiChunkLike[])
    expect(wellFormedEvents(events)).toBeUndefined()
    const { toolCalls, results } = foldEvents(events)
    expect(toolCalls).toMatchObject([{ input: { path: 'a' }, status }])
    expect(results).toEqual([
      { type: 'result', id: 'c', toolName: 'write_file', content: 'It failed.', isError: true },
    ])
    expect(events.findIndex(({ type }) => type === 'tool-call')).toBeLessThan(
      events.findIndex(({ type }) => type === 'text-start'),
    )
  })

  test('whose input is no JSON is told as a string', () => {
    const events = read([
      { ...start, inputEncoding: 'text' } as UiChunkLike,
      delta('free '),
      delta('text'),
      {
        type: 'tool-input-available',
        toolCallId: 'c',
        toolName: 'write_file',
        input: 'free text',
      } as UiChunkLike,
    ])
    expect(plain(events)).toEqual([
      { type: 'tool-input-start', id: 'c', toolName: 'write_file' },
      { type: 'argument-start', id: 'c', path: '', kind: 'string' },
      { type: 'argument-delta', id: 'c', path: '', delta: 'free text' },
      { type: 'argument-end', id: 'c', path: '', value: 'free text' },
      { type: 'tool-input-end', id: 'c' },
      {
        type: 'tool-call',
        id: 'c',
        toolName: 'write_file',
        input: 'free text',
        status: 'complete',
        repairs: [],
      },
      { type: 'finish', reason: 'tool-calls' },
    ])
  })

  test('that is begun again is the same call', () => {
    const whole = { type: 'tool-input-available', toolCallId: 'c', toolName: 'write_file', input: {} }
    const events = read([start, start, delta('{}'), whole, start, whole])
    expect(wellFormedEvents(events)).toBeUndefined()
    expect(events.filter(({ type }) => type === 'tool-call')).toHaveLength(1)
  })

  test('whose input cannot be written as JSON may not run', () => {
    const input = { size: 5n }
    const events = read([
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'ls', input } as UiChunkLike,
    ])
    expect(events.at(-2)).toMatchObject({
      type: 'tool-call',
      status: 'invalid',
      error: { code: 'unreadable-arguments' },
    })
  })
})

test.each([
  [{ type: 'tool-output-available', output: { a: 1 } }, '{"a":1}', undefined],
  [{ type: 'tool-output-error', errorText: 'broken' }, 'broken', true],
  [{ type: 'tool-output-denied' }, 'The call was denied.', true],
])('a result %j is told', (chunk, content, isError) => {
  const whole = { type: 'tool-input-available', toolCallId: 'c', toolName: 'write_file', input: {} }
  const { results } = foldEvents(read([start, whole, Object.assign({ toolCallId: 'c' }, chunk)]))
  expect(results).toEqual([
    { type: 'result', id: 'c', toolName: 'write_file', content, ...(isError !== undefined && { isError }) },
  ])
})

test('what has no name here is kept as it came, and in order', () => {
  const file = { type: 'file', url: 'u', mediaType: 'image/png' } as UiChunkLike
  const tick = { type: 'data-tick', data: 1 } as UiChunkLike
  const output = {
    type: 'tool-output-available',
    toolCallId: 'c',
    output: 1,
    preliminary: true,
  } as UiChunkLike
  expect(
    read(
      [{ type: 'start' }, file, tick, output],
      [{ type: 'finish', finishReason: 'length' } as UiChunkLike],
    ),
  ).toEqual([
    { type: 'custom', kind: 'file', value: file },
    { type: 'custom', kind: 'data-tick', value: tick },
    { type: 'custom', kind: 'preliminary-tool-result', value: output },
    { type: 'finish', reason: 'length', rawReason: 'length' },
  ])
})

test('blocks of several steps have ids of their own', () => {
  const block = [
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: 'a' },
    { type: 'text-end', id: '0' },
  ]
  const ids = read([...block, ...block] as UiChunkLike[]).flatMap((event) => ('id' in event ? event.id : []))
  expect(ids).toEqual(['text-1', 'text-1', 'text-1', 'text-2', 'text-2', 'text-2'])
})

test('a result that holds what JSON cannot is told as plain data', () => {
  const { results } = foldEvents(
    read([{ type: 'tool-output-available', toolCallId: 'c', output: { size: 5n } } as UiChunkLike]),
  )
  expect(results).toEqual([{ type: 'result', id: 'c', content: '{"size":"5"}' }])
})

test('a block is begun and ended once, whatever the chunks do', () => {
  const begin = { type: 'text-start', id: 'a b' }
  const grow = { type: 'text-delta', id: 'a b', delta: 'x' }
  const events = read([begin, grow, begin, grow])
  expect(wellFormedEvents(events)).toBeUndefined()
  expect(events.map(({ type }) => type)).toEqual([
    'text-start',
    'text-delta',
    'text-delta',
    'text-end',
    'finish',
  ])
})

test('what is no chunk says nothing, and neither does what comes after the end', () => {
  const events: SluiceEvent[] = []
  const reader = new UiEventReader((event) => events.push(event))
  const wrong = [null, undefined, 5, {}, { type: 5 }, { type: 'text-delta', id: '0', delta: 5 }]
  for (const chunk of wrong as UiChunkLike[]) reader.add(chunk)
  reader.end()
  reader.add({ type: 'text-delta', id: '0', delta: 'late' } as UiChunkLike)
  expect(events).toMatchObject([
    { type: 'diagnostic', code: 'truncated-stream' },
    { type: 'finish', reason: 'error' },
  ])
})

const broken = { type: 'error', errorText: 'gone' }
test.each([
  [[broken], ['error', 'finish'], 'error'],
  [[{ type: 'abort' }], ['finish'], 'aborted'],
  [[broken, { type: 'finish' }], ['error', 'finish'], 'error'],
  [[{ type: 'abort' }, { type: 'finish' }], ['finish'], 'aborted'],
  [[{ type: 'finish' }], ['finish'], 'stop'],
  [[{ type: 'finish', finishReason: 'unknown' }], ['finish'], 'other'],
])('a stream that ends with %j says so', (chunks, types, reason) => {
  const events = read(chunks, [])
  expect(events.map(({ type }) => type)).toEqual(types)
  expect(events.at(-1)).toMatchObject({ reason })
})

test('a stream of chunks is what a browser gets', async () => {
  const types: string[] = []
  for await (const { type } of readUiEvents(streamOf([{ type: 'start' }, { type: 'finish' }])))
    types.push(type)
  expect(types).toEqual(['finish'])
})
