/**
 * Calls that are written like a function call or an object literal of some language.
 *
 *     get_weather(city="Paris", days=2)                        python
 *     get_weather{city:<|"|>Paris<|"|>,days:2}                 Gemma
 *
 * The reader turns the literal into JSON text as it arrives and hands that to the JSON engine, so that
 * everything behind it (arguments by path, limits, repeated keys) is the same as for any JSON.
 */

import { SluiceError } from '../../base/errors.ts'
import { checkOptions, type KnownOptions, shown } from '../../base/options.ts'
import {
  either,
  isCount,
  isString,
  listOf,
  nullable,
  oneOf,
  recordOf,
  type Shape,
  scalarsLike,
} from '../../base/plain-state.ts'
import { isSpace } from '../../base/whitespace.ts'
import { TOLERANT } from '../../values/json/rules.ts'
import { initialState, isJsonState, type JsonState } from '../../values/json/scan/json-state.ts'
import { JsonScanner } from '../../values/json/scanner.ts'
import type { JsonSchema } from '../../values/schema/json-schema.ts'
import { NUMBER, OBJECT, STRING } from '../../values/schema/kinds.ts'
import type { Call } from '../calls/call.ts'
import {
  JSON_ARGUMENTS,
  JsonArguments,
  type JsonArgumentsState,
  jsonArguments,
  jsonLimitsOf,
} from '../calls/json-arguments.ts'
import { isStringAt, kindsAt } from '../calls/tool-arguments.ts'
import type { ValueWatch } from '../calls/value-watch.ts'
import { escaped } from '../calls/values.ts'
import { type FastPath, LiteralScan } from './fast-path.ts'
import { type LiteralSyntax, renderArguments } from './literal-syntax.ts'
import { ESCAPES, HEX_DIGITS, isHex, isNumber, isWord, scalarText } from './literal-words.ts'
import { type Literals, tableOf } from './literals.ts'
import { mayBecomeOther, readQuoted } from './quoted-value.ts'
import type { Reader, ReaderSettings, ReaderType } from './reader.ts'
import { escapedFastPath, rawFastPath, unescapedFastPath } from './string-fast-path.ts'
import type { Node } from './template.ts'
import { UNTIL, type UntilState, until, untilStart } from './until.ts'

const KNOWN: KnownOptions<LiteralSyntax> = {
  open: 'string',
  close: 'string',
  separator: 'string',
  quote: 'string',
  quotesJson: 'boolean',
  end: 'string',
}

/** Among the closers: a set, which is closed by a brace and becomes a list. */
const SET = '|'

/** Among the closers: a parenthesis that has one value so far, and is a tuple only if a comma follows. */
const GROUP = '('

/** Among the closers: a dictionary that stands alone and is all arguments: `f({"city": "Paris"})`. */
const ARGUMENTS = '*'

/** The repair of a name or a key with underscores that Markdown escapes. */
const ESCAPED_WORD = 'escaped-word'

/** What follows the closing quote of a string. */
const BEHIND_STRINGS = ',)]}:'

const PYTHON: LiteralSyntax = { open: '(', close: ')', separator: '=' }

type Place =
  | 'name' //       get_we|ather(
  | 'key' //        (|city="Paris"      or the end
  | 'in-key' //     (ci|ty="Paris"
  | 'after-key' //  (city |="Paris"
  | 'value' //      (city=|"Paris"
  | 'prefix' //     (city=r|"Paris"     a bare word so far, which may turn out to be a string's prefix
  | 'quote' //      (city="|"           a second and third quote may follow
  | 'string' //     (city="Pa|ris"
  | 'escape' //     (city="Pa\|n"
  | 'closing' //    (city="Paris"|      or a quote inside: (city="say "|hi""
  | 'after' //      (city="Paris"|,

interface LiteralArgumentsState {
  json: JsonArgumentsState
  /** Where the next value stands. */
  path: (string | number)[]
}

const LITERAL_ARGUMENTS: Shape<LiteralArgumentsState> = {
  json: recordOf(JSON_ARGUMENTS),
  path: listOf(either(isString, isCount)),
}

