/** What comes out of a model that writes its calls in text, event by event, and what it is asked again. */

import { describe, expect, test } from 'vitest'
import type { Finish, Metadata, SluiceEvent } from '../../src/base/event.ts'
import { functionCalls } from '../../src/dialects/function-calls.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import type { ConversationMessage, ModelRequest } from '../../src/requests/conversation/model-request.ts'
import {
  type Model,
  type ModelContext,
  type PrefilledOptions,
  prefilledModel,
  promptedModel,
} from '../../src/turn/index.ts'
import type { WrittenText } from '../../src/turn/model.ts'

const OPEN = '<function_calls>\n<invoke name="search">\n<parameter name="q">'
const CLOSE = '</parameter>\n</invoke>\n'
const END = '</function_calls>'
const CALL = '<tool_call>{"name":"go","arguments":{}}</tool_call>'
const USER: ConversationMessage = { role: 'user', parts: [{ type: 'text', text: 'Hi' }] }

const start = (id = 't', metadata?: Metadata): SluiceEvent => ({
  ...{ type: 'text-start', id },
  ...(metadata && { metadata }),
})
const delta = (text: string, id = 't'): SluiceEvent => ({ type: 'text-delta', id, delta: text })
const end = (id = 't', metadata?: Metadata): SluiceEvent => ({
  ...{ type: 'text-end', id },
  ...(metadata && { metadata }),
})
const said = (text: string, metadata?: Metadata): SluiceEvent[] => [start('t', metadata), delta(text), end()]
const finish = (fields: Partial<Finish> = {}): SluiceEvent => ({ type: 'finish', reason: 'stop', ...fields })
const stoppedAt = (stopSequence: string): SluiceEvent => finish({ metadata: { anthropic: { stopSequence } } })

interface Told {
  readonly events: SluiceEvent[]
  readonly requests: ModelRequest[]
  readonly written: WrittenText | undefined
}

/** A model that says these events, one list for each request; beyond the last one, the last one again. */
async function told(
  responses: readonly (readonly SluiceEvent[])[],
  shell: (model: Model) => Model,
  request: Partial<ModelRequest> = {},
  context: Partial<ModelContext> = {},
): Promise<Told> {
  const requests: ModelRequest[] = []
  const raw: Model = async function* (sent) {
    requests.push(sent)
    yield* responses[Math.min(requests.length, responses.length) - 1]!
  }
  let written: WrittenText | undefined
  const events: SluiceEvent[] = []
  const tools = [{ name: 'go' }, { name: 'search' }]
  const response = await shell(raw)({ messages: [USER], tools, ...request }, {
    reading: {},
    maxResumptionRounds: 24,
    onWritten: (text: WrittenText) => {
      written = text
    },
    ...context,
  } as ModelContext)
  for await (const event of response) events.push(event)
  return { events, requests, written }
}

const prompted =
  (dialect = hermes) =>
  (model: Model): Model =>
    promptedModel(model, { dialect })
const prefilled =
  (options: Partial<PrefilledOptions> = {}) =>
  (model: Model): Model =>
    prefilledModel(model, { dialect: functionCalls, closers: [END], stop: ['\nUser:'], ...options })

/** The text, the thoughts and the calls in one line each. */
function linesOf(events: readonly SluiceEvent[]): string[] {
  const lines: string[] = []
  const open = new Map<string, string>()
  for (const event of events) {
    if (event.type === 'text-start' || event.type === 'reasoning-start') open.set(event.id, '')
    if (event.type === 'text-delta' || event.type === 'reasoning-delta')
      open.set(event.id, open.get(event.id)! + event.delta)
    if (event.type === 'text-end' || event.type === 'reasoning-end')
      lines.push(`${event.type.split('-')[0]} ${open.get(event.id)}`)
    if (event.type === 'tool-call')
      lines.push(`${event.toolName} ${JSON.stringify(event.input)} ${event.status}`)
    if (event.type === 'diagnostic') lines.push(`diagnostic ${event.code}`)
    if (event.type === 'custom') lines.push(event.type)
    if (event.type === 'finish') lines.push(`finish ${event.reason} ${event.rawReason ?? ''}`.trim())
  }
  return lines
}

