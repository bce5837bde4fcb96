import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue, SluiceEvent, ToolCall } from '../../../src/base/event.ts'
import { hermes, qwen3Coder } from '../../../src/dialects/index.ts'
import { createParser, type ParserOptions } from '../../../src/engine/parser.ts'
import { sluice } from '../../../src/engine/stream.ts'
import {
  createGuard,
  createPolicy,
  type Decision,
  equals,
  type GuardDecision,
  guardEvents,
  type Matcher,
  not,
  oneOf,
  type Policy,
  pattern,
  prefix,
  type Rule,
  within,
} from '../../../src/turn/policy/index.ts'
import { runs } from '../../effort.ts'

const EMIT = { json: false, arguments: true }

interface Guarded {
  readonly events: readonly SluiceEvent[]
  readonly decisions: readonly string[]
  readonly told: readonly GuardDecision[]
  readonly saved: number
  /** How many characters of the text had been read when the generation was stopped. */
  readonly stoppedAt: number | undefined
}

/** Guards a text that comes in pieces, and goes on although it was told to stop. */
function guarded(policy: Policy, pieces: readonly string[], options: ParserOptions = {}): Guarded {
  const events: SluiceEvent[] = []
  const told: GuardDecision[] = []
  let read = 0
  let stoppedAt: number | undefined
  const guard = createGuard({
    policy,
    emit: (event) => events.push(event),
    onDecision: (decision) => told.push(decision),
    stop: () => {
      stoppedAt = read
    },
  })
  const parser = createParser({ dialect: hermes, emit: EMIT, ...options })
  for (const piece of pieces) {
    read += piece.length
    for (const event of parser.push(piece)) guard.add(event)
  }
  for (const event of parser.end()) guard.add(event)
  const decisions = told.map(({ decision, isFinal, path, characters }) =>
    `${decision}${isFinal ? '!' : ''} ${path ?? ''} ${characters ?? ''}`.trim(),
  )
  return { events, decisions, told, saved: guard.saved, stoppedAt }
}

const call = (args: string): string => `<tool_call>{"name": "t", "arguments": ${args}}</tool_call>`
const verdicts = (events: readonly SluiceEvent[]): ToolCall[] =>
  events.filter((event): event is ToolCall => event.type === 'tool-call')

const REMOVES: Rule = { at: '/cmd', is: pattern(/rm -rf/), decision: 'deny' }

describe('a call that must not run', () => {
  const policy = createPolicy({ rules: [REMOVES], otherwise: 'allow' })
  const text = call('{"cmd": "x; rm -rf /", "content": "much more"}')

  test('ends as early, if the parser emits its JSON text, of which nothing more passes', () => {
    const { events, decisions, stoppedAt } = guarded(policy, [...text], { emit: {} })
    expect(decisions).toEqual(['deny! /cmd 9'])
    expect(stoppedAt).toBe(text.indexOf('rm -rf') + 'rm -rf'.length)
    expect(events.map(({ type }) => type)).not.toContain('argument-delta')
    expect(events.flatMap((event) => (event.type === 'tool-input-delta' ? event.delta : [])).join('')).toBe(
      '{"cmd": "x; rm -r',
    )
    expect(verdicts(events)).toMatchObject([{ status: 'invalid', error: { code: 'denied' } }])
    expect(guarded(policy, [text], { emit: {} }).decisions).toEqual(['deny! /cmd 9'])
  })

  test('ends at the character that makes it certain', () => {
    const { events, decisions, saved } = guarded(policy, [text])
    expect(decisions).toEqual(['deny! /cmd 9'])
    expect(saved).toBe(2 + 'much more'.length)
    expect(events).toEqual([
      { type: 'tool-input-start', id: 'call-1', toolName: 't' },
      { type: 'argument-start', id: 'call-1', path: ['cmd'], kind: 'string' },
      { type: 'argument-delta', id: 'call-1', path: ['cmd'], delta: 'x; rm -rf' },
      { type: 'tool-input-end', id: 'call-1' },
      {
        type: 'tool-call',
        id: 'call-1',
        toolName: 't',
        input: null,
        status: 'invalid',
        repairs: [],
        error: { code: 'denied', message: '/cmd matches /rm -rf/.', offset: 0, path: '/cmd' },
      },
      { type: 'finish', reason: 'tool-calls' },
    ])
  })

  test('stops the generation at that character', () => {
    expect(guarded(policy, [...text]).stoppedAt).toBe(text.indexOf('rm -rf') + 6)
    expect(guarded(policy, [call('{"cmd": "ls"}')]).stoppedAt).toBeUndefined()
  })

  test('does not stop it as long as another call is open', () => {
    const events: SluiceEvent[] = []
    let stops = 0
    const guard = createGuard({ policy, emit: (event) => events.push(event), stop: () => stops++ })
    const cmd = ['cmd']
    guard.add({ type: 'tool-input-start', id: 'a', toolName: 't' })
    guard.add({ type: 'tool-input-start', id: 'b', toolName: 't' })
    guard.add({ type: 'argument-start', id: 'a', path: cmd, kind: 'string' })
    guard.add({ type: 'argument-delta', id: 'a', path: cmd, delta: 'rm -rf' })
    expect(stops).toBe(0)
    guard.add({ type: 'tool-input-end', id: 'b' })
    guard.add({ type: 'tool-call', id: 'b', toolName: 't', input: {}, status: 'complete', repairs: [] })
    expect(stops).toBe(1)
    expect(verdicts(events).map(({ id, status }) => `${id} ${status}`)).toEqual(['a invalid', 'b complete'])
  })

  test('is told by its first character where its tool is not known, or no rule allows it', () => {
    const known = createPolicy({ rules: [], tools: [{ name: 'u' }] })
    expect(guarded(known, [text]).decisions).toEqual(['deny!'])
    const none = createPolicy({ rules: [], otherwise: 'deny' })
    expect(guarded(none, [text]).told[0]).toMatchObject({ reason: 'No rule allows this call of t.' })
  })

  test('never passes as one that may run, also when that is certain only at its end', () => {
    const end = createPolicy({
      rules: [{ at: '/cmd', is: equals('ls'), decision: 'deny' }],
      otherwise: 'allow',
    })
    const { events, decisions, stoppedAt } = guarded(end, [call('{"cmd": "ls"}')])
    expect(decisions).toEqual(['deny! /cmd'])
    expect(verdicts(events).map(({ status, error }) => [status, error?.code])).toEqual([
      ['invalid', 'denied'],
    ])
    expect(stoppedAt).toBe(call('{"cmd": "ls"}').length)
  })
})

