/**
 * Hostile messages: calls at the top level, other calls of the same format quoted in places where they are data, and
 * one slip that a model could make. Whatever the slip, only calls that stood at the top level may run.
 *
 * What no parser can tell is left out where the messages are made:
 *
 * - A damaged opener before a quoted call (`<tool_cal>… "<tool_call>…"`): the quotation is all that is left of a call.
 *   So no slip touches what opens a call, a thought, a result or a block of code, except for the attributes of a tag.
 * - A quoted tail without an opener (`</parameter></function></tool_call><tool_call>…` in a format without escapes):
 *   it is the text of a call that ended, and of another one. So a call that is quoted raw is quoted with its opener,
 *   no slip damages that, and no closer is inserted anywhere.
 * - A quotation that closes the call around it (`"…{\"a\":\"b"}} and then <tool_call>…`, one quote not escaped): what
 *   stands behind it is prose. So no slip ends a string before the brackets that end a quotation.
 * - A thought that ends with a call, and the response with the thought: where an opener ends reasoning, that is how
 *   such models call tools. So each quotation in a thought is followed by another word, and a thought that is cut off
 *   was cut off by the limit of the response.
 * - Elements that are named like a tool (`<search>` in HTML, in morph-xml): no prose here holds such tags.
 */

import fc from 'fast-check'
import type { JsonValue } from '../../src/base/event.ts'
import type { Limits } from '../../src/base/limits.ts'
import { render, renderCalls, renderResults } from '../../src/engine/render.ts'
import type { Dialect } from '../../src/engine/wire/dialect.ts'
import type { LawEntry } from './entries.ts'
import type { Ran, Response, Tool } from './runs.ts'

const STRING = { type: 'string' } as const

/** No message ever asks for `forbidden`: it is only quoted. */
export const TRUST_TOOLS: readonly Tool[] = [
  {
    name: 'write_file',
    streams: 'content',
    inputSchema: { type: 'object', properties: { path: STRING, content: STRING } },
  },
  { name: 'note', inputSchema: { type: 'object', properties: { path: STRING, content: STRING } } },
  { name: 'memo', inputSchema: { type: 'object', properties: { path: STRING, content: STRING } } },
  { name: 'forbidden', streams: 'content', inputSchema: { type: 'object', properties: { content: STRING } } },
]

// ── what a message is made of ────────────────────────────────────────────────────────────────────

/** A call that is quoted: how many arguments it has, and which of the dialect's spellings it is written in. */
interface Quotation {
  readonly arguments: 0 | 1
  readonly spelling: number
  readonly style: 'rendered' | 'compact' | 'single-quoted'
  /** What stands before it. */
  readonly lead: number
}

type Place =
  | {
      readonly kind: 'call'
      readonly tool: 'write_file' | 'note'
      readonly spelling: number
      readonly quotations: readonly Quotation[]
      /** Written into the argument as it is, with nothing escaped. */
      readonly isRaw: boolean
      /** Another call follows in the same section. */
      readonly hasNext: boolean
    }
  | {
      readonly kind: 'reasoning' | 'result'
      readonly quotations: readonly Quotation[]
      readonly isNested: boolean
    }
  | { readonly kind: 'code'; readonly quotations: readonly Quotation[]; readonly fence: number }
  | { readonly kind: 'object' | 'sentence' | 'guess'; readonly quotation: Quotation }
  | { readonly kind: 'text' }

type SlipKind =
  | 'none'
  | 'typo'
  | 'quote'
  | 'closer'
  | 'bracket'
  | 'limit'
  | 'nesting'
  | 'cut'
  | 'drop'
  | 'double'
  | 'swap'
  | 'attribute'

interface Slip {
  readonly kind: SlipKind
  readonly at: number
  readonly what: number
}

export interface Recipe {
  readonly places: readonly Place[]
  readonly slip: Slip
  readonly startsInReasoning: boolean
  /** The parser is told that it does. */
  readonly isStartSaid: boolean
}

const SLIPS: readonly SlipKind[] = [
  'none',
  'typo',
  'quote',
  'closer',
  'bracket',
  'limit',
  'nesting',
  'cut',
  'drop',
  'double',
  'swap',
  'attribute',
]

