/** What a guard does where it is close: calls that begin twice, end without a beginning, or change at their end. */

import { describe, expect, test } from 'vitest'
import type { SluiceEvent, ToolCall } from '../../../src/base/event.ts'
import {
  createGuard,
  createPolicy,
  equals,
  type Guard,
  type GuardDecision,
  guardEvents,
  type PolicyOptions,
  pattern,
} from '../../../src/turn/policy/index.ts'

interface Watched {
  readonly guard: Guard
  readonly passed: SluiceEvent[]
  readonly told: GuardDecision[]
  readonly stops: { count: number }
}

function watched(options: PolicyOptions): Watched {
  const passed: SluiceEvent[] = []
  const told: GuardDecision[] = []
  const stops = { count: 0 }
  const guard = createGuard({
    policy: createPolicy(options),
    emit: (event) => passed.push(event),
    onDecision: (decision) => told.push(decision),
    stop: () => {
      stops.count++
    },
  })
  return { guard, passed, told, stops }
}

const start = (id: string, toolName = 't'): SluiceEvent => ({ type: 'tool-input-start', id, toolName })
const call = (fields: Partial<ToolCall> = {}): ToolCall => ({
  ...{ type: 'tool-call', id: 'c', toolName: 't', input: {}, status: 'complete', repairs: [] },
  ...fields,
})
const TOOLS = [{ name: 't' }]

describe('a call of which only the end comes', () => {
  test('is denied, and stays denied with another input', () => {
    const { guard, passed, told } = watched({
      rules: [{ at: '/a', is: equals(1), decision: 'deny' }],
      otherwise: 'allow',
    })
    guard.add(call({ input: { a: 1 } }))
    const error = { code: 'denied', message: '/a is 1.', offset: 0, path: '/a' }
    expect(passed).toStrictEqual([call({ input: { a: 1 }, status: 'invalid', error })])
    expect(told).toStrictEqual([
      {
        ...{ id: 'c', toolName: 't', decision: 'deny', isFinal: true, reason: '/a is 1.', path: '/a' },
        digest: told[0]?.digest,
      },
    ])
    expect(guard.approve(call({ input: { a: 2 } })).decision).toBe('deny')
    expect(guard.approve(call({ id: 'other', input: { a: 2 } })).decision).toBe('allow')
  })

  test('is denied without a place where no rule is about one', () => {
    const { guard, passed, told } = watched({ rules: [], otherwise: 'deny' })
    guard.add(call())
    expect(told).toStrictEqual([
      {
        ...{ id: 'c', toolName: 't', decision: 'deny', isFinal: true },
        ...{ reason: 'No rule allows this call of t.', digest: told[0]?.digest },
      },
    ])
    const error = { code: 'denied', message: 'No rule allows this call of t.', offset: 0 }
    expect(passed).toStrictEqual([call({ status: 'invalid', error })])
  })

  test.each([
    ['invalid', { code: 'bad', message: 'It is bad.', offset: 3 }],
    ['truncated', undefined],
  ] as const)('stays what it is where it is %s', (status, error) => {
    const { guard, passed } = watched({ rules: [], otherwise: 'deny' })
    const failed = call({ status, ...(error && { error }) })
    guard.add(failed)
    expect(passed).toStrictEqual([failed])
  })
})

describe('what was decided while a call came', () => {
  const ask = { at: '/a', is: equals('x'), decision: 'ask' } as const

  test('stands, though the call says something else in the end', () => {
    const { guard, passed, told } = watched({ rules: [ask], otherwise: 'allow' })
    guard.add(start('c'))
    guard.add({ type: 'argument-start', id: 'c', path: ['a'], kind: 'string' })
    guard.add({ type: 'argument-delta', id: 'c', path: ['a'], delta: 'x' })
    guard.add({ type: 'argument-end', id: 'c', path: ['a'], value: 'x' })
    guard.add(call({ input: { a: 'y' } }))
    expect(told.map(({ decision, isFinal }) => [decision, isFinal])).toEqual([
      ['ask', false],
      ['ask', true],
    ])
    expect(passed.at(-1)).toEqual(call({ input: { a: 'y' } }))
    expect(guard.approve(call({ input: { a: 'y' } })).decision).toBe('ask')
  })

  test('does not soften what is found out later', () => {
    const { guard } = watched({
      rules: [ask, { at: '/a', is: equals('z'), decision: 'deny' }],
      otherwise: 'allow',
    })
    guard.add(call({ input: { a: 'x' } }))
    expect(guard.approve(call({ input: { a: 'z' } })).decision).toBe('deny')
  })

  test('is told at once where no argument matters, and without a place', () => {
    const { guard, told } = watched({ rules: [{ decision: 'ask' }] })
    guard.add(start('c'))
    const reason = 'A rule says so of every call of t.'
    expect(told).toStrictEqual([{ id: 'c', toolName: 't', decision: 'ask', isFinal: false, reason }])
  })

  test('is a denial where an object comes twice, though a rule is only about what was in the first', () => {
    const { guard, told } = watched({ rules: [{ at: '/a/b', is: equals(1), decision: 'allow' }] })
    guard.add(start('c'))
    guard.add({ type: 'argument-start', id: 'c', path: ['a'], kind: 'object' })
    guard.add({ type: 'argument-start', id: 'c', path: ['a', 'b'], kind: 'scalar' })
    guard.add({ type: 'argument-end', id: 'c', path: ['a', 'b'], value: 1 })
    guard.add({ type: 'argument-end', id: 'c', path: ['a'], value: { b: 1 } })
    guard.add({ type: 'argument-start', id: 'c', path: ['a'], kind: 'object' })
    expect(told.at(-1)).toMatchObject({ decision: 'deny', isFinal: true })
  })

  test('keeps the two halves of a character together', () => {
    const { guard, passed } = watched({
      rules: [{ at: '/a', is: pattern(/\ud83d/), decision: 'deny' }],
      otherwise: 'allow',
    })
    guard.add(start('c'))
    guard.add({ type: 'argument-start', id: 'c', path: ['a'], kind: 'string' })
    guard.add({ type: 'argument-delta', id: 'c', path: ['a'], delta: 'a😀bc' })
    expect(passed[2]).toMatchObject({ delta: 'a😀' })
    expect(guard.saved).toBe(2)
  })
})