describe('a path outside', () => {
  const policy = createPolicy({
    rules: [{ tool: 't', at: '/path', is: within('src', { base: '/home/app' }), decision: 'allow' }],
    otherwise: 'deny',
  })

  test('is denied while the content still comes', () => {
    const text = call(`{"path": "/etc/passwd", "content": "${'x'.repeat(1000)}"}`)
    const { decisions, saved, stoppedAt } = guarded(policy, [...text])
    expect(decisions).toEqual(['deny! /path'])
    expect(stoppedAt).toBe(text.indexOf('passwd"') + 'passwd"'.length)
    expect(saved).toBe(1000)
  })

  test('is not said to be fine before it is complete', () => {
    const { decisions } = guarded(policy, [call('{"path": "/home/app/src/../../../etc/passwd"}')])
    expect(decisions).toEqual(['deny! /path'])
    expect(guarded(policy, [call('{"path": "src/a"}')]).decisions).toEqual(['allow /path', 'allow! /path'])
  })
})

describe('decisions', () => {
  test('about the first of two equal keys do not help the second', () => {
    const policy = createPolicy({ rules: [{ at: '/path', is: prefix('src/'), decision: 'allow' }] })
    const { decisions, told, events } = guarded(policy, [call('{"path": "src/a", "path": "/etc/x"}')])
    expect(decisions).toEqual(['allow /path', 'deny! /path'])
    expect(told[1]?.reason).toBe('/path appears twice.')
    expect(verdicts(events)[0]?.status).toBe('invalid')
  })

  test('ask at the first value that needs it, and are never milder after that', () => {
    const policy = createPolicy({
      rules: [
        { at: '/p/*', is: prefix('src/'), decision: 'allow' },
        { at: '/p/*', is: prefix('.env'), decision: 'ask' },
      ],
    })
    const { decisions } = guarded(policy, [call('{"p": ["src/a", ".env", "src/b"]}')])
    expect(decisions).toEqual(['ask /p/1 1', 'ask! /p/1'])
  })

  test('wait for an argument that may still come, and know at the end that it did not', () => {
    const policy = createPolicy({
      rules: [{ at: '/force', is: equals(true), decision: 'ask' }],
      otherwise: 'allow',
    })
    expect(guarded(policy, [call('{"a": 1}')]).decisions).toEqual(['allow!'])
    expect(guarded(policy, [call('{"a": 1, "force": true}')]).decisions).toEqual([
      'ask /force',
      'ask! /force',
    ])
  })

  test('see keys decoded', () => {
    const policy = createPolicy({ rules: [{ at: '/path', is: prefix('/etc'), decision: 'deny' }] })
    expect(guarded(policy, [call('{"p\\u0061th": "\\u002fetc"}')]).decisions).toEqual([
      'ask',
      'deny! /path 4',
    ])
  })

  test('about a guess are to ask', () => {
    const policy = createPolicy({ rules: [{ at: '/path', is: prefix('src'), decision: 'allow' }] })
    const { decisions, told } = guarded(policy, [call('{"path": src}')])
    expect(decisions).toEqual(['allow /path', 'ask!'])
    expect(told[1]?.reason).toBe('The meaning of the call was guessed.')
  })

  test('about a call that was cut off are to deny, and it stays what it is', () => {
    const policy = createPolicy({ rules: [], otherwise: 'allow' })
    const { events, told } = guarded(policy, ['<tool_call>{"name": "t", "arguments": {"a": "b'])
    expect(told.map(({ decision, reason }) => [decision, reason])).toEqual([
      ['allow', 'No rule is against this call of t.'],
      ['deny', 'The call was cut off in the argument /a.'],
    ])
    expect(verdicts(events)[0]?.status).toBe('truncated')
  })

  test('are the same in a dialect that writes arguments in another way', () => {
    const policy = createPolicy({ rules: [REMOVES], otherwise: 'allow' })
    const tools = [{ name: 't', inputSchema: { type: 'object', properties: { cmd: { type: 'string' } } } }]
    const text =
      '<tool_call>\n<function=t>\n<parameter=cmd>\nx; rm -rf /\n</parameter>\n</function>\n</tool_call>'
    expect(guarded(policy, [text], { dialect: qwen3Coder, tools }).decisions).toEqual(['deny! /cmd 9'])
  })

  test('leave alone what is not about calls that we run', () => {
    const policy = createPolicy({ rules: [], otherwise: 'deny' })
    const events: SluiceEvent[] = [
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Hi' },
      { type: 'text-end', id: '1' },
      { type: 'tool-input-start', id: 'p', toolName: 'search', providerExecuted: true },
      { type: 'argument-start', id: 'p', path: ['q'], kind: 'string' },
      { type: 'argument-delta', id: 'p', path: ['q'], delta: 'x' },
      { type: 'argument-end', id: 'p', path: ['q'], value: 'x' },
      { type: 'tool-input-end', id: 'p' },
      {
        type: 'tool-call',
        id: 'p',
        toolName: 'search',
        input: { q: 'x' },
        status: 'complete',
        repairs: [],
        providerExecuted: true,
      },
      { type: 'finish', reason: 'stop' },
    ]
    const passed: SluiceEvent[] = []
    const guard = createGuard({ policy, emit: (event) => passed.push(event) })
    for (const event of events) guard.add(event)
    expect(passed).toEqual(events)
  })
})

