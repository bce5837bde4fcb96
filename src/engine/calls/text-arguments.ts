/**
 * The arguments of a call that come one by one, each as text that gets its type from the tool's schema.
 *
 *     <parameter=city>Paris</parameter><parameter=days>2</parameter>
 *
 * A string passes as it comes; anything else waits until it is whole. Formats that write JSON need nothing of
 * this, so it comes along with the part of a template that does.
 */

import type { JsonValue } from '../../base/event.ts'
import { Path } from '../../base/path.ts'
import {
  type Check,
  checkedPart,
  isCount,
  isRope,
  isString,
  listOf,
  nullable,
  oneOf,
  recordOf,
  type Shape,
  scalarsLike,
} from '../../base/plain-state.ts'
import { Rope } from '../../base/rope.ts'
import { hasWrittenNumbers, writeJson, writtenNumber } from '../../values/numbers/written.ts'
import {
  asWritten,
  beginsJson,
  type CoercedText,
  type ReadText,
  readUntyped,
} from '../../values/schema/coerce-text.ts'
import { isSchemaObject } from '../../values/schema/json-schema.ts'
import { hasRepeatedKey } from '../../values/schema/json-text.ts'
import { setOwn } from '../../values/schema/json-values.ts'
import { ARRAY, kindsOf, UNKNOWN } from '../../values/schema/kinds.ts'
import { EntityDecoder, type EntityDecoderState } from '../../values/xml/entities.ts'
import type { Call, CallHost, CallInput, CallSettings, CallSink } from './call.ts'
import { toolArgument } from './tool-arguments.ts'
import { readEscaped, readItems, readTyped, type TypedText, wantsList } from './typed-text.ts'
import type { ValueWatch, WatchedText } from './value-watch.ts'
import { escaped, problemIn, walkValue } from './values.ts'

/**
 * How the value that is being read will be typed: a string that streams, something that waits for its end, or text that
 * streams since it cannot be anything else.
 */
type ValueMode = '' | 'string' | 'wait' | 'wait-json' | 'found-text'

/** The longest beginning of a value, in characters, that leaves open whether it is JSON. */
const LONGEST_HEAD = 64

export interface OpenValueOptions extends WatchedText {
  /** Decode XML entities, once. */
  readonly entities?: boolean
  /** Whitespace around the value is markup. */
  readonly padded?: boolean
  /** A fixed key, for a value without one in the format. */
  readonly key?: string
  /**
   * Keys that models wrap all arguments in. If the tool's schema has other arguments and none of that name, the members
   * of the object are the arguments, as a guess.
   */
  readonly wrappers?: readonly string[]
  /** If the schema wants a list, a repeated key is the next item, as a guess. */
  readonly repeats?: boolean
  /** A list or an object may be escaped once more than it should be. */
  readonly escaped?: boolean
  /** The value is the argument that the tool streams. An empty value of a tool that streams none is ignored. */
  readonly body?: boolean
}

interface TextArgumentsState {
  values: { [key: string]: JsonValue }
  /** The JSON text of those whose value cannot say how a number was written. */
  written: WaitingArgument[]
  /** The strings among them that stand in the source of the call as they are, or begin there. `values` has the rest. */
  sourced: SourcedText[]
  count: number
  /** Some of the JSON text was emitted. */
  hasJson: boolean
  /** Arguments that were known before the call was certain. */
  waiting: readonly WaitingArgument[]
  /** The texts of an argument that may be the items of a list, and its key. */
  items: string[]
  itemsOf: string

  // The value that is open.
  key: string
  wireType: 'string' | 'json' | ''
  mode: ValueMode
  /** It waits only because it may be JSON: no schema speaks for it, and its beginning has not decided. */
  mayBeText: boolean
  /** It may hold all arguments, and would be read like this if it does not. */
  unwrapped: ValueMode
  /**
   * So many characters of it stand in the source, from an offset on. As long as the source has all of it, no text is
   * kept: `value` is null, or has what comes after the first character that is written otherwise.
   */
  start: number
  verbatim: number
  value: Rope | null
  /** It has a character, whether it is kept or not. */
  hasText: boolean
  /** More of its key may come, and it may be escaped once more than it should be. */
  repeats: boolean
  escaped: boolean
  /** White space around it is layout: none of it was read yet, or white space behind its text may be some. */
  padding: '' | 'before' | 'behind'
  /** White space that belongs to it if more text follows. */
  space: string
  /** A body that has begun, of a tool that may have none. */
  isBody: boolean
}

