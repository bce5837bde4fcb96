/**
 * The parser: push text, get events. The sink form is the machine itself; `push → SluiceEvent[]` is a shell
 * around it, and parsing a whole text is nothing but push and end.
 */

import { SluiceError } from '../base/errors.ts'
import type { JsonValue, Sink, SluiceEvent } from '../base/event.ts'
import type { IdKind } from '../base/ids.ts'
import { type Limits, resolveLimits } from '../base/limits.ts'
import { checkOptions, type KnownOptions, shown } from '../base/options.ts'
import { damaged } from '../base/plain-state.ts'
import type { CallSettings } from './calls/call.ts'
import { dropCalls } from './calls/drop-calls.ts'
import { type Shown, ShownText } from './calls/shown-text.ts'
import { createToolTable, type ToolDefinitions, type ToolTable } from './calls/tools.ts'
import { CODE_OPENERS, codeSpan } from './wire/code-span.ts'
import type { Pauses } from './wire/compile/states.ts'
import { compile } from './wire/compile.ts'
import type { DetectingReader, Detection } from './wire/detection.ts'
import { type Dialect, templatesOf } from './wire/dialect.ts'
import {
  createMachine,
  type EndReason,
  end,
  FINISH_REASONS,
  type Interruption,
  interrupt,
  type Machine,
  type MachineSettings,
  prefill,
  pushFast,
  pushSlow,
  restoreMachine,
  saveMachine,
  startAnywhere,
  startInReasoning,
} from './wire/machine.ts'
import type { Program } from './wire/program.ts'
import { isPerTool, showTemplate } from './wire/template.ts'

/** Options of `createParser`, `parse` and `sluice`. */
export interface ParserOptions {
  /**
   * How the model writes calls and reasoning. Several at once: the earliest marker wins, ties go by order. `detect()`
   * finds out which one it is.
   */
  readonly dialect?: Dialect | readonly Dialect[] | Detection
  /** The tools that can be called: JSON Schema, Standard Schema (zod and others), or a provider's own form. */
  readonly tools?: ToolDefinitions
  /**
   * Where the response begins: in text, inside reasoning, or after a prefill, which is read silently. Without it the response
   * begins in text, but may turn out to have begun inside reasoning: then verdicts wait for the end, unless the dialect has
   * no reasoning or the response opens it.
   */
  readonly start?: 'text' | 'reasoning' | { readonly prefill: string } | undefined
  /** Literals that end the response where they appear in visible text. */
  readonly stop?: readonly string[]
  /** Markup inside code spans and fenced code is text. */
  readonly protectCode?: boolean
  /** False: calls are left as text. `drop`: they are read and left out, for a model that was offered no tools. */
  readonly calls?: boolean | 'drop'
  /** False: reasoning markup is left as text. */
  readonly reasoning?: boolean
  /** What becomes of the source of a call that failed after it was announced. */
  readonly malformed?: 'keep' | 'text' | 'drop'
  /** What the prompt holds that others wrote. A call that only repeats it is at most a guess. */
  readonly shown?: Shown
  readonly limits?: Partial<Limits>
  readonly generateId?: (kind: IdKind) => string
  /** What is emitted of a call besides its start, its end and the verdict. */
  readonly emit?: EmitOptions
}

/** Which events a parser emits for calls. */
export interface EmitOptions {
  /** `tool-input-delta`: the input as JSON text. Default true. */
  readonly json?: boolean
  /** `argument-start`, `-delta`, `-end`: each argument by its path. Default false. */
  readonly arguments?: boolean
  /** `tool-source-delta`: the call's own source. Default false. */
  readonly source?: boolean
  /** The source on every `tool-call`, not only on failed ones. Default false. */
  readonly raw?: boolean
  /**
   * The input of each `tool-call` as a value, and the source of a failed one. Default true. Without it nothing of
   * a call is kept in memory: `input` is null, and a reader who wants it joins the deltas. (With `arguments` the
   * values are, because `argument-end` has them.)
   */
  readonly input?: boolean
}

/** A synchronous parser for one response, which `createParser` creates. */
export interface Parser {
  /** Reads the next piece of the response. Never throws because of its content. */
  push(chunk: string): SluiceEvent[]
  /**
   * Something that is not text comes next, such as a call that the provider sends by itself: what was held back
   * is emitted, and the text or reasoning that is open ends. A call in the text stays open. `by`: a `call` leaves
   * verdicts that wait undecided, anything else decides against them. A `loss` of text ends nothing, but no call in the
   * text is certain any more. Default `other`.
   */
  interrupt(by?: Interruption): SluiceEvent[]
  /**
   * The response is over; nothing is held back any longer. The last event is `finish`. `reason`: what the provider
   * said, or how the stream ended. A call inside reasoning may run only if the model stopped by itself behind it.
   */
  end(reason?: EndReason): SluiceEvent[]
  /** Everything needed to go on in another process, as plain data. */
  snapshot(): ParserSnapshot
}