interface LiteralCallState {
  place: Place
  word: string
  /** The closers of what is open inside the arguments, innermost last. */
  closers: string
  /** The open string's closing quote, whether backslashes mean nothing in it, and an unfinished escape. */
  quote: string
  raw: boolean
  unescaped: string
  /** The text of the open string, as long as it may be a value of another type; else null. */
  quoted: string | null
  /** The search for the end of the open string. */
  text: UntilState
  /** Characters of an opening quote that is not complete; a quote that may be text, with the white space behind it. */
  tail: string
  /** If a quote inside the open string was taken for text: what is held back because it may become the marker of a call; else null. */
  loose: string | null
  /** What stands behind a brace, as JSON, as long as nothing tells whether it opens a dictionary or a set; else null. */
  undecided: string | null
  first: boolean
  /** A dictionary was all of the arguments. */
  isWhole: boolean
  positions: number
  json: JsonState
  /** Null until there is something of the arguments. */
  arguments: LiteralArgumentsState | null
}

const begin = (): LiteralCallState => ({
  place: 'name',
  word: '',
  closers: '',
  quote: '',
  raw: false,
  unescaped: '',
  quoted: null,
  text: untilStart(),
  tail: '',
  loose: null,
  undecided: null,
  first: true,
  isWhole: false,
  positions: 0,
  json: initialState(),
  arguments: null,
})

const LITERAL_CALL: Shape<LiteralCallState> = {
  ...scalarsLike(begin()),
  place: oneOf(
    ...(['name', 'key', 'in-key', 'after-key', 'value', 'prefix'] as const),
    ...(['quote', 'string', 'escape', 'closing', 'after'] as const),
  ),
  quoted: nullable(isString),
  text: recordOf(UNTIL),
  loose: nullable(isString),
  undecided: nullable(isString),
  positions: isCount,
  json: isJsonState,
  arguments: nullable(recordOf(LITERAL_ARGUMENTS)),
}

class LiteralCallReader implements Reader<LiteralCallState> {
  status: Reader['status'] = 'open'
  private readonly syntax: LiteralSyntax
  private readonly settings: ReaderSettings
  readonly state: LiteralCallState
  private readonly scanner: JsonScanner
  private arguments: JsonArguments | null
  private out = ''
  private marker = ''
  private call: Call | null = null

  constructor(syntax: LiteralSyntax, settings: ReaderSettings, state = begin()) {
    this.syntax = syntax
    this.settings = settings
    this.state = state
    this.scanner = new JsonScanner(jsonLimitsOf(settings.limits), TOLERANT, state.json)
    this.arguments = state.arguments === null ? null : this.argumentsOf(state.arguments)
  }

  read(text: string, from: number, to: number, call: Call): number {
    if (this.call !== call) this.attach(call)
    let at = from
    while (at < to && this.status === 'open') {
      const next = this.step(text, at, to, call)
      if (next === -1) this.status = 'failed'
      else at = next
    }
    this.pass(call)
    return at
  }

  private attach(call: Call): void {
    this.call = call
    this.arguments?.attach(call)
  }

  get fastPath(): FastPath | null {
    const { place, text, quote, raw, unescaped } = this.state
    const isInside =
      (place === 'string' && (text.held === '' || quote === this.syntax.quote)) ||
      (place === 'escape' && unescaped === '' && !raw)
    const isCertain = this.state.loose === null && this.state.undecided === null && this.state.quoted === null
    const json = isInside && isCertain ? this.arguments?.fastPath : null
    if (json == null) return null
    if (quote === this.syntax.quote)
      return unescapedFastPath(json, new LiteralScan(text, this.stringEnds, this.watch))
    return raw ? rawFastPath(json, quote) : escapedFastPath(json, this.state)
  }

  get undecided(): string {
    return this.marker || (this.state.loose ?? '')
  }

  /** What can end the text of the open string: its quote; an escape, or the marker behind the call where there are none. */
  private get stringEnds(): Literals {
    const { quote } = this.state
    const other = quote === this.syntax.quote ? this.syntax.end : '\\'
    return other === undefined ? tableOf(quote) : tableOf(quote, other)
  }

  /** What looks at the open string, if that has no escapes. */
  private get watch(): ValueWatch | null {
    return (this.state.quote === this.syntax.quote && this.call?.host.watch) || null
  }

  /** Hands the JSON text that was written so far to the JSON engine, which may find something wrong with it first. */
  private pass(call: Call): void {
    const { undecided } = this.state
    if (undecided !== null) {
      this.state.undecided = undecided + this.out
      this.out = ''
      // No key is that long, and no set is worth so much memory.
      if (this.state.undecided.length > this.settings.limits.bare) this.decide('{')
    }
    const { out } = this
    this.out = ''
    if (out === '' || !call.started) return
    this.arguments ??= this.beginArguments(call)
    this.scanner.read(out, 0, out.length, this.arguments)
  }

