/**
 * Escapes untrusted text in a prompt. The text is parsed as the model's answer will be, together with what surrounds it, and
 * escaped until it opens no call, reasoning or result, because the model may repeat any of it.
 *
 *     <tool_response>>>rm      in a dialect whose calls open with `>>>`
 *     <tool_response>\u003e>rm
 */

import { SluiceError } from '../../base/errors.ts'
import type { SluiceEvent } from '../../base/event.ts'
import { createToolTable, type ToolDefinitions } from '../../engine/calls/tools.ts'
import { createSinkParser } from '../../engine/parser.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'
import { commonPrefix } from './common-prefix.ts'

/** How the answer is read. */
export interface AnswerReading {
  readonly dialect: Dialect
  readonly tools?: ToolDefinitions | undefined
}

/** What a text opens. */
export type Opened =
  | { readonly kind: 'call'; readonly toolName: string }
  | { readonly kind: 'reasoning' | 'result' }

/** What was found, by how it was read: a conversation is sent again with each of its turns. */
const known = new WeakMap<Dialect, Map<string, readonly Opened[]>>()
const MOST_KNOWN = 256
/** In characters. */
const LONGEST_KNOWN = 16 * 1024

/** What a text opens, in its order, but for the first results. */
export function opens(text: string, reading: AnswerReading, results = 0): readonly Opened[] {
  let left = results
  return allOpened(text, reading).filter(({ kind }) => kind !== 'result' || left-- <= 0)
}

function allOpened(text: string, reading: AnswerReading): readonly Opened[] {
  if (text.length > LONGEST_KNOWN) return readOpened(text, reading)
  const byText = known.get(reading.dialect) ?? new Map<string, readonly Opened[]>()
  known.set(reading.dialect, byText)
  const tools = createToolTable(reading.tools)
  const key = JSON.stringify([Array.from(tools, ({ name, streams }) => [name, streams]), text])
  const found = byText.get(key) ?? readOpened(text, reading)
  if (byText.size >= MOST_KNOWN) byText.clear()
  byText.set(key, found)
  return found
}

const readOpened = (text: string, reading: AnswerReading): readonly Opened[] =>
  read([text], reading).flatMap(({ event }): Opened | [] => {
    if (event.type === 'tool-input-start') return { kind: 'call', toolName: event.toolName }
    if (event.type === 'reasoning-start') return { kind: 'reasoning' }
    return event.type === 'tool-result-start' ? { kind: 'result' } : []
  })

/** For errors. */
export const namedOpened = (opened: Opened): string =>
  opened.kind === 'call'
    ? `a call of '${opened.toolName}'`
    : opened.kind === 'result'
      ? 'a result'
      : 'reasoning'

/** A character of each marker that opens something. To find them takes longer than to find out whether there is one. */
function markersIn(text: string, reading: AnswerReading, results: number): number[] {
  let left = results
  return read(text, reading).flatMap(({ event, at }) => {
    if (event.type === 'tool-call') return event.span?.start ?? []
    // Both begin with the last character of their marker.
    if (event.type === 'reasoning-start') return at
    return event.type === 'tool-result-start' && left-- <= 0 ? at : []
  })
}

/** The events of a text that comes in these pieces, and with which character each came. */
function read(pieces: Iterable<string>, { dialect, tools = [] }: AnswerReading): ReadEvent[] {
  const events: ReadEvent[] = []
  let length = 0
  const parser = createSinkParser(
    (event) => {
      if (WANTED.has(event.type)) events.push({ event, at: Math.max(0, length - 1) })
    },
    { dialect: beyondTurns(dialect), tools, emit: { json: false, input: false } },
  )
  for (const piece of pieces) {
    length += piece.length
    parser.push(piece)
  }
  parser.end()
  return events
}

interface ReadEvent {
  readonly event: SluiceEvent
  readonly at: number
}

const WANTED: ReadonlySet<string> = new Set([
  ...['tool-input-start', 'tool-call', 'tool-result-start', 'reasoning-start'],
])

const readers = new WeakMap<Dialect, Dialect>()

/** Results may stand behind the end of a turn, and what is in them is read, too. */
function beyondTurns(dialect: Dialect): Dialect {
  const reader = readers.get(dialect) ?? { ...dialect, endOfTurn: [] }
  readers.set(dialect, reader)
  return reader
}