/** The sink form: events go to a function as they are found, and no array is made. */
export interface SinkParser {
  push(chunk: string): void
  interrupt(by?: Interruption): void
  end(reason?: EndReason): void
  snapshot(): ParserSnapshot
}

/** Another shape of the state is another version. */
const VERSION = 3

/** The state of a parser as plain data, for `restoreParser`. */
export interface ParserSnapshot {
  readonly version: typeof VERSION
  /** What the snapshot can be restored with: the same dialects, tools and options that shape the states. */
  readonly program: string
  readonly ended: boolean
  readonly machine: JsonValue
  /** How far the response repeats the prompt. */
  readonly shown?: JsonValue
}

/**
 * Makes a parser.
 *
 *     const parser = createParser({ dialect: hermes })
 *     parser.push('Let me look. <tool_ca')   // text, up to what may become markup
 *     parser.push('ll>{"name": "ls"}')       // a call
 *     parser.end()
 */
export function createParser(options: ParserOptions = {}): Parser {
  return collecting((sink) => createSinkParser(sink, options))
}

/** Makes a parser that hands each event to `sink` as it is found. */
export function createSinkParser(sink: Sink, options: ParserOptions = {}): SinkParser {
  const parser = new MachineParser(options, sink)
  const { start } = options
  if (start === undefined) parser.startAnywhere()
  else if (start === 'reasoning') {
    if (!parser.startInReasoning()) throw noReasoning(options)
  } else if (typeof start === 'object') parser.prefill(start.prefill)
  return parser
}

/** Goes on from a snapshot, which may have been taken in another process with the same options. */
export function restoreParser(snapshot: ParserSnapshot, options: ParserOptions = {}): Parser {
  return collecting((sink) => restoreSinkParser(snapshot, sink, options))
}

/** `restoreParser` for a parser that hands each event to `sink` as it is found. */
export function restoreSinkParser(
  snapshot: ParserSnapshot,
  sink: Sink,
  options: ParserOptions = {},
): SinkParser {
  const parser = new MachineParser(options, sink)
  if (snapshot?.version !== VERSION || snapshot.program !== parser.program)
    throw new SluiceError(
      'invalid-snapshot',
      'This snapshot was taken with a different dialect, different tools or a different version; restore it with the options it was taken with.',
    )
  if (typeof snapshot.ended !== 'boolean') throw damaged("the field 'ended' has a wrong value")
  // Not a method, and shapes are made by functions: a bundle that restores nothing then holds no checks.
  if (parser.detecting === null) restoreMachine(parser.machine, snapshot.machine)
  else parser.detecting.restore(snapshot.machine)
  if (snapshot.shown !== undefined) parser.shown?.restore(snapshot.shown)
  parser.follow()
  parser.ended = snapshot.ended
  return parser
}

/** The shell that hands out events in arrays. */
function collecting(make: (sink: Sink) => SinkParser): Parser {
  let events: SluiceEvent[] = []
  const parser = make((event) => events.push(event))
  const taken = (): SluiceEvent[] => {
    const result = events
    events = []
    return result
  }
  return {
    push(chunk) {
      parser.push(chunk)
      return taken()
    },
    interrupt(by) {
      parser.interrupt(by)
      return taken()
    },
    end(reason) {
      parser.end(reason)
      return taken()
    },
    snapshot: () => parser.snapshot(),
  }
}

class MachineParser implements SinkParser {
  machine: Machine
  /** Finds the dialect, and changes the machine on the way. Null: the dialect is given. */
  readonly detecting: DetectingReader | null
  readonly shown: ShownText | null
  private readonly options: ParserOptions
  ended = false

  constructor(options: ParserOptions, sink: Sink) {
    const settings = settingsFor(options)
    const passOn = options.calls === 'drop' ? dropCalls(sink) : sink
    const { dialect } = options
    this.detecting = isDetection(dialect) ? openDetection(dialect, options, settings, passOn) : null
    this.machine = this.detecting?.machine ?? createMachine(programFor(options), settings, passOn)
    this.shown = settings.shown
    this.options = options
  }

