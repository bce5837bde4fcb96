/** Payloads that nobody should send: whatever a field holds, reading goes on, and nothing becomes runnable. */

import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { allWriters, findWriter } from '../../src/providers/any.ts'
import { createWriter } from '../../src/providers/write-provider.ts'
import { isFull, sampleOf } from '../effort.ts'
import { RECORDED_STREAMS } from './recorded-streams.ts'
import { eventsOf, told } from './told.ts'

const FORMATS = allWriters.map(({ name }) => name)

/** What no field expects. Some of it only a program can hold, and a client's chunks may. */
const ODD: readonly unknown[] = [
  ...[null, undefined, 0, -1, 1e308, Number.NaN, true, 10n, () => 1, new Date(0), new Map()],
  ...['', 'x', '{', '"', '\ud83d', '__proto__', 'stop', 'length', 'error'],
  ...[[], {}, [null], [[]], JSON.parse('{"__proto__":{"a":1},"toString":null}') as unknown],
]

// ── a few changes, the same ones in each run ─────────────────────────────────────────────────────

class Chance {
  private state: number

  constructor(seed: number) {
    this.state = seed
  }

  below(end: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.state / 2 ** 32) * end)
  }

  of<One>(list: readonly One[]): One {
    return list[this.below(list.length)]!
  }
}

/** Changes a field somewhere in a payload. */
function spoil(payload: object, chance: Chance): void {
  let fields = payload as Record<string, unknown>
  for (let depth = 0; ; depth++) {
    const keys = Object.keys(fields)
    const key = keys.length === 0 ? 'type' : chance.of(keys)
    const value = fields[key]
    if (typeof value === 'object' && value !== null && depth < 8 && chance.below(4) > 0) {
      fields = value as Record<string, unknown>
      continue
    }
    const how = chance.below(4)
    if (how === 0) delete fields[key]
    else if (how === 1) fields[key] = [value]
    else fields[key] = chance.of(ODD)
    return
  }
}

/** Changes a stream: fields, and which payloads come, how often and in which order. */
function edit(payloads: readonly object[], chance: Chance): object[] {
  const edited = structuredClone(payloads) as object[]
  for (let count = 1 + chance.below(4); count > 0; count--) {
    const at = chance.below(edited.length)
    const one = edited[at]!
    const how = chance.below(10)
    if (how < 5) spoil(one, chance)
    else if (how === 5) edited.splice(at, 1)
    else if (how === 6) edited.splice(at, 0, one)
    else if (how === 7) edited.splice(chance.below(edited.length), 0, ...edited.splice(at, 1))
    else if (how === 8) edited.length = at + 1
    else edited.push(...edited.slice(at))
    if (edited.length === 0) edited.push({})
  }
  return edited
}

// ── what must hold ───────────────────────────────────────────────────────────────────────────────

/** What is wrong with the form of events. */
function flaw(events: readonly SluiceEvent[]): string | undefined {
  const open = new Set<string>()
  const seen = new Set<string>()
  for (const event of events) {
    const [, channel, phase] = /^(.*)-(start|delta|end)$/.exec(event.type) ?? []
    if (channel === undefined || !('id' in event)) continue
    const key = `${channel} ${event.id}`
    if (phase === 'start' ? seen.has(key) : !open.has(key)) return `${event.type} of ${event.id}`
    if ('delta' in event && event.delta === '') return `an empty ${event.type}`
    if (phase === 'start') seen.add(key)
    if (phase === 'start') open.add(key)
    if (phase === 'end') open.delete(key)
  }
  const finishes = events.filter(({ type }) => type === 'finish').length
  if (finishes !== 1 || events.at(-1)?.type !== 'finish') return `${finishes} finishes`
  return open.size > 0 ? `open at the end: ${[...open].join()}` : undefined
}

const textOf = (events: readonly SluiceEvent[]): string =>
  events.map((event) => (event.type === 'text-delta' ? event.delta : '')).join('')

/** Calls that may run. A guess counts as one here: formats have no place to say that it was one. */
const runnable = (events: readonly SluiceEvent[]): Set<string> =>
  new Set(
    events.flatMap((event) =>
      event.type === 'tool-call' && isExecutable(event, { allow: ['guess'] })
        ? [`${event.toolName} ${JSON.stringify(event.input)}`]
        : [],
    ),
  )

const ROUNDS = isFull ? 80 : 20

