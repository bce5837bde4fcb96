/**
 * One call, from the moment its opener was seen to the verdict on it. Whatever a dialect or a provider
 * writes (JSON, parameters in tags, deltas of a native stream), it becomes the same events here.
 */

import type {
  CallError,
  CallStatus,
  DiagnosticCode,
  JsonValue,
  Metadata,
  Repair,
  RepairClass,
  Sink,
} from '../event.ts'
import { JsonBuilder } from '../json/builder.ts'
import type { Limits } from '../limits.ts'
import { Path } from '../path.ts'
import { Rope } from '../rope.ts'
import type { Run, Stops, StopsSource } from '../run.ts'
import { type CoercedText, coerceText, readUntyped } from '../schema/coerce-text.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { ARRAY, kindsOf, UNKNOWN } from '../schema/kinds.ts'
import { EntityDecoder } from '../xml/entities.ts'
import { ArgumentEvents } from './argument-events.ts'
import type { Tool, ToolTable } from './tools.ts'
import { define, escaped, isDeeper, openPath, readRelaxed, walkValue } from './values.ts'

export interface CallSettings {
  readonly tools: ToolTable
  readonly limits: Limits
  /** Say the input as JSON text, as it grows. */
  readonly json: boolean
  /** Say each argument by its path. */
  readonly arguments: boolean
  /** Say the call's own source. */
  readonly source: boolean
  /** Put the source on every call, not only on failed ones. */
  readonly raw: boolean
  /** Keep what is needed for the input of a call, and its source. */
  readonly input: boolean
  readonly malformed: 'keep' | 'text' | 'drop'
}

/** What a call needs of whoever reads it. */
export interface CallHost {
  readonly settings: CallSettings
  readonly emit: Sink
  newId(kind: 'call'): string
  /** Takes the id that the wire gave; false if another call has it already. */
  claimId(id: string): boolean
  /** Something odd at an offset of the text channel. */
  report(code: DiagnosticCode, message: string, offset: number, id?: string): void
  /** The offset of an index in the piece that is being read. */
  offsetOf(index: number): number
  /** The call is about to be announced. */
  beforeCall(): void
  /** The source of a call that failed is wanted as text. */
  sayText(text: string): void
}

export interface CallStyle {
  /** How a value is read when neither the wire nor a schema says what it is. */
  readonly untyped: 'string' | 'json'
  /** Only tools that were given are tools. */
  readonly knownToolsOnly: boolean
}

/** How the value that is being read will be typed: a string that streams, or something that waits for its end. */
type ValueMode = '' | 'string' | 'wait' | 'wait-json'

const NONE: readonly never[] = []

export class Call {
  id = ''
  name = ''
  wireId = ''
  started = false
  /** For a result that is written like a call: it reports a failure. */
  isError = false
  private isUnmarked = false
  providerExecuted = false
  metadata: Metadata | undefined

  private readonly host: CallHost
  private readonly style: CallStyle
  private tool: Tool | undefined
  private error: CallError | undefined
  /** What closes the JSON text of a call that failed. */
  completion = ''
  // Most calls have none of these, so that they share the empty list.
  private repairs: readonly Repair[] = NONE
  private notes: readonly Note[] = NONE

  // Arguments as JSON. As long as they are said as they were written, their text is in the source, `verbatim`
  // characters from `jsonStart` on; only what comes after the first repair has to be kept apart. And the value,
  // where someone watches it grow.
  private jsonStart = -1
  private verbatim = 0
  private json: Rope | null = null
  private builder: JsonBuilder | null = null
  private events: ArgumentEvents | null = null

  // Arguments one by one.
  private values: { [key: string]: JsonValue } | null = null
  private key = ''
  private wireType: 'string' | 'json' | '' = ''
  private mode: ValueMode = ''
  private value: Rope | null = null
  private path: Path = Path.root
  private entities: EntityDecoder | null = null
  /** A body that has begun, of a tool that may have none. */
  private isBody = false
  private count = 0
  private waiting: readonly (readonly [key: string, text: string])[] = NONE

  /** Where it begins, as an offset of the text channel. */
  readonly origin: number