describe('a generation', () => {
  test('is stopped once, however many calls are denied after that', () => {
    const { guard, stops } = watched({ rules: [], otherwise: 'allow', tools: TOOLS })
    expect(guard.hasStopped).toBe(false)
    guard.add(start('a', 'unknown'))
    expect(guard.hasStopped).toBe(true)
    guard.add(start('b', 'unknown'))
    guard.add(call({ id: 'b', toolName: 'unknown' }))
    expect(stops.count).toBe(1)
  })

  test('goes on for a call that began again, with a tool that there is', () => {
    const { guard, stops } = watched({ rules: [], otherwise: 'allow', tools: TOOLS })
    guard.add(start('open'))
    guard.add(start('again', 'unknown'))
    guard.add(start('again'))
    guard.add(call({ id: 'open' }))
    expect(stops.count).toBe(0)
  })

  test('goes on for an open call, when one that was denied has ended', () => {
    const { guard, stops } = watched({ rules: [], otherwise: 'allow', tools: TOOLS })
    guard.add(start('open'))
    guard.add(start('denied', 'unknown'))
    guard.add(call({ id: 'denied', toolName: 'unknown' }))
    expect(stops.count).toBe(0)
  })

  test('that was stopped ends as aborted', async () => {
    async function* events(): AsyncGenerator<SluiceEvent> {
      yield start('a', 'unknown')
      yield { type: 'text-start', id: 'never' }
    }
    const seen: SluiceEvent[] = []
    const policy = createPolicy({ rules: [], otherwise: 'allow', tools: TOOLS })
    for await (const event of guardEvents(events(), { policy })) seen.push(event)
    expect(seen.at(-1)).toEqual({ type: 'finish', reason: 'aborted' })
    expect(seen).not.toContainEqual({ type: 'text-start', id: 'never' })
  })
})

describe('a policy', () => {
  const allow = createPolicy({ rules: [], otherwise: 'allow' })
  const uncertain = { code: 'place-uncertain', class: 'guess', offset: 0 } as const
  const lossy = { code: 'ellipsis', class: 'lossy', offset: 0 } as const

  test.each<[Partial<ToolCall>, string]>([
    [{ providerExecuted: true }, 'The provider runs this tool itself.'],
    [{ input: null }, 'The input of the call was not kept.'],
    [{ status: 'repaired', repairs: [lossy, uncertain] }, 'The call may be part of other text.'],
    [{ status: 'repaired', repairs: [lossy] }, 'The call is incomplete.'],
  ])('says of %j why it can never run', (fields, reason) => {
    expect(allow.approve(call(fields))).toMatchObject({ decision: 'deny', reason })
  })

  test('names the rule that decided, and only that', () => {
    const rule = { at: '/a', is: equals(1), decision: 'deny' } as const
    const policy = createPolicy({ rules: [rule], otherwise: 'allow' })
    expect(policy.approve(call({ input: { a: 1 } })).rule).toBe(rule)
    expect(policy.approve(call())).toStrictEqual({
      decision: 'allow',
      reason: 'No rule is against this call of t.',
      digest: policy.approve(call()).digest,
    })
    const asked = createPolicy({ rules: [{ ...rule, decision: 'allow' }] }).approve(call({ input: { a: 2 } }))
    expect(asked).not.toHaveProperty('rule')
  })
})
