/** What is certain of a call while its arguments come, and at which character. */

import { describe, expect, test } from 'vitest'
import type { ArgumentKind, ArgumentPath, JsonValue, SluiceEvent } from '../../../src/base/event.ts'
import {
  type Answer,
  createGuard,
  createPolicy,
  type Decision,
  equals,
  type Matcher,
  pattern,
  type Rule,
  within,
} from '../../../src/turn/policy/index.ts'

const starts = (path: ArgumentPath, kind: ArgumentKind): SluiceEvent => ({
  type: 'argument-start',
  id: 'c',
  path,
  kind,
})
const grows = (path: ArgumentPath, delta: string): SluiceEvent => ({
  type: 'argument-delta',
  id: 'c',
  path,
  delta,
})
const ends = (path: ArgumentPath, value: JsonValue): SluiceEvent => ({
  type: 'argument-end',
  id: 'c',
  path,
  value,
})

interface Decided {
  /** The decisions, each with the number of the event that brought it and what it is about. */
  readonly told: string[]
  readonly passed: SluiceEvent[]
}

function decided(
  rules: readonly Rule[],
  otherwise: 'allow' | 'ask' | 'deny',
  events: readonly SluiceEvent[],
): Decided {
  const told: string[] = []
  const passed: SluiceEvent[] = []
  let number = 0
  const guard = createGuard({
    policy: createPolicy({ rules, otherwise }),
    emit: (event) => passed.push(event),
    onDecision: ({ decision, path, characters }) =>
      told.push([number, decision, path, characters].filter((one) => one !== undefined).join(' ')),
  })
  guard.add({ type: 'tool-input-start', id: 'c', toolName: 't' })
  for (const event of events) {
    number++
    guard.add(event)
  }
  return { told, passed }
}

/** A matcher with these answers to each of its questions. */
const answering = (start: Answer, push: Answer, end: Answer | ((value: JsonValue) => Answer)): Matcher => ({
  about: 'is odd',
  open: () => ({
    characters: 0,
    start: () => start,
    push: () => push,
    end: (value) => (typeof end === 'string' ? end : end(value)),
  }),
})

describe('a rule about one value', () => {
  const rules: readonly Rule[] = [{ at: '/p', is: equals('ab'), decision: 'ask' }]

  test('is over at the first character that it does not hold for', () => {
    expect(decided(rules, 'deny', [starts(['p'], 'string'), grows(['p'], 'xyz')]).told).toEqual([
      '0 ask',
      '2 deny /p 1',
    ])
  })

  test('is over when a value begins that it can never hold for', () => {
    const never = answering('no', 'not-yet', 'not-yet')
    expect(decided([{ ...rules[0]!, is: never }], 'deny', [starts(['p'], 'object')]).told).toEqual([
      '0 ask',
      '1 deny /p',
    ])
  })

  test.each<[kind: ArgumentKind, told: readonly string[]]>([
    ['string', ['0 ask', '1 deny /p']],
    ['scalar', ['0 ask', '1 deny /p']],
    ['object', ['0 ask']],
    ['array', ['0 ask']],
  ])('is over when a %s begins where it wants something inside', (kind, told) => {
    expect(decided([{ at: '/p/q', decision: 'ask' }], 'deny', [starts(['p'], kind)]).told).toEqual(told)
  })

  test('that says nothing at the end of the value has not read it', () => {
    const silent = answering('not-yet', 'not-yet', 'not-yet')
    const policy = createPolicy({ rules: [{ at: '/p', is: silent, decision: 'deny' }], otherwise: 'allow' })
    expect(policy.approve({ toolName: 't', input: { p: 'x' } })).toMatchObject({
      decision: 'ask',
      reason: 'It cannot be decided whether /p is odd.',
    })
  })
})

describe('a rule about several values', () => {
  const odd = answering('not-yet', 'not-yet', (value) =>
    value === '?' ? 'unreadable' : value === '!' ? 'yes' : 'no',
  )
  const verdictOn = (list: readonly string[], decision: 'ask' | 'deny' = 'deny'): string =>
    createPolicy({ rules: [{ at: '/list/*', is: odd, decision }], otherwise: 'allow' }).approve({
      toolName: 't',
      input: { list: [...list] },
    }).decision

  test.each<[list: readonly string[], decision: string]>([
    [['.'], 'allow'],
    [['!'], 'deny'],
    [['.', '!'], 'deny'],
    [['?'], 'ask'],
    [['?', '.'], 'ask'],
    [['.', '?'], 'ask'],
    [['?', '!'], 'deny'],
    [['?', '?', '!'], 'deny'],
    [['!', '?', '.'], 'deny'],
  ])('%j: %s', (list, decision) => {
    expect(verdictOn(list)).toBe(decision)
  })

  test('is told of once, however many of them cannot be read', () => {
    const events = ['?', '?', '.'].flatMap((value, at) => [
      starts(['list', at], 'string'),
      grows(['list', at], value),
      ends(['list', at], value),
    ])
    const rules: readonly Rule[] = [{ at: '/list/*', is: odd, decision: 'deny' }]
    expect(decided(rules, 'allow', [starts(['list'], 'array'), ...events]).told).toEqual(['4 ask /list/0'])
  })
})

