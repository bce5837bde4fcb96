import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SluiceError } from '../../src/base/errors.ts'
import type { JsonValue, SluiceEvent, ToolCall, ToolInputStart } from '../../src/base/event.ts'
import type { Part } from '../../src/base/part.ts'
import { holdTentative } from '../../src/engine/calls/hold-tentative.ts'
import { createParser, restoreParser } from '../../src/engine/parser.ts'
import { render } from '../../src/engine/render.ts'
import { parseWritten } from '../../src/values/numbers/written.ts'
import { canonical } from '../../src/values/schema/canonical.ts'
import { runs, SEED } from '../effort.ts'
import { ENTRIES, type LawEntry } from './entries.ts'
import { sorted } from './laws.ts'
import { messageArbitrary } from './messages.ts'
import { type Engine, merged, run } from './observe.ts'

const engine: Engine = { createParser, restoreParser }

// ── messages ─────────────────────────────────────────────────────────────────────────────────────

/**
 * Messages that hold no markup of any dialect, so that most dialects can write them: where others have
 * pieces of markup in their texts, these have words.
 */
function messages(expressible: { reasoning: boolean; textBeforeCalls: boolean }): Part[][] {
  const entry = ENTRIES[0]!
  const { reasoning, calls } = entry.dialect
  const plain: LawEntry = {
    ...entry,
    dialect: {
      ...entry.dialect,
      reasoning: expressible.reasoning ? reasoning : [],
      calls: expressible.textBeforeCalls ? calls : [],
    },
    markup: ['word ', 'some more words'],
  }
  return fc.sample(messageArbitrary(plain), { seed: SEED, numRuns: runs(300) })
}

/** Not every dialect has reasoning, and not every one has calls behind text: a third of the messages is for all. */
const MESSAGES = [
  ...messages({ reasoning: true, textBeforeCalls: true }),
  ...messages({ reasoning: false, textBeforeCalls: true }),
  ...messages({ reasoning: false, textBeforeCalls: false }),
]

/** The message as the dialect writes it; nothing where it refuses. */
function written({ dialect, options }: LawEntry, parts: readonly Part[]): string | undefined {
  try {
    return render(parts, { dialect, tools: options.tools! })
  } catch (error) {
    expect((error as SluiceError).code).toBe('unrepresentable')
    return undefined
  }
}

const WRITTEN = MESSAGES.map((parts) => ({
  parts,
  texts: ENTRIES.flatMap((entry) => {
    const text = written(entry, parts)
    return text === undefined ? [] : [{ entry, text }]
  }),
}))

// ── events that can be compared ──────────────────────────────────────────────────────────────────

/** Merged events, with ids by the order in which they appear, without the wire's own and without spans. */
function comparableEvents(events: readonly SluiceEvent[]): SluiceEvent[] {
  const ids = new Map<string, string>()
  const idOf = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `id-${ids.size + 1}`)
    return ids.get(id)!
  }
  // A verdict that waits may come late, and is compared in the place of the others.
  const inOrder: SluiceEvent[] = []
  const sink = holdTentative((event) => inOrder.push(event))
  for (const event of events) sink(event)
  return merged(inOrder).map((event) => {
    if (!('id' in event) || event.id === undefined) return event
    const { wireId, span, tentative, ...rest } = event as ToolCall & Pick<ToolInputStart, 'tentative'>
    return { ...rest, id: idOf(event.id) }
  })
}

/**
 * The same with the arguments of each call in the order of their keys, and the input's keys, too. For formats
 * that cannot keep the order: an element that may come again, and make a list, waits for the end of the call.
 */
function withoutOrder(events: readonly SluiceEvent[]): SluiceEvent[] {
  const result: SluiceEvent[] = []
  let run: SluiceEvent[] = []
  const flush = (): void => {
    const byKey = new Map<string, SluiceEvent[]>()
    for (const event of run) byKey.set(keyOf(event), [...(byKey.get(keyOf(event)) ?? []), event])
    for (const key of [...byKey.keys()].sort()) result.push(...byKey.get(key)!)
    run = []
  }
  for (const event of events) {
    if ('path' in event && typeof event.path === 'object') run.push(event)
    else {
      flush()
      result.push(event.type === 'tool-call' ? inAnyOrder(event) : event)
    }
  }
  flush()
  return result
}

const keyOf = (event: SluiceEvent): string =>
  'path' in event && typeof event.path === 'object' ? String(event.path[0]) : ''

/** Dialects whose arguments may come in another order than they are written in. */
const REORDERING = new Set(['morph-xml', 'cline-xml', 'sijawara', 'tool-xml'])