  constructor(host: CallHost, style: CallStyle, origin: number) {
    this.host = host
    this.style = style
    this.origin = origin
  }

  /** The offset of an index in the piece that is being read. */
  offsetOf(index: number): number {
    return this.host.offsetOf(index)
  }

  /** It cannot be what was meant. */
  get hasFailed(): boolean {
    return this.error !== undefined
  }

  get limits(): Limits {
    return this.host.settings.limits
  }

  // ── who it is ──────────────────────────────────────────────────────────────────────────────────

  /** A short word of the wire. Answers whether it can be one. */
  word(role: 'name' | 'id' | 'key', word: string, split?: WordSplit): boolean {
    if (role === 'key') this.key = word
    else if (this.started) {
      if (role === 'id') this.wireId = word
      else if (word !== this.name)
        this.fail('duplicate-key', `The call has two names, '${this.name}' and '${word}'.`, this.origin)
    } else if (role === 'name') this.name = word
    else {
      this.wireId = word
      if (split !== undefined) this.name = nameInside(word, split)
      return split === undefined || this.name !== ''
    }
    return true
  }

  /** Nothing else marks the call: it is one only if there is such a tool. */
  mustBeKnown(): void {
    this.isUnmarked = true
  }

  /** The wire itself says what the next value is. */
  typed(type: 'string' | 'json'): void {
    this.wireType = type
  }

  /** A limit was reached, and what was being read is not what it looked like. */
  limitReached(message: string, offset: number): void {
    if (this.started) this.note('limit-reached', message, offset)
    else this.host.report('limit-reached', message, offset)
  }

  /** The name is certain. Answers false where a call of that name cannot be. */
  start(): boolean {
    if (this.started) return true
    const { tools } = this.host.settings
    this.tool = tools.get(this.name)
    const mustBeKnown = this.isUnmarked || this.style.knownToolsOnly
    if (this.tool === undefined && mustBeKnown && tools.size > 0) return false
    this.host.beforeCall()
    const isFree = this.wireId !== '' && this.host.claimId(this.wireId)
    this.id = isFree ? this.wireId : this.host.newId('call')
    if (isFree) this.wireId = ''
    this.started = true
    this.sayStart()
    if (this.tool === undefined && tools.size > 0)
      this.note('unknown-tool', `There is no tool '${this.name}'.`, this.origin)
    for (const [key, text] of this.waiting) this.argumentText(key, text)
    this.waiting = NONE
    return true
  }

  private sayStart(): void {
    this.host.emit({
      type: 'tool-input-start',
      id: this.id,
      toolName: this.name,
      ...(this.providerExecuted && { providerExecuted: true }),
      ...(this.metadata && { metadata: this.metadata }),
    })
  }

  /** The tool's argument at a position, for formats that leave out the keys. */
  keyAt(position: number): string | undefined {
    const { schema } = this.tool ?? {}
    const properties = typeof schema === 'object' ? schema.properties : undefined
    return properties && Object.keys(properties)[position]
  }

  get schema(): JsonSchema | undefined {
    return this.tool?.schema
  }

  /** Is this argument a string and nothing else? `otherwise`: the answer where no schema says. */
  isText(key: string, otherwise: boolean): boolean {
    const expects = this.tool?.expects(key) ?? 'unknown'
    return expects === 'unknown' ? otherwise : expects === 'string'
  }

  /** Could more elements of this name come, and make it a list? */
  mayRepeat(key: string): boolean {
    const property = this.tool?.property(key)
    if (property === undefined) return true
    const kinds = kindsOf(property, this.tool?.schema ?? property)
    return kinds === UNKNOWN || (kinds & ARRAY) !== 0
  }

  // ── arguments as JSON ──────────────────────────────────────────────────────────────────────────

  /** The next piece of the arguments as canonical JSON text. */
  jsonText(piece: string): void {
    this.keepJson(piece.length, piece)
    this.sayJsonText(piece)
  }

  /** Says a piece of the arguments' JSON text that is part of a run. */
  sayJsonText(piece: string): void {
    if (this.host.settings.json) this.host.emit({ type: 'tool-input-delta', id: this.id, delta: piece })
  }