/** Words that a file or a thought may hold, with characters that formats escape. */
const LEADS = [
  'Write',
  'say "hi" and',
  "it's",
  'a < b,',
  'C:\\dir',
  'use {x: [1]} or',
  'first\nthen',
  'f(x),',
  '',
] as const

export function recipeArbitrary({ dialect }: LawEntry): fc.Arbitrary<Recipe> {
  const quotation = fc.record({
    arguments: fc.constantFrom<0 | 1>(0, 1),
    spelling: fc.nat(3),
    style: fc.constantFrom('rendered' as const, 'compact' as const, 'single-quoted' as const),
    lead: fc.nat(LEADS.length - 1),
  })
  const quotations = fc.array(quotation, { minLength: 1, maxLength: 2 })
  const call = fc.record({
    kind: fc.constant('call' as const),
    tool: fc.constantFrom('write_file' as const, 'note' as const),
    spelling: fc.nat(3),
    quotations: fc.array(quotation, { maxLength: 2 }),
    isRaw: fc.boolean(),
    hasNext: fc.boolean(),
  })
  const around = (kind: 'reasoning' | 'result') =>
    fc.record({ kind: fc.constant(kind), quotations, isNested: fc.boolean() })
  const code = fc.record({ kind: fc.constant('code' as const), quotations, fence: fc.nat(FENCES.length - 1) })
  const bare = (kind: 'object' | 'sentence' | 'guess') => fc.record({ kind: fc.constant(kind), quotation })
  const places: fc.WeightedArbitrary<Place>[] = [
    { weight: 1, arbitrary: fc.constant({ kind: 'text' as const }) },
    { weight: 6, arbitrary: call },
    { weight: 1, arbitrary: code },
  ]
  // A message with a recipient is a call in every channel of harmony, so its thoughts hold no quotations.
  if (dialect.reasoning.length > 0 && dialect.name !== 'harmony')
    places.push({ weight: 3, arbitrary: around('reasoning') })
  if (dialect.result !== undefined) places.push({ weight: 3, arbitrary: around('result') })
  if (dialect.looseCalls.length > 0) places.push({ weight: 1, arbitrary: bare('object') })
  if (unmarkedSpellings(dialect).length > 0) places.push({ weight: 1, arbitrary: bare('sentence') })
  // Where a call without a marker stands, one that is read as such is meant.
  if (dialect.guessedCalls.length > 0 && dialect.weakCalls.length === 0)
    places.push({ weight: 1, arbitrary: bare('guess') })
  return fc.record({
    places: fc.array(fc.oneof(...places), { minLength: 1, maxLength: 4 }),
    slip: fc.record({ kind: fc.constantFrom(...SLIPS), at: fc.nat(10_000), what: fc.nat(10_000) }),
    startsInReasoning: fc.boolean(),
    isStartSaid: fc.boolean(),
  })
}

// ── from a recipe to a response ──────────────────────────────────────────────────────────────────

/** What was asked for at the top level. */
export interface Meant extends Ran {
  /** A word that stands in this call and nowhere else. */
  readonly word: string
  /** The slip touched it, so it may come out otherwise. */
  isDamaged: boolean
}

export interface HostileMessage extends Response {
  readonly meant: readonly Meant[]
  /** Words that belong to no call, and those of each quotation with the call it stands in, or none. */
  readonly words: ReadonlyMap<string, Meant | undefined>
}

/** Marks in a text that is being made. They are characters of no meaning, and are taken out at the end. */
const KEEP = '\uE000'
const KEPT = '\uE001'
const CALL = '\uE002'
const CALL_ENDS = '\uE003'
const HOLE = '\uE004'
const MARKS = /[\uE000-\uE004]/g

/** What no slip touches. */
const kept = (text: string): string => KEEP + text + KEPT

const FENCES = ['```', '~~~', '```md\nthree ``` inside a line', '`'] as const

/** The dialect once for each way in which it writes calls. */
const spellings = new WeakMap<Dialect, readonly Dialect[]>()

