/** Which calls of a response may run, who said so, and what the model is told: each answer by itself. */

import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { ToolCall } from '../../src/base/event.ts'
import type { ToolDefinitions } from '../../src/engine/calls/tools.ts'
import { Approvals, frozenCall } from '../../src/turn/approvals.ts'
import { createGuard, createPolicy, equals } from '../../src/turn/policy/index.ts'
import { ASKING_FAILED, NOBODY_TO_ASK, NOT_APPROVED } from '../../src/turn/refusal-messages.ts'
import type { Decision } from '../../src/turn/turn-call.ts'
import type { ApprovalRequest, EarlyCall, TurnSettings } from '../../src/turn/turn-options.ts'

const CALL: ToolCall = {
  ...{ type: 'tool-call', id: 'c', toolName: 't', input: { n: '5' }, status: 'complete', repairs: [] },
}
const GUESS: ToolCall = {
  ...CALL,
  status: 'repaired',
  repairs: [{ code: 'inside-reasoning', class: 'guess', offset: 0 }],
}
const NUMBER = { type: 'object', properties: { n: { type: 'number' } } }
const TOOLS: ToolDefinitions = [{ name: 't', inputSchema: NUMBER }]

function approvals(
  settings: Partial<TurnSettings>,
  {
    tools = TOOLS,
    signal = new AbortController().signal,
  }: { tools?: ToolDefinitions; signal?: AbortSignal } = {},
): Approvals {
  const { policy } = settings
  const guard = policy === undefined ? null : createGuard({ policy, emit() {} })
  return new Approvals(settings as TurnSettings, tools, signal, guard, (id) => `input of ${id}`)
}

/** A decision as data. */
const shown = async (decision: Promise<Decision>): Promise<unknown> => {
  const decided = await decision
  return decided.approved ? { approved: true, by: decided.by, input: decided.input() } : decided
}

const decision = (settings: Partial<TurnSettings>, call = CALL): Promise<unknown> =>
  shown(approvals(settings).request(call).decision)

const asking = createPolicy({ rules: [{ decision: 'ask', reason: 'Better ask.' }] })

describe('a call', () => {
  test('that nobody is asked about runs with its input as its schema wants it', async () => {
    expect(await decision({})).toStrictEqual({ approved: true, by: 'check', input: { n: 5 } })
  })

  test.each<[what: string, answer: unknown, expected: object]>([
    ['yes', true, { approved: true, by: 'approval', input: { n: 5 } }],
    ['a yes in an object', { approved: true }, { approved: true, by: 'approval', input: { n: 5 } }],
    ['no', false, { approved: false, by: 'approval', reason: NOT_APPROVED }],
    ['nothing', null, { approved: false, by: 'approval', reason: NOT_APPROVED }],
    ['no, and why', { approved: false, reason: 'Why.' }, { approved: false, by: 'approval', reason: 'Why.' }],
    [
      'no, for no reason',
      { approved: false, reason: '' },
      { approved: false, by: 'approval', reason: NOT_APPROVED },
    ],
    [
      'no, with a number',
      { approved: false, reason: 5 },
      { approved: false, by: 'approval', reason: NOT_APPROVED },
    ],
  ])('is decided by the answer: %s', async (_, answer, expected) => {
    expect(await decision({ approve: () => answer as never })).toStrictEqual(expected)
  })

  test('is allowed or denied by a policy, which says so', async () => {
    const of = (rule: 'allow' | 'deny') => ({
      policy: createPolicy({ rules: [{ decision: rule, reason: 'So.' }] }),
    })
    expect(await decision(of('allow'))).toStrictEqual({ approved: true, by: 'policy', input: { n: 5 } })
    expect(await decision(of('deny'))).toStrictEqual({
      approved: false,
      by: 'policy',
      reason: expect.stringContaining('So.'),
    })
  })

  test('that a policy wants to ask about cannot run where nobody can be asked', async () => {
    expect(await decision({ policy: asking })).toStrictEqual({
      approved: false,
      by: 'policy',
      reason: NOBODY_TO_ASK,
    })
  })

  test('is asked about with the reason of the policy', async () => {
    const requests: ApprovalRequest[] = []
    await decision({ policy: asking, approve: (request) => requests.push(request) > 0 })
    expect(requests).toMatchObject([
      { id: 'c', toolName: 't', input: { n: 5 }, reason: 'Better ask.', isGuess: false },
    ])
  })

  test('is denied by what the model wrote, although its schema makes something else of it', async () => {
    const rules = [{ at: '/n', is: equals('5'), decision: 'deny' as const, reason: 'Not that text.' }]
    expect(await decision({ policy: createPolicy({ rules, otherwise: 'allow' }) })).toMatchObject({
      approved: false,
      by: 'policy',
      reason: expect.stringContaining('Not that text.'),
    })
  })

  test('is not checked any more once all requests are withdrawn', async () => {
    const of = approvals({})
    of.dismiss()
    expect(await of.request(CALL).decision).toMatchObject({ approved: false, by: 'check' })
  })

  test('whose schema never answers ends when all requests are withdrawn', async () => {
    const schema = { '~standard': { version: 1, vendor: 'x', validate: () => new Promise(() => {}) } }
    const of = approvals({}, { tools: [{ name: 't', inputSchema: schema as never }] })
    const one = of.request(CALL)
    of.dismiss()
    expect(await one.decision).toMatchObject({ approved: false, by: 'check' })
  })
})

