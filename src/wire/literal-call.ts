/**
 * Calls that are written like a function call or an object literal of some language.
 *
 *     get_weather(city="Paris", days=2)                        python
 *     get_weather{city:<|"|>Paris<|"|>,days:2}                 Gemma
 *
 * The reader turns the literal into JSON text as it arrives and hands that to the JSON engine, so that
 * everything behind it (arguments by path, limits, repeated keys) is the same as for any JSON.
 */

import type { Call } from '../calls/call.ts'
import { JsonArguments, type JsonArgumentsState, jsonLimitsOf } from '../calls/json-arguments.ts'
import { isStringAt } from '../calls/tool-arguments.ts'
import type { ValueWatch } from '../calls/value-watch.ts'
import { escaped } from '../calls/values.ts'
import { SluiceError } from '../errors.ts'
import type { JsonValue } from '../event.ts'
import { JsonScanner, type JsonScannerState } from '../json/scanner.ts'
import { checkOptions, type KnownOptions, shown } from '../options.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { isSpace } from '../whitespace.ts'
import type { FastPath } from './fast-path.ts'
import { type LiteralSyntax, renderArguments } from './literal-syntax.ts'
import { ESCAPES, HEX_DIGITS, isHex, isNumber, isWord, scalar } from './literal-words.ts'
import type { Reader, ReaderSettings, ReaderType } from './reader.ts'
import { StringFastPath } from './string-fast-path.ts'
import type { Node } from './template.ts'

const KNOWN: KnownOptions<LiteralSyntax> = {
  open: 'string',
  close: 'string',
  separator: 'string',
  quote: 'string',
}

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
  | 'after' //      (city="Paris"|,

interface Saved {
  readonly place: Place
  readonly word: string
  readonly closers: string
  readonly quote: string
  readonly raw: boolean
  readonly unescaped: string
  readonly tail: string
  readonly first: boolean
  readonly positions: number
  readonly scanner: JsonScannerState
  readonly handler: LiteralArgumentsState | null
}

interface LiteralArgumentsState extends JsonArgumentsState {
  readonly path: readonly (string | number)[]
}

/** Arguments that were written as a literal, and where in them the next value stands. */
class LiteralArguments extends JsonArguments {
  private path: (string | number)[] = []

  constructor(call: Call, scanner: JsonScanner) {
    super(call, scanner, call.origin, 'made')
  }

  /** Whether the tool's schema allows nothing but a string here. */
  get expectsString(): boolean {
    return isStringAt(this.call.tool, this.path)
  }

  override open(container: 'object' | 'array'): void {
    super.open(container)
    this.path.push(container === 'array' ? 0 : '')
  }

  override key(key: string): void {
    super.key(key)
    this.path[this.path.length - 1] = key
  }

  override closeString(): void {
    super.closeString()
    this.passItem()
  }

  override scalar(value: number | boolean | null, raw: string): void {
    super.scalar(value, raw)
    this.passItem()
  }

  override close(): void {
    super.close()
    this.path.pop()
    this.passItem()
  }

  private passItem(): void {
    const index = this.path.at(-1)
    if (typeof index === 'number') this.path[this.path.length - 1] = index + 1
  }

  override save(): LiteralArgumentsState {
    return { ...super.save(), path: [...this.path] }
  }

  static override restore(state: LiteralArgumentsState, call: Call, scanner: JsonScanner): LiteralArguments {
    const restored = new LiteralArguments(call, scanner).resume(state)
    restored.path = [...state.path]
    return restored
  }
}

class LiteralCallReader implements Reader {
  status: Reader['status'] = 'open'
  private readonly syntax: LiteralSyntax
  private readonly settings: ReaderSettings
  private scanner: JsonScanner
  private handler: LiteralArguments | null = null
  private savedHandler: LiteralArgumentsState | null = null
  private place: Place = 'name'
  private word = ''
  /** The closers of what is open inside the arguments, innermost last. */
  private closers = ''
  /** The open string's closing quote, whether backslashes mean nothing in it, and an unfinished escape. */
  private quote = ''
  private raw = false
  private unescaped = ''
  /** Characters of a closing quote that are not complete. */
  private tail = ''
  private first = true
  private positions = 0
  private out = ''
  private call: Call | null = null

  constructor(syntax: LiteralSyntax, settings: ReaderSettings) {
    this.syntax = syntax
    this.settings = settings
    this.scanner = new JsonScanner(jsonLimitsOf(settings.limits))
  }