describe('the end', () => {
  test('has the reason, the usage and the metadata of the provider', async () => {
    const ending = finish({ rawReason: 'end_turn', usage: { outputTokens: 1 }, metadata: { p: { a: 1 } } })
    const { events } = await told([[...said('Hello'), ending]], prompted())
    expect(events).toStrictEqual([
      { type: 'text-start', id: 'text-1' },
      { type: 'text-delta', id: 'text-1', delta: 'Hello' },
      { type: 'text-end', id: 'text-1' },
      ending,
    ])
  })

  test('has nothing that the provider did not say', async () => {
    const { events } = await told([[...said('Hello'), finish()]], prompted())
    expect(events.at(-1)).toStrictEqual({ type: 'finish', reason: 'stop' })
  })

  test.each(['stop', 'tool-calls'] as const)('is about calls if there were some: %s', async (reason) => {
    const { events, requests } = await told([[...said(CALL), finish({ reason })]], prompted())
    expect(events.at(-1)).toStrictEqual({ type: 'finish', reason: 'tool-calls' })
    expect(requests).toHaveLength(1)
  })

  test.each(['length', 'content-filter', 'error'] as const)(
    'of a response that was cut is %s',
    async (reason) => {
      const { events } = await told([[...said(`${CALL}Hel`), finish({ reason })]], prompted())
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason })
    },
  )

  test('that the provider did not send is an error', async () => {
    const { events } = await told([said('Hel')], prompted())
    expect(linesOf(events)).toEqual(['text Hel', 'finish error'])
  })

  test('names the stop that ended the text', async () => {
    for (const text of ['Hello\nUser: x', 'Hello\nUser:']) {
      const { events } = await told([[...said(text), finish({ rawReason: 'end_turn' })]], prefilled())
      expect(linesOf(events)).toEqual(['text Hello', 'finish stop \nUser:'])
    }
  })

  test('is cut off where the model was, although a closer would have closed the call', async () => {
    const text = '<tool_call>{"name":"go","arguments":{}}'
    const options = { dialect: hermes, closers: ['</tool_call>'], stop: [] }
    const { written } = await told([[...said(text), finish({ reason: 'length' })]], prefilled(options))
    expect(written?.text).toBe(text)
  })
})

describe('what is not text', () => {
  test('of the provider comes through, but for what it says about text that is read here', async () => {
    const custom: SluiceEvent = { type: 'custom', kind: 'file', value: 1 }
    const odd: SluiceEvent = { type: 'diagnostic', code: 'stripped-tokens', message: 'Odd.' }
    const hint: SluiceEvent = { type: 'diagnostic', code: 'looks-like-a-call', message: 'A call?' }
    const { events } = await told([[custom, odd, hint, ...said('Hello'), finish()]], prompted())
    expect(events.slice(0, 2)).toEqual([custom, odd])
    expect(linesOf(events)).toEqual(['custom', 'diagnostic stripped-tokens', 'text Hello', 'finish stop'])
  })

  test('ends text and thoughts that are open, and a diagnostic ends nothing', async () => {
    const custom: SluiceEvent = { type: 'custom', kind: 'file', value: 1 }
    const odd: SluiceEvent = { type: 'diagnostic', code: 'stripped-tokens', message: 'Odd.' }
    const error: SluiceEvent = { type: 'error', error: { name: 'E', message: 'Lost.' } }
    const between = async (event: SluiceEvent): Promise<string[]> =>
      linesOf(
        (await told([[start(), delta('One'), event, delta('Two'), end(), finish()]], prompted())).events,
      )
    expect(await between(custom)).toEqual(['text One', 'custom', 'text Two', 'finish stop'])
    expect(await between(odd)).toEqual(['diagnostic stripped-tokens', 'text OneTwo', 'finish stop'])
    expect(await between(error)).toEqual(['text OneTwo', 'finish stop'])
  })

  test('and is reasoning says that the text does not begin in it', async () => {
    const thought: SluiceEvent[] = [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
      { type: 'reasoning-end', id: 'r' },
    ]
    const open: ConversationMessage = {
      role: 'assistant',
      parts: [{ type: 'reasoning', text: 'So', state: 'streaming' }],
    }
    const of = async (...events: readonly SluiceEvent[]): Promise<string[]> =>
      linesOf(
        (
          await told([[...events, finish()]], prefilled({ dialect: hermes, closers: [], stop: [] }), {
            messages: [USER, open],
          })
        ).events,
      )
    expect(await of(...thought, ...said(CALL))).toEqual([
      'reasoning Hm',
      'go {} complete',
      'finish tool-calls',
    ])
    // Without it, the text goes on with the thought, also behind something else.
    expect(await of({ type: 'custom', kind: 'x', value: 1 }, ...said('a</think>b'))).toEqual([
      ...['reasoning ', 'custom', 'reasoning a', 'text b', 'finish stop'],
    ])
    // A thought that comes later does not change where the text began.
    expect(await of(...said('a'), ...thought, ...said('b</think>c'))).toEqual([
      ...['reasoning a', 'reasoning Hm', 'reasoning b', 'text c', 'finish stop'],
    ])
  })
})

