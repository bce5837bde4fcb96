/**
 * Escapes untrusted text in a prompt. The text is parsed as the model's answer will be, together with what surrounds it, and
 * escaped until it opens no call, reasoning or result, because the model may repeat any of it.
 *
 *     <tool_response>>>rm      in a dialect whose calls open with `>>>`
 *     <tool_response>\u003e>rm
 */

import { SluiceError } from '../../base/errors.ts'
import { createToolTable } from '../../engine/calls/tools.ts'
import { createSinkParser } from '../../engine/parser.ts'
import type { RenderOptions } from '../../engine/render.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'
import { commonPrefix } from './common-prefix.ts'

/** How the prompt is written, and how the answer is read. */
export interface AnswerReading extends Pick<RenderOptions, 'dialect' | 'tools'> {
  /** All dialects that the answer is read with. Default: the one that the prompt is written in. */
  readonly dialects?: readonly Dialect[] | undefined
  readonly protectCode?: boolean | undefined
}

/** What a text opens. `half`: it ends in something that could still become a marker behind a line break. */
export type Opened =
  | { readonly kind: 'call'; readonly toolName: string }
  | { readonly kind: 'reasoning' | 'result' | 'half' }

/** What a text may open: so many results, and half a marker at its end. */
export interface Allowed {
  readonly results?: number
  readonly half?: boolean
}

/** What was found, by how it was read: a conversation is sent again with each of its turns. */
const known = new WeakMap<object, Map<string, readonly Opened[]>>()
const MOST_KNOWN = 256
/** In characters. */
const LONGEST_KNOWN = 16 * 1024

/** What a text opens, in its order, but for what it may. */
export function opens(
  text: string,
  reading: AnswerReading,
  allowed: Allowed = { half: true },
): readonly Opened[] {
  return readingsOf(reading).flatMap((one) => allOpened(text, one).filter(isBeyond(allowed)))
}

/** Code may hide what makes the rest of a text harmless, such as the brace of an object around a call. */
const readingsOf = (reading: AnswerReading): readonly AnswerReading[] =>
  reading.protectCode ? [{ ...reading, protectCode: false }, reading] : [reading]

function isBeyond({ results = 0, half = false }: Allowed): (opened: Pick<Opened, 'kind'>) => boolean {
  let left = results
  return ({ kind }) => (kind === 'half' ? !half : kind !== 'result' || left-- <= 0)
}

function allOpened(text: string, reading: AnswerReading): readonly Opened[] {
  if (text.length > LONGEST_KNOWN) return read([text], reading)
  const { dialect, dialects = dialect, protectCode } = reading
  const byText = known.get(dialects) ?? new Map<string, readonly Opened[]>()
  known.set(dialects, byText)
  const tools = createToolTable(reading.tools)
  const key = JSON.stringify([protectCode, Array.from(tools, ({ name, streams }) => [name, streams]), text])
  const found = byText.get(key) ?? read([text], reading)
  if (byText.size >= MOST_KNOWN) byText.clear()
  byText.set(key, found)
  return found
}

/** For errors. */
export function namedOpened(opened: Opened, { dialect, dialects = [dialect] }: AnswerReading): string {
  const what = opened.kind === 'call' ? `a call of '${opened.toolName}'` : NAMES[opened.kind]
  return `${what} in the dialect ${dialects.map(({ name }) => `'${name}'`).join(' or ')}`
}

const NAMES = { reasoning: 'reasoning', result: 'a result', half: 'half a marker' } as const

/** A character of each marker that opens something. To find them takes longer than to find out whether there is one. */
const markersIn = (text: string, reading: AnswerReading, allowed: Allowed): number[] =>
  readingsOf(reading).flatMap((one) =>
    read(text, one)
      .filter(isBeyond(allowed))
      .map(({ at }) => at),
  )

type Found = Opened & {
  /** A call: where it begins, if that is known. Anything else: the last character of the marker. */
  at: number
}