  /** A run says the arguments' JSON text by itself, if that is all there is to say. */
  beginJsonRun(run: Run, stops: Stops): void {
    const { settings, emit } = this.host
    if (settings.json) run.says(stops, emit, 'tool-input-delta', this.id)
  }

  /** Or the argument that grows. */
  beginArgumentRun(run: Run, stops: Stops, path: Path): void {
    const { settings, emit } = this.host
    if (!settings.json && path.depth > 0) run.says(stops, emit, 'tool-input-delta', this.id, path)
  }

  /** The JSON text is kept here, because the source does not hold it as it was said. */
  get keepsJson(): boolean {
    return this.json !== null && this.builder === null && this.host.settings.input
  }

  keepJson(count: number, text: string): void {
    if (this.json === null && this.jsonStart >= 0) this.verbatim += count
    else if (this.json === null) this.json = new Rope(text)
    else if (this.keepsJson) this.json.add(text)
  }

  /** The arguments begin at an offset of the text channel, and are said as they are written there. */
  jsonBegins(offset: number): void {
    if (!this.saidJson) this.jsonStart = offset - this.origin
  }

  /** From now on the arguments are not said as they were written. */
  private leaveSource(): void {
    if (this.jsonStart >= 0) this.json ??= new Rope()
  }

  private get saidJson(): boolean {
    return this.json !== null || this.verbatim > 0
  }

  /** The call has none. */
  noArguments(): void {
    if (!this.saidJson && this.values === null) this.jsonText('{}')
  }

  /** Whoever reads the arguments as JSON lets this build them, where someone wants to watch. */
  watched(): JsonBuilder | null {
    if (this.host.settings.arguments) this.builder ??= new JsonBuilder(this.argumentEvents())
    return this.builder
  }

  private argumentEvents(): ArgumentEvents {
    this.events ??= new ArgumentEvents(this.id, this.host)
    return this.events
  }

  // ── arguments one by one ───────────────────────────────────────────────────────────────────────

  /** The value of the last key begins. A string passes as it comes; anything else waits until it is whole. */
  openValue(
    options: { readonly entities?: boolean; readonly key?: string; readonly body?: boolean } = {},
  ): void {
    if (options.body) {
      this.isBody = true
      if (this.tool?.streams === undefined) return
    }
    this.openNow(
      options.body ? (this.tool?.streams ?? 'content') : (options.key ?? this.key),
      options.entities ?? false,
    )
  }

  private openNow(key: string, entities: boolean): void {
    this.isBody = false
    this.key = key
    this.values ??= {}
    this.value = new Rope()
    this.entities = entities ? new EntityDecoder() : null
    if (Object.hasOwn(this.values, key)) {
      this.fail('duplicate-key', `The argument '${key}' is there twice.`, this.origin, Path.of(key).pointer)
      this.mode = ''
      return
    }
    this.countKey()
    this.mode = this.modeOf(key)
    this.wireType = ''
    this.path = Path.of(key)
    if (this.mode !== 'string') return
    define(this.values, key, '')
    if (this.host.settings.json) this.sayJson(`${this.separator()}${JSON.stringify(key)}:"`)
    if (this.host.settings.arguments) this.argumentEvents().start(this.path, 'string')
  }

  private countKey(): void {
    if (++this.count === this.limits.keys + 1)
      this.fail('limit-reached', `The call has more than ${this.limits.keys} arguments.`, this.origin)
  }

  private modeOf(key: string): ValueMode {
    if (this.wireType !== '') return this.wireType === 'string' ? 'string' : 'wait-json'
    const expects = this.tool?.expects(key) ?? 'unknown'
    if (expects === 'unknown') return this.style.untyped === 'string' ? 'string' : 'wait'
    return expects === 'string' ? 'string' : 'wait'
  }

  valueText(piece: string, verbatim = false): void {
    if (this.mode === 'string' && this.entities === null) {
      this.grow(piece)
      return
    }
    if (this.isBody) this.openNow('content', false)
    const text = this.entities === null || verbatim ? piece : this.entities.push(piece)
    if (text !== '') this.grow(text)
  }

