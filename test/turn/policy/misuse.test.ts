import { describe, expect, test } from 'vitest'
import type { JsonValue, SluiceEvent } from '../../../src/base/event.ts'
import {
  createGuard,
  createPolicy,
  custom,
  digestOf,
  equals,
  guardEvents,
  oneOf,
  pattern,
  prefix,
  within,
} from '../../../src/turn/policy/index.ts'
import { isFull } from '../../effort.ts'

function holdingItself(): JsonValue {
  const list: JsonValue[] = []
  list.push(list)
  return list
}

test.each<[what: string, define: () => unknown]>([
  ['a reason that is no text', () => createPolicy({ rules: [{ decision: 'ask', reason: 5 as never }] })],
  ['no object', () => createPolicy({ rules: [5 as never] })],
  ['nothing', () => createPolicy({ rules: [null as never] })],
  ['a tool without a name', () => createPolicy({ rules: [{ tool: '', decision: 'ask' }] })],
  ['a tool that is no name', () => createPolicy({ rules: [{ tool: [5 as never], decision: 'ask' }] })],
  [
    'a tool among others without a name',
    () => createPolicy({ rules: [{ tool: ['a', ''], decision: 'ask' }] }),
  ],
  // `new RegExp(undefined)` matches everything, and an `allow` would allow everything.
  ['a pattern of a number', () => pattern(5 as never)],
  ['a value that holds itself', () => equals(holdingItself())],
  ['a value that JSON does not have', () => oneOf('a', 1n as never)],
  ['one of no values', () => oneOf()],
  ['a custom matcher without a function', () => custom(undefined as never)],
  ['a custom matcher with half a function', () => custom(() => true, 5 as never)],
])('a rule with %s is rejected when it is defined', (_, define) => {
  expect(define).toThrow(expect.objectContaining({ code: 'invalid-rule' }))
})

test.each<[what: string, use: () => unknown]>([
  ['a policy', () => createPolicy({ rules: [], otherwize: 'deny' } as never)],
  ['a guard', () => createGuard({ policy: createPolicy({ rules: [] }), emit() {}, onDeny() {} } as never)],
  ['a folder', () => within('src', { bas: '/x' } as never)],
  ['a guard without a sink', () => createGuard({ policy: createPolicy({ rules: [] }) } as never)],
  [
    'a guard with a sink that is none',
    () => createGuard({ policy: createPolicy({ rules: [] }), emit: 5 } as never),
  ],
])('%s does not take an option that there is not', (_, use) => {
  expect(use).toThrow(expect.objectContaining({ code: 'invalid-option' }))
})

test('a guard says which option is wrong', () => {
  const policy = createPolicy({ rules: [] })
  expect(() => createGuard({ policy } as never)).toThrow("'emit'")
})

test('a guarded stream takes events, and says where something else came from', async () => {
  const stream = guardEvents(['text' as never], { policy: createPolicy({ rules: [] }) })
  await expect(stream.next()).rejects.toThrow('guardEvents')
})

describe('a call that is none is not decided about:', () => {
  const { approve } = createPolicy({ rules: [], otherwise: 'allow' })
  test.each<[sentence: string, code: string, call: unknown]>([
    ['nothing', 'invalid-option', undefined],
    ['one without a tool', 'invalid-option', { input: {} }],
    ['one without an input', 'unrepresentable', { toolName: 'x' }],
    ['one whose input holds itself', 'unrepresentable', { toolName: 'x', input: holdingItself() }],
    ['one with a date', 'unrepresentable', { toolName: 'x', input: { at: new Date(0) } }],
    ['one with no number', 'unrepresentable', { toolName: 'x', input: { a: Number.NaN } }],
    ['one with a bigint', 'unrepresentable', { toolName: 'x', input: [1n] }],
  ])('%s', (_, code, call) => {
    expect(() => approve(call as never)).toThrow(expect.objectContaining({ code }))
  })

  test('what is there twice is no circle', () => {
    const shared = { a: 1 }
    expect(digestOf({ toolName: 'x', input: [shared, shared] })).toBe(
      digestOf({ toolName: 'x', input: [{ a: 1 }, { a: 1 }] }),
    )
  })

  test('a number that is too large for the language is one', () => {
    expect(approve({ toolName: 'x', input: [Infinity, -Infinity] }).decision).toBe('allow')
  })
})

const RULES = isFull ? 1000 : 300
const OPEN = isFull ? 30_000 : 10_000

describe('it ends', () => {
  test('on many rules about many values', () => {
    const rules = Array.from({ length: RULES }, (_, index) => ({
      at: '/**',
      is: prefix(`p${index}`),
      decision: 'deny' as const,
    }))
    const { approve } = createPolicy({ rules, otherwise: 'allow' })
    const input = Array.from({ length: 100 }, () => 'q')
    expect(approve({ toolName: 'x', input }).decision).toBe('allow')
    expect(approve({ toolName: 'x', input: [...input, `p${RULES - 1}`] }).decision).toBe('deny')
  })

  test('on many calls that are open at once', () => {
    const counts = { stopped: 0, denied: 0 }
    const guard = createGuard({
      policy: createPolicy({ rules: [{ tool: 'bad', decision: 'deny' }], otherwise: 'allow' }),
      emit: (event: SluiceEvent) => {
        if (event.type === 'tool-call' && event.status === 'invalid') counts.denied++
      },
      stop: () => counts.stopped++,
    })
    const ids = Array.from({ length: OPEN }, (_, index) => `c${index}`)
    for (const id of ids) guard.add({ type: 'tool-input-start', id, toolName: 'good' })
    guard.add({ type: 'tool-input-start', id: 'last', toolName: 'bad' })
    expect(counts).toEqual({ stopped: 0, denied: 1 })
    for (const id of ids)
      guard.add({ type: 'tool-call', id, toolName: 'good', input: {}, status: 'complete', repairs: [] })
    expect(counts).toEqual({ stopped: 1, denied: 1 })
  })
})