describe('a stop', () => {
  test('is looked for in what every provider says about the end', async () => {
    const ending = finish({
      metadata: { proxy: null, other: { a: 1 }, anthropic: { stopSequence: '\nUser:' } },
    })
    const { requests } = await told(
      [
        [...said('<thinking>a'), ending],
        [...said(' b</thinking>Done'), finish()],
      ],
      prefilled(),
    )
    expect(requests).toHaveLength(2)
  })

  test('inside a thought is the end where the API does not go on with a message', async () => {
    const { requests, events } = await told([[...said('<think>a'), stoppedAt('\nUser:')]], prompted(), {
      settings: { stopSequences: ['\nUser:'] },
    })
    expect(requests).toHaveLength(1)
    expect(linesOf(events)).toContain('reasoning a\nUser:')
  })

  test('is put back before the model is asked to go on', async () => {
    const seen: string[] = []
    const asked: string[][] = []
    const responses = [
      [...said('<thinking>a'), stoppedAt('\nUser:')],
      [...said(' b</thinking>'), finish()],
    ]
    const raw: Model = async function* () {
      asked.push([...seen])
      yield* responses.shift()!
    }
    const context = { reading: {}, maxResumptionRounds: 24, onWritten() {} } as unknown as ModelContext
    for await (const event of await prefilled()(raw)({ messages: [USER] }, context))
      if ('delta' in event) seen.push(event.delta)
    expect(asked.map((deltas) => deltas.join(''))).toEqual(['', 'a\nUser:'])
  })

  test('that this library finds ends the request, and what was written ends before the first one', async () => {
    let pulled = 0
    let isLeft = false
    const raw: Model = async function* () {
      try {
        yield start()
        for (const text of ['Hello\nUser: a\nUser: b', ' c', ' d']) {
          pulled++
          yield delta(text)
        }
      } finally {
        isLeft = true
      }
    }
    let written = ''
    const context = {
      reading: {},
      maxResumptionRounds: 24,
      onWritten: ({ text }: WrittenText) => {
        written = text
      },
    } as unknown as ModelContext
    const events: SluiceEvent[] = []
    for await (const event of await prefilled()(raw)({ messages: [USER] }, context)) events.push(event)
    expect(linesOf(events)).toEqual(['text Hello', 'finish stop \nUser:'])
    expect([pulled, isLeft, written]).toEqual([1, true, 'Hello'])
  })

  test('that the model was never given is not cut out of what it wrote', async () => {
    const { written } = await told([[...said('It is undefined.'), finish()]], prompted())
    expect(written).toEqual({ dialect: hermes, prefill: '', text: 'It is undefined.' })
  })

  test.each([
    [15, 4, 'no-progress'],
    [16, 6, 'round-limit'],
  ])('%i characters behind the same one: %i requests', async (length, count, rawReason) => {
    const little = [...said('x'.repeat(length)), stoppedAt('\nUser:')]
    const { requests, events } = await told(
      [[...said(OPEN), stoppedAt('\nUser:')], little],
      prefilled(),
      {},
      { maxResumptionRounds: 5 },
    )
    expect(requests).toHaveLength(count)
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'other', rawReason })
  })

  test('behind another one is progress', async () => {
    const { requests } = await told(
      [
        [...said(OPEN), stoppedAt('\nA:')],
        ...['\nB:', '\nA:', '\nB:', '\nA:', '\nB:'].map((stop) => [...said('x'), stoppedAt(stop)]),
        [...said(CLOSE + END), finish()],
      ],
      prefilled({ stop: ['\nA:', '\nB:'] }),
    )
    expect(requests).toHaveLength(7)
  })

  test('in a call that has not begun for certain is none', async () => {
    const { requests, events } = await told(
      [
        [...said('<function_calls>'), stoppedAt('\n\n')],
        [...said(`${OPEN.slice(16)}a${CLOSE}${END}`), finish()],
      ],
      prefilled({ stop: ['\n\n'] }),
    )
    expect(requests).toHaveLength(2)
    expect(linesOf(events)).toEqual(['search {"q":"a"} complete', 'finish tool-calls'])
  })

  test('behind a call is the end, although the model did not close its calls', async () => {
    const { requests } = await told(
      [[...said(`${OPEN}a</parameter>\n</invoke>`), stoppedAt('\n\n')]],
      prefilled({ stop: ['\n\n'], closers: [] }),
    )
    expect(requests).toHaveLength(1)
  })
})

