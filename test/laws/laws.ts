/**
 * The laws, each as a function that looks for a violation: it answers what is wrong, or nothing. The tests
 * run them over every entry; the mutants show that each of them can fail.
 */

import type { JsonValue, SluiceEvent, Span, ToolCall } from '../../src/base/event.ts'
import type { Part } from '../../src/base/part.ts'
import { pointer } from '../../src/base/path.ts'
import { isExecutable, isWhole } from '../../src/engine/calls/verdict.ts'
import type { EmitOptions, ParserOptions } from '../../src/engine/parser.ts'
import type { Dialect } from '../../src/engine/wire/dialect.ts'
import type { Thought } from './messages.ts'
import {
  bytes,
  callsOf,
  characters,
  comparable,
  type Engine,
  inPieces,
  run,
  said,
  twoWaySplits,
} from './observe.ts'
import { changedByJson } from './plain.ts'
import { engineRuns, eventsOf, type Ran } from './runs.ts'
import { type HostileMessage, wronglyRun } from './trust.ts'
import type { Witnesses } from './witnesses.ts'

export interface Sample {
  readonly engine: Engine
  readonly options: ParserOptions
  readonly text: string
}

type Violation = string | undefined

/** Everything that can be emitted. */
const FULL = { json: true, arguments: true, source: true, raw: true }
const withAll = (options: ParserOptions): ParserOptions => ({ ...options, emit: FULL })

/** One way of telling a call's input at a time: two of them interleave as the chunks come. */
const WAYS_TO_TELL: readonly EmitOptions[] = [
  { json: true },
  { json: false, arguments: true },
  { json: false, source: true, raw: true },
]

/** 1. However the input is cut, the events are the same. */
export function splitInvariance({ engine, options, text }: Sample): Violation {
  const inTwo = twoWaySplits(text)
  for (const [way, emit] of WAYS_TO_TELL.entries()) {
    const whole = comparable(run(engine, { ...options, emit }, [text]))
    // Chunks of several characters can go the short way, and long ones do so in a way of their own.
    const pieces = [2, 3, 5, 17].map((size) => inPieces(text, size))
    // Cut in two at every place, and at each of them told in one of the ways: other texts are told in the others there.
    const halves = inTwo.filter((_, at) => (at + text.length) % WAYS_TO_TELL.length === way)
    for (const chunks of [characters(text), bytes(text) ?? [text], ...pieces, ...halves]) {
      const cut = comparable(run(engine, { ...options, emit }, chunks))
      if (cut !== whole)
        return `cut as ${JSON.stringify(chunks.length > 3 ? 'characters' : chunks)}:\n  whole ${whole}\n  cut   ${cut}`
    }
  }
  return undefined
}

/** 2 and 12. A message that was rendered comes back exactly, so no markup is in it and nothing of it is missing. */
export function comesBack({ engine, options, text }: Sample, parts: readonly Part[]): Violation {
  const events = run(engine, options, characters(text))
  const wanted = { text: '', reasoning: '' }
  const calls: unknown[] = []
  for (const part of parts)
    if (part.type === 'call') calls.push([part.toolName, sorted(part.input)])
    else if (part.type === 'text' || part.type === 'reasoning') wanted[part.type] += part.text
  const got = { text: said(events, 'text-delta'), reasoning: said(events, 'reasoning-delta') }
  const gotCalls = callsOf(events).map((call) => [call.toolName, sorted(call.input)])
  const [a, b] = [JSON.stringify([wanted, calls]), JSON.stringify([got, gotCalls])]
  return a === b ? undefined : `wanted ${a}\n  got    ${b}`
}

/**
 * 3. After each character, whatever is held back could still become markup. Brute force: some witness, a
 * valid text of the dialect, goes on from there in a way in which none of what was held is text.
 */
export function promptness({ engine, options, text }: Sample, witnesses: Witnesses): Violation {
  const parser = engine.createParser(options)
  let before = ''
  for (let index = 0; index < text.length; index++) {
    before += visible(parser.push(text[index]!))
    const snapshot = parser.snapshot()
    const inOnePiece = visible(engine.createParser(options).push(text.slice(0, index + 1)))
    if (inOnePiece !== before)
      return `in one piece ${JSON.stringify(text.slice(0, index + 1))} says ${JSON.stringify(inOnePiece)}`
    const held = visible(engine.restoreParser(snapshot, options).end())
    if (held === '' || endsInHalfPair(held)) continue
    const couldBeMarkup = witnesses.find(held, text[index]!, (continuation) => {
      const rest = engine.restoreParser(snapshot, options)
      // Not even the first character of what is held back comes out: all of it was needed.
      return !visible([...rest.push(continuation), ...rest.end()]).startsWith(held[0]!)
    })
    if (!couldBeMarkup)
      return `${JSON.stringify(held)} is held back after ${JSON.stringify(text.slice(0, index + 1))}`
  }
  return undefined
}