  private argumentsOf({ json, path }: LiteralArgumentsState): JsonArguments {
    return new JsonArguments(this.scanner, json, path)
  }

  private beginArguments(call: Call): JsonArguments {
    this.state.arguments = { json: jsonArguments('made', call.origin), path: [] }
    return this.argumentsOf(this.state.arguments).attach(call)
  }

  /** Reads from `at`; the index after what was read, or -1 if the character there cannot be. */
  private step(text: string, at: number, to: number, call: Call): number {
    const character = text[at]!
    switch (this.state.place) {
      case 'name':
        return this.readName(character, at, call)
      case 'key':
        return this.readKey(character, at, call)
      case 'in-key':
        if (isWord(character) || character === '-' || character === '.') return this.keep(character, at)
        if (character === '\\') return this.keep(character, at)
        if (!this.unescapeKey(call)) return -1
        this.state.place = 'after-key'
        return at
      case 'after-key':
        if (isSpace(character)) return at + 1
        if (character === this.syntax.separator && this.state.tail === '') return this.gotKey(at)
        // The quote that closes a quoted key.
        return this.syntax.separator === ':' ? this.readQuotedKey(character, at) : this.bareArgument(at, call)
      case 'value':
        return this.readValue(character, at, call)
      case 'prefix':
        return this.readPrefix(character, at, call)
      case 'quote':
        return this.readQuote(character, at)
      case 'string':
        return this.readString(text, at, to, call)
      case 'escape':
        return this.readEscape(character, at, call)
      case 'closing':
        return this.readClosing(character, at, call)
      case 'after':
        return this.readAfter(character, at, call)
    }
  }

  private readName(character: string, at: number, call: Call): number {
    if (character === this.syntax.open) {
      if (!this.nameCall(call) || !call.start()) return -1
      this.state.word = ''
      this.out += '{'
      this.state.place = 'key'
      return at + 1
    }
    if (isWord(character) || character === '.' || character === '-' || character === '/') {
      const next = this.keep(character, at)
      // No prose holds a word of that length.
      if (next === -1) call.s.hasBegun = true
      return next
    }
    if (character === '\\' && this.state.word !== '') return this.keep(character, at)
    call.nameBegins(this.state.word, false)
    return -1
  }

  /** The name may be known from what stands before the arguments. */
  private nameCall(call: Call): boolean {
    const { word } = this.state
    if (word === '') return call.name !== ''
    const name = unescapedWord(word)
    if (word.includes('\\')) {
      if (!call.host.settings.tools.has(name)) return false
      call.repairedJson(ESCAPED_WORD, 'lossless', call.origin)
    }
    return call.word('name', name)
  }

  /** The same for a key: it counts if the tool has such an argument. */
  private unescapeKey(call: Call): boolean {
    const { word } = this.state
    if (!word.includes('\\')) return true
    const key = unescapedWord(word)
    const properties = typeof call.schema === 'object' ? call.schema.properties : undefined
    if (properties === undefined || !Object.hasOwn(properties, key)) return false
    this.state.word = key
    this.pass(call)
    call.repairedJson(ESCAPED_WORD, 'lossless', call.origin)
    return true
  }

  private keep(character: string, at: number): number {
    const { name, bare } = this.settings.limits
    this.state.word += character
    return this.state.word.length > (this.state.place === 'prefix' ? bare : name) ? -1 : at + 1
  }

  /** Between the arguments of the call itself. */
  private readKey(character: string, at: number, call: Call): number {
    if (this.state.tail !== '') return this.readQuotedKey(character, at)
    if (isSpace(character) || (character === ',' && !this.state.first)) return at + 1
    if (character === this.syntax.close) return this.finish(at)
    if (this.state.isWhole) return -1
    if (character === '{' && this.isArguments(call)) return this.openArguments(at, call)
    if (this.syntax.quote?.[0] === character || character === '"' || character === "'") {
      // A quoted key, or a positional string: the separator behind it will tell. Keys are short.
      return this.syntax.separator === ':' ? this.readQuotedKey(character, at) : this.positional(at, call)
    }
    if (isWord(character)) {
      if (this.syntax.separator === '=' && character >= '0' && character <= '9')
        return this.positional(at, call)
      this.state.place = 'in-key'
      return at
    }
    return this.syntax.separator === '=' ? this.positional(at, call) : -1
  }