describe('what one delta decides', () => {
  const rules: readonly Rule[] = [
    { at: '/p', is: pattern(/^abcdef/), decision: 'deny' },
    { at: '/p', is: pattern(/^abcd/), decision: 'ask' },
  ]

  test('is told in the order of the text', () => {
    const { told, passed } = decided(rules, 'allow', [starts(['p'], 'string'), grows(['p'], 'abcdefghij')])
    expect(told).toEqual(['2 ask /p 4', '2 deny /p 6'])
    expect(passed[2]).toEqual(grows(['p'], 'abcdef'))
  })

  test('is told in the order of the text, wherever the delta begins', () => {
    const events = [starts(['p'], 'string'), grows(['p'], 'abc'), grows(['p'], 'defghij')]
    const { told, passed } = decided(rules, 'allow', events)
    expect(told).toEqual(['3 ask /p 4', '3 deny /p 6'])
    expect(passed.slice(2, 4)).toEqual([grows(['p'], 'abc'), grows(['p'], 'def')])
  })

  test('passes whole as long as nothing is denied', () => {
    const events = [
      starts(['q'], 'string'),
      grows(['q'], 'other'),
      ends(['q'], 'other'),
      starts(['p'], 'string'),
      grows(['p'], 'abc'),
      grows(['p'], 'xyz'),
      grows(['p'], 'more'),
    ]
    expect(decided(rules, 'allow', events).passed.slice(1)).toEqual(events)
  })
})

describe('the verdict', () => {
  test('names a rule that is about every call', () => {
    const rule: Rule = { decision: 'deny', reason: 'Not here.' }
    const verdict = createPolicy({ rules: [rule] }).approve({ toolName: 't', input: { a: 1 } })
    expect(verdict).toMatchObject({ decision: 'deny', reason: 'Not here.', rule })
  })

  test('names the rule from which it follows, and not one that holds as well', () => {
    const rules: readonly Rule[] = [
      { at: '/p', decision: 'allow' },
      { at: '/q', decision: 'deny' },
    ]
    const verdict = createPolicy({ rules }).approve({ toolName: 't', input: { p: 1, q: 1 } })
    expect(verdict).toMatchObject({ decision: 'deny', path: '/q' })
    expect(verdict.rule).toBe(rules[1])
  })

  const SECRET: Rule = { at: '/p', is: within('.git', { base: '/app' }), decision: 'deny' }
  const CAREFUL: Rule = { at: '/p', is: equals('x'), decision: 'ask', reason: 'x needs a yes.' }
  const NO_RULE = 'No rule allows this call of t.'

  test.each<
    [
      rules: readonly Rule[],
      otherwise: Decision,
      input: JsonValue,
      reason: string,
      rule?: Rule | undefined,
      path?: string,
    ]
  >([
    [[CAREFUL], 'ask', { p: 'x', q: 1 }, 'x needs a yes.', CAREFUL, '/p'],
    [[CAREFUL], 'allow', { p: 'x', q: 1 }, 'x needs a yes.', CAREFUL, '/p'],
    [[CAREFUL], 'ask', { p: 'y', q: 1 }, NO_RULE],
    [[{ ...CAREFUL, decision: 'deny' }], 'deny', { p: 'y' }, NO_RULE],
    [[SECRET], 'ask', { p: '~/x' }, 'It cannot be decided whether /p is within .git.', undefined, '/p'],
    [[SECRET], 'ask', { p: 'src' }, NO_RULE],
    [
      [SECRET, { ...CAREFUL, at: '/q' }],
      'ask',
      { p: '~/x', q: 'y' },
      'It cannot be decided whether /p is within .git.',
      undefined,
      '/p',
    ],
    [[CAREFUL, { ...SECRET, at: '/q' }], 'ask', { q: '~/x', p: 'x' }, 'x needs a yes.', CAREFUL, '/p'],
    [[CAREFUL, { ...SECRET, at: '/q' }], 'ask', { p: 'x', q: '~/x' }, 'x needs a yes.', CAREFUL, '/p'],
    [[CAREFUL, { at: '/q', decision: 'ask' }], 'ask', { p: 'x', q: 1 }, 'x needs a yes.', CAREFUL, '/p'],
  ])('%#: tells what is known best', (rules, otherwise, input, reason, rule, path) => {
    const verdict = createPolicy({ rules, otherwise }).approve({ toolName: 't', input })
    expect([verdict.reason, verdict.rule, verdict.path]).toEqual([reason, rule, path])
  })

  test('is reported by a guard once, and in the end with the rule that was found', () => {
    const reasons: string[] = []
    const guard = createGuard({
      policy: createPolicy({ rules: [CAREFUL] }),
      emit: () => {},
      onDecision: ({ decision, reason }) => reasons.push(`${decision}: ${reason}`),
    })
    guard.add({ type: 'tool-input-start', id: 'c', toolName: 't' })
    for (const event of [starts(['p'], 'string'), grows(['p'], 'x'), ends(['p'], 'x')]) guard.add(event)
    expect(reasons).toEqual([`ask: ${NO_RULE}`])
    const call = { id: 'c', toolName: 't', input: { p: 'x' }, status: 'complete', repairs: [] } as const
    guard.add({ type: 'tool-call', ...call })
    expect(reasons).toEqual([`ask: ${NO_RULE}`, 'ask: x needs a yes.'])
    expect(guard.approve(call)).toMatchObject({ reason: 'x needs a yes.', rule: CAREFUL, path: '/p' })
  })

  test('names the value in which what was wanted is missing, once that is complete', () => {
    const policy = createPolicy({ rules: [{ at: '/a/b', decision: 'allow' }], otherwise: 'deny' })
    expect(policy.approve({ toolName: 't', input: { a: { c: 1 }, z: 1 } })).toMatchObject({
      decision: 'deny',
      path: '/a',
    })
  })
})
