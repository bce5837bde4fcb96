import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { FIXED_LIMITS, type Limits } from '../../src/base/limits.ts'
import { createParser, type ParserOptions, restoreParser } from '../../src/engine/parser.ts'
import { sampleOf } from '../effort.ts'
import { type Adversary, adversariesOf } from './adversaries.ts'
import { ENTRIES, type LawEntry } from './entries.ts'
import { wellFormedEvents } from './laws.ts'
import { callsOf, characters, comparable, type Engine, inPieces, run } from './observe.ts'

const engine: Engine = { createParser, restoreParser }

/** What is wrong with each adversary of an entry; a throw is something that is wrong, too. */
function complaints(entry: LawEntry, check: (adversary: Adversary) => readonly string[]): string[] {
  return adversariesOf(entry).flatMap((adversary) => {
    try {
      return check(adversary).map((complaint) => `${adversary.name}: ${complaint}`)
    } catch (error) {
      return [`${adversary.name}: ${String(error)}`]
    }
  })
}

// ── memory ───────────────────────────────────────────────────────────────────────────────────────

const FULL = { json: true, arguments: true, source: true, raw: true }

const SMALL: Limits = {
  undecided: 60,
  name: 40,
  tag: 50,
  call: 200,
  depth: 4,
  keys: 5,
  number: 9,
  bare: 12,
  repairs: 3,
  payload: 1000,
  diagnostics: 4,
}

/** One way of telling a call's input at a time: two of them interleave as the chunks come. */
const EMITS = [{ json: true }, { json: false, arguments: true }, { json: false, source: true, raw: true }]

/** What a parser with these limits may know of the past, as characters of a snapshot. */
const MOST_REMEMBERED = 6000

/** The verdict on a call of one of the adversaries, with its source, while it waits. */
const A_VERDICT = 290

const isVisible = (event: SluiceEvent) => event.type === 'text-delta' || event.type === 'reasoning-delta'
const saidIn = (events: readonly SluiceEvent[]): number =>
  events.reduce((length, event) => length + (isVisible(event) ? event.delta.length : 0), 0)

/** How many characters were said after each piece. */
function saidAfter(options: ParserOptions, pieces: readonly string[]): number[] {
  const parser = createParser(options)
  let said = 0
  return pieces.map((piece) => (said += saidIn(parser.push(piece))))
}

describe('9. holds no more than its limits allow', () => {
  test.each(sampleOf(ENTRIES, 3, 9))('$name, and it does not matter how the text was cut', (entry) => {
    const wrong = complaints(entry, (adversary) => {
      const text = adversary.make(500)
      return EMITS.flatMap((emit) => {
        const options = { ...entry.options, limits: SMALL, emit }
        const whole = run(engine, options, [text])
        const malformed = wellFormedEvents(whole)
        const [expected, ...others] = [whole, run(engine, options, characters(text))].map(comparable)
        return [
          ...(malformed === undefined ? [] : [malformed]),
          ...others.filter((cut) => cut !== expected).map((cut) => `${expected}\n  but cut ${cut}`),
        ]
      })
    })
    expect(wrong).toEqual([])
  })

  test.each(sampleOf(ENTRIES, 6, 9))('$name, and lets go at the same character for any chunking', (entry) => {
    const options = { ...entry.options, limits: SMALL }
    const wrong = complaints(entry, (adversary) => {
      const text = adversary.make(500)
      const byCharacter = saidAfter(options, characters(text))
      return [7, 64].flatMap((size) =>
        saidAfter(options, inPieces(text, size)).flatMap((said, index) => {
          const end = Math.min(text.length, (index + 1) * size)
          const expected = byCharacter[end - 1]
          return said === expected ? [] : [`${said}, not ${expected} characters said after ${end}`]
        }),
      )
    })
    expect(wrong).toEqual([])
  })

  test.each(sampleOf(ENTRIES, 0, 9))('$name, however long it goes on', (entry) => {
    // Where the start is not known, verdicts wait for the end: see `unopened.test.ts`.
    const options = { start: 'text' as const, ...entry.options, limits: SMALL, emit: FULL }
    const { weakCalls, looseCalls } = entry.dialect
    const waiting = weakCalls.length + looseCalls.length > 0 ? FIXED_LIMITS.tentativeCalls * A_VERDICT : 0
    const wrong = complaints(entry, (adversary) => {
      const parser = createParser(options)
      let mostRemembered = 0
      let mostHeld = 0
      for (const piece of inPieces(adversary.make(20_000), 997)) {
        parser.push(piece)
        const snapshot = parser.snapshot()
        mostRemembered = Math.max(mostRemembered, JSON.stringify(snapshot).length)
        mostHeld = Math.max(mostHeld, saidIn(restoreParser(snapshot, options).end()))
      }
      return [
        ...(mostHeld <= SMALL.undecided ? [] : [`${mostHeld} characters were held back`]),
        ...(mostRemembered <= MOST_REMEMBERED + waiting
          ? []
          : [`a snapshot has ${mostRemembered} characters`]),
      ]
    })
    expect(wrong).toEqual([])
  })
})

// ── each limit by itself ─────────────────────────────────────────────────────────────────────────