  private readQuotedKey(character: string, at: number): number {
    this.state.tail += character
    const { quote = '"' } = this.syntax
    if (this.state.tail === quote || this.state.tail === '"' || this.state.tail === "'") this.state.tail = ''
    else if (!quote.startsWith(this.state.tail)) return -1
    return at + 1
  }

  /** A dictionary in the place of the first argument is all of them, if that argument cannot be one. */
  private isArguments(call: Call): boolean {
    const key = keyAt(call.schema, 0)
    const isFirst = this.state.first && this.state.positions === 0 && this.syntax.separator === '='
    return isFirst && key !== undefined && (kindsAt(call.tool, [key]) & OBJECT) === 0
  }

  private openArguments(at: number, call: Call): number {
    this.pass(call)
    call.repairedJson('arguments-in-object', 'lossless', call.origin)
    this.state.closers = ARGUMENTS
    this.state.place = 'value'
    return at + 1
  }

  private gotKey(at: number): number {
    this.out += `${this.state.first ? '' : ','}${JSON.stringify(this.state.word)}:`
    this.state.word = ''
    this.state.first = false
    this.state.place = 'value'
    return at + 1
  }

  /** A value without a key: the tool's schema knows which one it is. */
  private positional(at: number, call: Call): number {
    const key = keyAt(call.schema, this.state.positions++)
    if (key === undefined) return -1
    this.pass(call)
    call.repairedJson('positional-argument', 'guess', call.origin)
    this.state.word = key
    this.gotKey(at)
    return at
  }

  /** What looked like a key is a bare word in the place of a value. */
  private bareArgument(at: number, call: Call): number {
    const { word } = this.state
    if (this.syntax.separator !== '=' || this.positional(at, call) === -1) return -1
    this.state.word = word
    this.state.place = 'prefix'
    return at
  }

  private readValue(character: string, at: number, call: Call): number {
    if (isSpace(character)) return at + 1
    const { quote } = this.syntax
    if (quote?.startsWith(this.state.tail + character)) {
      this.state.tail += character
      if (this.state.tail === quote) this.openQuoted(quote, call)
      return at + 1
    }
    if (this.state.tail !== '') return -1
    if (character === '"' || character === "'") {
      this.state.quote = character
      this.state.raw = false
      this.state.place = 'quote'
      return at + 1
    }
    if (character === '[' || character === '(')
      return this.openContainer('[', character === '[' ? ']' : GROUP, at, call)
    if (character === '{') return this.openContainer('{', '}', at, call)
    if (character === ']' || character === '}' || character === ')') return this.closeContainer(character, at)
    if (isWord(character) || character === '-' || character === '+' || character === '.') {
      this.state.place = 'prefix'
      return at
    }
    return -1
  }

  private openContainer(json: string, closer: string, at: number, call: Call): number {
    if (this.state.closers.length >= this.settings.limits.depth) return -1
    this.decide('{')
    if (json === '{' && this.syntax.separator === '=') {
      this.pass(call)
      this.state.undecided = ''
    } else this.out += json
    this.state.closers += closer
    this.state.place = 'value'
    return at + 1
  }

  private closeContainer(character: string, at: number): number {
    const inner = this.state.closers.at(-1)
    if (!isCloser(character, inner)) return -1
    this.decide('{')
    this.state.closers = this.state.closers.slice(0, -1)
    this.state.place = 'after'
    if (inner === ARGUMENTS) {
      this.state.first = false
      this.state.isWhole = true
    } else this.out += inner === '}' ? '}' : ']'
    return at + 1
  }

  /** What the last brace opened, if that was not known yet: an object, or the list that a set becomes. */
  private decide(json: '{' | '['): void {
    const { undecided, closers } = this.state
    if (undecided === null) return
    this.out = json + undecided + this.out
    this.state.undecided = null
    if (json === '[') this.state.closers = closers.slice(0, -1) + SET
  }