describe('a guess', () => {
  test('is asked about, and says so', async () => {
    const requests: ApprovalRequest[] = []
    const of = approvals({ approve: (request) => requests.push(request) > 0 })
    expect(await shown(of.request(GUESS).decision)).toStrictEqual({
      approved: true,
      by: 'approval',
      input: { n: 5 },
    })
    expect(requests).toMatchObject([{ isGuess: true }])
    expect(of.events.at(-1)).toStrictEqual({
      ...{ type: 'call-approval-needed', id: 'c', toolName: 't', input: { n: 5 }, isGuess: true },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test('whose input is wrong is not asked about', async () => {
    let asked = 0
    const settings = { approve: () => ++asked > 0 }
    expect(await decision(settings, { ...GUESS, input: { n: 'many' } })).toMatchObject({ by: 'check' })
    expect(asked).toBe(0)
  })

  test('that was denied early stays denied', async () => {
    const of = approvals({ approve: () => true, onCallStart: (call) => call.deny('Never.') })
    of.begin({ type: 'tool-input-start', id: 'c', toolName: 't' })
    expect(await of.request(GUESS).decision).toStrictEqual({
      approved: false,
      by: 'approval',
      reason: 'Never.',
    })
  })
})

describe('an early answer', () => {
  const begun = (settings: Partial<TurnSettings>): { of: Approvals; early: EarlyCall } => {
    let early: EarlyCall | undefined
    const of = approvals({
      ...settings,
      onCallStart: (call) => {
        early = call
      },
    })
    of.begin({ type: 'tool-input-start', id: 'c', toolName: 't' })
    return { of, early: early! }
  }

  test('may come behind the verdict, also where nobody else can be asked', async () => {
    const { of, early } = begun({ policy: asking })
    const { decision } = of.request(CALL)
    await new Promise(setImmediate)
    early.approve()
    expect(await shown(decision)).toStrictEqual({ approved: true, by: 'approval', input: { n: 5 } })
  })

  test('that denies gives the reason, and no second one does', async () => {
    const { of, early } = begun({})
    early.deny('First.')
    early.deny('Second.')
    expect(await of.request(CALL).decision).toMatchObject({ approved: false, reason: 'First.' })
  })

  test('may be given with what is known of the input', () => {
    expect(begun({}).early.input).toBe('input of c')
  })

  test('that fails to be asked for is a denial', async () => {
    const of = approvals({
      onCallStart: (() => Promise.reject(new Error('no'))) as never,
      approve: () => new Promise(() => {}),
    })
    of.begin({ type: 'tool-input-start', id: 'c', toolName: 't' })
    expect(await of.request(CALL).decision).toStrictEqual({
      approved: false,
      by: 'approval',
      reason: ASKING_FAILED,
    })
  })

  test('is asked for once for each call, and for none that the provider runs', () => {
    const asked: string[] = []
    const of = approvals({ onCallStart: ({ id }) => void asked.push(id) })
    of.begin({ type: 'tool-input-start', id: 'c', toolName: 't' })
    of.begin({ type: 'tool-input-start', id: 'c', toolName: 't' })
    of.begin({ type: 'tool-input-start', id: 'd', toolName: 't', providerExecuted: true })
    expect(asked).toEqual(['c'])
  })
})

test('the events of a request are there at once, and go where they are wanted from then on', () => {
  const of = approvals({ approve: () => true })
  of.request(CALL)
  const about = { id: 'c', toolName: 't' }
  const expected = [
    { type: 'call-requested', ...about, input: { n: '5' } },
    { type: 'call-approval-needed', ...about, input: { n: 5 }, digest: expect.any(String) },
  ]
  expect(of.events).toStrictEqual(expected)
  const taken: unknown[] = []
  of.emitTo((event) => taken.push(event))
  expect([taken, of.events]).toStrictEqual([expected, []])
  of.request(CALL)
  expect([taken.length, of.events.length]).toEqual([4, 0])
})

describe('a call as nobody can change it', () => {
  const run = (): void => {}

  test('has all of its plain data, frozen', () => {
    const frozen = frozenCall({ ...CALL, metadata: { openai: { id: 'i' } } })
    expect(frozen).toStrictEqual({ ...CALL, metadata: { openai: { id: 'i' } } })
    expect([frozen, frozen.input, frozen.metadata].map(Object.isFrozen)).toEqual([true, true, true])
  })

  test('has no metadata that is no plain data', () => {
    expect(frozenCall({ ...CALL, metadata: { openai: { run } } as never })).toStrictEqual(CALL)
  })

  test('cannot run if its input is no plain data', () => {
    expect(frozenCall({ ...CALL, input: { run } as never })).toStrictEqual({
      ...{ type: 'tool-call', id: 'c', toolName: 't', input: null, status: 'invalid', repairs: [], raw: '' },
      error: { code: 'not-json', message: 'The call is not plain data.', offset: 0 },
    })
  })
})

test('withdrawn requests leave no listener behind', () => {
  const { signal } = new AbortController()
  const of = approvals({}, { signal })
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  of.dismiss()
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})