describe('a closer', () => {
  const text = `Go.${OPEN}cats${CLOSE}${END} tail`

  test('ends the response wherever it is cut in two', async () => {
    const from = text.indexOf(END)
    for (let at = from; at <= from + END.length; at++) {
      const { events, written } = await told(
        [[start(), delta(text.slice(0, at)), delta(text.slice(at)), end(), finish()]],
        prefilled({ closers: ['</a_closer_that_is_never_written>', END] }),
      )
      expect(linesOf(events)).toEqual(['text Go.', 'search {"q":"cats"} complete', 'finish tool-calls'])
      expect(written?.text).toBe(`Go.${OPEN}cats${CLOSE}${END}`)
    }
  })

  test('inside a thought behind a call ends nothing', async () => {
    const { events } = await told(
      [[...said(`${CALL}<think>Not <|over|> yet.</think>No.`), finish()]],
      prefilled({ dialect: hermes, closers: ['<|over|>'] }),
    )
    expect(linesOf(events)).toContain('text No.')
  })

  test.each(['stop', 'tool-calls'] as const)(
    'that the provider swallowed is the one that leaves nothing open: %s',
    async (reason) => {
      const closers = ['</invoke>', '</invoke>\n</function_calls>']
      const { events, written } = await told(
        [[...said(`${OPEN}cats</parameter>\n`), finish({ reason })]],
        prefilled({ closers }),
      )
      expect(linesOf(events)).toEqual(['search {"q":"cats"} complete', 'finish tool-calls'])
      expect(written?.text).toBe(`${OPEN}cats</parameter>\n</invoke>\n</function_calls>`)
    },
  )

  test('that the provider swallowed is put back behind a call of any tool', async () => {
    const text = '<tool_call>{"name":"other","arguments":{}}'
    const { written } = await told(
      [[...said(text), finish()]],
      prefilled({ dialect: hermes, closers: ['</tool_call>'] }),
    )
    expect(written?.text).toBe(`${text}</tool_call>`)
  })

  test('is not put back where the provider says that the model stopped by itself', async () => {
    const text = `${OPEN}cats</parameter>\n`
    const { events, written, requests } = await told(
      [[...said(text), finish({ rawReason: 'end_turn' })]],
      prefilled({ closers: ['</invoke>\n</function_calls>'] }),
    )
    expect(linesOf(events)).toContain('search {"q":"cats"} truncated')
    expect([written?.text, requests.length]).toEqual([text, 1])
  })

  test('that the provider names is put back, whatever reason it gives', async () => {
    const closer = '</invoke>\n</function_calls>'
    const ending = finish({ rawReason: 'end_turn', metadata: { anthropic: { stopSequence: closer } } })
    const { events } = await told(
      [[...said(`${OPEN}cats</parameter>\n`), ending]],
      prefilled({ closers: [closer] }),
    )
    expect(linesOf(events)).toContain('search {"q":"cats"} complete')
  })

  test('that would close nothing was not swallowed', async () => {
    const { events, written } = await told([[...said(`${OPEN}cats`), finish()]], prefilled())
    expect(linesOf(events).slice(1)).toEqual(['search {"q":"cats"} truncated', 'finish tool-calls'])
    expect(written?.text).toBe(`${OPEN}cats`)
  })
})