  /** A number, True, None, or the `r` of r"…". */
  private readPrefix(character: string, at: number, call: Call): number {
    if (isWord(character) || character === '.' || character === '-' || character === '+')
      return this.keep(character, at)
    if ((character === '"' || character === "'") && /^[rbuf]{1,2}$/i.test(this.state.word)) {
      this.state.raw = /r/i.test(this.state.word)
      // The braces of f"…" stand for values that the text does not contain.
      if (/f/i.test(this.state.word)) {
        this.pass(call)
        call.repairedJson('bare-string', 'guess', call.origin, false)
      }
      this.state.word = ''
      this.state.quote = character
      this.state.place = 'quote'
      return at + 1
    }
    const isKey = isDictionary(this.state.closers.at(-1)) && character === ':'
    const json = isKey ? JSON.stringify(this.state.word) : this.bareValue(call) // which may pass on what was written before it
    this.out += json
    this.state.word = ''
    this.state.place = 'after'
    return at
  }

  /**
   * The value of an unquoted word, as JSON text. A number keeps its characters where the schema allows a string and no number,
   * because as a number it would lose some of them: `01234`, `1.10`, `+49`. True, False and None lose nothing.
   */
  private bareValue(call: Call): string {
    const { word } = this.state
    if (isNumber(word) && call.schema !== undefined) {
      this.pass(call)
      if (isStringAt(call.tool, this.state.arguments?.path ?? [], NUMBER)) {
        call.repairedJson('bare-string', 'lossless', call.origin)
        return JSON.stringify(word)
      }
    }
    const json = scalarText(word)
    if (json !== undefined) return json
    this.pass(call)
    // It ends at the first character that is in no word.
    call.repairedJson('bare-string', 'guess', call.origin, false)
    return JSON.stringify(word)
  }

  /** After an opening quote: two more make it a long string, one more an empty one. */
  private readQuote(character: string, at: number): number {
    const { quote } = this.state
    if (character === quote[0] && quote.length < 3) {
      this.state.quote += character
      if (this.state.quote.length === 3) this.openString(this.state.quote, this.state.raw)
      return at + 1
    }
    if (quote.length === 2) {
      this.out += '""'
      this.state.place = 'after'
    } else this.openString(quote, this.state.raw)
    return at
  }

  /** The quote that is a token, behind which another value than a string may stand. */
  private openQuoted(quote: string, call: Call): void {
    const { quotesJson = false } = this.syntax
    if (quotesJson) this.pass(call)
    this.openString(quote, true, quotesJson && this.kinds(call) !== STRING ? '' : null)
  }

  private kinds(call: Call): number {
    return kindsAt(call.tool, this.state.arguments?.path ?? [])
  }

  private openString(quote: string, raw: boolean, quoted: string | null = null): void {
    this.state.quote = quote
    this.state.raw = raw
    this.state.tail = ''
    this.state.loose = null
    this.state.quoted = quoted
    if (quoted === null) this.out += '"'
    this.state.place = 'string'
    this.watch?.begin({})
  }

  /** The next piece of the open string. */
  private addText(piece: string, call: Call): void {
    this.watch?.read(piece)
    if (this.state.quoted === null) this.out += escaped(piece)
    else {
      this.state.quoted += piece
      const isString = (this.kinds(call) & STRING) !== 0
      if (isString && !mayBecomeOther(this.state.quoted, this.settings.limits.bare)) this.passQuoted()
    }
  }

  /** What was kept is a string. */
  private passQuoted(): void {
    const { quoted } = this.state
    this.state.quoted = null
    if (quoted !== null) this.out += `"${escaped(quoted)}`
  }

  private readString(text: string, from: number, to: number, call: Call): number {
    const { state } = this
    if (state.loose !== null) {
      const end = this.stringEnds.skip(text, from, to)
      if (end > from) return this.readLoose(state.loose, text, from, end)
      this.endLoose()
    }
    const at = until(state.text, this.stringEnds, text, from, to, (piece) => this.addText(piece, call))
    if (state.text.found === QUOTE) {
      if (state.quoted !== null) return this.closeQuoted(state.quoted, at, call)
      if (state.quote.length > 1 || this.syntax.quote !== undefined) return this.closeString(at)
      state.tail = state.quote
      state.place = 'closing'
    } else if (state.text.found !== -1) {
      if (state.quote === this.syntax.quote) return this.endUnclosed(at - 1, call)
      state.place = 'escape'
    }
    return at
  }

  private closeQuoted(text: string, at: number, call: Call): number {
    const { json, class: repairClass } = readQuoted(text, this.kinds(call))
    if (repairClass !== undefined) call.repairedJson('quoted-value', repairClass, call.origin)
    if (json === undefined) {
      this.passQuoted()
      return this.closeString(at)
    }
    this.state.quoted = null
    this.out += json
    this.state.place = 'after'
    this.watch?.end()
    return at
  }