  read(text: string, from: number, to: number, call: Call): number {
    this.call = call
    this.attach(call)
    let at = from
    while (at < to && this.status === 'open') {
      const next = this.step(text, at, to, call)
      if (next === -1) this.status = 'failed'
      else at = next
    }
    this.pass(call)
    return at
  }

  /** A handler that was saved goes on as soon as its call is known. */
  private attach(call: Call): void {
    if (this.savedHandler === null) return
    this.handler = LiteralArguments.restore(this.savedHandler, call, this.scanner)
    this.savedHandler = null
  }

  get fastPath(): FastPath | null {
    const json = this.place === 'string' && this.tail === '' ? this.handler?.fastPath : null
    if (json == null) return null
    const { quote } = this
    const backslash = quote === this.syntax.quote ? 'is-text' : this.raw ? 'is-odd' : 'escapes'
    return new StringFastPath(json, quote, backslash, this.watch)
  }

  /** What looks at the open string, if that has no escapes. */
  private get watch(): ValueWatch | null {
    return (this.quote === this.syntax.quote && this.call?.host.watch) || null
  }

  /** Hands the JSON text that was written so far to the JSON engine, which may find something wrong with it first. */
  private pass(call: Call): void {
    const { out } = this
    this.out = ''
    if (out === '' || !call.started) return
    this.handler ??= new LiteralArguments(call, this.scanner)
    this.scanner.read(out, 0, out.length, this.handler)
  }

  /** Reads from `at`; the index after what was read, or -1 if the character there cannot be. */
  private step(text: string, at: number, to: number, call: Call): number {
    const character = text[at]!
    switch (this.place) {
      case 'name':
        return this.readName(character, at, call)
      case 'key':
        return this.readKey(character, at, call)
      case 'in-key':
        if (isWord(character) || character === '-' || character === '.') return this.keep(character, at)
        this.place = 'after-key'
        return at
      case 'after-key':
        if (isSpace(character)) return at + 1
        if (character === this.syntax.separator && this.tail === '') return this.gotKey(at)
        // The quote that closes a quoted key.
        return this.syntax.separator === ':' ? this.readQuotedKey(character, at) : this.bareArgument(at, call)
      case 'value':
        return this.readValue(character, at)
      case 'prefix':
        return this.readPrefix(character, at, call)
      case 'quote':
        return this.readQuote(character, at)
      case 'string':
        return this.readString(text, at, to)
      case 'escape':
        return this.readEscape(character, at)
      case 'after':
        return this.readAfter(character, at, call)
    }
  }

  private readName(character: string, at: number, call: Call): number {
    if (character === this.syntax.open) {
      call.word('name', this.word)
      if (this.word === '' || !call.start()) return -1
      this.word = ''
      this.out += '{'
      this.place = 'key'
      return at + 1
    }
    if (isWord(character) || character === '.' || character === '-' || character === '/') {
      const next = this.keep(character, at)
      // No prose holds a word of that length.
      if (next === -1) call.hasBegun = true
      return next
    }
    call.nameBegins(this.word, false)
    return -1
  }

  private keep(character: string, at: number): number {
    const { name, bare } = this.settings.limits
    this.word += character
    return this.word.length > (this.place === 'prefix' ? bare : name) ? -1 : at + 1
  }

  /** Between the arguments of the call itself. */
  private readKey(character: string, at: number, call: Call): number {
    if (this.tail !== '') return this.readQuotedKey(character, at)
    if (isSpace(character) || (character === ',' && !this.first)) return at + 1
    if (character === this.syntax.close) return this.finish(at)
    if (this.syntax.quote?.[0] === character || character === '"' || character === "'") {
      // A quoted key, or a positional string: the separator behind it will tell. Keys are short.
      return this.syntax.separator === ':' ? this.readQuotedKey(character, at) : this.positional(at, call)
    }
    if (isWord(character)) {
      if (this.syntax.separator === '=' && character >= '0' && character <= '9')
        return this.positional(at, call)
      this.place = 'in-key'
      return at
    }
    return this.syntax.separator === '=' ? this.positional(at, call) : -1
  }

  private readQuotedKey(character: string, at: number): number {
    this.tail += character
    const { quote = '"' } = this.syntax
    if (this.tail === quote || this.tail === '"' || this.tail === "'") this.tail = ''
    else if (!quote.startsWith(this.tail)) return -1
    return at + 1
  }

  private gotKey(at: number): number {
    this.out += `${this.first ? '' : ','}${JSON.stringify(this.word)}:`
    this.word = ''
    this.first = false
    this.place = 'value'
    return at + 1
  }