function spellingsOf(dialect: Dialect): readonly Dialect[] {
  const none = { calls: [], weakCalls: [], looseCalls: [], guessedCalls: [] }
  const known =
    spellings.get(dialect) ??
    (['calls', 'weakCalls', 'looseCalls'] as const)
      .flatMap((kind) =>
        dialect[kind].map((template): Dialect => ({ ...dialect, ...none, [kind]: [template] })),
      )
      .filter((spelling) => canWrite(spelling))
  spellings.set(dialect, known)
  return known
}

/** One of them. `isMarked`: none of those that nothing marks as calls, where there are others. */
function spellingOf(dialect: Dialect, index: number, isMarked: boolean): Dialect {
  const all = spellingsOf(dialect)
  const some = all.filter(({ weakCalls }) => weakCalls.length === 0)
  const known = !isMarked || some.length === 0 ? all : some
  return known[index % known.length]!
}

/** Only those that nothing marks as calls. */
function unmarkedSpellings(dialect: Dialect): readonly Dialect[] {
  return [
    ...spellingsOf(dialect).filter(({ weakCalls, looseCalls }) => weakCalls.length + looseCalls.length > 0),
    ...guessedSpellings(dialect),
  ]
}

/** The ways that are always guesses, so that nobody means a call by them. */
function guessedSpellings(dialect: Dialect): readonly Dialect[] {
  return dialect.guessedCalls.map((template) => ({
    ...dialect,
    ...{ calls: [template], weakCalls: [], looseCalls: [], guessedCalls: [] },
  }))
}

function canWrite(dialect: Dialect): boolean {
  try {
    const written = TRUST_TOOLS.map(({ name }) =>
      write(dialect, [{ toolName: name, input: { content: HOLE } }]),
    )
    return written.every((text) => text.includes(HOLE))
  } catch {
    return false
  }
}

function write(dialect: Dialect, calls: readonly { readonly toolName: string; readonly input: JsonValue }[]) {
  const named = calls.map((call, index) => ({ ...call, id: `functions.${call.toolName}:${index}` }))
  return renderCalls(named, { dialect, tools: TRUST_TOOLS })
}

/** Whether the argument that is the content of a tool is written as it is, with every `"` and `<`. */
const rawTools = new WeakMap<Dialect, Map<string, boolean>>()

function isRaw(dialect: Dialect, toolName: string): boolean {
  const tools = rawTools.get(dialect) ?? new Map<string, boolean>()
  rawTools.set(dialect, tools)
  const known =
    tools.get(toolName) ?? write(dialect, [{ toolName, input: { content: 'a<"b' } }]).includes('a<"b')
  tools.set(toolName, known)
  return known
}

/**
 * A written call whose opener no slip touches: what is read before its reader has a first character, which is the
 * bracket of an object or the first letter of a name; and the whole name, where only that makes it a call.
 */