const visible = (events: readonly SluiceEvent[]): string =>
  events
    .map((event) => (event.type === 'text-delta' || event.type === 'reasoning-delta' ? event.delta : ''))
    .join('')
const endsInHalfPair = (held: string): boolean => (held.charCodeAt(held.length - 1) & 0xfc00) === 0xd800

/** 4. What was said after a prefix is the beginning of what is said after more. */
export function noRegret({ engine, options, text }: Sample): Violation {
  const all = run(engine, withAll(options), characters(text))
  const parser = engine.createParser(withAll(options))
  let count = 0
  for (const character of characters(text))
    for (const event of parser.push(character)) {
      const said = JSON.stringify(event)
      if (said !== JSON.stringify(all[count++])) return `after ${count} events: ${said}`
    }
  return undefined
}

/** 5. Every character is in a delta, in a call's raw source, or is markup. Read back in order. */
export function nothingLost(sample: Sample, markup: readonly string[]): Violation {
  // Where the dialect is found out, one delta may join the text on both sides of markup; in characters it comes apart.
  return lostIn(sample, [sample.text], markup) && lostIn(sample, characters(sample.text), markup)
}

function lostIn(
  { engine, options, text }: Sample,
  chunks: readonly string[],
  markup: readonly string[],
): Violation {
  const events = inPlace(run(engine, { ...options, emit: { raw: true } }, chunks))
  const pieces: string[] = []
  const stray: Span[] = []
  let { length } = text
  for (const event of events) {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta' || event.type === 'tool-result-delta')
      pieces.push(event.delta)
    else if (event.type === 'tool-call') pieces.push(event.raw ?? '')
    else if (event.type !== 'diagnostic') continue
    // What stands behind the end of the turn is not read, and that is said.
    else if (event.code === 'text-after-stop') length = event.span!.start
    // A bracket too many, or a marker that closes nothing: that is said as well.
    else if (event.code === 'stray-markup' || event.code === 'stray-closer') stray.push(event.span!)
  }
  // The source of a call holds what was stray in it.
  const isInCall = ({ start, end }: Span): boolean =>
    callsOf(events).some(({ span }) => span !== undefined && span.start <= start && end <= span.end)
  const read = without(
    text.slice(0, length),
    stray.filter((span) => !isInCall(span)),
  )
  return align(read, pieces, markup) ? undefined : `not all of it is in ${JSON.stringify(pieces)}`
}

function without(text: string, spans: readonly Span[]): string {
  const last = [...spans].sort((one, other) => other.start - one.start)
  return last.reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
}

/** In the order of the text: a verdict that waits comes behind what follows its call. */
function inPlace(events: readonly SluiceEvent[]): SluiceEvent[] {
  const verdicts = new Map(callsOf(events).map((call) => [call.id, call]))
  return events.flatMap((event): SluiceEvent[] | SluiceEvent => {
    if (event.type === 'tool-call') return []
    return event.type === 'tool-input-end' ? [event, verdicts.get(event.id)!] : event
  })
}

/** Whatever was begun, this does not go on with it. */
const NO_MARKUP = 'zq9'

/** 5. Behind a prefill everything is said that a response says there, and nothing of the prefill. */
export function saidBehindPrefill({ engine, options, text }: Sample): Violation {
  const whole = engine.createParser(options)
  const all = visible(run(engine, options, [text]))
  let before = 0
  for (let length = 1; length < text.length; length++) {
    before += visible(whole.push(text[length - 1]!)).length
    const start = { prefill: text.slice(0, length) }
    // Behind the end of a turn a response has nothing to say; one with a prefill begins there.
    if (hasStopped(run(engine, options, [start.prefill]))) return undefined
    // Nor does a prefill end inside a character.
    if (endsInHalfPair(start.prefill)) continue
    const said = visible(run(engine, { ...options, start }, [NO_MARKUP]))
    if (!NO_MARKUP.endsWith(said))
      return `${JSON.stringify(said)} behind the prefill ${JSON.stringify(start.prefill)}`
    const behind = visible(run(engine, { ...options, start }, [text.slice(length)]))
    if (!all.endsWith(behind) || behind.length > all.length - before || behind.length < all.length - length)
      return `${JSON.stringify(behind)} of ${JSON.stringify(all)} behind the prefill ${JSON.stringify(start.prefill)}`
  }
  return undefined
}