  /** Goes on with the machine that reads now. */
  follow(): void {
    if (this.detecting !== null) this.machine = this.detecting.machine
  }

  startAnywhere(): void {
    if (this.detecting === null) startAnywhere(this.machine)
    else this.detecting.startAnywhere()
  }

  startInReasoning(): boolean {
    return this.detecting === null ? startInReasoning(this.machine) : this.detecting.startInReasoning()
  }

  prefill(text: string): void {
    this.shown?.read(text)
    if (this.detecting === null) prefill(this.machine, text)
    else this.detecting.prefill(text)
    this.follow()
  }

  push(chunk: string): void {
    if (this.shown !== null && typeof chunk === 'string') this.shown.read(chunk)
    if (typeof chunk !== 'string' || !pushFast(this.machine, chunk)) this.pushChecked(chunk)
  }

  private pushChecked(chunk: string): void {
    if (typeof chunk !== 'string')
      throw new SluiceError(
        'invalid-source',
        `A parser takes strings, not ${typeof chunk}; decode bytes first, or use sluice().`,
      )
    this.checkOpen()
    if (this.detecting === null) pushSlow(this.machine, chunk)
    else {
      this.detecting.push(chunk)
      this.follow()
    }
  }

  interrupt(by: Interruption = 'other'): void {
    this.checkOpen()
    if (this.detecting === null) interrupt(this.machine, by)
    else this.detecting.interrupt(by)
    this.follow()
  }

  end(reason: EndReason = 'finished'): void {
    if (!Object.hasOwn(FINISH_REASONS, reason))
      throw wrong(`end() takes one of ${Object.keys(FINISH_REASONS).join(', ')}, not ${shown(reason)}.`)
    this.checkOpen()
    this.ended = true
    if (this.detecting === null) end(this.machine, reason)
    else this.detecting.end(reason)
  }

  private checkOpen(): void {
    if (this.ended)
      throw new SluiceError('push-after-end', 'This parser has ended; make a new one for the next response.')
  }

  /** What a snapshot can be restored with. Nothing of it changes while a parser lives. */
  get program(): string {
    const { settings, program } = this.machine
    // While the dialect is being found, the machine's program changes, and the fingerprint does not.
    return this.detecting === null
      ? knownFingerprint(this.options, settings, program)
      : fingerprint(this.options, settings)
  }

  snapshot(): ParserSnapshot {
    return {
      version: VERSION,
      program: this.program,
      ended: this.ended,
      machine: this.detecting?.save() ?? saveMachine(this.machine),
      ...(this.shown !== null && { shown: { ...this.shown.s } }),
    }
  }
}

// ── options ──────────────────────────────────────────────────────────────────────────────────────

/** What a parser takes. Whatever is `any` here is looked at where it is used. */
export const PARSER_OPTIONS: KnownOptions<ParserOptions> = {
  dialect: 'any',
  tools: 'any',
  start: 'any',
  stop: 'list',
  protectCode: 'boolean',
  calls: 'any',
  reasoning: 'boolean',
  malformed: ['keep', 'text', 'drop'],
  shown: 'object',
  limits: 'object',
  generateId: 'function',
  emit: 'object',
}

const EMITS: KnownOptions<EmitOptions> = {
  json: 'boolean',
  arguments: 'boolean',
  source: 'boolean',
  raw: 'boolean',
  input: 'boolean',
}

/** What the options mean for calls. Throws for options that there are not. */
export function settingsFor(options: ParserOptions): MachineSettings {
  checkOptions(options, PARSER_OPTIONS)
  const { malformed = 'keep', emit = {}, start, generateId, limits } = options
  checkOptions(emit, EMITS, 'event to emit')
  if (![undefined, true, false, 'drop'].includes(options.calls))
    throw wrong(`'calls' is true, false or 'drop', not ${shown(options.calls)}.`)
  if (malformed === 'text' && options.calls === 'drop')
    throw wrong("'malformed' cannot be 'text' where 'calls' is 'drop': calls that fail are dropped, too.")
  if (malformed === 'text' && emit.input === false)
    throw wrong(
      "'malformed' cannot be 'text' with emit.input false: then nothing of a call is kept that could be shown.",
    )
  if (start !== undefined && start !== 'text' && start !== 'reasoning' && typeof start?.prefill !== 'string')
    throw wrong(`'start' is 'text', 'reasoning' or { prefill: '…' }, not ${shown(start)}.`)
  return shared({
    tools: createToolTable(options.tools),
    limits: resolveLimits(limits),
    json: emit.json ?? true,
    arguments: emit.arguments ?? false,
    source: emit.source ?? false,
    raw: emit.raw ?? false,
    input: emit.input ?? true,
    malformed,
    shown: options.shown === undefined ? null : new ShownText(options.shown),
    generateId,
  })
}

