/** Random messages that hold the dialect's own markup, and valid texts that were edited. */

import fc from 'fast-check'
import type { JsonValue } from '../../src/base/event.ts'
import type { Part } from '../../src/base/part.ts'
import { type LawEntry, TOOLS } from './entries.ts'

const PLAIN = [
  'Hello',
  ' ',
  'wor',
  'ld',
  '.',
  '\n',
  '\n\n',
  'é',
  '日本',
  '😀',
  'a < b',
  '<![CDATA[',
  ']]>',
  '<b>',
  '</b>',
  '&amp;',
  '`x`',
  '"',
  "'",
  '\\',
  '\\n',
  '{',
  '}',
  '[',
  ']',
  ',',
  ': ',
  '<',
  '</',
  '>',
  '0',
  '1.5',
  'true',
  '\t',
]

/** Text made of ordinary pieces and, now and then, pieces of markup, whole or cut. */
export function textArbitrary(entry: LawEntry, markup: 'none' | 'cut' | 'whole'): fc.Arbitrary<string> {
  const plain = fc.constantFrom(...PLAIN)
  const literal = fc.constantFrom(...entry.markup)
  const cut = fc
    .tuple(literal, fc.nat(20))
    .map(([text, end]) => text.slice(0, Math.min(end, text.length - 1)))
  const piece =
    markup === 'none'
      ? plain
      : markup === 'cut'
        ? fc.oneof({ weight: 5, arbitrary: plain }, { weight: 1, arbitrary: cut })
        : fc.oneof(
            { weight: 4, arbitrary: plain },
            { weight: 1, arbitrary: cut },
            { weight: 1, arbitrary: literal },
          )
  return fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
}

function callArbitrary(entry: LawEntry): fc.Arbitrary<Part & { type: 'call' }> {
  const text = textArbitrary(entry, 'whole')
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
  const call = (toolName: string, input: fc.Arbitrary<Record<string, JsonValue | undefined>>) =>
    input.map((fields) => ({
      type: 'call' as const,
      toolName,
      input: Object.fromEntries(
        Object.entries(fields).filter(([, value]) => value !== undefined),
      ) as JsonValue,
    }))
  return fc.oneof(
    call(
      'get_weather',
      fc.record({ city: optional(text), days: optional(fc.integer({ min: -5, max: 1e9 })) }),
    ),
    call('write_file', fc.record({ path: text, content: text })),
    call(
      'search',
      fc.record({
        query: optional(text),
        tags: optional(fc.array(textArbitrary(entry, 'none'), { maxLength: 3 })),
        exact: optional(fc.boolean()),
        limits: optional(
          fc.record({ most: fc.constantFrom(1, 2.5, -3e21), after: fc.constantFrom(null, 'now') }),
        ),
      }),
    ),
    call('ping', fc.constant({})),
  )
}

/** The parts of a message, in an order that models use. */
export function messageArbitrary(entry: LawEntry): fc.Arbitrary<Part[]> {
  const text = textArbitrary(entry, 'cut').map((value): Part => ({ type: 'text', text: value }))
  const reasoning = textArbitrary(entry, 'cut').map((value): Part => ({ type: 'reasoning', text: value }))
  const group = fc.array(callArbitrary(entry), { minLength: 1, maxLength: 3 })
  const isMarked = entry.dialect.calls.length + entry.dialect.looseCalls.length > 0
  // A call that may stand anywhere is meant if it has its line for itself.
  const lineBreak = entry.dialect.looseCalls.length > 0 ? '\n' : ''
  return fc
    .tuple(
      fc.option(reasoning, { nil: undefined }),
      fc.option(text, { nil: undefined }),
      fc.option(group, { nil: undefined }),
      // Few formats that mark no calls can be written with text behind them.
      fc.option(text, { nil: undefined, freq: isMarked ? 5 : 1 }),
    )
    .map(([thought, before, calls, after]) => {
      const parts: Part[] = []
      if (thought !== undefined && entry.dialect.reasoning.length > 0) parts.push(thought)
      if (before !== undefined && before.type === 'text' && before.text !== '' && isMarked)
        parts.push({ ...before, text: before.text + lineBreak })
      if (calls !== undefined) parts.push(...calls)
      if (after !== undefined && calls !== undefined && after.type === 'text' && after.text !== '')
        parts.push({ ...after, text: lineBreak + after.text })
      return parts
    })
}

// ── texts that no dialect writes ─────────────────────────────────────────────────────────────────

/** What stands between two things that a model writes one after the other. */
const BETWEEN = ['', ' ', '\n', '\n\n', ' \n\t', 'And then: ', '\ufeff']