const hasStopped = (events: readonly SluiceEvent[]): boolean =>
  events.some((event) => event.type === 'finish' && event.rawReason !== undefined)

/** Do the pieces stand in the text in this order, with nothing but markup and whitespace between them? */
function align(text: string, pieces: readonly string[], markup: readonly string[]): boolean {
  const markers = [...markup].sort((a, b) => b.length - a.length)
  const isMarkup = (gap: string): boolean => {
    let rest = gap
    for (let before = -1; before !== rest.length; ) {
      before = rest.length
      rest = rest.trimStart()
      const marker = markers.find((candidate) => rest.toLowerCase().startsWith(candidate.toLowerCase()))
      // `<result` may be a marker, and `<result tool_use_id="a">` is the whole of it.
      const [tag = ''] = marker?.endsWith('>') ? [] : (/^<[^<>]*>/.exec(rest) ?? [])
      if (marker !== undefined) rest = rest.slice(Math.max(marker.length, tag.length))
      // A tag, an id or a separator that a template captured.
      else rest = rest.replace(/^(<[^<>]*>|[[\]{},;]|[\w.:-]+)/, '')
    }
    return rest === ''
  }
  const from = new Set([0])
  for (const piece of pieces.filter((one) => one !== '')) {
    const next = new Set<number>()
    for (const start of from)
      for (let at = text.indexOf(piece, start); at !== -1; at = text.indexOf(piece, at + 1))
        if (isMarkup(text.slice(start, at))) next.add(at + piece.length)
    if (next.size === 0) return false
    from.clear()
    for (const at of next) from.add(at)
  }
  return [...from].some((at) => isMarkup(text.slice(at)))
}

/** 6. Per id start, deltas, end; ids unique; no empty delta; text closed before a call; one finish, last. */
export function wellFormed({ engine, options, text }: Sample): Violation {
  return unlessWritten(wellFormedEvents(run(engine, withAll(options), characters(text))), text)
}

/** 6. A span is not empty, lies inside the text, and holds the source of its call, or begins with its opener. */
export function spansHold({ engine, options, text }: Sample): Violation {
  for (const event of run(engine, { ...options, emit: { raw: true } }, [text])) {
    if (event.type !== 'tool-call' && event.type !== 'diagnostic') continue
    const { start, end } = event.span ?? { start: -1, end: -1 }
    if (start < 0 || end <= start || end > text.length) return `no span: ${JSON.stringify(event)}`
    const isRight =
      event.type === 'tool-call'
        ? text.slice(start, end) === event.raw
        : event.code !== 'not-a-call' || text.slice(start, end).startsWith(event.opener!)
    if (!isRight) return `${JSON.stringify(text.slice(start, end))} is the span of ${JSON.stringify(event)}`
  }
  return undefined
}

/** Half a surrogate pair that the model itself wrote is passed on as it is. */
export function unlessWritten(found: string | undefined, text: string): Violation {
  return found?.startsWith('a surrogate pair') && /\p{Cs}/u.test(text) ? undefined : found
}

export function wellFormedEvents(events: readonly SluiceEvent[]): Violation {
  const open = new Map<string, string>()
  const closed = new Set<string>()
  for (const [index, event] of events.entries()) {
    const [, kind, phase] =
      /^(text|reasoning|tool-input|tool-result)-(start|delta|end)$/.exec(event.type) ?? []
    if (kind !== undefined && 'id' in event) {
      const key = `${kind} ${event.id}`
      if (phase === 'start') {
        if (open.has(key) || closed.has(key)) return `${key} starts twice`
        if (kind !== 'text' && [...open.keys()].some((other) => other.startsWith('text ')))
          return `${key} starts inside text`
        open.set(key, kind)
      } else if (!open.has(key)) return `${event.type} ${event.id} outside`
      if (phase === 'end') {
        open.delete(key)
        closed.add(key)
      }
    }
    if ('delta' in event && event.delta === '') return `an empty ${event.type}`
    if ('delta' in event && splitsPair(event.delta))
      return `a surrogate pair is split in ${JSON.stringify(event)}`
    if (event.type === 'tool-call' && !closed.has(`tool-input ${event.id}`))
      return `tool-call ${event.id} before its input ended`
    if ((event.type === 'finish') !== (index === events.length - 1))
      return `finish at ${index} of ${events.length}`
  }
  return open.size === 0 ? undefined : `left open: ${[...open.keys()].join(', ')}`
}

const splitsPair = (delta: string): boolean => {
  const last = delta.charCodeAt(delta.length - 1)
  const first = delta.charCodeAt(0)
  return (last & 0xfc00) === 0xd800 || (first & 0xfc00) === 0xdc00
}