let latest: MachineSettings | undefined

/** Parsers that are made alike, one after the other, have the same settings in memory. */
function shared(settings: MachineSettings): MachineSettings {
  for (const name in settings)
    if (latest?.[name as keyof MachineSettings] !== settings[name as keyof MachineSettings]) latest = settings
  return latest ?? settings
}

/** Without markers nothing tells where the reasoning ends and the answer begins. */
function noReasoning(options: ParserOptions): SluiceError {
  const [dialect] = dialectsOf(options)
  const why =
    dialect === undefined
      ? "there is no dialect; give one, or withReasoning(dialect('plain', {}), reasoningMarkers.think) for a model that only thinks"
      : options.reasoning === false
        ? "'reasoning' is false"
        : `the dialect '${dialect.name}' has none; give it those of the model: withReasoning(dialect, reasoningMarkers.think)`
  return wrong(`start: 'reasoning' needs markers that say where reasoning ends, and ${why}.`)
}

function wrong(message: string): SluiceError {
  return new SluiceError('invalid-option', message)
}

// ── programs ─────────────────────────────────────────────────────────────────────────────────────

/** Programs by what shapes them. The first dialect holds the entry, so that it goes when the dialect goes. */
const programs = new WeakMap<object, Map<string, Program>>()
const dialectNumbers = new WeakMap<Dialect, number>()
const NO_DIALECT = {}
let numbered = 0

/** One dialect and some tools is what most parsers are made with, time and again. */
const usualPrograms = new WeakMap<Dialect, WeakMap<ToolTable, Program>>()

function programFor(options: ParserOptions): Program {
  const { dialect, stop, calls, reasoning, protectCode } = options
  const isUsual = (stop ?? calls ?? reasoning ?? protectCode) === undefined && isDialect(dialect)
  if (!isUsual) return shapedProgram(options)
  const tools = createToolTable(options.tools)
  const known = usualPrograms.get(dialect) ?? new WeakMap<ToolTable, Program>()
  usualPrograms.set(dialect, known)
  const program = known.get(tools) ?? shapedProgram(options)
  known.set(tools, program)
  return program
}

function isDialect(value: unknown): value is Dialect {
  return typeof value === 'object' && value !== null && Array.isArray((value as Dialect).calls)
}

function isDetection(value: ParserOptions['dialect']): value is Detection {
  return typeof (value as Detection | undefined)?.open === 'function'
}

/** The part of a parser that finds the dialect. The programs of dialects that do not write the names of tools are shared. */
function openDetection(
  detection: Detection,
  options: ParserOptions,
  settings: MachineSettings,
  sink: Sink,
): DetectingReader {
  checkDialects(detection.candidates)
  const shape = shapeOf(options)
  return detection.open({
    settings,
    sink,
    shape: JSON.stringify(shape),
    reasoning: shape.reasoning,
    compile: (dialects, pauses) =>
      pauses === undefined
        ? cachedProgram(dialects, writeTools(dialects) ? shape : { ...shape, tools: [] })
        : compileShape(dialects, shape, pauses),
  })
}

function writeTools(dialects: readonly Dialect[]): boolean {
  return dialects.some(({ calls, weakCalls }) =>
    [...calls, ...weakCalls].some(({ nodes }) => isPerTool(nodes)),
  )
}

function shapedProgram(options: ParserOptions): Program {
  const dialects = dialectsOf(options)
  checkDialects(dialects)
  const shape = shapeOf(options)
  if (options.tools === undefined && shape.calls) checkTools(dialects)
  return cachedProgram(dialects, shape)
}

function checkDialects(dialects: readonly Dialect[]): void {
  for (const one of dialects)
    if (!isDialect(one))
      throw wrong(`'dialect' takes a dialect, such as hermes from 'sluice/dialects', not ${shown(one)}.`)
}

function cachedProgram(dialects: readonly Dialect[], shape: ProgramShape): Program {
  const cacheKey = JSON.stringify([dialects.map(numberOf), shape])
  const owner = dialects[0] ?? NO_DIALECT
  const cached = programs.get(owner) ?? new Map<string, Program>()
  programs.set(owner, cached)
  let program = cached.get(cacheKey)
  if (program === undefined) {
    program = compileShape(dialects, shape)
    if (cached.size >= 64) cached.clear()
    cached.set(cacheKey, program)
  }
  return program
}