/** What objects that could be calls begin with, which keys they have, and what stands behind a key or a value. */
const OPENINGS = ['{', '[{', '{"function": {', '{"name": ', '{"name": "ping", "arguments": {', '{"ping": {']
const WORDS = [
  '"name"',
  '"function"',
  '"arguments"',
  '"id"',
  '"ping"',
  '"search"',
  '"other"',
  '5',
  'True',
  '"x',
]
const SIGNS = [
  ':',
  ', ',
  '}',
  '}}',
  '\\"',
  '\\n',
  '//',
  '/*',
  ' = ',
  ' , "ping": {',
  '\n',
  '\ud83d',
  '...',
  "'",
]

/** Objects that could be calls, up to some key or value of theirs. */
const almostCallArbitrary: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...OPENINGS),
    fc.array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...SIGNS)), { minLength: 1, maxLength: 4 }),
  )
  .map((pieces) => pieces.flat(2).join(''))

/** Calls that are short, so that several of them can be cut everywhere. */
const SHORT_CALLS: readonly Part[] = [
  { type: 'call', toolName: 'ping', input: {} },
  { type: 'call', toolName: 'search', input: { exact: true } },
  { type: 'call', toolName: 'get_weather', input: { city: 'é "x"', days: 2 } },
  { type: 'call', toolName: 'search', input: { tags: ['a', '<b>'], limits: { most: 1, after: null } } },
]

/** A short call as it should be, as models write it, or damaged; or what only looks like one. */
function passageArbitrary(entry: LawEntry, write: Writer): fc.Arbitrary<string> {
  const valid = fc.constantFrom(...SHORT_CALLS.map((call) => write(entry, [call]) ?? ''))
  const slips = fc.array(
    fc.nat(1000).map((at): Edit => ({ kind: 'slip', at, what: '' })),
    { minLength: 1, maxLength: 2 },
  )
  const opened = fc
    .tuple(fc.constantFrom(...entry.markup), almostCallArbitrary)
    .map(([marker, inside]) => marker + inside)
  return fc.oneof(
    { weight: 1, arbitrary: valid },
    { weight: 3, arbitrary: fc.tuple(valid, slips).map(([text, edits]) => edited(text, edits)) },
    {
      weight: 2,
      arbitrary: fc.tuple(valid, editsArbitrary(entry)).map(([text, edits]) => edited(text, edits)),
    },
    { weight: 1, arbitrary: opened },
    { weight: 1, arbitrary: almostCallArbitrary },
  )
}

type Writer = (entry: LawEntry, parts: readonly Part[]) => string | undefined

/**
 * Passages of several dialects one after the other, with white space or words between them: a second call behind
 * white space, text behind something that was no call, a dialect's call where another one's could be.
 */
export function sequenceArbitrary(entries: readonly LawEntry[], write: Writer): fc.Arbitrary<string> {
  const passage = fc.oneof(...entries.map((entry) => passageArbitrary(entry, write)))
  return fc
    .array(fc.tuple(fc.constantFrom(...BETWEEN), passage), { minLength: 1, maxLength: 3 })
    .map((passages) => passages.flat().join(''))
}

const PLAIN_CALL: Part & { type: 'call' } = {
  type: 'call',
  toolName: 'get_weather',
  input: { city: 'Paris' },
}

/** A text with calls in a thought, and whether the model stopped behind them. */
export interface Thought {
  readonly text: string
  readonly calls: readonly (Part & { type: 'call' })[]
  readonly isMeant: boolean
}

/**
 * Calls inside reasoning: followed by nothing but white space, by the end of the turn, by more thought, by the end of
 * the thought. `write` answers undefined for what the dialect cannot express. Without reasoning there is no such text.
 */
export function thoughtArbitrary(
  entry: LawEntry,
  write: (parts: readonly Part[]) => string | undefined,
): fc.Arbitrary<Thought | undefined> {
  const { reasoning, endOfTurn, callEndsReasoning } = entry.dialect
  if (reasoning.length === 0) return fc.constant(undefined)
  const [opener = '', closer = ''] = write([{ type: 'reasoning', text: '\u0001' }])!.split('\u0001')
  const space = fc.constantFrom('', ' ', '\n', '\n\n\t')
  const harmless = fc.oneof(space, fc.constantFrom('', ...endOfTurn))
  const harmful = fc.oneof(
    fc.constantFrom(closer, `${closer}Done.`, 'x', ' and so on', '.', '<', '`', '\n- no'),
    fc.constantFrom('', ...endOfTurn).map((token) => `${token}x${closer}`),
    textArbitrary(entry, 'none').map((text) => `and ${text}`),
  )
  return fc
    .record({
      before: fc.constantFrom('', 'Hm. ', 'I could write\n'),
      // Where no call is read inside reasoning, a marker in its arguments really ends the reasoning.
      calls: fc.array(callEndsReasoning ? callArbitrary(entry) : fc.constant(PLAIN_CALL), {
        minLength: 1,
        maxLength: 3,
      }),
      between: space,
      behind: fc.tuple(harmless, harmless, space).map((pieces) => pieces.join('')),
      harm: fc.option(harmful, { nil: '' }),
      after: fc.constantFrom('', closer, `${closer}Done.`),
    })
    .map(({ before, calls, between, behind, harm, after }) => {
      const written = calls.map((call) => write([call]))
      if (written.includes(undefined)) return undefined
      const text = opener + before + written.join(between) + behind + harm + after
      return { text, calls, isMeant: callEndsReasoning && (harm + after).trim() === '' }
    })
}