describe('for a loop that runs tools', () => {
  test('a guard approves what it saw, by its digest, and judges anew what was changed', () => {
    const policy = createPolicy({ rules: [{ at: '/path', is: prefix('src/'), decision: 'allow' }] })
    const guard = createGuard({ policy, emit() {} })
    const parser = createParser({ dialect: hermes, emit: EMIT })
    const events = [...parser.push(call('{"path": "src/a"}')), ...parser.end()]
    for (const event of events) guard.add(event)
    const [seen] = verdicts(events)
    const verdict = guard.approve(seen!)
    expect(verdict.decision).toBe('allow')
    expect(verdict.digest).toBe(policy.approve(seen!).digest)
    const changed = guard.approve({ ...seen!, input: { path: '/etc' } })
    expect(changed.decision).toBe('ask')
    expect(changed.digest).not.toBe(verdict.digest)
  })

  test('a guard approves nothing that it denied', () => {
    const policy = createPolicy({ rules: [REMOVES], otherwise: 'allow' })
    const guard = createGuard({ policy, emit() {} })
    const parser = createParser({ dialect: hermes, emit: EMIT })
    for (const event of parser.push(call('{"cmd": "rm -rf"}'))) guard.add(event)
    const { approve } = guard
    expect(approve({ id: 'call-1', toolName: 't', input: {} })).toMatchObject({
      decision: 'deny',
      reason: '/cmd matches /rm -rf/.',
    })
  })

  test('a guarded stream leaves its source', async () => {
    let isLeft = false
    async function* source() {
      try {
        yield* call('{"cmd": "rm -rf /", "content": "much more"}')
      } finally {
        isLeft = true
      }
    }
    const policy = createPolicy({ rules: [REMOVES], otherwise: 'allow' })
    const types: string[] = []
    for await (const event of guardEvents(sluice(source(), { dialect: hermes, emit: EMIT }), { policy }))
      types.push(event.type)
    expect(types.slice(-3)).toEqual(['tool-input-end', 'tool-call', 'finish'])
    expect(isLeft).toBe(true)
  })

  test('a stream that holds nothing to deny passes as it is', async () => {
    const parser = createParser({ dialect: hermes, emit: EMIT })
    const events = [...parser.push(`Hi ${call('{"cmd": "ls"}')}`), ...parser.end()]
    const passed: SluiceEvent[] = []
    const policy = createPolicy({ rules: [REMOVES], otherwise: 'allow' })
    for await (const event of guardEvents(events, { policy })) passed.push(event)
    expect(passed).toEqual(events)
  })

  test('a guard takes a policy', () => {
    expect(() => createGuard({ policy: { rules: [] } as never, emit() {} })).toThrow(/takes a policy/)
  })
})

