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

/** How the answer is read. */
export interface AnswerReading {
  readonly dialect: Dialect
  readonly tools?: ToolDefinitions | undefined
}

/** What was found, by how it was read: a conversation is sent again with each of its turns. */
const known = new WeakMap<Dialect, Map<string, string | undefined>>()
const MOST_KNOWN = 256
/** In characters. */
const LONGEST_KNOWN = 16 * 1024

/** What a text opens first, besides so many results. Undefined: nothing. */
export function opens(text: string, reading: AnswerReading, results = 0): string | undefined {
  if (text.length > LONGEST_KNOWN) return firstOpened(text, reading, results)
  const byText = known.get(reading.dialect) ?? new Map<string, string | undefined>()
  known.set(reading.dialect, byText)
  const tools = createToolTable(reading.tools)
  const key = JSON.stringify([results, Array.from(tools, ({ name, streams }) => [name, streams]), text])
  if (byText.has(key)) return byText.get(key)
  const found = firstOpened(text, reading, results)
  if (byText.size >= MOST_KNOWN) byText.clear()
  byText.set(key, found)
  return found
}

function firstOpened(text: string, reading: AnswerReading, results: number): string | undefined {
  let left = results
  for (const { event } of read([text], reading)) {
    if (event.type === 'tool-input-start') return `a call of '${event.toolName}'`
    if (event.type === 'reasoning-start') return 'reasoning'
    if (event.type === 'tool-result-start' && left-- === 0) return 'a result'
  }
  return undefined
}

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

/** The characters to escape, from few to many: brackets and symbols, then everything but letters, digits and whitespace. */
const ESCAPES: readonly RegExp[] = [/[^\p{L}\p{N}\s.,;!?'"_-]/gu, /[^\p{L}\p{N}\s]/gu]

/** How often single markers are broken before all of a text is escaped. */
const MOST_ROUNDS = 3

/**
 * The text of these items as `write` writes all of them, each changed as little as it takes until the text opens nothing.
 * `change`: the item with another text for each of its own. Throws if even an item without punctuation opens something.
 */
export function harmless<Item>(
  items: readonly Item[],
  write: (items: readonly Item[]) => string,
  change: (item: Item, changed: (text: string) => string) => Item,
  reading: AnswerReading,
  results = items.length,
): string {
  const written = write(items)
  if (opens(written, reading, results) === undefined) return written
  const each = Math.min(1, results)
  const alone = items.map((item) => harmlessAlone(item, write, change, reading, each))
  const together = write(alone)
  if (opens(together, reading, results) === undefined) return together
  for (const pattern of ESCAPES) {
    const text = write(alone.map((item) => change(item, (one) => one.replace(pattern, escaped))))
    if (opens(text, reading, results) === undefined) return text
  }
  throw new SluiceError(
    'unsafe-prompt',
    `What is written around the results opens ${opens(written, reading, results)} in the dialect '${reading.dialect.name}'; write them in another form.`,
  )
}

/** One item, with the markers broken that it opens something with. */
function harmlessAlone<Item>(
  item: Item,
  write: (items: readonly Item[]) => string,
  change: (item: Item, changed: (text: string) => string) => Item,
  reading: AnswerReading,
  results: number,
): Item {
  const isHarmless = (one: Item): boolean => opens(write([one]), reading, results) === undefined
  let changed = item
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (isHarmless(changed)) return changed
    const text = write([changed])
    const marked = markersIn(text, reading, results)
    changed = change(changed, (one) => {
      // A text that was escaped while it was written is not found, and all of its punctuation is escaped below.
      const from = text.indexOf(one)
      return from === -1 || one === ''
        ? one
        : broken(
            one,
            marked.map((at) => at - from),
          )
    })
  }
  for (const pattern of ESCAPES) {
    const plain = change(changed, (one) => one.replace(pattern, escaped))
    if (isHarmless(plain)) return plain
  }
  return change(changed, (one) => one.replace(ESCAPES.at(-1)!, escaped))
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