  /** A value without a key: the tool's schema knows which one it is. */
  private positional(at: number, call: Call): number {
    const key = keyAt(call.schema, this.positions++)
    if (key === undefined) return -1
    this.pass(call)
    call.repairedJson('positional-argument', 'guess', call.origin)
    this.word = key
    this.gotKey(at)
    return at
  }

  /** What looked like a key is a bare word in the place of a value. */
  private bareArgument(at: number, call: Call): number {
    const { word } = this
    if (this.syntax.separator !== '=' || this.positional(at, call) === -1) return -1
    this.word = word
    this.place = 'prefix'
    return at
  }

  private readValue(character: string, at: number): number {
    if (isSpace(character)) return at + 1
    const { quote } = this.syntax
    if (quote?.startsWith(this.tail + character)) {
      this.tail += character
      if (this.tail === quote) this.openString(quote, true)
      return at + 1
    }
    if (this.tail !== '') return -1
    if (character === '"' || character === "'") {
      this.quote = character
      this.raw = false
      this.place = 'quote'
      return at + 1
    }
    if (character === '[' || character === '(')
      return this.openContainer('[', character === '[' ? ']' : ')', at)
    if (character === '{') return this.openContainer('{', '}', at)
    if (character === ']' || character === '}' || character === ')') return this.closeContainer(character, at)
    if (isWord(character) || character === '-' || character === '+' || character === '.') {
      this.place = 'prefix'
      return at
    }
    return -1
  }

  private openContainer(json: string, closer: string, at: number): number {
    if (this.closers.length >= this.settings.limits.depth) return -1
    this.out += json
    this.closers += closer
    this.place = 'value'
    return at + 1
  }

  private closeContainer(character: string, at: number): number {
    if (this.closers === '' || this.closers.at(-1) !== character) return -1
    this.closers = this.closers.slice(0, -1)
    this.out += character === '}' ? '}' : ']'
    this.place = 'after'
    return at + 1
  }

  /** A number, True, None, or the `r` of r"…". */
  private readPrefix(character: string, at: number, call: Call): number {
    if (isWord(character) || character === '.' || character === '-' || character === '+')
      return this.keep(character, at)
    if ((character === '"' || character === "'") && /^[rbuf]{1,2}$/i.test(this.word)) {
      this.raw = /r/i.test(this.word)
      this.word = ''
      this.quote = character
      this.place = 'quote'
      return at + 1
    }
    const isKey = this.closers.endsWith('}') && character === ':'
    const value = isKey ? this.word : this.bareValue(call) // which may pass on what was written before it
    // A number that is too large stays one, so that the JSON engine finds it.
    this.out += typeof value === 'number' && !Number.isFinite(value) ? '1e999' : JSON.stringify(value)
    this.word = ''
    this.place = 'after'
    return at
  }

  /**
   * The value of an unquoted word. A number keeps its characters where the schema allows nothing but a string,
   * because as a number it would lose some of them: `01234`, `1.10`, `+49`.
   */
  private bareValue(call: Call): JsonValue {
    const { word } = this
    if (isNumber(word) && call.schema !== undefined) {
      this.pass(call)
      if (this.handler?.expectsString) {
        call.repairedJson('bare-string', 'lossless', call.origin)
        return word
      }
    }
    const value = scalar(word)
    const isGuess = value === word && !/^[+-]?\d+$/.test(word) // an integer too long for a number stays exact
    if (isGuess) {
      this.pass(call)
      call.repairedJson('bare-string', 'guess', call.origin)
    }
    return value
  }

  /** After an opening quote: two more make it a long string, one more an empty one. */
  private readQuote(character: string, at: number): number {
    const { quote } = this
    if (character === quote[0] && quote.length < 3) {
      this.quote += character
      if (this.quote.length === 3) this.openString(this.quote, this.raw)
      return at + 1
    }
    if (quote.length === 2) {
      this.out += '""'
      this.place = 'after'
    } else this.openString(quote, this.raw)
    return at
  }

  private openString(quote: string, raw: boolean): void {
    this.quote = quote
    this.raw = raw
    this.tail = ''
    this.out += '"'
    this.place = 'string'
    this.watch?.begin({})
  }

  private readString(text: string, at: number, to: number): number {
    const { quote } = this
    if (this.tail === '') {
      let end = at
      while (end < to && text[end] !== quote[0] && (text[end] !== '\\' || quote === this.syntax.quote)) end++
      if (end > at) {
        this.watch?.read(text.slice(at, end))
        this.out += escaped(text.slice(at, end))
        return end
      }
      if (text[at] === '\\' && text[at] !== quote[0]) {
        this.place = 'escape'
        return at + 1
      }
    }
    const character = text[at]!
    if (quote.startsWith(this.tail + character)) {
      this.tail += character
      if (this.tail !== quote) return at + 1
      this.tail = ''
      this.out += '"'
      this.place = 'after'
      this.watch?.end()
      return at + 1
    }
    // Not the closing quote after all: its first character is text, the rest is looked at again.
    return this.releaseTail(at)
  }