describe('a call inside a thought', () => {
  const mention = '<think>I could <tool_call>{"name":"go","arguments":{}}'
  const statuses = async (
    text: string,
    ending: SluiceEvent,
    options: Partial<PrefilledOptions>,
  ): Promise<unknown> => {
    const { events } = await told([[...said(text), ending]], prefilled({ dialect: hermes, ...options }))
    return events.flatMap((event) =>
      event.type === 'tool-call' ? event.repairs.map(({ code }) => code) : [],
    )
  }
  const closers = ['</tool_call>']

  test('stands where the provider says that the model stopped by itself', async () => {
    const ending = finish({ rawReason: 'end_turn' })
    expect(await statuses(`${mention}</tool_call>`, ending, { closers: [] })).toEqual([])
    expect(await statuses(`${mention}</tool_call>`, finish(), { closers: [] })).toEqual(['inside-reasoning'])
  })

  test('does not where the closer was missing', async () => {
    expect(await statuses(mention, finish({ rawReason: 'end_turn' }), { closers })).toEqual([
      'inside-reasoning',
    ])
  })

  test('does not where the response was cut off', async () => {
    const ending = finish({ reason: 'length' })
    expect(await statuses(`${mention}</tool_call>`, ending, { closers: [], stop: [] })).toEqual([
      'inside-reasoning',
    ])
  })
})

describe('what the provider attaches to its text', () => {
  const signed = (signature: string): Metadata => ({ gemini: { signature } })
  const named = (itemId: string): Metadata => ({ 'openai-responses': { itemId } })
  const of = async (...events: readonly SluiceEvent[]): Promise<SluiceEvent[]> =>
    (await told([[...events, finish()]], prompted())).events.filter(({ type }) => type.startsWith('text-'))

  test('when it begins comes with the start of the text', async () => {
    expect(await of(...said('Hello', signed('a')))).toStrictEqual([
      { type: 'text-start', id: 'text-1', metadata: signed('a') },
      { type: 'text-delta', id: 'text-1', delta: 'Hello' },
      { type: 'text-end', id: 'text-1' },
    ])
  })

  test('when it ends comes with the end of the text', async () => {
    expect(await of(start(), delta('Hello'), end('t', signed('a')))).toStrictEqual([
      { type: 'text-start', id: 'text-1' },
      { type: 'text-delta', id: 'text-1', delta: 'Hello' },
      { type: 'text-end', id: 'text-1', metadata: signed('a') },
    ])
  })

  test('to a text that is nothing but a call comes with an empty text, and only once', async () => {
    expect(await of(...said(CALL, signed('a')), ...said('Hi', signed('b')))).toStrictEqual([
      { type: 'text-start', id: 'text-2', metadata: signed('a') },
      { type: 'text-end', id: 'text-2' },
      { type: 'text-start', id: 'text-3', metadata: signed('b') },
      { type: 'text-delta', id: 'text-3', delta: 'Hi' },
      { type: 'text-end', id: 'text-3' },
    ])
    expect(await of(...said(`${CALL}\n`, signed('a')), ...said(CALL, { other: 1 }))).toStrictEqual([
      { type: 'text-start', id: 'text-2', metadata: signed('a') },
      { type: 'text-end', id: 'text-2' },
      { type: 'text-start', id: 'text-4', metadata: { other: 1 } },
      { type: 'text-end', id: 'text-4' },
    ])
  })

  test.each<[what: string, events: SluiceEvent[], kept: Metadata | undefined]>([
    ['a name', said(CALL, named('m')), undefined],
    ['a name and more', said(CALL, { ...named('m'), ...signed('a') }), { ...named('m'), ...signed('a') }],
    [
      'more than a name at its end',
      [start('t', named('m')), delta(CALL), end('t', signed('a'))],
      { ...named('m'), ...signed('a') },
    ],
    ['nothing', said(CALL, { proxy: null }), { proxy: null }],
  ])('to such a text is left out where it is only a name: %s', async (_, events, kept) => {
    expect((await of(...events)).filter(({ type }) => type === 'text-start')).toMatchObject(
      kept === undefined ? [] : [{ metadata: kept }],
    )
  })

  test.each<[what: string, first: Metadata | undefined, second: Metadata | undefined, texts: string[]]>([
    ['two plain texts are one', undefined, undefined, ['text OneTwo']],
    ['one behind a plain one has its own', undefined, signed('a'), ['text One', 'text Two']],
    ['a plain one behind one has none', signed('a'), undefined, ['text One', 'text Two']],
  ])('belongs to one text: %s', async (_, first, second, texts) => {
    expect(linesOf(await of(...said('One', first), ...said('Two', second)))).toEqual(texts)
  })

  test('does not come between the parts of a call, nor between two requests', async () => {
    const [one, two] = [CALL.slice(0, 20), CALL.slice(20)]
    const { events } = await told([[...said(one), ...said(two), finish()]], prompted())
    expect(linesOf(events)).toEqual(['go {} complete', 'finish tool-calls'])
    const resumed = await told(
      [
        [...said('<thinking>a', signed('a')), stoppedAt('\nUser:')],
        [...said(' b</thinking>Done', signed('b')), finish()],
      ],
      prefilled(),
    )
    expect(linesOf(resumed.events)).toEqual(['reasoning a\nUser: b', 'text Done', 'finish stop'])
  })

  test('decides nothing about a call inside a thought that waits for what comes behind it', async () => {
    const { events } = await told(
      [[...said(`<think>Hm ${CALL}`, signed('a')), ...said('', signed('b')), finish()]],
      prefilled({ dialect: hermes, closers: [], stop: [] }),
    )
    expect(linesOf(events)).toContain('go {} complete')
  })

  test('says that it is a refusal, which is not read, and only where the text begins', async () => {
    const refusal = { openai: { refusal: true } }
    expect(linesOf(await of(...said(CALL, refusal)))).toEqual([`text ${CALL}`])
    const late = await told([[start(), delta(CALL), end('t', refusal), finish()]], prompted())
    expect(linesOf(late.events)).toEqual(['go {} complete', 'text ', 'finish tool-calls'])
  })
})