/** What is opened by a text that comes in these pieces. */
function read(
  pieces: Iterable<string>,
  { dialect, dialects, protectCode, tools = [] }: AnswerReading,
): Found[] {
  const found: Found[] = []
  const calls = new Map<string, Found>()
  let length = 0
  let isOver = false
  let heldBack = ''
  /** An opener at the end that nothing follows. */
  let bare: number | undefined
  const parser = createSinkParser(
    (event) => {
      const at = Math.max(0, length - 1)
      if (event.type === 'text-delta') heldBack += isOver ? event.delta : ''
      else if (event.type === 'diagnostic')
        bare ??= isOver && event.code === 'empty-call' ? event.span?.start : undefined
      else if (event.type === 'reasoning-start') found.push({ kind: 'reasoning', at })
      else if (event.type === 'tool-result-start') found.push({ kind: 'result', at })
      else if (event.type === 'tool-input-start') {
        const call: Found = { kind: 'call', toolName: event.toolName, at }
        calls.set(event.id, call)
        found.push(call)
      } else if (event.type === 'tool-call') {
        const call = calls.get(event.id)
        if (call !== undefined && event.span !== undefined) call.at = event.span.start
      }
    },
    {
      dialect: (dialects ?? [dialect]).map(beyondTurns),
      tools,
      protectCode: protectCode ?? false,
      emit: { json: false, input: false },
    },
  )
  for (const piece of pieces) {
    length += piece.length
    parser.push(piece)
  }
  parser.push('\n')
  isOver = true
  parser.end()
  const half = PUNCTUATION.test(heldBack) ? length + 1 - heldBack.length : bare
  if (found.length === 0 && half !== undefined) found.push({ kind: 'half', at: half })
  return found
}

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

/** What a marker is broken at. */
const PUNCTUATION = /[^\p{L}\p{N}\s]/u
const LONGEST_MARKER = 64

/** How often single markers are broken before all of a text is escaped. */
const MOST_ROUNDS = 3

/** Items with texts of others, and how they stand in a prompt. */
export interface Quoted<Item> {
  readonly items: readonly Item[]
  readonly write: (items: readonly Item[]) => string
  /** The item with another text for each of its own. */
  readonly change: (item: Item, changed: (text: string) => string) => Item
  /** How many results each item opens by itself. 0: nothing is known of what follows it. */
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
  const all: Allowed = { results: items.length * results, half: results > 0 }
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
    `What is written around ${subject} opens ${namedOpened(first, reading)}; write it in another form.`,
  )
}

/** One item, with the markers broken that it opens something with. */
function harmlessAlone<Item>(item: Item, quoted: Quoted<Item>, reading: AnswerReading): Item {
  const { write, change, results } = quoted
  const allowed: Allowed = { results, half: results > 0 }
  const isHarmless = (one: Item): boolean => opens(write([one]), reading, allowed).length === 0
  let changed = item
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (isHarmless(changed)) return changed
    const text = write([changed])
    const marked = markersIn(text, reading, allowed)
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

/**
 * The text with the characters at these places escaped, or if all of them are letters, with the first punctuation behind each. A
 * marker that begins before the text is broken at its first.
 */
function broken(text: string, places: readonly number[]): string {
  const inside = places.map((at) => Math.max(0, at)).filter((at) => at < text.length)
  const marked = inside.filter((at) => PUNCTUATION.test(characterAt(text, at)))
  const behind = (at: number): number => at + text.slice(at, at + LONGEST_MARKER).search(PUNCTUATION)
  const found = marked.length > 0 ? marked : inside.filter((at) => behind(at) >= at).map(behind)
  let written = ''
  let from = 0
  for (const at of [...new Set(found)].sort((one, other) => one - other)) {
    const character = characterAt(text, at)
    written += text.slice(from, at) + escaped(character)
    from = at + character.length
  }
  return written + text.slice(from)
}

const characterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at)!)