  private closeString(at: number): number {
    this.state.tail = ''
    this.state.loose = null
    this.out += '"'
    this.state.place = 'after'
    this.watch?.end()
    return at
  }

  /**
   * Behind a quote: what comes next tells whether it closed its string, or stands inside it. Another quote is the
   * beginning of a second string, unless quotes stand inside this one.
   */
  private readClosing(character: string, at: number, call: Call): number {
    const { tail, quote, loose } = this.state
    if (isSpace(character) && tail.length < this.settings.limits.bare) {
      this.state.tail += character
      return at + 1
    }
    const isQuote = character === '"' || character === "'"
    const isOwn = loose !== null && character === quote
    if (BEHIND_STRINGS.includes(character) || (isQuote && !isOwn)) return this.closeString(at)
    if (loose === null) {
      this.pass(call)
      call.repairedJson('inner-quote', 'guess', call.origin)
      call.losesPlace()
    }
    this.out += escaped(tail)
    this.state.loose = ''
    this.state.tail = isOwn ? character : ''
    if (isOwn) return at + 1
    this.state.place = 'string'
    return at
  }

  /**
   * Text of a string in which a quote stands: no other quote protects the markers in it. What may become one is held
   * back.
   */
  private readLoose(before: string, text: string, from: number, to: number): number {
    const found = this.settings.markers?.().search(before, text, from, to) ?? { rest: '' }
    const isMarker = 'marker' in found
    const end = isMarker ? found.end : to
    const held = isMarker ? found.marker : found.rest
    const all = before + text.slice(from, end)
    this.out += escaped(all.slice(0, all.length - held.length))
    this.state.loose = isMarker ? '' : held
    if (isMarker) {
      this.marker = held
      this.status = 'failed'
    }
    return end
  }

  /** What was held back of such text has become no marker. */
  private endLoose(): void {
    if (this.state.loose === null) return
    this.out += escaped(this.state.loose)
    this.state.loose = ''
  }

  /** The call ends inside a string: its quote, and all that is open around it, are missing. */
  private endUnclosed(at: number, call: Call): number {
    const closers = [...this.state.closers].reverse().map((closer) => (isDictionary(closer) ? '}' : ']'))
    this.watch?.end()
    this.passQuoted()
    this.pass(call)
    call.endsInValue(call.offsetOf(at))
    call.s.isPlaceUncertain = true // the marker may be part of the string
    this.out += `"${closers.join('')}`
    return this.finish(at)
  }