interface SourcedText {
  readonly key: string
  /** Behind the beginning of the call. */
  readonly start: number
  readonly length: number
}

interface WaitingArgument {
  readonly key: string
  readonly text: string
}

interface SavedTextArguments extends TextArgumentsState {
  entities: EntityDecoderState | null
}

/** The source has nothing of a value. */
const NOWHERE = -1

const begin = (): TextArgumentsState => ({
  values: {},
  written: [],
  sourced: [],
  count: 0,
  hasJson: false,
  waiting: [],
  items: [],
  itemsOf: '',
  key: '',
  wireType: '',
  mode: '',
  mayBeText: false,
  unwrapped: '',
  start: NOWHERE,
  verbatim: 0,
  value: null,
  hasText: false,
  repeats: false,
  escaped: false,
  padding: '',
  space: '',
  isBody: false,
})

const isValues: Check<TextArgumentsState['values']> = (
  value: unknown,
): value is TextArgumentsState['values'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const TEXT_ARGUMENTS: Shape<SavedTextArguments> = {
  ...scalarsLike(begin()),
  values: isValues,
  written: listOf(recordOf<WaitingArgument>({ key: isString, text: isString })),
  sourced: listOf(recordOf<SourcedText>({ key: isString, start: isCount, length: isCount })),
  count: isCount,
  items: listOf(isString),
  waiting: listOf(recordOf<WaitingArgument>({ key: isString, text: isString })),
  wireType: oneOf('string', 'json', ''),
  mode: oneOf('', 'string', 'wait', 'wait-json', 'found-text'),
  padding: oneOf('', 'before', 'behind'),
  unwrapped: oneOf('', 'string', 'wait', 'wait-json'),
  verbatim: isCount,
  value: nullable(isRope),
  entities: nullable(recordOf<EntityDecoderState>({ held: isString })),
}

export class TextArguments {
  private readonly call: Call
  private readonly host: CallHost
  private readonly settings: CallSettings
  private readonly s: TextArgumentsState
  private path: Path
  private entities: EntityDecoder | null = null

  constructor(call: Call, state = begin()) {
    this.call = call
    this.host = call.host
    this.settings = call.host.settings
    this.s = state
    this.path = Path.of(state.key)
  }

  save(): SavedTextArguments {
    return { ...this.s, entities: this.entities?.save() ?? null }
  }

  /** Throws if the state is damaged. */
  static restore(saved: unknown, call: Call): TextArguments {
    const { entities, ...state } = checkedPart(TEXT_ARGUMENTS, saved)
    const restored = new TextArguments(call, state)
    if (entities !== null) restored.entities = EntityDecoder.restore(entities)
    return restored
  }

  get hasAny(): boolean {
    return this.s.count > 0 || this.s.items.length > 0
  }

  /** The arguments that there are. */
  get keys(): readonly string[] {
    return Object.keys(this.s.values)
  }

  /** The wire itself says what the next value is. */
  typed(type: 'string' | 'json'): void {
    this.s.wireType = type
  }

  /** Is this argument a string and nothing else? `otherwise`: the answer where no schema says. */
  isText(key: string, otherwise: boolean): boolean {
    const { expects } = toolArgument(this.call.tool, key)
    return expects === 'unknown' ? otherwise : expects === 'string'
  }

  /** Could more elements of this name come, and make it a list? */
  mayRepeat(key: string): boolean {
    const { schema } = toolArgument(this.call.tool, key)
    if (schema === undefined) return true
    const kinds = kindsOf(schema, this.call.schema)
    return kinds === UNKNOWN || (kinds & ARRAY) !== 0
  }

  // ── a value that grows ─────────────────────────────────────────────────────────────────────────

  /** The value of the last key begins. `offset`: where its text does, if that is known. */
  openValue(options: OpenValueOptions = {}, offset = NOWHERE): void {
    const { key = this.call.s.key, entities = false, body = false, padded = false, wrappers } = options
    const { repeats = false, escaped = false } = options
    this.host.watch?.begin(options)
    if (key !== this.s.itemsOf) this.flushItems()
    this.s.repeats = repeats
    this.s.escaped = escaped
    this.s.padding = padded ? 'before' : ''
    this.s.space = ''
    if (!body) {
      this.openNow(key, entities, padded ? NOWHERE : offset, wrappers)
      return
    }
    const streams = this.call.tool?.streams
    this.s.isBody = true
    if (streams !== undefined) this.openNow(streams, entities, offset)
  }

  private openNow(key: string, entities: boolean, offset = NOWHERE, wrappers: readonly string[] = []): void {
    this.s.isBody = false
    this.s.key = key
    this.s.start = NOWHERE
    this.s.verbatim = 0
    this.s.value = null
    this.s.hasText = false
    this.entities = entities ? new EntityDecoder() : null
    this.s.mode = ''
    if (this.isRepeated(key)) return
    this.countKey()
    const mode = this.modeOf(key)
    const isWrapper = wrappers.includes(key) && this.s.count === 1 && this.isForeign(key)
    this.s.unwrapped = isWrapper ? mode : ''
    this.s.mode = isWrapper ? 'wait' : mode
    this.s.mayBeText = mode === 'wait' && !isWrapper && toolArgument(this.call.tool, key).schema === undefined
    this.s.wireType = ''
    this.path = Path.of(key)
    const { input, arguments: byPath } = this.settings
    if (this.s.mode !== 'string' || byPath) this.s.value = new Rope()
    else if (input && offset !== NOWHERE) this.s.start = offset - this.call.origin
    else if (input) this.s.value = new Rope()
    if (this.s.mode === 'string') this.beginString()
  }

  private beginString(): void {
    const { key } = this.s
    setOwn(this.s.values, key, '')
    if (this.settings.arguments) this.call.argumentEvents().start(this.path, 'string')
    if (this.settings.json) this.writeJson(`${this.separator()}${JSON.stringify(key)}:"`)
  }

  /** The tool's schema has arguments, and none of that name. */
  private isForeign(key: string): boolean {
    const { schema } = this.call
    return isSchemaObject(schema) && schema.properties !== undefined && !Object.hasOwn(schema.properties, key)
  }

  /** Whether there is an argument of that name already, which cannot be. */
  private isRepeated(key: string): boolean {
    if (!Object.hasOwn(this.s.values, key)) return false
    this.fail('duplicate-key', key, 'appears twice')
    return true
  }

  private fail(code: string, key: string, problem: string): void {
    this.call.fail(code, `The argument '${key}' ${problem}.`, this.call.origin, Path.of(key).pointer)
  }

  private countKey(): void {
    const { keys } = this.settings.limits
    if (++this.s.count === keys + 1)
      this.call.fail('limit-reached', `The call has more than ${keys} arguments.`, this.call.origin)
  }

  private modeOf(key: string): ValueMode {
    if (this.s.wireType !== '') return this.s.wireType === 'string' ? 'string' : 'wait-json'
    return this.isText(key, this.call.style.untyped === 'string') ? 'string' : 'wait'
  }

  valueText(piece: string, verbatim = false): void {
    if (verbatim) this.host.watch?.readSection(piece)
    else this.host.watch?.read(piece)
    if (this.s.isBody) this.openNow('content', false)
    this.append(piece, verbatim)
  }

  /** From now on the open value is not what the source has. */
  leaveSource(): void {
    if (this.s.start !== NOWHERE) this.s.value ??= new Rope()
  }

  /** More of the open value may be appended. */
  get isOpen(): boolean {
    return !this.s.isBody
  }

  get emit(): CallSink {
    return this.host.emit
  }

  /** What looks at the open value. */
  get watch(): ValueWatch | null {
    return this.host.watch ?? null
  }

  /** More of the open value, as it is written. `verbatim`: entities in it are text. */
  append(written: string, verbatim: boolean, emit = this.host.emit): void {
    const { entities } = this
    const piece = this.s.padding === '' ? written : this.withoutPadding(written)
    if (piece === '') return
    if (entities === null || verbatim || (!entities.isUndecided && !piece.includes('&')))
      this.appendDecoded(piece, emit)
    else {
      this.leaveSource()
      const text = entities.push(piece)
      if (text !== '') this.appendDecoded(text, emit)
    }
  }

  /** White space waits for the text behind it. */
  private withoutPadding(piece: string): string {
    const { s } = this
    const end = piece.trimEnd().length
    if (end === 0) {
      if (s.padding === 'behind') s.space += piece
      return ''
    }
    const text = s.padding === 'before' ? piece.slice(0, end).trimStart() : s.space + piece.slice(0, end)
    s.padding = 'behind'
    s.space = piece.slice(end)
    return text
  }

  /** It is kept if someone will ask for it, and emitted if it streams. */
  private appendDecoded(text: string, emit = this.host.emit): void {
    const { s } = this
    s.hasText = true
    if (s.value === null) s.verbatim += text.length
    else s.value.add(text)
    if (s.mayBeText && s.mode === 'wait' && s.value !== null) this.findText(s.value.toString(), emit)
    else if (this.isStreaming) this.stream(text, emit)
  }

  private get isStreaming(): boolean {
    return this.s.mode === 'string' || this.s.mode === 'found-text'
  }

  private stream(text: string, emit: CallSink): void {
    if (this.settings.arguments) this.call.argumentEvents().delta(this.path, text)
    if (this.settings.json) emit({ type: 'tool-input-delta', id: this.call.id, delta: escaped(text) })
  }

  /** A value that cannot be JSON is text from its first word on, and need not wait for its end. */
  private findText(head: string, emit: CallSink): void {
    const { s } = this
    const isJson = beginsJson(head)
    s.mayBeText = isJson === undefined && head.length <= LONGEST_HEAD
    if (isJson !== false) return
    s.mode = 'found-text'
    this.beginString()
    this.stream(head, emit)
  }

  /** Nothing more comes of the open value: what could have become an entity is text. */
  settleValue(): void {
    const rest = this.entities?.end() ?? ''
    if (rest !== '') this.appendDecoded(rest)
  }

  /**
   * The value is complete. `unpairedAt`: a line break before it was taken for markup, and there is none behind it,
   * at this offset. Then it was the value's own, which can still be said of a value that is empty otherwise.
   */
  closeValue(unpairedAt?: number): void {
    this.host.watch?.end()
    this.s.isBody = false
    this.settleValue()
    if (unpairedAt !== undefined && this.s.mode === 'string') {
      this.leaveSource()
      if (!this.s.hasText) this.appendDecoded('\n')
      else this.call.repairedArguments('unpaired-newline', unpairedAt)
    }
    const { path } = this
    const { mode, key, unwrapped } = this.s
    const value = this.s.value?.toString() ?? ''
    const { isStreaming } = this
    if (isStreaming) this.keepString(value)
    this.s.mode = ''
    this.s.mayBeText = false
    this.s.value = null
    if (mode === '') return
    if (isStreaming) {
      if (this.settings.arguments) this.call.argumentEvents().end(path, value)
      if (this.settings.json) this.writeJson('"')
      return
    }
    this.s.count--
    this.s.unwrapped = ''
    if (unwrapped !== '' && this.unwrap(value)) return
    const isString = unwrapped === 'string'
    const read: ReadText = isString ? { value } : this.read(key, value, unwrapped === '' ? mode : unwrapped)
    if (this.mayBeItem(key, read.value)) {
      this.s.itemsOf = key
      this.s.items.push(value)
    } else if (this.s.items.length > 0) this.fail('duplicate-key', key, 'appears twice')
    else this.argument(key, read.value, read.json)
  }

  /** What is no list where the schema wants one waits: the same key may come again. */
  private mayBeItem(key: string, value: JsonValue): boolean {
    return this.s.repeats && typeof value !== 'object' && wantsList(this.typeOf(key))
  }

  /** No more items come. */
  private flushItems(): void {
    const { items, itemsOf: key } = this.s
    if (items.length === 0) return
    this.s.items = []
    this.s.itemsOf = ''
    const [only, ...more] = items
    if (more.length > 0) this.call.repairedArguments('repeated-key', this.call.origin)
    if (more.length > 0) this.argument(key, readItems(items, this.typeOf(key)))
    else {
      const { value, json } = this.read(key, only!, 'wait')
      this.argument(key, value, json)
    }
  }

  /** Answers whether the text is an object of arguments that the tool has. */
  private unwrap(text: string): boolean {
    const { value } = readUntyped(text, 'json')
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    if (Object.keys(value).some((key) => this.isForeign(key))) return false
    this.call.repairedArguments('wrapped-arguments', this.call.origin)
    for (const [key, member] of Object.entries(value)) this.argument(key, member, writtenNumber(value, key))
    return true
  }

  /** Keeps the open value, a string. `rest`: what the source does not have of it. */
  private keepString(rest: string): void {
    const { key, start, verbatim } = this.s
    setOwn(this.s.values, key, rest)
    if (start !== NOWHERE && verbatim > 0) this.s.sourced.push({ key, start, length: verbatim })
  }

  // ── a value at once ────────────────────────────────────────────────────────────────────────────

  /** `json`: the value as JSON text, where it is a number that cannot say how it was written. */
  argument(key: string, given: JsonValue, json?: string): void {
    if (this.isRepeated(key)) return
    this.countKey()
    const { limits, arguments: byPath } = this.settings
    const value = given === 0 ? 0 : given // not −0
    const problem = problemIn(value, limits.depth)
    if (problem === 'depth') this.fail('limit-reached', key, `is nested deeper than ${limits.depth} levels`)
    else if (problem === 'number') this.fail('number', key, 'has a number that is too large for JSON')
    if (problem !== undefined) return
    setOwn(this.s.values, key, value)
    if (byPath) walkValue(Path.of(key), value, this.call.argumentEvents())
    const text = json ?? writeJson(value)
    if (json !== undefined || (typeof value === 'object' && hasWrittenNumbers(text)))
      this.s.written.push({ key, text })
    if (this.settings.json) this.writeJson(`${this.separator()}${JSON.stringify(key)}:${text}`)
  }

  /** Text that is typed as the tool's schema wants it. It may be known before the call is certain: then it waits. */
  argumentText(key: string, text: string): void {
    if (!this.call.started) {
      this.s.waiting = [...this.s.waiting, { key, text }]
      return
    }
    const mode = this.modeOf(key)
    const { value, json }: ReadText = mode === 'string' ? { value: text } : this.read(key, text, mode)
    this.argument(key, value, json)
  }

  /** The call is certain. */
  start(): void {
    const { waiting } = this.s
    this.s.waiting = []
    for (const { key, text } of waiting) this.argumentText(key, text)
  }

  private read(key: string, text: string, mode: ValueMode): ReadText {
    const typed = this.typeOf(key)
    const isJson = mode === 'wait-json'
    const read = isJson ? readUntyped(text, 'json') : readTyped(text, typed)
    if (!read.coerced && hasRepeatedKey(text)) this.fail('duplicate-key', key, 'has a key twice')
    return isJson ? this.readJson(key, text, read) : this.readEscaped(text, typed, read)
  }

  /** The wire says that it is JSON. */
  private readJson(key: string, text: string, read: CoercedText): ReadText {
    const { tool, origin } = this.call
    // A schema of exactly strings knows better than a wire that says JSON.
    const isString = typeof read.value === 'string' && read.exact
    if (toolArgument(tool, key).expects === 'string' && !isString) return { value: text }
    if (!read.coerced && read.exact) this.call.repairedJson('not-json', 'guess', origin)
    // A number that would be changed is none the less the JSON that the wire says it is.
    return asWritten(read.exact ? read : { ...read, json: text.trim() })
  }

  private readEscaped(text: string, typed: TypedText, read: CoercedText): ReadText {
    const unescaped = this.s.escaped && !read.coerced ? readEscaped(text, typed) : undefined
    if (unescaped === undefined) return asWritten(read)
    this.call.repairedJson('escaped-json', unescaped.class, this.call.origin)
    return unescaped
  }

  private typeOf(key: string): TypedText {
    const { tool, style } = this.call
    return { schema: toolArgument(tool, key).schema, root: tool?.schema, untyped: style.untyped }
  }

  // ── all of them ────────────────────────────────────────────────────────────────────────────────

  private separator(): string {
    return this.s.hasJson ? ',' : '{'
  }

  private writeJson(text: string): void {
    this.s.hasJson = true
    this.host.emit({ type: 'tool-input-delta', id: this.call.id, delta: text })
  }

  /** The argument in which the text ended. */
  get openPath(): Path | null {
    return this.s.mode === '' ? null : this.path
  }

  /** The call is over, this is its source, and these are its arguments. */
  end(source: string, hasFailed: boolean): CallInput {
    const { values, written } = this.s
    if (!hasFailed) this.flushItems()
    if (this.isStreaming) this.keepString(this.s.value?.toString() ?? '')
    else if (this.settings.json && !hasFailed) this.writeJson('}')
    for (const { key, start, length } of this.s.sourced)
      setOwn(values, key, partOf(source, start, length) + values[key])
    if (written.length === 0) return { input: values }
    const texts = new Map(written.map(({ key, text }) => [key, text]))
    const members = Object.entries(values).map(
      ([key, value]) => `${JSON.stringify(key)}:${texts.get(key) ?? JSON.stringify(value)}`,
    )
    return { input: values, inputText: `{${members.join()}}` }
  }
}

/** Part of a source. A short one is copied: a slice would keep all of the source in memory as long as the part is. */
function partOf(source: string, start: number, length: number): string {
  const part = source.slice(start, start + length)
  return source.length < 2 * length + SHORT ? part : (JSON.parse(JSON.stringify(part)) as string)
}

const SHORT = 1024
