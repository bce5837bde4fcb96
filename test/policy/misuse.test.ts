import { describe, expect, test } from 'vitest'
import type { Event, JsonValue } from '../../src/event.ts'
import {
  createGuard,
  createPolicy,
  custom,
  digestOf,
  equals,
  oneOf,
  pattern,
  prefix,
  within,
} from '../../src/policy/index.ts'

const none = undefined as never

function holdingItself(): JsonValue {
  const list: JsonValue[] = []
  list.push(list)
  return list
}

describe('what cannot work is refused when it is defined:', () => {
  test.each<[sentence: string, code: string, define: () => unknown]>([
    ['a policy of nothing', 'invalid-option', () => createPolicy(none)],
    ['a policy of null', 'invalid-option', () => createPolicy(null as never)],
    [
      'a reason that is no text',
      'invalid-rule',
      () => createPolicy({ rules: [{ decision: 'ask', reason: 5 as never }] }),
    ],
    ['a guard of nothing', 'invalid-option', () => createGuard(none)],
    [
      'a guard that tells nobody',
      'invalid-option',
      () => createGuard({ policy: createPolicy({ rules: [] }) } as never),
    ],
    // `new RegExp(undefined)` matches everything, and an `allow` would allow everything.
    ['a pattern of nothing', 'invalid-rule', () => pattern(none)],
    ['a pattern of a number', 'invalid-rule', () => pattern(5 as never)],
    ['a prefix of nothing', 'invalid-rule', () => prefix(none)],
    ['a value that is none', 'invalid-rule', () => equals(none)],
    ['a value that holds itself', 'invalid-rule', () => equals(holdingItself())],
    ['a value that JSON does not have', 'invalid-rule', () => oneOf('a', 1n as never)],
    ['one of no values', 'invalid-rule', () => oneOf()],
    ['a custom matcher without a function', 'invalid-rule', () => custom(none)],
    ['a custom matcher with half a function', 'invalid-rule', () => custom(() => true, 5 as never)],
    ['a system that nobody has', 'invalid-option', () => within('/a', { system: 'win' as never })],
    ['an option that is not known', 'invalid-option', () => within('/a', { bass: '/b' } as never)],
    ['an option of another type', 'invalid-option', () => within('/a', { ignoreCase: 'no' as never })],
  ])('%s', (_, code, define) => {
    expect(define).toThrow(expect.objectContaining({ code }))
  })
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

describe('it ends', () => {
  test('on many rules about many values', () => {
    const rules = Array.from({ length: 2000 }, (_, index) => ({
      at: '/**',
      is: prefix(`p${index}`),
      decision: 'deny' as const,
    }))
    const { approve } = createPolicy({ rules, otherwise: 'allow' })
    const input = Array.from({ length: 200 }, () => 'q')
    expect(approve({ toolName: 'x', input }).decision).toBe('allow')
    expect(approve({ toolName: 'x', input: [...input, 'p1999'] }).decision).toBe('deny')
  })

  test('on many calls that are open at once', () => {
    const counts = { stopped: 0, denied: 0 }
    const guard = createGuard({
      policy: createPolicy({ rules: [{ tool: 'bad', decision: 'deny' }], otherwise: 'allow' }),
      emit: (event: Event) => {
        if (event.type === 'tool-call' && event.status === 'invalid') counts.denied++
      },
      stop: () => counts.stopped++,
    })
    const ids = Array.from({ length: 30_000 }, (_, index) => `c${index}`)
    for (const id of ids) guard.add({ type: 'tool-input-start', id, toolName: 'good' })
    guard.add({ type: 'tool-input-start', id: 'last', toolName: 'bad' })
    expect(counts).toEqual({ stopped: 0, denied: 1 })
    for (const id of ids)
      guard.add({ type: 'tool-call', id, toolName: 'good', input: {}, status: 'complete', repairs: [] })
    expect(counts).toEqual({ stopped: 1, denied: 1 })
  })
})