/** A message's events, told by the arguments or as JSON text. */
function eventsOf({ options }: LawEntry, text: string, json: boolean, anyOrder: boolean): unknown[] {
  const events = comparableEvents(
    run(engine, { start: 'text', ...options, emit: { json, arguments: !json } }, [text]),
  )
  if (json) return events.map(asValue)
  return anyOrder ? withoutOrder(events) : events
}

/** JSON text as the value that it is, because its spacing and the order of its keys are the dialect's own. */
function asValue(event: SluiceEvent): unknown {
  if (event.type === 'tool-input-delta')
    return { ...event, delta: sorted(JSON.parse(event.delta) as JsonValue) }
  return event.type === 'tool-call' ? inAnyOrder(event) : event
}

/** The call with its input, and the text of that, in the order of the keys. */
function inAnyOrder({ inputText, ...call }: ToolCall): ToolCall {
  const text = inputText && canonical(parseWritten(inputText), Infinity, 'written')
  return { ...call, input: sorted(call.input), ...(text !== undefined && { inputText: text }) }
}

/** The first dialect that can write a message, and keeps the order, says what its events are; all others must agree. */
function expectParity(json: boolean): void {
  for (const { texts } of WRITTEN) {
    const first = texts.find(({ entry }) => !REORDERING.has(entry.name)) ?? texts[0]
    for (const { entry, text } of texts) {
      const anyOrder = REORDERING.has(entry.name)
      const expected = eventsOf(first!.entry, first!.text, json, anyOrder)
      expect(eventsOf(entry, text, json, anyOrder), `${entry.name}: ${text}`).toEqual(expected)
    }
  }
}

describe('11. the same message gives the same events in every dialect that can express it', () => {
  test('told by its arguments', () => {
    expectParity(false)
  })

  test('told as JSON text', () => {
    expectParity(true)
  })

  test.each(ENTRIES)('$name takes part', ({ name }) => {
    const taken = WRITTEN.filter(({ texts }) => texts.some(({ entry }) => entry.name === name))
    expect(taken.length).toBeGreaterThan(MESSAGES.length / 5)
    const calls = taken.flatMap(({ parts }) => parts.filter(({ type }) => type === 'call'))
    expect(calls.length).toBeGreaterThan(taken.length / 4)
  })
})

// ── what cannot be expressed ─────────────────────────────────────────────────────────────────────

const ping: Part = { type: 'call', toolName: 'ping', input: {} }
const text = (value: string): Part => ({ type: 'text', text: value })
const writing = (content: string): Part => ({
  type: 'call',
  toolName: 'write_file',
  input: { path: 'p', content },
})

/** Beside reasoning, where the dialect has none: what is in the way, and a message that has it. */
const REFUSED: readonly [dialect: string, why: string, parts: Part[]][] = [
  ['hermes', 'reasoning that is empty', [{ type: 'reasoning', text: '' }, ping]],
  ['hermes', 'an opener in text', [text('<tool_call>{"name": "ping"}</tool_call>')]],
  ['hermes', 'a closer in reasoning', [{ type: 'reasoning', text: 'a</think>b' }]],
  ['generic-json', 'text before a call', [text('Look:'), ping]],
  ['json-tools', 'a call in text', [text('{"name": "ping"}')]],
  ['json-tools-gemini', 'a list that seems to open before a call', [text('['), ping]],
  ['qwen3-coder', 'a closer in an argument', [writing('</parameter>')]],
  ['function-calls', 'a closer in an argument', [writing('</parameter>')]],
  ['glm', 'a closer in an argument', [writing('</arg_value>')]],
  ['shorthand', 'a closer in an argument', [writing('</write_file>')]],
  ['cline-xml', 'a closer in an argument', [writing('</content>')]],
  ['gemma4', 'a quote in an argument', [writing('<|"|>')]],
  ['sentinel', 'a closer in an argument', [writing('[[SEG_END]]')]],
]

describe('12. what a dialect cannot express it refuses', () => {
  test.each(REFUSED)('%s: %s', (name, _why, parts) => {
    expect(written(ENTRIES.find((entry) => entry.name === name)!, parts)).toBeUndefined()
  })

  const silent = ENTRIES.filter(({ dialect }) => dialect.reasoning.length === 0)
  test.each(silent)('$name: reasoning, because it has none', (entry) => {
    expect(written(entry, [{ type: 'reasoning', text: 'hm' }, ping])).toBeUndefined()
  })

  const thoughtful = ENTRIES.filter(({ dialect }) => dialect.reasoning.length > 0)
  test.each(thoughtful)('$name: nothing of reasoning before a call', (entry) => {
    expect(written(entry, [{ type: 'reasoning', text: 'hm' }, ping])).toBeDefined()
  })
})