describe('what goes on with a call that was begun for the model', () => {
  const request: Partial<ModelRequest> = { toolChoice: { toolName: 'go' } }
  const PREFILL = '<tool_call>\n{"name":"go","arguments":{'

  test('is read behind that', async () => {
    const { events, requests, written } = await told(
      [[...said('}}</tool_call>'), finish()]],
      prefilled({ dialect: hermes, closers: [], stop: [] }),
      request,
    )
    expect(requests[0]?.messages.at(-1)).toEqual({
      role: 'assistant',
      parts: [{ type: 'text', text: PREFILL }],
    })
    expect(linesOf(events)).toEqual(['go {} complete', 'finish tool-calls'])
    expect(written).toEqual({ dialect: hermes, prefill: PREFILL, text: '}}</tool_call>' })
  })

  test('is read behind that although the provider sends reasoning first', async () => {
    const { events } = await told(
      [
        [
          { type: 'reasoning-start', id: 'r' },
          { type: 'reasoning-end', id: 'r' },
          ...said('}}</tool_call>'),
          finish(),
        ],
      ],
      prefilled({ dialect: hermes, closers: [], stop: [] }),
      request,
    )
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool-call', toolName: 'go' }))
  })

  test('ends before a stop', async () => {
    const { written } = await told(
      [[...said('}}</tool_call>So.\nUser: a\nUser: b'), finish()]],
      prefilled({ dialect: hermes, closers: [] }),
      request,
    )
    expect(written?.text).toBe('}}</tool_call>So.')
  })
})

test('events come as soon as the text that they are in, and with it what was written', async () => {
  const steps: string[] = []
  const raw: Model = async function* () {
    yield start()
    for (const text of ['One', 'Two']) {
      steps.push(`sent ${text}`)
      yield delta(text)
    }
    yield finish()
  }
  const context = {
    reading: {},
    maxResumptionRounds: 24,
    onWritten: ({ text }: WrittenText) => steps.push(`written ${text}`),
  } as unknown as ModelContext
  for await (const event of await prompted()(raw)({ messages: [USER] }, context))
    if (event.type === 'text-delta') steps.push(`read ${event.delta}`)
  expect(steps).toEqual([
    ...['sent One', 'written One', 'read One', 'sent Two', 'written OneTwo', 'read Two', 'written OneTwo'],
  ])
})

test('the model reads as the turn does, but for the tools', async () => {
  const given = {
    signal: new AbortController().signal,
    onError() {},
    generateId: (kind: string) => `my-${kind}`,
    emit: { raw: true },
  }
  let reading: unknown
  const raw: Model = async function* (_, context) {
    reading = context.reading
    yield* [...said(CALL), finish()]
  }
  const context = { reading: { ...given, tools: [{ name: 'go' }] }, maxResumptionRounds: 24, onWritten() {} }
  const events: SluiceEvent[] = []
  const request = { messages: [USER], tools: [{ name: 'go' }] }
  for await (const event of await prompted()(raw)(request, context as unknown as ModelContext))
    events.push(event)
  expect(reading).toStrictEqual(given)
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'tool-call', id: 'my-call', raw: CALL.slice(0, 39) }),
  )
})