  private releaseTail(at: number): number {
    let { tail } = this
    do {
      this.watch?.read(tail[0]!)
      this.out += escaped(tail[0]!)
      tail = tail.slice(1)
    } while (tail !== '' && !this.quote.startsWith(tail))
    this.tail = tail
    return at
  }

  private readEscape(character: string, at: number): number {
    if (this.raw) {
      this.out += escaped(`\\${character}`)
      this.place = 'string'
      return at + 1
    }
    const sofar = this.unescaped + character
    const wanted = HEX_DIGITS[sofar[0]!]
    if (wanted !== undefined && isHex(sofar.slice(1))) {
      this.unescaped = sofar
      if (sofar.length <= wanted) return at + 1
      this.unescaped = ''
      this.place = 'string'
      const code = Number.parseInt(sofar.slice(1), 16)
      this.out +=
        code > 0x10ffff
          ? escaped(`\\${sofar}`)
          : escaped(code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code))
      return at + 1
    }
    this.unescaped = ''
    this.place = 'string'
    if (sofar.length > 1) {
      // Not the escape it began to be: it stays as it is written, as python does it.
      this.out += escaped(`\\${sofar.slice(0, -1)}`)
      return at
    }
    const meant = ESCAPES[character]
    this.out += escaped(meant ?? `\\${character}`)
    return at + 1
  }

  private readAfter(character: string, at: number, call: Call): number {
    if (isSpace(character)) return at + 1
    const inner = this.closers.at(-1)
    if (character === ',') {
      if (inner === undefined) this.place = 'key'
      else {
        this.out += ','
        this.place = 'value'
      }
      return at + 1
    }
    if (inner === '}' && character === ':') {
      this.out += ':'
      this.place = 'value'
      return at + 1
    }
    if (inner === undefined) {
      if (character === this.syntax.close) return this.finish(at)
      if (this.syntax.separator === '=') return this.joinStrings(character, at, call)
      return -1
    }
    return character === inner ? this.closeContainer(character, at) : this.joinStrings(character, at, call)
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

  end(call: Call): void {
    this.attach(call)
  }

  completion(): string {
    return this.handler?.completion() ?? ''
  }

  save(): Saved {
    const { place, word, closers, quote, raw, unescaped, tail, first, positions } = this
    return {
      ...{ place, word, closers, quote, raw, unescaped, tail, first, positions },
      scanner: this.scanner.save(),
      handler: this.handler?.save() ?? this.savedHandler,
    }
  }

  static restore(saved: Saved, syntax: LiteralSyntax, settings: ReaderSettings): LiteralCallReader {
    const { scanner, handler, ...plain } = saved
    const reader = new LiteralCallReader(syntax, settings)
    Object.assign(reader, plain)
    reader.scanner = JsonScanner.restore(scanner, jsonLimitsOf(settings.limits))
    reader.savedHandler = handler
    return reader
  }
}

/** The tool's argument at a position, for calls that leave out the keys. */
function keyAt(schema: JsonSchema | undefined, position: number): string | undefined {
  const properties = typeof schema === 'object' ? schema.properties : undefined
  return properties && Object.keys(properties)[position]
}

/** A call in the notation of some language. */
export function literalCall(name: string, syntax: LiteralSyntax): Node {
  checkOptions(syntax, KNOWN, 'part of a literal call')
  for (const part of ['open', 'close', 'separator'] as const)
    if (syntax[part]?.length !== 1)
      throw new SluiceError(
        'invalid-option',
        `'${part}' of a literal call is one character, not ${shown(syntax[part])}.`,
      )
  const type: ReaderType = {
    name,
    first: '',
    namesCall: true,
    endsAtBracket: true,
    create: (settings) => new LiteralCallReader(syntax, settings),
    restore: (saved, settings) => LiteralCallReader.restore(saved as Saved, syntax, settings),
    render: ({ toolName, input }) =>
      `${toolName}${syntax.open}${renderArguments(input, syntax)}${syntax.close}`,
  }
  return { kind: 'reader', type }
}

/** A python call: `get_weather(city="Paris")`. */
export const pythonCall: Node = literalCall('pythonCall', PYTHON)