  /** Gets ready for a run over the open value; false if there can be none. */
  beginValueRun(run: Run, literals: StopsSource, verbatim: boolean): boolean {
    const { settings, emit } = this.host
    if (this.isBody) return false
    if (this.mode !== 'string' || settings.json === settings.arguments) return true
    const isDecoded = this.entities !== null && !verbatim
    if (isDecoded && settings.json) return true
    const stops = literals.stops(settings.json ? 'as JSON' : isDecoded ? 'decoded' : 'as it is')
    if (stops !== null) run.says(stops, emit, 'tool-input-delta', this.id, settings.json ? null : this.path)
    return true
  }

  /** A chunk of the open value is its text as it stands. */
  valuePasses(chunk: string, verbatim: boolean): boolean {
    return this.entities === null || verbatim || !(this.entities.isUndecided || chunk.includes('&'))
  }

  get keepsValue(): boolean {
    const { settings } = this.host
    return this.mode !== 'string' || settings.input || settings.arguments
  }

  keepValue(text: string): void {
    if (this.keepsValue) this.value?.add(text)
  }

  /** Says a piece of the open value, if it streams. */
  sayValue(text: string): void {
    const { settings } = this.host
    if (this.mode !== 'string') return
    if (settings.json) this.sayJson(escaped(text))
    if (settings.arguments) this.argumentEvents().delta(this.path, text)
  }

  private grow(text: string): void {
    this.keepValue(text)
    this.sayValue(text)
  }

  /** The open value's text so far. */
  private sofar(): string {
    return this.value?.toString() ?? ''
  }

  closeValue(): void {
    this.isBody = false
    const rest = this.entities?.end() ?? ''
    if (rest !== '') this.grow(rest)
    const { mode, key, path } = this
    const value = this.sofar()
    this.mode = ''
    this.value = null
    if (mode === '' || this.values === null) return
    if (mode === 'string') {
      define(this.values, key, value)
      if (this.host.settings.json) this.sayJson('"')
      if (this.host.settings.arguments) this.argumentEvents().end(path, value)
      return
    }
    this.count--
    this.argument(key, this.read(key, value, mode))
  }

  /** A whole argument at once. */
  argument(key: string, value: JsonValue): void {
    this.values ??= {}
    if (Object.hasOwn(this.values, key)) {
      this.fail('duplicate-key', `The argument '${key}' is there twice.`, this.origin, Path.of(key).pointer)
      return
    }
    this.countKey()
    if (isDeeper(value, this.limits.depth)) {
      this.fail(
        'limit-reached',
        `The argument '${key}' is nested deeper than ${this.limits.depth} levels.`,
        this.origin,
        Path.of(key).pointer,
      )
      return
    }
    if (this.host.settings.json)
      this.sayJson(`${this.separator()}${JSON.stringify(key)}:${JSON.stringify(value)}`)
    define(this.values, key, value)
    if (this.host.settings.arguments) walkValue(Path.of(key), value, this.argumentEvents())
  }

  /** An argument that is known before the call is certain: it waits for that. */
  later(key: string, text: string): void {
    if (this.started) this.argumentText(key, text)
    else this.waiting = [...this.waiting, [key, text]]
  }

  /** An argument that the wire wrote as text, typed as the tool's schema wants it. */
  argumentText(key: string, text: string): void {
    const mode = this.modeOf(key)
    this.argument(key, mode === 'string' ? text : this.read(key, text, mode))
  }

  private read(key: string, text: string, mode: ValueMode): JsonValue {
    const schema = this.tool?.property(key)
    let read: CoercedText
    if (mode === 'wait-json') {
      read = readUntyped(text, 'json')
      // A schema of exactly strings knows better than a wire that says JSON.
      if (this.tool?.expects(key) === 'string' && typeof read.value !== 'string') return text
      if (!read.coerced) this.repairedJson('not-json', 'guess', this.origin)
    } else if (schema === undefined) read = readUntyped(text, this.style.untyped)
    else
      read = coerceText(text, schema, {
        root: this.tool?.schema,
        untyped: this.style.untyped,
        relaxed: readRelaxed,
      })
    return read.value
  }

  private separator(): string {
    // A streamed argument is defined before it is said, so the JSON text itself knows whether it is the first.
    return this.json === null ? '{' : ','
  }