/** One change to a text that was valid. */
export type Edit = {
  readonly kind: 'drop' | 'double' | 'swap' | 'cut' | 'insert' | 'rename' | 'slip'
  readonly at: number
  readonly what: string
}

export function editsArbitrary(entry: LawEntry): fc.Arbitrary<Edit[]> {
  return fc.array(
    fc.record({
      kind: fc.constantFrom('drop', 'double', 'swap', 'cut', 'insert', 'rename', 'slip'),
      at: fc.nat(1000),
      what: fc.oneof(fc.constantFrom(...PLAIN), fc.constantFrom(...entry.markup)),
    }),
    { minLength: 1, maxLength: 3 },
  )
}

/** Applies edits to the pieces a reader would see: tags, punctuation, words, whitespace. */
export function edited(text: string, edits: readonly Edit[]): string {
  const pieces = text.match(/<[^<>]*>|\[[A-Z_/]+\]|[{}[\]():,"'=]|\s+|[^\s<>{}[\]():,"'=]+|[<>]/g) ?? []
  for (const { kind, at, what } of edits) {
    if (pieces.length === 0) break
    const index = at % pieces.length
    const piece = pieces[index]!
    if (kind === 'drop') pieces.splice(index, 1)
    else if (kind === 'double') pieces.splice(index, 0, piece)
    else if (kind === 'swap')
      pieces.splice(index, 2, ...(index + 1 < pieces.length ? [pieces[index + 1]!, piece] : [piece]))
    else if (kind === 'rename') rename(pieces, at)
    else if (kind === 'slip') slip(pieces, at)
    else if (kind === 'cut') pieces.splice(index, pieces.length, piece.slice(0, at % (piece.length + 1)))
    else pieces.splice(index, 0, what)
  }
  return pieces.join('')
}

/** A call of a tool that nobody gave. */
function rename(pieces: string[], at: number): void {
  const named = pieces.flatMap((piece, index) =>
    TOOL_NAMES.some((name) => piece.includes(name)) ? [index] : [],
  )
  const index = named[at % named.length]
  if (index === undefined) return
  for (const name of TOOL_NAMES) pieces[index] = pieces[index]!.replace(name, 'other_tool')
}

/** What models write in place of JSON: most of it is repaired, and some of it shows only at the next character. */
function slip(pieces: string[], at: number): void {
  const possible = pieces.flatMap((piece, index) => {
    const slips = SLIPS.filter(({ instead }) => instead.test(piece))
    return slips.map(({ write }) => ({ index, write }))
  })
  const chosen = possible[at % possible.length]
  if (chosen !== undefined) pieces[chosen.index] = chosen.write(pieces[chosen.index]!)
}

const SLIPS: readonly { readonly instead: RegExp; readonly write: (piece: string) => string }[] = [
  { instead: /^[}\])]/, write: (closer) => `,${closer}` },
  { instead: /^(true|false)$/, write: (word) => word[0]!.toUpperCase() + word.slice(1) },
  { instead: /^"$/, write: () => '\\"' },
  { instead: /^"$/, write: () => "'" },
  { instead: /^[:,]/, write: (sign) => `${sign} // so\n` },
  { instead: /^:/, write: () => ' \\' },
  { instead: /^<[^<>]+>$/, write: (tag) => `${tag.slice(0, -1)} >` },
  { instead: /^<[^<>]+>$/, write: (tag) => `${tag.slice(0, -1)}\n\t>` },
  { instead: /^<[^/<>]+>$/, write: (tag) => `${tag}<![CDATA[` },
  { instead: /^<\/[^<>]+>$/, write: (tag) => `]]>${tag}` },
]

const TOOL_NAMES = TOOLS.map(({ name }) => name)