/** A character as JSON would escape it: no format has a marker in it, and a model reads it. */
const escaped = (character: string): string =>
  [...Array(character.length).keys()]
    .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
    .join('')

/** The characters to escape, from few to many: brackets and symbols, all but letters and digits, everything. */
const ESCAPES: readonly RegExp[] = [/[^\p{L}\p{N}\s.,;!?'"_-]/gu, /[^\p{L}\p{N}\s]/gu, /\S/gu]

/** How often single markers are broken before all of a text is escaped. */
const MOST_ROUNDS = 3

/** Items with texts of others, and how they stand in a prompt. */
export interface Quoted<Item> {
  readonly items: readonly Item[]
  readonly write: (items: readonly Item[]) => string
  /** The item with another text for each of its own. */
  readonly change: (item: Item, changed: (text: string) => string) => Item
  /** How many results each item opens by itself. */
  readonly results: 0 | 1
  /** What the items are, for an error. */
  readonly subject: string
}

/**
 * The text of these items, each changed as little as it takes until the text opens nothing. Throws if what is written
 * around them opens something.
 */
export function harmless<Item>(quoted: Quoted<Item>, reading: AnswerReading): string {
  const { items, write, change, results, subject } = quoted
  const all = items.length * results
  const written = write(items)
  const [first] = opens(written, reading, all)
  if (first === undefined) return written
  const alone = items.map((item) => harmlessAlone(item, quoted, reading))
  const together = write(alone)
  if (opens(together, reading, all).length === 0) return together
  for (const pattern of ESCAPES) {
    const text = write(alone.map((item) => change(item, (one) => one.replace(pattern, escaped))))
    if (opens(text, reading, all).length === 0) return text
  }
  throw new SluiceError(
    'unsafe-prompt',
    `What is written around ${subject} opens ${namedOpened(first)} in the dialect '${reading.dialect.name}'; write it in another form.`,
  )
}

/** One item, with the markers broken that it opens something with. */
function harmlessAlone<Item>(item: Item, quoted: Quoted<Item>, reading: AnswerReading): Item {
  const { write, change, results } = quoted
  const isHarmless = (one: Item): boolean => opens(write([one]), reading, results).length === 0
  let changed = item
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (isHarmless(changed)) return changed
    const text = write([changed])
    const marked = markersIn(text, reading, results)
    const places = placesIn(changed, text, quoted)
    const isBetween = (at: number): boolean => places.every(({ from, to }) => at < from || at >= to)
    let next = 0
    changed = change(changed, (one) => {
      const { from, to } = places[next++]!
      return from === to
        ? one
        : broken(
            one,
            marked.filter((at) => at >= from || isBetween(at)).map((at) => at - from),
          )
    })
  }
  for (const pattern of ESCAPES) {
    const plain = change(changed, (one) => one.replace(pattern, escaped))
    if (isHarmless(plain)) return plain
  }
  return change(changed, (one) => one.replace(ESCAPES.at(-1)!, escaped))
}

interface TextPlace {
  readonly from: number
  readonly to: number
}

/**
 * Where the item's texts stand in what is written: it changes there first if only this text does. One that was escaped while it
 * was written is nowhere, and all of its punctuation is escaped in the end.
 */
function placesIn<Item>(item: Item, written: string, { write, change }: Quoted<Item>): TextPlace[] {
  const places: TextPlace[] = []
  change(item, (text) => {
    const index = places.length
    const [one, other] = ['x', 'y'].map((letter) => {
      let at = 0
      return write([change(item, (text) => (at++ === index ? letter : text))])
    })
    const from = commonPrefix(one!, other!).length
    places.push({ from, to: written.startsWith(text, from) ? from + text.length : from })
    return text
  })
  return places
}

/** The text with the characters at these places escaped. A marker that begins before the text is broken at its first. */
function broken(text: string, places: readonly number[]): string {
  const inside = new Set(places.map((at) => Math.max(0, at)).filter((at) => at < text.length))
  return [...inside]
    .sort((one, other) => other - one)
    .reduce((rest, at) => {
      const character = String.fromCodePoint(rest.codePointAt(at)!)
      return /[\p{L}\p{N}\s]/u.test(character)
        ? rest
        : rest.slice(0, at) + escaped(character) + rest.slice(at + character.length)
    }, text)
}