// ── brute force ──────────────────────────────────────────────────────────────────────────────────

const LETTERS = ['a', 'b', '/', '.']

const matchers: fc.Arbitrary<Matcher> = fc
  .constantFrom<Matcher>(
    prefix('a'),
    prefix('ab'),
    equals('b'),
    oneOf('a', 'ab', ''),
    pattern(/a.b/),
    pattern(/^a*$/),
    pattern(/\/\./),
    within('a', { system: 'posix', ignoreCase: false, decodePercent: false }),
    within('/a', { system: 'posix', ignoreCase: false, decodePercent: false }),
    within('/a', { base: '/a', system: 'posix', ignoreCase: false, decodePercent: false }),
  )
  .chain((matcher) => fc.constantFrom(matcher, not(matcher)))

const decisions = fc.constantFrom<Decision>('allow', 'ask', 'deny')

/** At most one rule for each place, so that they do not depend on each other. */
const policies = fc
  .record({
    p: fc.record({ is: matchers, decision: decisions }),
    q: fc.option(fc.record({ is: matchers, decision: decisions })),
    list: fc.option(fc.record({ is: matchers, decision: decisions })),
    otherwise: decisions,
  })
  .map(({ p, q, list, otherwise }) =>
    createPolicy({
      rules: [
        { at: '/p', ...p },
        ...(q === null ? [] : [{ at: '/q', ...q }]),
        ...(list === null ? [] : [{ at: '/list/*', ...list }]),
      ],
      otherwise,
    }),
  )

const words = fc.array(fc.constantFrom(...LETTERS), { maxLength: 4 }).map((letters) => letters.join(''))
const inputs = fc.record(
  { p: words, q: words, list: fc.array(words, { maxLength: 2 }) },
  { requiredKeys: ['p'] },
)

function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    const to = from + lengths[pieces.length % lengths.length]!
    pieces.push(text.slice(from, to))
    from = to
  }
  return pieces
}

test('however a text is cut, the same is decided at the same place', () => {
  fc.assert(
    fc.property(
      policies,
      inputs,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (policy, input, lengths) => {
        const text = `a${call(JSON.stringify(input))}b${call('{"p": "b"}')}`
        const { stoppedAt: _, ...whole } = guarded(policy, [text])
        const { stoppedAt: __, ...pieces } = guarded(policy, cut(text, lengths))
        expect(pieces.told).toEqual(whole.told)
        expect(pieces.saved).toBe(whole.saved)
        const passed = (events: readonly SluiceEvent[]): string =>
          events.map((event) => ('delta' in event ? event.delta : JSON.stringify(event))).join('')
        expect(passed(pieces.events)).toBe(passed(whole.events))
      },
    ),
    { seed: 11, numRuns: runs(1500) },
  )
})

test('what is decided in the end is what is decided about the whole call', () => {
  fc.assert(
    fc.property(policies, inputs, (policy, input) => {
      const { told } = guarded(policy, [call(JSON.stringify(input))])
      expect(told.at(-1)?.decision).toBe(
        policy.approve({ toolName: 't', input: input as JsonValue }).decision,
      )
    }),
    { seed: 12, numRuns: runs(2500) },
  )
})

const RANK: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 }

/** All words of up to so many letters. */
function wordsUpTo(length: number): string[] {
  let last = ['']
  const all = ['']
  for (let step = 0; step < length; step++) {
    last = last.flatMap((word) => LETTERS.map((letter) => word + letter))
    all.push(...last)
  }
  return all
}