const hermesCall = (input: string) => `<tool_call>{"name": "search", "arguments": ${input}}</tool_call>`
const parameters = (...given: string[]) =>
  `<tool_call><function=search>${given.join('')}</function></tool_call>`
const tags = (...given: string[]) =>
  `<function_calls><invoke name="search">${given.join('')}</invoke></function_calls>`

/** What comes of it: the verdict on the call, or that there was none; and that a diagnostic says why. */
const REACHED: readonly [
  limit: keyof Limits,
  value: number,
  dialect: string,
  text: string,
  outcome: string,
][] = [
  ['undecided', 30, 'hermes', `<tool_call>${' '.repeat(30)}{"name": "ping"}</tool_call>`, 'no call'],
  ['undecided', 30, 'glm', `<tool_call>${'\n'.repeat(30)}ping</tool_call>`, 'no call'],
  ['undecided', 30, 'generic-json', `[${' '.repeat(30)}{"name": "ping"}]`, 'no call'],
  ['name', 8, 'qwen3-coder', '<tool_call><function=get_weather></function></tool_call>', 'no call'],
  [
    'name',
    8,
    'deepseek-v31',
    '<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{}<｜tool▁call▁end｜>',
    'no call',
  ],
  ['name', 8, 'qwen3-coder', parameters('<parameter=long_argument>x</parameter>'), 'invalid'],
  ['name', 8, 'tool-xml', '<tool name="ping"><long_argument>x</long_argument></tool>', 'invalid'],
  ['tag', 20, 'function-calls', `<function_calls><invoke name="ping" ${' '.repeat(20)}></invoke>`, 'no call'],
  ['tag', 20, 'function-calls', tags(`<parameter name="query" ${' '.repeat(20)}>x</parameter>`), 'invalid'],
  ['tag', 20, 'tool-xml', `<tool name="ping"><query ${' '.repeat(20)}>x</query></tool>`, 'invalid'],
  ['call', 60, 'hermes', hermesCall(`{"query": "${'x'.repeat(60)}"}`), 'invalid'],
  ['call', 60, 'qwen3-coder', parameters(`<parameter=query>${'x'.repeat(60)}</parameter>`), 'invalid'],
  ['call', 60, 'lfm2', `<|tool_call_start|>[search(query="${'x'.repeat(60)}")]<|tool_call_end|>`, 'invalid'],
  ['depth', 3, 'hermes', hermesCall('{"tags": [[[[["x"]]]]]}'), 'invalid'],
  ['depth', 3, 'qwen3-coder', parameters('<parameter=tags>[[[[["x"]]]]]</parameter>'), 'invalid'],
  ['depth', 3, 'lfm2', '<|tool_call_start|>[search(tags=[[[[["x"]]]]])]<|tool_call_end|>', 'invalid'],
  ['keys', 2, 'hermes', hermesCall('{"a": 1, "b": 2, "c": 3}'), 'invalid'],
  ['keys', 2, 'lfm2', '<|tool_call_start|>[search(a=1, b=2, c=3)]<|tool_call_end|>', 'invalid'],
  [
    'keys',
    2,
    'qwen3-coder',
    parameters(...['a', 'b', 'c'].map((key) => `<parameter=${key}>x</parameter>`)),
    'invalid',
  ],
  ['number', 5, 'hermes', hermesCall('{"days": 123456}'), 'invalid'],
  ['number', 5, 'lfm2', '<|tool_call_start|>[search(days=123456)]<|tool_call_end|>', 'invalid'],
  ['bare', 5, 'hermes', hermesCall('{"query": without quotes}'), 'invalid'],
  ['bare', 5, 'lfm2', '<|tool_call_start|>[search(query=without_quotes)]<|tool_call_end|>', 'invalid'],
  ['repairs', 2, 'hermes', hermesCall("{'query': 'x', 'tags': ['y'], 'exact': True}"), 'invalid'],
]

describe('9. a limit that is reached is a verdict or text, and a diagnostic', () => {
  test.each(REACHED)('%s %d: %s %j: %s', (limit, value, dialect, text, outcome) => {
    const entry = ENTRIES.find(({ name }) => name === dialect)!
    const options = { ...entry.options, limits: { [limit]: value } }
    const events = run(engine, options, [text])
    expect(callsOf(events).map(({ status }) => status)).toEqual(outcome === 'no call' ? [] : [outcome])
    expect(events.map(({ type }) => type)).toContain('diagnostic')
    expect(comparable(run(engine, options, characters(text)))).toBe(comparable(events))
    expect(wellFormedEvents(events)).toBeUndefined()
  })

  test('diagnostics beyond their limit are not listed', () => {
    const { options } = ENTRIES.find(({ name }) => name === 'hermes')!
    const text = '</think>'.repeat(9)
    const listed = (chunks: string[]) =>
      run(engine, { ...options, limits: { diagnostics: 3 } }, chunks).map(({ type }) => type)
    expect(listed([text])).toEqual(['diagnostic', 'diagnostic', 'diagnostic', 'finish'])
    expect(listed(characters(text))).toEqual(['diagnostic', 'diagnostic', 'diagnostic', 'finish'])
  })
})