  private sayJson(text: string): void {
    // Enough to know that something was said; the value itself is kept in `values`.
    this.json ??= new Rope('{')
    this.host.emit({ type: 'tool-input-delta', id: this.id, delta: text })
  }

  // ── the verdict ────────────────────────────────────────────────────────────────────────────────

  /** Something was put right. `guess` and `lossy` mean that it may not be what was meant. */
  repaired(code: string, repairClass: RepairClass, offset: number): void {
    if (this.repairs.length < this.host.settings.limits.repairs)
      this.repairs = [...this.repairs, { code, class: repairClass, offset }]
  }

  /** The arguments' JSON was put right. Noted once; the list is on the call. */
  repairedJson(code: string, repairClass: RepairClass, offset: number): void {
    this.leaveSource()
    if (!this.notes.some((note) => note.code === 'json-repaired'))
      this.note('json-repaired', `The arguments were not quite JSON (${code}).`, offset)
    this.repaired(code, repairClass, offset)
  }

  /** The arguments came as a string that holds JSON. */
  readAsString(offset: number): void {
    this.note('arguments-as-string', 'The arguments are a string that holds JSON.', offset)
    this.repaired('arguments-as-string', 'lossless', offset)
  }

  /**
   * Something odd about this call. It is said when the call ends: between two pieces of the input its place
   * would depend on how the input was cut.
   */
  note(code: DiagnosticCode, message: string, offset: number): void {
    this.notes = [...this.notes, { code, message, offset }]
  }

  /** The call cannot be what was meant. The first reason counts. */
  fail(code: string, message: string, offset: number, path?: string): void {
    if (this.error !== undefined) return
    this.error = { code, message, offset, ...(path !== undefined && { path }) }
    this.note(code === 'duplicate-key' || code === 'limit-reached' ? code : 'malformed-call', message, offset)
  }

  /** The call is over. `cutAt`: it was not finished, and the text ended there. `completion` closes its JSON text. */
  end(raw: string, cut?: { readonly offset: number; readonly completion: string }): void {
    const { settings } = this.host
    const isCut = cut !== undefined && this.error === undefined
    const input = this.input(raw, cut?.completion ?? this.completion, isCut || this.error !== undefined)
    if (isCut) this.reportCut(cut.offset, this.inFlight(input, cut.completion))
    const status = this.status(cut !== undefined)
    const kept =
      status === 'truncated' || status === 'invalid'
        ? settings.malformed !== 'drop' && (settings.input || settings.raw)
        : settings.raw
    for (const note of this.notes) this.host.report(note.code, note.message, note.offset, this.id)
    this.host.emit({ type: 'tool-input-end', id: this.id })
    this.host.emit({
      type: 'tool-call',
      id: this.id,
      toolName: this.name,
      input: settings.input ? input : null,
      status,
      repairs: this.repairs,
      ...(kept && { raw }),
      ...(this.error !== undefined && { error: this.error }),
      ...(this.wireId !== '' && { wireId: this.wireId }),
      ...(this.providerExecuted && { providerExecuted: true }),
      ...(this.metadata && { metadata: this.metadata }),
    })
    if (this.error !== undefined && settings.malformed === 'text') this.host.sayText(raw)
  }

  private status(cut: boolean): CallStatus {
    if (this.error !== undefined) return cut && this.error.code === 'truncated' ? 'truncated' : 'invalid'
    return this.repairs.length > 0 ? 'repaired' : 'complete'
  }

  /** The argument in which the text ended. */
  private inFlight(input: JsonValue, completion: string): Path | null {
    if (this.mode !== '') return this.path
    return this.builder === null ? openPath(input, completion) : this.builder.openPath
  }

  private reportCut(offset: number, inFlight: Path | null): void {
    const where = inFlight === null || inFlight.depth === 0 ? '' : ` in the argument ${inFlight.pointer}`
    const message = `The call was cut off${where}.`
    this.error = {
      code: 'truncated',
      message,
      offset,
      ...(where !== '' && inFlight && { path: inFlight.pointer }),
    }
    this.note('truncated-call', message, offset)
  }