function withOpenerKept(dialect: Dialect, written: string, toolName: string): string {
  const nameAt = written.indexOf(toolName)
  const objectAt = written.search(/\{["']/)
  const openerEnd = objectAt > 0 && objectAt < nameAt ? objectAt + 1 : nameAt + 1
  const needsName = dialect.knownToolsOnly || dialect.weakCalls.length + dialect.looseCalls.length > 0
  // With what stands around the name, because another character there would belong to it.
  const nameStart = nameAt - 1
  const nameEnd = needsName ? nameAt + toolName.length + 1 : openerEnd
  if (openerEnd >= nameAt) return kept(written.slice(0, nameEnd)) + written.slice(nameEnd)
  return (
    kept(written.slice(0, openerEnd)) +
    written.slice(openerEnd, nameStart) +
    (needsName ? kept(written.slice(nameStart, nameEnd)) + written.slice(nameEnd) : written.slice(nameStart))
  )
}

/** On one line, and without the quotes that a string around it would escape, it is a call to whoever finds it there. */
function styled(call: string, style: Quotation['style']): string {
  if (style === 'rendered') return call
  const compact = call.replaceAll('\n', '')
  return style === 'compact' ? compact : compact.replaceAll('"', "'")
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

const fringes = { reasoning: new WeakMap<Dialect, string[]>(), result: new WeakMap<Dialect, string[]>() }

class Maker {
  private readonly dialect: Dialect
  readonly meant: Meant[] = []
  readonly words = new Map<string, Meant | undefined>()

  constructor(dialect: Dialect) {
    this.dialect = dialect
  }

  /** A word that is nowhere else. */
  private word(kind: string): string {
    const number = this.words.size
    return `${kind}${LETTERS[Math.trunc(number / 26)]}${LETTERS[number % 26]}q`
  }

  private plain(owner?: Meant): string {
    const word = this.word('Prose')
    this.words.set(word, owner)
    return word
  }

  /** A call that is quoted; `keepsOpener`: where nothing else would tell it from a call at the top level. */
  private quotedCall(
    { arguments: count, spelling, style }: Quotation,
    owner: Meant | undefined,
    { keepsOpener = false, isWeak = false } = {},
  ): string {
    const word = this.word('Quoted')
    this.words.set(word, owner)
    const known = isWeak
      ? unmarkedSpellings(this.dialect)
      : [...spellingsOf(this.dialect), ...guessedSpellings(this.dialect)]
    const dialect = known[spelling % known.length]!
    const rendered = write(dialect, [{ toolName: 'forbidden', input: count === 0 ? {} : { content: word } }])
    const call = styled(rendered, style)
    return keepsOpener ? withOpenerKept(dialect, call, 'forbidden') : call
  }

  /** The same in a sentence. */
  private quoted(
    quotation: Quotation,
    owner: Meant | undefined,
    how?: { readonly keepsOpener?: boolean; readonly isWeak?: boolean },
  ): string {
    return `${LEADS[quotation.lead]} ${this.quotedCall(quotation, owner, how)} then ${this.plain(owner)}`
  }

  /** `beginsText`: no text stands before it, or something else stands between. */
  place(place: Place, index: number, beginsText: boolean): string {
    switch (place.kind) {
      case 'text':
        return `${this.plain()} is here.\n`
      case 'call':
        return this.calls(place, index)
      case 'reasoning':
      case 'result':
        return this.around(place)
      case 'code':
        return this.code(place, beginsText)
      case 'object':
        // Where the object around it breaks before it, the quotation is all that is left.
        return `${kept('{"example": ')}${this.quotedCall(place.quotation, undefined)}} ${this.plain()}.\n`
      case 'guess':
        return `\n${kept(this.quotedCall(place.quotation, undefined, { isWeak: true }))}\n`
      case 'sentence':
        return `${this.quoted(place.quotation, undefined, { isWeak: true })}.\n`
    }
  }

  /** One or two calls, the first with quotations in an argument. */
  private calls(
    { tool, spelling, quotations, isRaw: isWrittenRaw, hasNext }: Place & { kind: 'call' },
    index: number,
  ): string {
    // A call that nothing marks is certain only at the start of a message; elsewhere it may be no call at all.
    const dialect = spellingOf(this.dialect, spelling, index > 0)
    const first = this.mean(tool)
    const keepsOpener = isWrittenRaw || isRaw(dialect, tool)
    const marked = [
      ...quotations.map((one) => this.quoted(one, first, { keepsOpener })),
      this.plain(first),
    ].join(' ')
    const content = marked.replace(MARKS, '')
    Object.assign(first, { input: { path: first.word, content } })
    const group = [first, ...(hasNext ? [this.mean('memo')] : [])]
    const holes = group.map(({ toolName, input }, index) => ({
      toolName,
      input: index > 0 ? input : { path: first.word, content: isWrittenRaw ? HOLE : marked },
    }))
    // In a raw format an argument is read as it stands; in others, nothing escaped is a slip of its own.
    first.isDamaged = isWrittenRaw && !isRaw(dialect, tool) && quotations.length > 0
    const written = write(dialect, holes)
    return `${this.withMarks(dialect, written, group).replace(HOLE, () => marked)}\n`
  }

  private mean(toolName: string): Meant {
    const word = this.word('Call')
    const meant: Meant = { toolName, word, input: { path: word, content: 'x' }, isDamaged: false }
    this.words.set(word, meant)
    this.meant.push(meant)
    return meant
  }

  /** Marks where each call begins and ends, and keeps the openers. */
  private withMarks(dialect: Dialect, written: string, group: readonly Meant[]): string {
    const [first, second] = group
    const keepFirst = (text: string) => CALL + withOpenerKept(dialect, text, first!.toolName) + CALL_ENDS
    if (second === undefined) return keepFirst(written)
    const nameAt = written.indexOf(second.toolName)
    const alone = write(dialect, [{ toolName: second.toolName, input: second.input }])
    const opener = alone.slice(0, alone.indexOf(second.toolName))
    const isSection = !written.slice(0, nameAt).endsWith(opener)
    // Within a section a damaged opener is a break between its calls.
    if (isSection) return keepFirst(written.slice(0, nameAt)) + CALL + written.slice(nameAt) + CALL_ENDS
    const openerAt = nameAt - opener.length
    const next = withOpenerKept(dialect, written.slice(openerAt), second.toolName)
    return keepFirst(written.slice(0, openerAt)) + CALL + next + CALL_ENDS
  }

  /** A thought, or a tool's result, that quotes calls; `isNested`: and holds another one like itself. */
  private around({ kind, quotations, isNested }: Place & { kind: 'reasoning' | 'result' }): string {
    const [opener, closer] = this.fringe(kind)
    const nested = isNested ? `${kept(opener)}${this.plain()}${closer}` : ''
    // Where one marker closes a thought and a call, a quoted call without its opener closes the thought, and so does
    // another closer behind it.
    const end = closer.trim()
    const isShared = write(this.dialect, [{ toolName: 'forbidden', input: {} }])
      .trim()
      .endsWith(end)
    const quoted = quotations.map((one) => this.quoted(one, undefined, { keepsOpener: isShared })).join(' ')
    const inside = isShared ? quoted.replaceAll(end, kept(end)) : quoted
    // An opener directly behind another one is only repeated, so a word stands between the two.
    return `${kept(`${opener}${this.plain()} `)}${nested}${inside}${closer}\n`
  }

  /** What stands before and after a thought, or a result. */
  fringe(kind: 'reasoning' | 'result'): [string, string] {
    const { dialect } = this
    const write = () =>
      kind === 'reasoning'
        ? render([{ type: 'reasoning', text: HOLE }], { dialect })
        : renderResults([{ id: 'r', content: HOLE }], { dialect })
    const fringe = fringes[kind].get(dialect) ?? write().split(HOLE)
    fringes[kind].set(dialect, fringe)
    return fringe as [string, string]
  }

  private code({ quotations, fence: index }: Place & { kind: 'code' }, beginsText: boolean): string {
    const inside = quotations.map((one) => this.quoted(one, undefined)).join(' ')
    const fence = FENCES[index]!
    const isOneLine = !/[\n`]/.test(inside)
    if (fence === '`' && isOneLine) return `${kept('`')}${inside}${kept('`')}\n`
    // Longer than any run of its characters in the block, even one that a slip doubles: a longer run would end the block.
    const runs = inside.match(/`+|~+/g) ?? []
    const character = fence[0] === '~' ? '~' : '`'
    const longest = Math.max(1, ...runs.map(({ length }) => length))
    const line = character.repeat(2 * longest + 1)
    const header = fence === '`' ? '' : fence.replace(/^(```|~~~)/, '')
    // A fence begins a line, or the text.
    return `${kept(`${beginsText ? '' : '\n'}${line}${header}\n`)}${inside}${kept(`\n${line}\n`)}`
  }
}

/** The response that a recipe describes. */
export function hostileMessage({ dialect }: LawEntry, recipe: Recipe): HostileMessage {
  const maker = new Maker(dialect)
  let marked = recipe.places
    .map((place, index, all) => {
      const before = all[index - 1]?.kind
      return maker.place(place, index, before === undefined || before === 'reasoning')
    })
    .join('')
  const startsInReasoning = recipe.startsInReasoning && recipe.places[0]!.kind === 'reasoning'
  const [opener, closer] = startsInReasoning ? maker.fringe('reasoning') : ['', '']
  marked = marked.replace(opener, '')
  // Nothing but the closer shows it then, which some dialects also write behind other messages.
  const isUnsaid = startsInReasoning && !recipe.isStartSaid && dialect.strayCloser !== 'text'
  if (isUnsaid) marked = marked.replaceAll(closer, kept(closer))
  const { meant, words } = maker
  const isUnescaped = meant.some(({ isDamaged }) => isDamaged) || (isUnsaid && recipe.slip.kind === 'cut')
  const slip: Slip = isUnescaped ? { ...recipe.slip, kind: 'none' } : recipe.slip
  const { text, limits } = slipped(marked, slip, meant)
  const isUndecided = recipe.places.some(({ kind }) => kind === 'sentence' || kind === 'reasoning')
  return {
    text,
    dialect,
    tools: TRUST_TOOLS,
    ...(recipe.places.some(({ kind }) => kind === 'code') && { protectCode: true }),
    ...(startsInReasoning && !isUnsaid && { start: 'reasoning' as const }),
    ...(limits && { limits }),
    ending: slip.kind === 'cut' && isUndecided ? 'length' : 'stop',
    meant,
    words,
  }
}

// ── slips ────────────────────────────────────────────────────────────────────────────────────────

interface Token {
  text: string
  readonly isKept: boolean
  /** The number of the top-level call that it belongs to. */
  readonly call: number | undefined
}

const TOKEN =
  /\\.|&\w+;|<\|"\|>|<[^<>\s]*>?|\[\/?[A-Z_]+\]|\[\[\w+|\]\]|```\w*|[{}[\]():,"'=>]|\s+|[^\s<>{}[\]():,"'=\\&`]+|[\\&`]/gu

function tokensOf(marked: string): Token[] {
  const tokens: Token[] = []
  let isKept = 0
  let call: number | undefined
  let calls = -1
  for (const [piece] of marked.matchAll(/[\uE000-\uE004]|[^\uE000-\uE004]+/g)) {
    if (piece === KEEP) isKept++
    else if (piece === KEPT) isKept--
    else if (piece === CALL) call = ++calls
    else if (piece === CALL_ENDS) call = undefined
    else if (isKept > 0) tokens.push({ text: piece, isKept: true, call })
    else for (const [text] of piece.matchAll(TOKEN)) tokens.push({ text, isKept: false, call })
  }
  return tokens
}

const IS_MARKER = /[<[|\]>].*\w|\w.*[>\]|]/
const IS_CLOSER = /^<\/|^\[\/|end|END|close|suffix|^["'}\])]$|^<\|"\|>$|^<escape>$|^```$|^\]\]$/
const IS_BRACKET = /^[{}[\]()"'>]$|>$/
const BRACKETS = ['}', ']', ')', '>', '{', '['] as const
const LIMITS: readonly Partial<Limits>[] = [
  { call: 40 },
  { call: 90 },
  { depth: 1 },
  { name: 4 },
  { tag: 12 },
  { undecided: 8 },
  { undecided: 30 },
  { keys: 1 },
  { bare: 1 },
  { repairs: 1 },
]

/** The text after one slip. What no slip of this kind is possible in stays as it is. */
function slipped(
  marked: string,
  { kind, at, what }: Slip,
  meant: readonly Meant[],
): { text: string; limits?: Partial<Limits> } {
  const tokens = tokensOf(marked)
  const whole = () => tokens.map(({ text }) => text).join('')
  if (kind === 'none') return { text: whole() }
  if (kind === 'limit') return { text: whole(), limits: LIMITS[what % LIMITS.length]! }
  if (kind === 'cut') return { text: whole().slice(0, at % (whole().length + 1)) }
  if (kind === 'attribute') {
    const openers = tokens.filter((token) => withOtherAttribute(token) !== token.text)
    const opener = openers[at % openers.length]
    if (opener !== undefined) {
      opener.text = withOtherAttribute(opener)
      meant[opener.call!]!.isDamaged = true
    }
    return { text: whole() }
  }
  const isPossible: (token: Token, index: number) => boolean = {
    typo: ({ text }: Token) => IS_MARKER.test(text),
    quote: ({ text, call }: Token, index: number) =>
      call !== undefined && /^(\\.|&\w+;|\w+)$/.test(text) && !endsQuotation(tokens, index),
    closer: ({ text }: Token) => IS_CLOSER.test(text),
    bracket: ({ text, call }: Token) => call !== undefined && IS_BRACKET.test(text),
    nesting: ({ text, call }: Token) => call !== undefined && /^[{}[\]():,"'=\w]+$/.test(text),
    drop: () => true,
    double: () => true,
    swap: (_: Token, index: number) => index + 1 < tokens.length && !tokens[index + 1]!.isKept,
  }[kind]
  const places = tokens.flatMap((token, index) => (!token.isKept && isPossible(token, index) ? [index] : []))
  if (places.length === 0) return { text: whole() }
  const index = places[at % places.length]!
  const token = tokens[index]!
  // The token before and the one behind count as touched, too: they may mean something else now.
  const touched = [index - 1, index, index + 1, index + 2].map((near) => tokens[near]?.call)
  if (kind === 'typo') token.text = mistyped(token.text, what)
  else if (kind === 'quote') token.text = unescaped(token.text, what)
  else if (kind === 'closer' || kind === 'drop') token.text = ''
  else if (kind === 'bracket') {
    const bracket = BRACKETS[what % BRACKETS.length]!
    token.text = what % 2 === 0 ? token.text + bracket : bracket + token.text
  } else if (kind === 'nesting') token.text += '['.repeat(130)
  else if (kind === 'double') token.text += token.text
  else {
    const next = tokens[index + 1]!
    ;[token.text, next.text] = [next.text, token.text]
  }
  for (const call of touched) if (call !== undefined) meant[call]!.isDamaged = true
  return { text: whole() }
}

/** The tag that opens a call, with an attribute that it should not have, or without the one that names the tool. */
function withOtherAttribute({ text, isKept, call }: Token): string {
  if (!isKept || call === undefined || text.includes('forbidden')) return text
  return /^<\w+>$/.test(text) ? text.replace('>', ' pth="a">') : text.replace(' name=', ' nme=')
}

/** A quote that is not escaped here would let the quotation close the call around it, brackets and all. */
function endsQuotation(tokens: readonly Token[], index: number): boolean {
  const next = tokens
    .slice(index + 1, index + 4)
    .map(({ text }) => text)
    .join('')
  return /^(\\["']|["'])?\s*[}\])]/.test(next)
}

function mistyped(text: string, what: number): string {
  const at = what % text.length
  const instead = ['', text[at]! + text[at]!, 'x'][what % 3]!
  return text.slice(0, at) + instead + text.slice(at + 1)
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '\\n': '\n',
}

function unescaped(text: string, what: number): string {
  if (/^[\\&]/.test(text)) return ESCAPES[text] ?? text.slice(1)
  return text + ['"', "'", '\\', '<|"|>', '<escape>'][what % 5]!
}

// ── the judgement ────────────────────────────────────────────────────────────────────────────────

/** What is wrong with what would run of a message, or nothing. */
export function wronglyRun({ meant, words }: HostileMessage, ran: readonly Ran[]): string | undefined {
  const seen = new Set<Meant>()
  for (const call of ran) {
    const shown = `${call.toolName} ${JSON.stringify(call.input)}`
    if (call.toolName === 'forbidden') return `a quoted call runs: ${shown}`
    const inside = JSON.stringify(call.input)
    const own = meant.find(({ word }) => inside.includes(word))
    if (own === undefined) {
      // Its word is what the slip hit.
      if (meant.some((one) => one.isDamaged && one.toolName === call.toolName)) continue
      return `a call runs that nobody asked for: ${shown}`
    }
    for (const [word, owner] of words)
      if (owner !== own && inside.includes(word))
        return `a call runs with what stands outside of it: ${shown}`
    if (seen.has(own)) return `a call runs twice: ${shown}`
    seen.add(own)
    if (!own.isDamaged && !isSame(own, call)) return `a call runs with another input than was meant: ${shown}`
  }
  return undefined
}

function isSame(meant: Meant, ran: Ran): boolean {
  if (meant.toolName !== ran.toolName) return false
  const input = ran.input as { readonly [key: string]: JsonValue }
  const wanted = meant.input as { readonly [key: string]: JsonValue }
  return (
    Object.keys(wanted).length === Object.keys(input).length &&
    Object.keys(wanted).every((key) => input[key] === wanted[key])
  )
}