/** What is wrong with how an edited stream is read, and with what each format makes of it. */
function flaws(edited: readonly object[], provider: string): string[] {
  const events = eventsOf(edited, { provider })
  const found = [flaw(events), flaw(eventsOf(edited))]
  const mayRun = runnable(events)
  const hasFailed = events.some(({ type }) => type === 'error')
  for (const format of FORMATS) {
    const writer = createWriter(findWriter(format), { id: 'r', model: 'm', created: 1 })
    const again = eventsOf([events.map((event) => writer.add(event)).join('')], { provider: format })
    const more = [...runnable(again)].filter((call) => !mayRun.has(call))
    const isOther = !hasFailed && textOf(again) !== textOf(events)
    const wrong = [flaw(again), ...more, isOther ? 'other text' : undefined]
    found.push(...wrong.map((what) => what && `${format}: ${what}`))
  }
  return found.flatMap((what) => what ?? [])
}

describe.each(sampleOf(RECORDED_STREAMS))('edited streams of $file', ({ provider, payloads }) => {
  test('are read to their end, and written without becoming more than they were', () => {
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const found = flaws(edit(payloads, new Chance(seed)), provider)
      if (found.length > 0) expect({ seed, found }).toEqual({ seed, found: [] })
    }
  })
})

test('calls of one id with other inputs are calls of their own', () => {
  const call = (path: string): object => ({ id: 'c', function: { name: 'ls', arguments: { path } } })
  const said = (...calls: object[]): string[] =>
    told(eventsOf([{ message: { tool_calls: calls }, done: true }], { provider: 'ollama' }))
  expect(said(call('a'), call('b'), call('a'), call('b')).filter((line) => line.startsWith('call'))).toEqual([
    'call ls#c complete {"path":"a"}',
    'call ls#call-1 complete {"path":"b"} wire c',
  ])
})

describe('nesting without end', () => {
  const nested = (key: string, depth: number): object => {
    let value: object = {}
    for (let count = 0; count < depth; count++) value = { [key]: value }
    return value
  }

  test.each(sampleOf(RECORDED_STREAMS, 1))(
    'does not exhaust the reader of $file',
    ({ provider, payloads }) => {
      for (const key of ['response', 'delta', 'message', 'content', 'error', 'choices', 'item', 'x'])
        expect(flaw(eventsOf([...payloads, nested(key, 20_000)], { provider }))).toBeUndefined()
    },
  )

  test('is kept in what a tool answered, and can be written', () => {
    const result = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'mcp_tool_result', tool_use_id: 'a', content: nested('a', 20_000) },
    }
    const [, delta] = eventsOf([result], { provider: 'anthropic' })
    expect(delta).toMatchObject({
      type: 'tool-result-delta',
      delta: `${'{"a":'.repeat(20_000)}{}${'}'.repeat(20_000)}`,
    })
    const writer = createWriter(findWriter('ai-sdk-ui'))
    expect(writer.add({ type: 'custom', kind: 'odd', value: nested('a', 20_000) })).toContain('{"a":{"a":')
    expect(writer.add({ type: 'custom', kind: 'odd', value: 10n })).not.toContain('odd')
  })
})

test('a field named __proto__ is data', () => {
  const input = JSON.parse('{"__proto__":{"admin":true}}') as object
  const call = { function: { name: 'ls', arguments: input } }
  const [, , , verdict] = eventsOf([{ message: { tool_calls: [call] }, done: true }], { provider: 'ollama' })
  expect(verdict).toMatchObject({ type: 'tool-call', status: 'complete' })
  expect(JSON.stringify((verdict as { input: object }).input)).toBe('{"__proto__":{"admin":true}}')
  expect(({} as { admin?: boolean }).admin).toBeUndefined()
})

describe('more than one answer, end or order', () => {
  test('other choices are passed on, and no part of the message', () => {
    const choice = (index: number, content: string): object => ({ index, delta: { content } })
    expect(
      told(
        eventsOf([
          { choices: [choice(0, 'a'), choice(1, 'x')] },
          { choices: [choice(1, 'y')] },
          { choices: [choice(0, 'b')] },
          { choices: [{ index: 1, delta: {}, finish_reason: 'length' }] },
          { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
        ]),
      ),
    ).toEqual([
      'text a|b',
      'custom choice {"index":1,"delta":{"content":"x"}}',
      'custom choice {"index":1,"delta":{"content":"y"}}',
      'custom choice {"index":1,"delta":{},"finish_reason":"length"}',
      'finish stop (stop)',
    ])
  })

  test('what comes behind the end is still said, and there is one finish', () => {
    const chunk = (delta: object, finish_reason: string | null = null): object => ({
      choices: [{ index: 0, delta, finish_reason }],
    })
    expect(
      told(
        eventsOf([chunk({ content: 'a' }), chunk({}, 'stop'), chunk({ content: 'b' }), chunk({}, 'stop')]),
      ),
    ).toEqual(['text a|b', 'finish stop (stop)'])
  })
})