  private input(raw: string, completion: string, hasFailed: boolean): JsonValue {
    if (this.values !== null) {
      if (this.mode === 'string') define(this.values, this.key, this.sofar())
      else if (this.host.settings.json && !hasFailed) this.sayJson('}')
      return this.values
    }
    if (!this.saidJson) {
      if (!hasFailed) this.noArguments()
      return {}
    }
    if (this.builder !== null) return this.builder.value ?? {}
    if (!this.host.settings.input) return null
    const verbatim = this.verbatim === 0 ? '' : raw.slice(this.jsonStart, this.jsonStart + this.verbatim)
    return parsed(verbatim + (this.json?.toString() ?? '') + completion)
  }

  // ── snapshots ──────────────────────────────────────────────────────────────────────────────────

  save(): CallState {
    const {
      completion,
      count,
      id,
      name,
      wireId,
      started,
      isError,
      isUnmarked,
      providerExecuted,
      metadata,
      error,
      repairs,
      notes,
      waiting,
      json,
      values,
      key,
      isBody,
      wireType,
      mode,
      value,
      origin,
      jsonStart,
      verbatim,
    } = this
    return {
      completion,
      count,
      id,
      name,
      wireId,
      started,
      isError,
      isUnmarked,
      providerExecuted,
      metadata,
      error,
      repairs,
      notes,
      waiting,
      json: json?.toString() ?? null,
      values: values === null ? null : Object.entries(values),
      key,
      isBody,
      wireType,
      mode,
      value: value?.toString() ?? null,
      origin,
      jsonStart,
      verbatim,
      builder: this.builder?.save() ?? null,
      entities: this.entities?.save() ?? null,
    }
  }

  static restore(state: CallState, host: CallHost, style: CallStyle): Call {
    const call = new Call(host, style, state.origin)
    const { builder, entities, values, json, value, ...plain } = state
    Object.assign(call, plain)
    call.json = json === null ? null : new Rope(json)
    call.value = value === null ? null : new Rope(value)
    call.tool = host.settings.tools.get(call.name)
    call.path = Path.of(state.key)
    if (values !== null) {
      call.values = {}
      for (const [key, value] of values) define(call.values, key, value)
    }
    if (builder !== null) call.builder = JsonBuilder.restore(builder, call.argumentEvents())
    if (entities !== null) call.entities = EntityDecoder.restore(entities)
    return call
  }
}

interface Note {
  readonly code: DiagnosticCode
  readonly message: string
  readonly offset: number
}

/** A call in the middle of being read, as plain data. */
export interface CallState {
  readonly completion: string
  readonly count: number
  readonly id: string
  readonly name: string
  readonly wireId: string
  readonly started: boolean
  readonly isError: boolean
  readonly isUnmarked: boolean
  readonly providerExecuted: boolean
  readonly metadata: Metadata | undefined
  readonly error: CallError | undefined
  readonly repairs: readonly Repair[]
  readonly notes: readonly Note[]
  readonly waiting: readonly (readonly [key: string, text: string])[]
  readonly json: string | null
  readonly values: readonly [string, JsonValue][] | null
  readonly key: string
  readonly isBody: boolean
  readonly wireType: 'string' | 'json' | ''
  readonly mode: ValueMode
  readonly value: string | null
  readonly origin: number
  readonly jsonStart: number
  readonly verbatim: number
  readonly builder: ReturnType<JsonBuilder['save']> | null
  readonly entities: ReturnType<EntityDecoder['save']> | null
}

/** How one word holds an id and a name at once: `functions.get_weather:0`. */
export interface WordSplit {
  readonly prefix: string
  /** Ends the name inside the word; digits follow it. */
  readonly suffix: string
}

function nameInside(word: string, { prefix, suffix }: WordSplit): string {
  const end = word.lastIndexOf(suffix)
  const hasNumber =
    end !== -1 &&
    end + suffix.length < word.length &&
    [...word.slice(end + suffix.length)].every((digit) => digit >= '0' && digit <= '9')
  return word.slice(word.startsWith(prefix) ? prefix.length : 0, hasNumber ? end : word.length)
}

/** The canonical text always parses; a limit of the platform is the one thing that could still stand in the way. */
function parsed(json: string): JsonValue {
  try {
    return JSON.parse(json) as JsonValue
  } catch {
    return {}
  }
}