  private readEscape(character: string, at: number, call: Call): number {
    if (this.state.raw) {
      this.out += escaped(`\\${character}`)
      this.state.place = 'string'
      return at + 1
    }
    const sofar = this.state.unescaped + character
    if (OCTAL_DIGIT.test(sofar)) return this.readOctal(sofar, OCTAL_DIGIT.test(character), at)
    const wanted = HEX_DIGITS[sofar[0]!]
    if (wanted !== undefined && isHex(sofar.slice(1))) {
      this.state.unescaped = sofar
      if (sofar.length <= wanted) return at + 1
      this.state.unescaped = ''
      this.state.place = 'string'
      const code = Number.parseInt(sofar.slice(1), 16)
      if (code > 0x10ffff) this.keepEscape(sofar, call)
      else this.out += escaped(code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code))
      return at + 1
    }
    this.state.unescaped = ''
    this.state.place = 'string'
    if (sofar.length > 1) {
      this.keepEscape(sofar.slice(0, -1), call)
      return at
    }
    // In Markdown an underscore is escaped wherever it stands.
    if (character === '_' && call.s.repairs.some(({ code }) => code === ESCAPED_WORD)) {
      this.pass(call)
      call.repairedJson(ESCAPED_WORD, 'lossless', call.origin)
      this.out += '_'
      return at + 1
    }
    const meant = ESCAPES[character]
    // A character by its name, which only Python knows.
    if (character === 'N' && this.syntax.separator === '=') this.keepEscape(character, call)
    else this.out += escaped(meant ?? `\\${character}`)
    return at + 1
  }

  /** An escape that stands for no character stays as it is written. Python refuses it, so what is meant is a guess. */
  private keepEscape(written: string, call: Call): void {
    this.pass(call)
    call.repairedJson('invalid-escape', 'guess', call.origin)
    this.out += escaped(`\\${written}`)
  }

  /** Up to three digits, the last of which may be followed by any character: `\033[`. */
  private readOctal(sofar: string, isDigit: boolean, at: number): number {
    if (isDigit && sofar.length < 3) {
      this.state.unescaped = sofar
      return at + 1
    }
    this.state.unescaped = ''
    this.state.place = 'string'
    this.out += escaped(String.fromCharCode(Number.parseInt(sofar, 8)))
    return isDigit ? at + 1 : at
  }

  private readAfter(character: string, at: number, call: Call): number {
    if (isSpace(character)) return at + 1
    if (this.state.undecided !== null) this.decide(character === ':' ? '{' : '[')
    const inner = this.state.closers.at(-1)
    if (character === ',') {
      if (inner === undefined) this.state.place = 'key'
      else {
        this.out += ','
        this.state.place = 'value'
        if (inner === GROUP) this.state.closers = `${this.state.closers.slice(0, -1)})`
      }
      return at + 1
    }
    if (isDictionary(inner) && character === ':') {
      this.out += ':'
      this.state.place = 'value'
      return at + 1
    }
    if (inner === undefined) {
      if (character === this.syntax.close) return this.finish(at)
      if (this.syntax.separator === '=') return this.joinStrings(character, at, call)
      return -1
    }
    if (!isCloser(character, inner)) return this.joinStrings(character, at, call)
    if (inner === GROUP) {
      // The list was begun before this could be known.
      this.pass(call)
      call.repairedJson('parentheses', 'guess', call.origin)
    }
    return this.closeContainer(character, at)
  }

  /** Two strings side by side are one: not in a stream, where the first was complete when its quote closed. */
  private joinStrings(character: string, _at: number, call: Call): number {
    if (character === '"' || character === "'") {
      this.pass(call)
      call.fail('adjacent-strings', 'Two strings stand side by side.', call.origin)
    }
    return -1
  }

  private finish(at: number): number {
    this.out += '}'
    this.status = 'done'
    return at + 1
  }

  end(): void {}

  completion(): string {
    return this.arguments?.completion() ?? ''
  }
}

/** Whether a character closes what is open. */
function isCloser(character: string, inner: string | undefined): boolean {
  return character === (inner === SET || inner === ARGUMENTS ? '}' : inner === GROUP ? ')' : inner)
}

function isDictionary(inner: string | undefined): boolean {
  return inner === '}' || inner === ARGUMENTS
}

/** A word without the escapes that Markdown puts before underscores: `get\_weather`. */
function unescapedWord(word: string): string {
  return word.replaceAll('\\_', '_')
}

/** What an octal escape begins with. */
const OCTAL_DIGIT = /^[0-7]/

/** Among what ends the text of a string: its quote. */
const QUOTE = 0

/** The tool's argument at a position, for calls that leave out the keys. */
function keyAt(schema: JsonSchema | undefined, position: number): string | undefined {
  const properties = typeof schema === 'object' ? schema.properties : undefined
  return properties && Object.keys(properties)[position]
}

/** A call with brackets, separator and quotes of your choice: `read{path:"a.ts"}`. */
export function literalCall(name: string, syntax: LiteralSyntax): Node {
  return literalNode(name, syntax, true)
}

function literalNode(name: string, syntax: LiteralSyntax, namesCall: boolean): Node {
  checkOptions(syntax, KNOWN, 'part of a literal call')
  for (const part of ['open', 'close', 'separator'] as const)
    if (syntax[part]?.length !== 1)
      throw new SluiceError(
        'invalid-option',
        `'${part}' of a literal call must be one character, not ${shown(syntax[part])}.`,
      )
  const type: ReaderType<LiteralCallState> = {
    name,
    first: '',
    namesCall,
    endsAtBracket: true,
    shape: LITERAL_CALL,
    create: (settings, state) => new LiteralCallReader(syntax, settings, state),
    render: ({ toolName, input }) =>
      `${namesCall ? toolName : ''}${syntax.open}${renderArguments(input, syntax)}${syntax.close}`,
  }
  return { kind: 'reader', type }
}

/** A Python call: `get_weather(city="Paris")`. */
export const pythonCall: Node = literalCall('pythonCall', PYTHON)

/** The arguments of a Python call, behind its name: `(city="Paris")`. */
export const pythonArguments: Node = literalNode('pythonArguments', PYTHON, false)