/** 7. The JSON text of a good call is its input; what was known of it at any time is a prefix of that. */
export function jsonHolds({ engine, options, text }: Sample): Violation {
  const events = run(engine, withAll(options), characters(text))
  for (const call of callsOf(events)) {
    const json = events
      .map((event) => (event.type === 'tool-input-delta' && event.id === call.id ? event.delta : ''))
      .join('')
    const good = call.status === 'complete' || call.status === 'repaired'
    if (good) {
      let parsed: JsonValue
      try {
        parsed = JSON.parse(json) as JsonValue
      } catch {
        return `not JSON: ${json}`
      }
      if (!same(parsed, call.input))
        return `the text says ${json}, the input is ${JSON.stringify(call.input)}`
    }
    const grown = new Map<string, string>()
    for (const event of events) {
      if (!('path' in event) || !('id' in event) || event.id !== call.id || typeof event.path === 'string')
        continue
      const place = pointer(event.path)
      const final = at(call.input, event.path)
      if (event.type === 'argument-start') grown.delete(place)
      if (event.type === 'argument-delta') {
        grown.set(place, (grown.get(place) ?? '') + event.delta)
        if (good && (typeof final !== 'string' || !final.startsWith(grown.get(place)!)))
          return `${place} grew to ${grown.get(place)}, and is ${JSON.stringify(final)}`
      }
      if (event.type === 'argument-end' && good && !same(event.value, final))
        return `${place} was ${JSON.stringify(event.value)} and is ${JSON.stringify(final)}`
      if (
        event.type === 'argument-end' &&
        typeof event.value === 'string' &&
        (grown.get(place) ?? '') !== event.value
      )
        return `${place}: its deltas are not its value`
    }
  }
  return undefined
}

function at(value: JsonValue | undefined, keys: readonly (string | number)[]): JsonValue | undefined {
  let here = value
  for (const key of keys) {
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, key)) return undefined
    here = (here as Record<string | number, JsonValue>)[key]
  }
  return here
}

/** 8. Whatever a valid text is cut to, only calls that were meant can run, and with the input that was meant. */
export function trust({ engine, options, text }: Sample, parts: readonly Part[]): Violation {
  const meant = parts
    .filter((part) => part.type === 'call')
    .map((part) => JSON.stringify([part.toolName, sorted(part.input)]))
  const parser = engine.createParser(options)
  const events: SluiceEvent[] = []
  for (let length = 0; length <= text.length; length++) {
    const ended = [...events, ...engine.restoreParser(parser.snapshot(), options).end()]
    const runnable = callsOf(ended)
      .filter((call) => isExecutable(call))
      .map((call) => JSON.stringify([call.toolName, sorted(call.input)]))
    if (runnable.some((call, index) => call !== meant[index]))
      return `cut to ${JSON.stringify(text.slice(0, length))}, ${runnable.join(' and ')} would run`
    if (length < text.length) events.push(...parser.push(text[length]!))
  }
  return undefined
}

/**
 * 8. A call inside reasoning runs only where the dialect says that it can end reasoning, and the model stopped behind
 * it. Wherever such a text is cut, and for whatever reason, no other call of the thought runs.
 */
export function trustInThought({ engine, options }: Sample, thought: Thought): Violation {
  const { text, isMeant, calls } = thought
  const runnable = (events: readonly SluiceEvent[]): string[] =>
    callsOf(events)
      .filter((call) => isExecutable(call))
      .map((call) => JSON.stringify([call.toolName, sorted(call.input)]))
  const meant = calls.map((call) => JSON.stringify([call.toolName, sorted(call.input)]))
  const wanted = JSON.stringify(isMeant ? meant : [])
  const got = JSON.stringify(runnable(run(engine, options, characters(text))))
  // While it is open which dialect it is, a call that ends reasoning in one and not in another is a guess.
  const isDetected = options.dialect !== undefined && 'candidates' in options.dialect
  if (got !== wanted && !(isDetected && got === '[]')) return `wanted ${wanted} to run, and ${got} would`
  for (const reason of ['length', 'content-filter', 'interrupted', 'failed'] as const) {
    const parser = engine.createParser(options)
    const cutOff = runnable([...parser.push(text), ...parser.end(reason)])
    if (cutOff.length > 0) return `at the end by '${reason}', ${cutOff.join(' and ')} would run`
  }
  const starts = run(engine, options, [text]).flatMap((event, index, events) =>
    event.type === 'tool-input-start' ? [{ event, index, events }] : [],
  )
  for (const { event, index, events } of starts) {
    if (!event.tentative) return `the call ${event.id} is not tentative`
    const behind = events.slice(index + 1)
    const verdict = behind.findIndex((one) => one.type === 'tool-call' && one.id === event.id)
    const speech = behind.findIndex(
      (one) => one.type === 'reasoning-start' || (one.type === 'text-delta' && one.delta.trim() !== ''),
    )
    if (verdict === -1) return `the call ${event.id} has no verdict`
    if (speech !== -1 && speech < verdict) return `the verdict on ${event.id} comes after what decided it`
  }
  return undefined
}