function compileShape(dialects: readonly Dialect[], shape: ProgramShape, pauses?: Pauses): Program {
  const code = shape.protectCode ? { reader: codeSpan, openers: CODE_OPENERS } : undefined
  return compile(dialects, { ...shape, code, pauses })
}

/** A dialect whose calls are marked by nothing but the names of tools finds none without them. */
function checkTools(dialects: readonly Dialect[]): void {
  for (const { name, calls, weakCalls, looseCalls } of dialects) {
    const templates = [...calls, ...weakCalls, ...looseCalls]
    if (templates.length > 0 && templates.every(({ nodes }) => isPerTool(nodes)))
      throw wrong(
        `The dialect '${name}' finds calls by the names of the tools; pass 'tools', or an empty list if there are none.`,
      )
  }
}

/** The dialects that a response may be in. */
export function dialectsOf({ dialect = [] }: ParserOptions): readonly Dialect[] {
  return isDetection(dialect) ? dialect.candidates : [dialect].flat()
}

type ProgramShape = ReturnType<typeof shapeOf>

/** All that shapes a program, besides its dialects. */
function shapeOf(options: ParserOptions) {
  const { stop = [], calls = true, reasoning = true, protectCode = false } = options
  for (const literal of stop)
    if (typeof literal !== 'string' || literal === '')
      throw wrong(`'stop' takes strings of at least one character, not ${shown(literal)}.`)
  const tools = [...createToolTable(options.tools)].map(({ name, streams }) => ({ name, streams }))
  return { tools, stop, calls: calls !== false, reasoning, protectCode }
}

/** Snapshots are taken often, by parsers that share their settings and their program. */
const fingerprints = new WeakMap<CallSettings, WeakMap<Program, string>>()

function knownFingerprint(options: ParserOptions, settings: CallSettings, program: Program): string {
  const known = fingerprints.get(settings) ?? new WeakMap<Program, string>()
  fingerprints.set(settings, known)
  const found = known.get(program) ?? fingerprint(options, settings)
  known.set(program, found)
  return found
}

/** All that a snapshot depends on, as a short text: the dialects' templates, the tools and the options. */
function fingerprint(options: ParserOptions, settings: CallSettings): string {
  const { dialect } = options
  const { limits, json, arguments: byPath, source, input, tools } = settings
  const whole = JSON.stringify([
    ...(isDetection(dialect) ? [shownDetection(dialect)] : shownDialects(dialectsOf(options))),
    shapeOf(options),
    [...tools].map(({ schema }) => schema ?? null),
    [limits, json, byPath, source, input],
  ])
  const names = isDetection(dialect)
    ? 'detect'
    : dialectsOf(options)
        .map(({ name }) => name)
        .join('+')
  return `${names}:${shortened(whole)}`
}

/** Snapshots are taken often, and a dialect never changes. */
const shownTemplates = new WeakMap<Dialect, readonly string[]>()

function showTemplatesOf(dialect: Dialect): readonly string[] {
  const shown = shownTemplates.get(dialect) ?? templatesOf(dialect).map(({ nodes }) => showTemplate(nodes))
  shownTemplates.set(dialect, shown)
  return shown
}

function shownDialects(dialects: readonly Dialect[]): readonly unknown[] {
  return [
    dialects.flatMap(showTemplatesOf),
    dialects.map(({ prefilled, endOfTurn, callEndsReasoning, reservedNames }) => [
      prefilled,
      endOfTurn,
      callEndsReasoning,
      reservedNames,
    ]),
  ]
}

/** Candidates are many, and mostly the same. */
const shownDetections = new WeakMap<readonly Dialect[], string>()

function shownDetection({ candidates }: Detection): string {
  const shown = shownDetections.get(candidates) ?? shortened(JSON.stringify(shownDialects(candidates)))
  shownDetections.set(candidates, shown)
  return shown
}

function shortened(whole: string): string {
  let hash = 0
  for (let at = 0; at < whole.length; at++) hash = (Math.imul(hash, 31) + whole.charCodeAt(at)) | 0
  return `${whole.length}:${(hash >>> 0).toString(36)}`
}

function numberOf(dialect: Dialect): number {
  const number = dialectNumbers.get(dialect) ?? ++numbered
  dialectNumbers.set(dialect, number)
  return number
}