/** What is decided about a call as long as it is not over. */
function decidedSoFar(policy: Policy, text: string): Decision {
  let decision: Decision = 'allow'
  const guard = createGuard({
    policy,
    emit() {},
    onDecision: (one) => {
      decision = one.decision
    },
  })
  for (const event of createParser({ dialect: hermes, emit: EMIT }).push(text)) guard.add(event)
  return decision
}

/** Ways to leave a folder however deep it is, and to come back. */
function leavingTo(depth: number): string[] {
  const leaving = Array.from({ length: depth }, (_, level) => '/..'.repeat(level + 1))
  return [...leaving, ...leaving.map((rest) => `${rest}/a`)]
}

test('no decision comes later than the first character that makes it certain, or earlier', () => {
  // The name that has begun may be a longer one: after `..` as well as after `a`.
  const rests = [...wordsUpTo(4), ...leavingTo(4).flatMap((rest) => [rest, `a${rest}`])]
  fc.assert(
    fc.property(matchers, decisions, decisions, words, (is, decision, otherwise, word) => {
      const policy = createPolicy({ rules: [{ at: '/p', is, decision }], otherwise })
      const ends = rests.map((rest) => policy.approve({ toolName: 't', input: { p: word + rest } }).decision)
      const mildest = Math.min(...ends.map((end) => RANK[end]))
      const open = '<tool_call>{"name": "t", "arguments": {"p": "'
      expect(RANK[decidedSoFar(policy, `${open}${word}`)]).toBe(mildest)
    }),
    { seed: 13, numRuns: runs(1000) },
  )
})

test('nor when several rules have a say, each about another place', () => {
  const rests = [...wordsUpTo(3), ...leavingTo(3).flatMap((rest) => [rest, `a${rest}`])]
  /** For each matcher something that it says yes to, and something that it says no to. */
  const lists = [undefined, ...['a', 'ab', 'b', '', 'aab', '/.', '/a', '/b'].map((word) => [word])]
  const short = fc.array(fc.constantFrom(...LETTERS), { maxLength: 2 }).map((letters) => letters.join(''))
  fc.assert(
    fc.property(policies, words, short, (policy, p, q) => {
      const inputs = rests.flatMap((rest) =>
        lists.map((list) => ({ p, q: q + rest, ...(list !== undefined && { list }) })),
      )
      const ends = inputs.map((input) => policy.approve({ toolName: 't', input }).decision)
      const mildest = Math.min(...ends.map((end) => RANK[end]))
      const open = `<tool_call>{"name": "t", "arguments": {"p": "${p}", "q": "${q}`
      expect(RANK[decidedSoFar(policy, open)]).toBe(mildest)
    }),
    { seed: 14, numRuns: runs(300) },
  )
})

describe('of many calls', () => {
  /** A guard that has seen so many complete calls of `t`, and how much it keeps of them. */
  function seen(count: number, decision: Decision) {
    const guard = createGuard({ policy: createPolicy({ rules: [], otherwise: decision }), emit: () => {} })
    for (let at = 0; at < count; at++) {
      guard.add({ type: 'tool-input-start', id: `c${at}`, toolName: 't' })
      guard.add({ type: 'tool-input-end', id: `c${at}` })
      const verdict = { status: 'complete', repairs: [] } as const
      guard.add({ type: 'tool-call', id: `c${at}`, toolName: 't', input: {}, ...verdict })
    }
    const kept = Object.values(guard).map((field) => (field instanceof Map ? field.size : 0))
    return { guard, kept: Math.max(...kept) }
  }

  test('nothing is kept of those that are allowed', () => {
    const { guard, kept } = seen(10_000, 'allow')
    expect(kept).toBe(0)
    expect(guard.approve({ id: 'c9', toolName: 't', input: {} }).decision).toBe('allow')
  })

  test('only so many are kept that are not, and then nothing is approved that is not known', () => {
    const { guard, kept } = seen(10_000, 'ask')
    expect(kept).toBe(4096)
    expect(guard.approve({ id: 'c9', toolName: 't', input: {} }).decision).toBe('ask')
    expect(guard.approve({ id: 'c9999', toolName: 't', input: {} })).toMatchObject({
      decision: 'deny',
      reason: 'More than 4096 calls were not allowed.',
    })
    // What is known of a call is still replaced by what is stricter.
    guard.add({ type: 'tool-call', id: 'c9', toolName: 't', input: {}, status: 'invalid', repairs: [] })
    expect(guard.approve({ id: 'c9', toolName: 't', input: {} }).decision).toBe('deny')
  })
})