/** 8. Whatever a message quotes, and whatever slip the model made in it, only calls that stood at the top level run. */
export function trustInQuotations({ engine, options }: Sample, message: HostileMessage): Violation {
  const { dialect } = options
  const read =
    dialect === undefined || Array.isArray(dialect) ? message : { ...message, dialect: dialect as Dialect }
  return (
    wronglyRun(message, engineRuns(eventsOf(read, 'calls', engine))) ??
    wronglyRun(message, engineRuns(eventsOf(read, 'all', engine)))
  )
}

/**
 * 8. A call that the model was shown is uncertain, however the white space in it stands, and also where no source is kept: one
 * in a result, or in instructions that the answer repeats from their beginning. A call of which only parts were shown is not.
 */
export function trustInEcho({ engine, options, text }: Sample): Violation {
  const spaced = (shown: string): string => [...shown].join('\n ')
  // In the order of the text: some verdicts wait.
  const read = (shown: NonNullable<ParserOptions['shown']>, emit: EmitOptions) =>
    callsOf(inPlace(run(engine, { ...options, shown, emit }, characters(text))))
  const calls = callsOf(inPlace(run(engine, { ...options, emit: { raw: true } }, characters(text))))
  for (const emit of [{ raw: true }, { input: false }]) {
    const echoed = read({ instructions: spaced(text) }, emit).find(isCertain)
    if (echoed !== undefined) return `${echoed.id} repeats the instructions`
    for (const [at, { id, raw = '' }] of calls.entries()) {
      const source = raw.trim()
      if (isCertain(read({ results: ['', spaced(source)] }, emit)[at]!)) return `${id} repeats a result`
      const parts = [source.slice(1), source.slice(0, -1), source.slice(-1)]
      if (isCertain(read({ results: parts }, emit)[at]!) !== isCertain(calls[at]!))
        return `${id} is in no result`
    }
  }
  return undefined
}

const isCertain = (call: ToolCall): boolean =>
  isWhole(call) && call.repairs.every(({ code }) => code !== 'place-uncertain')

/** 9. Where the dialect is found out, nothing runs that would not run if it were known. */
export function trustInDetection({ engine, options, text }: Sample, known: Dialect): Violation {
  const would = engineRuns(run(engine, { ...options, dialect: known }, [text])).map(calledWith)
  for (const call of engineRuns(run(engine, options, [text])).map(calledWith)) {
    const at = would.indexOf(call)
    if (at === -1) return `${call} runs, and would not as ${known.name}`
    would.splice(at, 1)
  }
  return undefined
}

const calledWith = ({ toolName, input }: Ran) => `${toolName} ${JSON.stringify(input)}`

/** 10. Nothing that is said makes it throw. */
export function total({ engine, options, text }: Sample): Violation {
  try {
    run(engine, withAll(options), characters(text))
    run(engine, withAll(options), [text])
    return undefined
  } catch (error) {
    return String(error instanceof Error ? error.stack : error)
  }
}

/** 13. A snapshot taken anywhere, restored elsewhere, gives the events that were missing and no others. */
export function resumable({ engine, options, text }: Sample): Violation {
  // Where arguments are watched, the input is put together in another way than where they are not.
  for (const all of [withAll(options), options]) {
    const wanted = JSON.stringify(run(engine, all, characters(text)))
    let parser = engine.createParser(all)
    const events: SluiceEvent[] = []
    for (const character of characters(text)) {
      events.push(...parser.push(character))
      parser = engine.restoreParser(JSON.parse(JSON.stringify(parser.snapshot())), all)
    }
    events.push(...parser.end())
    const got = JSON.stringify(events)
    if (got !== wanted) return `wanted ${wanted}\n  got    ${got}`
  }
  return undefined
}

function same(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return (
    JSON.stringify(a === undefined ? null : sorted(a)) === JSON.stringify(b === undefined ? null : sorted(b))
  )
}

/** Law 14: JSON gives every event back unchanged. */
export function plain({ engine, options, text }: Sample): Violation {
  return changedByJson(run(engine, withAll(options), [text]))
}

export function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)])
}
