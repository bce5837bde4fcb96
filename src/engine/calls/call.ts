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
  SluiceEvent,
  Span,
  ToolCall,
  ToolInputStart,
} from '../../base/event.ts'
import type { Limits } from '../../base/limits.ts'
import type { Path } from '../../base/path.ts'
import {
  type Check,
  checkedPart,
  damaged,
  isAnything,
  isCount,
  isInteger,
  isRecord,
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
import { JsonBuilder } from '../../values/json/builder.ts'
import { hasWrittenNumbers } from '../../values/numbers/written.ts'
import type { JsonSchema } from '../../values/schema/json-schema.ts'
import { ArgumentEvents } from './argument-events.ts'
import type { ShownText } from './shown-text.ts'
import type { TextArguments } from './text-arguments.ts'
import { type Tool, type ToolTable, UNKNOWN_TOOL } from './tools.ts'
import type { ValueWatch } from './value-watch.ts'
import { openPath } from './values.ts'
import { isWaitingReason, type WaitingReason } from './waiting.ts'

export interface CallSettings {
  readonly tools: ToolTable
  readonly limits: Limits
  /** Emit the input as JSON text while it grows. */
  readonly json: boolean
  /** Emit each argument by its path. */
  readonly arguments: boolean
  /** Emit the source of the call. */
  readonly source: boolean
  /** Put the source on every call, not only on failed ones. */
  readonly raw: boolean
  /** Keep what is needed for the input of a call, and its source. */
  readonly input: boolean
  readonly malformed: 'keep' | 'text' | 'drop'
}

/** `annotation`: what a dialect attaches to the start of a call for its own view. No event carries it. */
export type CallSink = (event: SluiceEvent, annotation?: object) => void

/** What a call needs of the reader that feeds it. */
export interface CallHost {
  readonly settings: CallSettings
  readonly emit: CallSink
  /** Takes arguments one by one, in dialects that have such. */
  readonly textArguments?: typeof TextArguments | undefined
  newId(kind: 'call'): string
  /** Takes the id that the wire gave; false if another call has it already. */
  claimId(id: string): boolean
  /** Reports a diagnostic. `span`: where it is in the text, if it is there. */
  report(code: DiagnosticCode, message: string, span: Span | undefined, id?: string): void
  /** The offset of an index in the piece that is being read. */
  offsetOf(index: number): number
  /** The call is about to be announced. */
  beforeCall(): void
  /** Why the verdict on the call that is announced has to wait; null if it has not. */
  readonly waitingReason?: WaitingReason | null
  /** Takes the verdict on a call whose source has so many characters, and why it waits; without this it is emitted. */
  judged?(verdict: ToolCall, reason: WaitingReason | null, length: number): void
  /** The source of a call that failed is wanted as text. */
  emitText(text: string): void
  /** A call went wrong: what follows it in the text may still belong to it. */
  placeLost?(): void
  /** What looks at values that are raw text. */
  readonly watch?: ValueWatch
  /** What a call must not merely repeat. */
  readonly shown?: ShownText | null
}

export interface CallStyle {
  /** How a value is read when neither the wire nor a schema says what it is. */
  readonly untyped: 'string' | 'json'
  /** Only tools that were given are tools. */
  readonly knownToolsOnly: boolean
  /** Names that no tool has: what has one of them is no call. */
  readonly reservedNames?: readonly string[]
  /** ASCII letters in markers match in either case. */
  readonly ignoreCase?: boolean
  /** Data for its view, passed with the start of each call. */
  readonly annotation?: object | undefined
}

const NONE: readonly never[] = []

/** The repair of a call that may be data: behind a call that went wrong, or with markers of calls in a raw value. */
const PLACE_UNCERTAIN = { code: 'place-uncertain', class: 'guess' } as const

/** The code of a call that was read well, but without the name of a tool. */
const NO_NAME = 'no-name'

/** The input of a call, and its JSON text where the value cannot say what was written. */
export type CallInput = Pick<ToolCall, 'input' | 'inputText'>

interface Note {
  readonly code: DiagnosticCode
  readonly message: string
  readonly offset: number
}

/** What is remembered of a call between two chunks. */
interface CallState {
  id: string
  name: string
  wireId: string
  /** The last key that the wire gave. */
  key: string
  started: boolean
  /** Something of it was read that prose would not hold, although its name is not known yet. */
  hasBegun: boolean
  /** It is none, because there is no such tool. */
  isUnknown: boolean
  /** It may be data that something else holds, and not a call at all. */
  isPlaceUncertain: boolean
  /** Why its verdict waits, if it does. */
  tentative: WaitingReason | null
  /** For a result that is written like a call: it reports a failure. */
  isError: boolean
  /** The arguments can be run: whatever was read of them is an object, or there are none. */
  isObject: boolean
  /** The input is free text: the source itself, as a string. */
  isFreeText: boolean
  /** Nothing but a known name makes it a call. */
  isUnmarked: boolean
  /** Its JSON has a number, which may not say how it was written. */
  hasNumber: boolean
  /** It follows another call of its section, which shows that it is one, too. */
  followsCall: boolean
  /** The wire gives it no name. */
  isUnnamed: boolean
  providerExecuted: boolean
  metadata: Metadata | null
  /** Its source is not emitted, even where sources are asked for. */
  isSourceHidden: boolean
  error: CallError | null
  /** What closes the JSON text of a call that failed. */
  completion: string
  // Most calls have none of these, so that they share the empty list.
  repairs: readonly Repair[]
  notes: readonly Note[]
  // Arguments as JSON. As long as they are emitted as they were written, their text is in the source, `verbatim`
  // characters from `jsonStart` on; only what comes after the first repair has to be kept apart.
  jsonStart: number
  verbatim: number
  json: Rope | null
  /** Where it begins, as an offset of the text channel. */
  origin: number
}

/** With what is saved of its arguments; each kind checks its own. */
interface SavedCall extends CallState {
  builder: unknown
  texts: unknown
}

const begin = (origin: number): CallState => ({
  id: '',
  name: '',
  wireId: '',
  key: '',
  started: false,
  hasBegun: false,
  isUnknown: false,
  isPlaceUncertain: false,
  tentative: null,
  isError: false,
  isObject: true,
  isFreeText: false,
  isUnmarked: false,
  hasNumber: false,
  followsCall: false,
  isUnnamed: false,
  providerExecuted: false,
  metadata: null,
  isSourceHidden: false,
  error: null,
  completion: '',
  repairs: NONE,
  notes: NONE,
  jsonStart: -1,
  verbatim: 0,
  json: null,
  origin,
})

const isCallError: Check<CallError> = (value): value is CallError => {
  const { path = '', ...error } = (value ?? {}) as CallError
  return isString(path) && recordOf(CALL_ERROR)(error)
}
const CALL_ERROR: Shape<Omit<CallError, 'path'>> = { code: isString, message: isString, offset: isInteger }

const CALL: Shape<SavedCall> = {
  ...scalarsLike(begin(0)),
  tentative: nullable(isWaitingReason),
  metadata: nullable(isRecord),
  error: nullable(isCallError),
  repairs: listOf(
    recordOf<Repair>({ code: isString, class: oneOf('lossless', 'guess', 'lossy'), offset: isInteger }),
  ),
  notes: listOf(
    recordOf<Note>({ code: isString as Check<DiagnosticCode>, message: isString, offset: isInteger }),
  ),
  verbatim: isCount,
  json: nullable(isRope),
  builder: isAnything,
  texts: isAnything,
}

export class Call {
  readonly s: CallState
  readonly host: CallHost
  readonly style: CallStyle
  /** Known when the call is certain, if there is such a tool. */
  tool: Tool | undefined
  /** Data of its dialect for a view. */
  annotation: object | undefined

  /** Builds the value of JSON arguments, if argument events are emitted. */
  private builder: JsonBuilder | null = null
  private events: ArgumentEvents | null = null
  /** Arguments one by one. */
  private texts: TextArguments | null = null

  /** `state`: an origin for a new call. */
  constructor(host: CallHost, style: CallStyle, state: CallState | number) {
    this.host = host
    this.style = style
    this.s = typeof state === 'number' ? begin(state) : state
  }

  save(): SavedCall {
    return { ...this.s, builder: this.builder?.save() ?? null, texts: this.texts?.save() ?? null }
  }

  /** Throws if the state is damaged. */
  static restore(saved: unknown, host: CallHost, style: CallStyle): Call {
    const { builder, texts, ...state } = checkedPart(CALL, saved)
    const call = new Call(host, style, state)
    if (state.started) call.tool = host.settings.tools.get(state.name)
    if (builder !== null) call.builder = JsonBuilder.restore(builder as string, call.argumentEvents())
    const { textArguments } = host
    if (texts !== null && textArguments === undefined)
      throw damaged('its arguments are written in another dialect')
    call.texts = texts === null ? null : textArguments!.restore(texts, call)
    return call
  }

  get id(): string {
    return this.s.id
  }

  get name(): string {
    return this.s.name
  }

  get started(): boolean {
    return this.s.started
  }

  get origin(): number {
    return this.s.origin
  }

  /** The offset of an index in the piece that is being read. */
  offsetOf(index: number): number {
    return this.host.offsetOf(index)
  }

  /** It cannot be what was meant. */
  get hasFailed(): boolean {
    return this.s.error !== null
  }

  /** Something in it was guessed. */
  get isGuess(): boolean {
    return this.s.repairs.some((repair) => repair.class === 'guess')
  }

  get limits(): Limits {
    return this.host.settings.limits
  }

  // ── who it is ──────────────────────────────────────────────────────────────────────────────────

  /** A short word of the wire. Answers whether it can be one. */
  word(role: 'name' | 'id' | 'key', word: string, split?: WordSplit): boolean {
    if (role === 'key') this.s.key = word
    else if (this.s.started) {
      if (role === 'id') this.s.wireId = word
      else if (word !== this.s.name)
        this.fail('duplicate-key', `The call has two names, '${this.s.name}' and '${word}'.`, this.s.origin)
    } else if (role === 'name') {
      if (this.s.name !== '' && word !== this.s.name) return false
      if (this.style.reservedNames?.includes(word)) {
        this.s.isUnknown = true
        return false
      }
      this.s.name = word
    } else {
      this.s.wireId = word
      if (split !== undefined) {
        this.s.name = split.nameIn(word)
        this.s.isUnnamed = this.s.name === ''
      }
    }
    return true
  }

  /**
   * A name begins behind what marks a call. If the call breaks off later, it was more than prose that mentions a marker.
   *
   *     [TOOL_CALLS]note[CxLL_ID]…      directly behind the marker, or a name that is known
   */
  nameBegins(word: string, isAdjacent: boolean): void {
    if (this.s.isUnmarked || this.s.hasBegun) return
    this.s.hasBegun = (isAdjacent && /^[a-z_]/i.test(word)) || this.host.settings.tools.begins(word)
  }

  /** Nothing else marks the call: it is one only if there is such a tool. */
  requireKnownTool(): void {
    this.s.isUnmarked = true
  }

  /** Nothing marks the call, and its format wants that something does. */
  lacksOpener(): void {
    this.note('missing-opener', 'An opening marker is missing.', this.s.origin)
    this.repaired('missing-opener', 'guess', this.s.origin)
  }

  /** A limit was reached, and what was being read is not what it looked like. */
  limitReached(message: string, offset: number): void {
    this.s.hasBegun = true
    if (this.s.started) this.note('limit-reached', message, offset)
    else this.host.report('limit-reached', message, { start: this.s.origin, end: offset })
  }

  /** The name is certain. Answers false where a call of that name cannot be. */
  start(): boolean {
    if (this.s.started) return true
    const { tools } = this.host.settings
    const [only, ...others] = tools.names
    if (this.s.isUnnamed && only !== undefined && others.length === 0) this.guessName(only)
    this.tool = tools.get(this.s.name)
    const needsKnownTool = this.s.isUnmarked || (this.style.knownToolsOnly && !this.s.followsCall)
    const isNone = this.tool === undefined && tools.size > 0
    // A known name with something behind it is a call that is broken, and not one of another tool.
    this.s.isUnknown = isNone && !tools.begins(this.s.name)
    if (isNone && needsKnownTool) return false
    this.host.beforeCall()
    this.s.tentative = this.host.waitingReason ?? null
    const isFree = this.s.wireId !== '' && this.host.claimId(this.s.wireId)
    this.s.id = isFree ? this.s.wireId : this.host.newId('call')
    if (isFree) this.s.wireId = ''
    this.s.started = true
    if (this.tool !== undefined) this.s.name = this.tool.name // the same text, which is kept anyway
    this.emitStart()
    const refusal = this.refusal()
    // Where the name went is not known, so that what follows may belong to it.
    if (refusal?.code === NO_NAME) this.host.placeLost?.()
    if (refusal !== null)
      this.note(refusal.code === NO_NAME ? 'missing-name' : UNKNOWN_TOOL, refusal.message, refusal.offset)
    this.texts?.start()
    return true
  }

  /** There is only one tool that the call can be meant for. */
  private guessName(name: string): void {
    this.s.name = name
    this.note('missing-name', `The call has no name; the only tool is '${name}'.`, this.s.origin)
    this.repaired('missing-name', 'guess', this.s.origin)
  }

  /** Why it cannot run, however well it is written. A tool that the provider runs is not looked up. */
  private refusal(): CallError | null {
    if (this.s.providerExecuted) return null
    if (this.s.isUnnamed && this.s.name === '')
      return { code: NO_NAME, message: 'The call has no name.', offset: this.s.origin }
    return this.host.settings.tools.refusalOf(this.s.name, this.s.origin) ?? null
  }

  private emitStart(): void {
    const { annotation = this.style.annotation } = this
    const start: ToolInputStart = {
      type: 'tool-input-start',
      id: this.s.id,
      toolName: this.s.name,
      ...((this.s.tentative !== null || this.isInReasoning) && { tentative: true }),
      ...(this.s.providerExecuted && { providerExecuted: true }),
      ...(this.s.metadata && { metadata: this.s.metadata }),
    }
    if (annotation === undefined) this.host.emit(start)
    else this.host.emit(start, annotation)
  }

  /** The provider marks it as a part of the reasoning: it may only be mentioned there, so that running it would be a guess. */
  standsInReasoning(): void {
    if (!this.isInReasoning) this.repaired('inside-reasoning', 'guess', 0)
  }

  private get isInReasoning(): boolean {
    return this.s.repairs.some(({ code }) => code === 'inside-reasoning')
  }

  get schema(): JsonSchema | undefined {
    return this.tool?.schema
  }

  // ── arguments as JSON ──────────────────────────────────────────────────────────────────────────

  /** The next piece of the arguments as canonical JSON text. */
  jsonText(piece: string): void {
    this.keepJson(piece)
    if (this.host.settings.json) this.host.emit({ type: 'tool-input-delta', id: this.s.id, delta: piece })
  }

  keepJson(piece: string): void {
    if (this.s.json === null && this.s.jsonStart >= 0) this.s.verbatim += piece.length
    else if (this.s.json === null) this.s.json = new Rope(piece)
    else if (this.host.settings.input) this.s.json.add(piece)
  }

  /**
   * The arguments begin at an offset of the text channel, and are emitted as they are written there. Not behind a repair,
   * which may go for all of the text, and is not reported again: `{\"name\": \"ls\", \"arguments\": {…`.
   */
  jsonBegins(offset: number): void {
    if (!this.hasJson && this.s.repairs.length === 0) this.s.jsonStart = offset - this.s.origin
  }

  /** From now on the emitted arguments differ from the source. */
  leaveSource(): void {
    if (this.s.jsonStart >= 0) this.s.json ??= new Rope()
  }

  private get hasJson(): boolean {
    return this.s.json !== null || this.s.verbatim > 0
  }

  /** The call has none. */
  noArguments(): void {
    if (!this.hasJson && !this.texts?.hasAny) this.jsonText('{}')
  }

  /** Builds the arguments while they are read as JSON; null if no argument events are emitted. */
  argumentBuilder(): JsonBuilder | null {
    if (this.host.settings.arguments) this.builder ??= new JsonBuilder(this.argumentEvents())
    return this.builder
  }

  argumentEvents(): ArgumentEvents {
    this.events ??= new ArgumentEvents(this.s.id, this.host)
    return this.events
  }

  /** Takes the arguments one by one. */
  get textArguments(): TextArguments {
    this.texts ??= new this.host.textArguments!(this)
    return this.texts
  }

  // ── the verdict ────────────────────────────────────────────────────────────────────────────────

  /**
   * Something was put right. `guess` and `lossy` mean that it may not be what was meant. A repair beyond the limit fails
   * the call: if it were only left out, a guess could hide behind many harmless repairs.
   */
  repaired(code: string, repairClass: RepairClass, offset: number): void {
    const most = this.host.settings.limits.repairs
    if (this.s.repairs.length < most)
      this.s.repairs = [...this.s.repairs, { code, class: repairClass, offset }]
    else this.fail('limit-reached', `The call needs more than ${most} repairs.`, offset)
  }

  /**
   * The arguments' JSON was put right. Noted once; the list is on the call. `guessesEnd`: where a value ends was guessed, too,
   * so that what follows may belong to it.
   */
  repairedJson(
    code: string,
    repairClass: RepairClass,
    offset: number,
    guessesEnd = repairClass !== 'lossless' && GUESSED_ENDS.has(code),
  ): void {
    this.leaveSource()
    if (!this.s.notes.some((note) => note.code === 'json-repaired'))
      this.note('json-repaired', `The arguments were not quite JSON (${code}).`, offset)
    this.repaired(code, repairClass, offset)
    if (guessesEnd) this.host.placeLost?.()
  }

  /** The arguments were put right that markers give. Noted once, too. */
  repairedArguments(code: string, offset: number): void {
    if (!this.s.notes.some((note) => note.code === 'arguments-repaired'))
      this.note('arguments-repaired', `The arguments are not as the format has them (${code}).`, offset)
    this.repaired(code, 'guess', offset)
  }

  /** Its end came inside a value that was not closed, so that where the value ends is a guess. */
  endsInValue(offset: number): void {
    this.note('missing-closer', 'A closing marker is missing.', offset)
    this.repaired('missing-closer', 'guess', offset)
    this.host.placeLost?.()
  }

  /** One of its values may end elsewhere, so that the call is not certain, and none behind it is. */
  losesPlace(): void {
    this.s.isPlaceUncertain = true
    this.host.placeLost?.()
  }

  /** The arguments came as a string that holds JSON. */
  readAsString(offset: number): void {
    this.note('arguments-as-string', 'The arguments are a string that holds JSON.', offset)
    this.repaired('arguments-as-string', 'lossless', offset)
  }

  /**
   * A diagnostic about this call. It is reported when the call ends: between two pieces of the input its place
   * would depend on how the input was cut.
   */
  note(code: DiagnosticCode, message: string, offset: number): void {
    // No response reports more of them, so that more need not be copied either.
    if (this.s.notes.length < this.host.settings.limits.diagnostics)
      this.s.notes = [...this.s.notes, { code, message, offset }]
  }

  /** The call cannot be what was meant. The first reason counts. */
  fail(code: string, message: string, offset: number, path?: string): void {
    // A repeated key is as well read as any other.
    if (code !== 'duplicate-key') this.host.placeLost?.()
    if (this.s.error !== null) return
    this.s.error = { code, message, offset, ...(path !== undefined && { path }) }
    this.note(code === 'duplicate-key' || code === 'limit-reached' ? code : 'malformed-call', message, offset)
  }

  /**
   * The call is over. `span`: where it stands in the text. `cut`: it was not finished, and the text ended at this
   * offset; `completion` closes its JSON text.
   */
  end(raw: string, span?: Span, cut?: { readonly offset: number; readonly completion: string }): void {
    const { settings } = this.host
    const isCut = cut !== undefined && this.s.error === null
    if (!this.s.isObject && cut === undefined)
      this.fail('not-an-object', 'The arguments are not an object.', this.s.origin)
    const { input, inputText } = this.input(
      raw,
      cut?.completion ?? this.s.completion,
      isCut || this.s.error !== null,
    )
    if (isCut) this.reportCut(cut.offset, this.inFlight(input, cut.completion))
    // `malformed` is about calls that could not be read.
    const isMalformed = this.s.error !== null
    this.s.error ??= this.refusal()
    if (span !== undefined && this.host.shown?.has(raw, span.end)) this.isRepeated()
    const repairs = this.allRepairs()
    const status = this.status(cut !== undefined, repairs)
    const isDropped = isMalformed && settings.malformed === 'drop'
    const kept = this.s.error === null ? settings.raw : !isDropped && (settings.input || settings.raw)
    for (const { code, message, offset } of this.s.notes)
      this.host.report(code, message, span && spanFrom(offset, span), this.s.id)
    this.host.emit({ type: 'tool-input-end', id: this.s.id })
    const verdict: ToolCall = {
      type: 'tool-call',
      id: this.s.id,
      toolName: this.s.name,
      input: settings.input ? input : null,
      ...(settings.input && inputText !== undefined && !isMalformed && { inputText }),
      status,
      repairs,
      ...(kept && { raw }),
      ...(span && { span }),
      ...(this.s.error !== null && { error: this.s.error }),
      ...(this.s.wireId !== '' && { wireId: this.s.wireId }),
      ...(this.s.providerExecuted && { providerExecuted: true }),
      ...(this.s.metadata && { metadata: this.s.metadata }),
    }
    if (this.host.judged === undefined) this.host.emit(verdict)
    else this.host.judged(verdict, this.s.tentative, raw.length)
    if (isMalformed && settings.malformed === 'text') this.host.emitText(raw)
  }

  /** The model was shown this call: it may repeat what it read. */
  private isRepeated(): void {
    this.s.isPlaceUncertain = true
    this.note('repeated-call', 'The call repeats text of the prompt, so it may be data.', this.s.origin)
  }

  /** No limit on repairs leaves out the one that says that the call may be none. */
  private allRepairs(): readonly Repair[] {
    const { repairs, origin } = this.s
    return this.s.isPlaceUncertain ? [...repairs, { ...PLACE_UNCERTAIN, offset: origin }] : repairs
  }

  private status(cut: boolean, repairs: readonly Repair[]): CallStatus {
    if (this.s.error !== null) return cut && this.s.error.code === 'truncated' ? 'truncated' : 'invalid'
    return repairs.length > 0 ? 'repaired' : 'complete'
  }

  /** The argument in which the text ended. */
  private inFlight(input: JsonValue, completion: string): Path | null {
    const { texts, builder } = this
    return texts?.openPath ?? (builder === null ? openPath(input, completion) : builder.openPath)
  }

  private reportCut(offset: number, inFlight: Path | null): void {
    const where = inFlight === null || inFlight.depth === 0 ? '' : ` in the argument ${inFlight.pointer}`
    const message = `The call was cut off${where}.`
    this.s.error = {
      code: 'truncated',
      message,
      offset,
      ...(where !== '' && inFlight && { path: inFlight.pointer }),
    }
    this.note('truncated-call', message, offset)
  }

  private input(raw: string, completion: string, hasFailed: boolean): CallInput {
    if (this.s.isFreeText) return { input: raw }
    if (this.texts?.hasAny) {
      if (this.hasJson) this.fail('duplicate-key', 'The call has its arguments twice.', this.s.origin)
      return this.texts.end(raw, hasFailed)
    }
    if (!this.hasJson) {
      if (!hasFailed) this.noArguments()
      return { input: {} }
    }
    if (!this.host.settings.input) return { input: this.builder?.value ?? null }
    const verbatim =
      this.s.verbatim === 0 ? '' : raw.slice(this.s.jsonStart, this.s.jsonStart + this.s.verbatim)
    const text = verbatim + (this.s.json?.toString() ?? '') + completion
    const isWritten = this.s.hasNumber && !hasFailed && hasWrittenNumbers(text)
    const inputText = isWritten ? { inputText: text } : undefined
    if (this.builder !== null) return { input: this.builder.value ?? {}, ...inputText }
    try {
      return { input: JSON.parse(text) as JsonValue, ...inputText }
    } catch {
      // The emitted text always parses; if the platform fails to parse it, the call must not run.
      if (!hasFailed) this.fail('json', 'The arguments cannot be read.', this.s.origin)
      return { input: {} }
    }
  }
}

/** From an offset to the end of a call; all of the call where something is missing at its end. */
function spanFrom(offset: number, { start, end }: Span): Span {
  return { start: offset > start && offset < end ? offset : start, end }
}

/** Repairs of JSON that decide where a value ends, unless they are lossless. */
const GUESSED_ENDS: ReadonlySet<string> = new Set([
  'bare-string',
  'inner-quote',
  'missing-close',
  'extra-close',
])

/** How one word holds an id and a name at once: `functions.get_weather:0`. */
export interface WordSplit {
  readonly prefix: string
  /** Ends the name inside the word; digits follow it. */
  readonly suffix: string
  nameIn(word: string): string
}
