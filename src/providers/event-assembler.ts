/** Assembles events from what the reader of a protocol writes: the one implementation of `Output`. */

import {
  count,
  flag,
  ids,
  map,
  nested,
  optional,
  part,
  resumed,
  type StateOf,
  set,
} from '../base/declared-state.ts'
import { errorRecord } from '../base/errors.ts'
import type {
  DiagnosticCode,
  Finish,
  FinishReason,
  Metadata,
  Sink,
  SluiceEvent,
  Span,
  Usage,
} from '../base/event.ts'
import { Ids } from '../base/ids.ts'
import { MOST_IDS } from '../base/limits.ts'
import { mergeMetadata } from '../base/merge-metadata.ts'
import { isCount, isNumber, isRecord, isString, nullable, oneOf, recordOf } from '../base/plain-state.ts'
import {
  type AssemblerHost,
  CallAssembler,
  type CallKey,
  isCallKey,
  type WholeInput,
} from '../engine/calls/assembler.ts'
import type { CallSettings } from '../engine/calls/call.ts'
import { dialectsOf, type ParserOptions, settingsFor } from '../engine/parser.ts'
import type { StreamEnd } from '../engine/wire/machine.ts'
import { CallSource } from './call-source.ts'
import { confirmationIn } from './confirmation.ts'
import { isStopSequence, namesStopSequence } from './finish-reasons.ts'
import type {
  CallEnd,
  Channel,
  Figures,
  Output,
  ProviderCallDelta,
  ProviderResult,
  SpanOptions,
  TextCallDelta,
  WholeCall,
} from './output.ts'
import { contentOf, mayHoldArguments } from './payload-fields.ts'
import { plainSink } from './plain-value.ts'
import { isRepeated } from './repeated-calls.ts'
import { TextCalls } from './text-calls.ts'
import { TextSpans } from './text-spans.ts'

export interface EventAssemblerOptions extends ParserOptions {
  readonly onIgnored?: (what: string, value: unknown) => void
  readonly onError?: (error: unknown) => void
}

interface Finished {
  readonly reason: FinishReason
  readonly raw: string | null
}

const FIGURES = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cacheWriteInputTokens',
  'cost',
] as const satisfies readonly (keyof Usage)[]

const REASONS = ['stop', 'length', 'tool-calls', 'content-filter', 'error', 'aborted', 'other'] as const

const STATE = {
  /** What was not known and is ignored, with how often it came. */
  ignored: map(isString, isCount),
  results: set(isString),
  /** Calls that will begin, by the ids of the provider, and of which it is not known who runs them. */
  tentative: set(isString),
  /** Calls that are over but for the question whether their arguments are all there; null is the last one. */
  doubtful: set(nullable(isCallKey)),
  /** Calls that wait for a result, or for an approval. */
  toRun: set(isString),
  /** Calls that are whole, for those that come again. */
  seen: set(isString),
  /** Open calls that began when the response was over. */
  late: set(isString),
  /** A call began since the provider said that the response is over. */
  isReopened: flag,
  /** How many calls came at once. */
  wholeCalls: count,
  figures: map(oneOf(...FIGURES), isNumber),
  finished: optional(recordOf<Finished>({ reason: oneOf(...REASONS), raw: nullable(isString) })),
  isOver: flag,
  hasFailed: flag,
  about: optional(isRecord),
  diagnostics: count,
}

/** The provider's own calls with JSON, its own with free text, and those in a dialect. */
const SOURCES = { json: part, free: part, text: part }

/** Its own state, and that of each part, which the part checks. */
const SAVED = { state: nested(STATE), ids, sources: nested(SOURCES), spans: part, calls: part, texts: part }

export class EventAssembler implements Output {
  readonly settings: CallSettings
  private readonly state: StateOf<typeof STATE>
  private readonly sink: Sink
  private readonly onIgnored: EventAssemblerOptions['onIgnored']
  private readonly onError: EventAssemblerOptions['onError']
  private readonly options: ParserOptions
  private readonly ids: Ids
  private readonly spans: TextSpans
  private readonly calls: CallAssembler
  private readonly sources: Readonly<Record<keyof typeof SOURCES, CallSource>>
  private readonly texts: TextCalls

  constructor(sink: Sink, { onIgnored, onError, ...options }: EventAssemblerOptions, saved?: unknown) {
    this.sink = plainSink(sink)
    this.onError = onError
    this.onIgnored = onIgnored
    this.options = options
    const { state, ids, sources, spans, calls, texts } = resumed(SAVED, saved)
    this.state = state
    this.ids = new Ids(options.generateId, ids)
    this.settings = settingsFor(options)
    const json = new CallSource(this.ids, sources.json)
    const free = new CallSource(this.ids, sources.free)
    const text = new CallSource(this.ids, sources.text)
    this.sources = { json, free, text }
    this.spans = new TextSpans((event) => this.emit(text.distinct(event)), this.ids, options, spans)
    const host = this.hostOf(json)
    this.calls = calls === undefined ? new CallAssembler(host) : CallAssembler.restore(calls, host)
    this.texts = new TextCalls(this.hostOf(free), texts)
  }

  /** The response is over. */
  get isOver(): boolean {
    return this.spans.isOver
  }

  /** The provider said why the model stopped. */
  get isFinished(): boolean {
    return this.state.finished !== null
  }

  get ignored(): ReadonlyMap<string, number> {
    return this.state.ignored
  }

  save(): StateOf<typeof SAVED> {
    return {
      state: this.state,
      ids: this.ids.state,
      sources: {
        json: this.sources.json.state,
        free: this.sources.free.state,
        text: this.sources.text.state,
      },
      spans: this.spans.save(),
      calls: this.calls.save(),
      texts: this.texts.save(),
    }
  }

  private hostOf(source: CallSource): AssemblerHost {
    return {
      settings: this.settings,
      emit: (event) => this.emit(source.distinct(this.marked(event))),
      newId: (kind) => this.ids.next(kind),
      report: (code, message, span, id) => this.report(code, message, span, id && source.idOf(id)),
      beforeCall: () => this.spans.close('call'),
      emitText: (text) => this.emitText(text),
      refusalOf: (call) => this.refusalOf(call),
    }
  }

  private marked(event: SluiceEvent): SluiceEvent {
    const { state } = this
    if (event.type !== 'tool-input-start') return event
    if (this.hasEnded) {
      state.isReopened = true
      if (state.late.size < MOST_IDS) state.late.add(event.id)
    }
    return state.tentative.delete(event.id) ? { ...event, tentative: true } : event
  }

  /** The provider said that the response is over, or why the model stopped. */
  private get hasEnded(): boolean {
    return this.state.isOver || this.state.finished !== null
  }

  private refusalOf({ id, wireId, index, name, text }: WholeInput): string | undefined {
    const { late, seen } = this.state
    const isLate = late.delete(id)
    // A call that came at once was looked up when it came.
    const isAtOnce = index !== null && index < 0
    const isSentAgain = !isAtOnce && isRepeated(seen, { id: wireId || undefined, name, input: text, isLate })
    return isSentAgain ? 'The call was sent twice; the second one does not run.' : confirmationIn(text)
  }

  private emit(event: SluiceEvent): void {
    // Beyond a limit they are not counted: no client answers so many.
    if (event.type === 'tool-call' && !event.providerExecuted && this.state.toRun.size < MOST_IDS)
      this.state.toRun.add(event.id)
    this.sink(event)
  }

  private report(code: DiagnosticCode, message: string, span?: Span, id?: string): void {
    if (++this.state.diagnostics > this.settings.limits.diagnostics) return
    this.sink({ type: 'diagnostic', code, message, ...(span && { span }), ...(id ? { id } : {}) })
  }

  /** The source of a call that failed. It does not go through the dialect, because it is no text of the model. */
  private emitText(delta: string): void {
    if (delta === '') return
    this.spans.close()
    const id = this.ids.next('text')
    this.sink({ type: 'text-start', id })
    this.sink({ type: 'text-delta', id, delta })
    this.sink({ type: 'text-end', id })
  }

  // ── what a reader writes ───────────────────────────────────────────────────────────────────────

  has(channel: Channel): boolean {
    if (channel !== 'call') return this.spans.has(channel)
    return [this.sources.json, this.sources.free].some(({ state }) => state.own.size + state.renamed.size > 0)
  }

  text(delta: string, options?: SpanOptions): void {
    if (delta !== '') this.goOn()
    this.spans.text(delta, options)
  }

  refusal(delta: string, options?: SpanOptions): void {
    if (delta !== '') this.goOn()
    this.spans.refusal(delta, options)
  }

  endText(metadata?: Metadata): void {
    this.spans.closeText(metadata)
  }

  reasoning(delta: string, options?: SpanOptions): void {
    if (delta !== '') this.goOn()
    this.spans.reasoning(delta, options)
  }

  endReasoning(metadata?: Metadata): void {
    this.spans.closeReasoning(metadata)
  }

  call(delta: ProviderCallDelta): void {
    const { doubtful, tentative } = this.state
    if (doubtful.size > 0) this.settle(delta)
    if (delta.isTentative && delta.id && tentative.size < MOST_IDS) tentative.add(delta.id)
    this.calls.delta(delta)
  }

  endCall(key?: CallKey, how: CallEnd = 'whole'): void {
    if (how === 'unsure' && this.calls.mayLackArguments(key)) this.state.doubtful.add(key ?? null)
    else this.calls.endCall(key, how === 'cut')
  }

  confirmCall(key: CallKey, name: string | undefined, args: unknown): void {
    this.calls.confirm(key, name, args)
  }

  wholeCall({ sent, refusal, ...call }: WholeCall): void {
    const { state } = this
    const { id = sent, name } = call
    const isLate = this.hasEnded
    if (isRepeated(state.seen, { id, name, input: contentOf(call.arguments), isLate })) return
    // Each one is a call of its own; no provider counts like this.
    const index = -1 - state.wholeCalls++
    this.call({ ...call, index, isUnread: call.arguments === undefined })
    if (refusal === undefined) this.endCall(index, 'unsure')
    else this.refuseCall(index, refusal)
  }

  /** Something other than a call comes next. */
  private goOn(): void {
    this.settle()
    this.calls.endWhole()
  }

  /** The model did not stop at a call: what it has is all of it. `next`: what comes instead, which may be them. */
  private settle(next?: ProviderCallDelta): void {
    const { doubtful } = this.state
    for (const key of doubtful) {
      const isArguments = next?.arguments !== undefined && (next.index ?? next.id ?? null) === key
      if (!isArguments) this.calls.endCall(key ?? undefined)
    }
    doubtful.clear()
  }

  textCall(delta: TextCallDelta): void {
    this.settle()
    // Free text has no end of its own: a name that comes when the response is over does not go on with it.
    if (this.hasEnded && delta.name !== undefined)
      this.texts.endCall(delta.key, !STOPPED_BY_ITSELF.has(this.stopped))
    this.texts.delta(delta)
  }

  endTextCall(key: CallKey, isCut?: boolean): void {
    this.texts.endCall(key, isCut)
  }

  refuseCall(key: CallKey, reason: string): void {
    if (this.texts.has(key)) this.texts.endCall(key, false, reason)
    else this.calls.endCall(key, false, reason)
  }

  result({ id: callId, toolName, content, isError, metadata }: ProviderResult): void {
    const { state } = this
    this.settle()
    this.spans.close()
    const known = this.sources.json.idOf(callId)
    const isBelowLimit = state.results.size < MOST_IDS
    const id = known === '' || state.results.has(known) || !isBelowLimit ? this.ids.next('result') : known
    if (isBelowLimit) state.results.add(id)
    state.toRun.delete(known)
    this.sink({
      type: 'tool-result-start',
      id,
      ...(toolName && { toolName }),
      ...(isError && { isError: true }),
      ...(metadata && { metadata }),
    })
    if (content !== '') this.sink({ type: 'tool-result-delta', id, delta: content })
    this.sink({ type: 'tool-result-end', id, ...(isError && { isError: true }) })
  }

  awaitApproval(id: string): void {
    if (this.state.toRun.size < MOST_IDS) this.state.toRun.add(this.sources.json.idOf(id))
  }

  custom(kind: string, value: unknown): void {
    this.sink({ type: 'custom', kind, value })
  }

  usage(usage: Figures): void {
    for (const [figure, count] of Object.entries(usage))
      if (typeof count === 'number') this.state.figures.set(figure as keyof Usage, count)
  }

  finish(reason: FinishReason, raw?: string): void {
    this.state.finished = { reason, raw: raw ?? null }
    this.state.isReopened = false
  }

  over(): void {
    this.state.isOver = true
    this.state.isReopened = false
  }

  metadata(metadata: Metadata | undefined): void {
    const { state } = this
    state.about = mergeMetadata(state.about, metadata)
  }

  /** The first one counts: what follows it is about the same failure. */
  error(error: Error): void {
    const { state } = this
    if (state.hasFailed) return
    state.hasFailed = true
    this.spans.close()
    this.onError?.(error)
    this.sink({ type: 'error', error: errorRecord(error) })
  }

  unknown(what: string, value?: unknown, isBeside = false): void {
    const { state } = this
    // What is counted is bounded, too: names come from the wire.
    if (state.ignored.has(what) || state.ignored.size < this.settings.limits.diagnostics)
      state.ignored.set(what, (state.ignored.get(what) ?? 0) + 1)
    this.onIgnored?.(what, value)
    if (isBeside || !mayHoldArguments(value)) return
    this.calls.missOpen(state.doubtful)
    this.texts.missOpen()
  }

  unexpected(message: string): void {
    this.report('provider-payload', message)
  }

  /** A payload could not be read. It may have held a piece of whatever is open, which then cannot be trusted. */
  lost(code: 'provider-payload' | 'limit-reached', message: string): void {
    this.report(code, message)
    this.calls.spoilOpen('payload-lost', LOST, this.state.doubtful)
    this.texts.spoilOpen('payload-lost', LOST)
    this.spans.lose()
  }

  // ── the end ────────────────────────────────────────────────────────────────────────────────────

  end(reason: StreamEnd): void {
    const { state } = this
    const isWhole = reason === 'finished' && !state.hasFailed && (state.isOver || state.finished !== null)
    const { stopped } = this
    const isCut = !isWhole || state.isReopened || !STOPPED_BY_ITSELF.has(stopped)
    this.calls.endAll(isCut)
    this.texts.endAll(isCut)
    // The text learns why the model stopped: a call inside reasoning stands only if it did so by itself.
    this.spans.end(isWhole ? stopped : reason === 'finished' ? 'failed' : reason)
    if (reason === 'finished' && !isWhole && !state.hasFailed)
      this.report(
        'truncated-stream',
        "The stream ended without the provider's end marker, so the response may be incomplete.",
      )
    this.sink(this.finishEvent(reason, isWhole))
  }

  /** Why the model stopped. `other` for a stop sequence, whatever the provider says: it did not stop by itself. */
  private get stopped(): FinishReason {
    const { finished, about } = this.state
    const endOfTurn = dialectsOf(this.options).flatMap((dialect) => dialect.endOfTurn)
    const isStopped = isStopSequence(finished?.raw) || namesStopSequence(about, endOfTurn)
    return isStopped ? 'other' : (finished?.reason ?? 'stop')
  }

  private finishEvent(reason: StreamEnd, isWhole: boolean): Finish {
    const { state } = this
    const raw = state.finished?.raw ?? this.spans.stoppedBy
    const { figures } = state
    const [input, output] = [figures.get('inputTokens'), figures.get('outputTokens')]
    if (input !== undefined && output !== undefined && !figures.has('totalTokens'))
      figures.set('totalTokens', input + output)
    const usage: Usage = Object.fromEntries(figures)
    return {
      type: 'finish',
      reason: this.finishReason(reason, isWhole),
      ...(raw !== null && { rawReason: raw }),
      ...(figures.size > 0 && { usage }),
      ...(state.about && { metadata: state.about }),
    }
  }

  private finishReason(reason: StreamEnd, isWhole: boolean): FinishReason {
    const { state } = this
    if (reason === 'interrupted') return 'aborted'
    if (!isWhole) return 'error'
    const stopped = state.finished?.reason ?? 'stop'
    return STOPPED_BY_ITSELF.has(stopped) ? (state.toRun.size > 0 ? 'tool-calls' : 'stop') : stopped
  }
}

const LOST = 'A part of the stream could not be read; a piece of this call may be missing.'

/** Some providers send `stop` where the model called tools, and some the other way round. */
const STOPPED_BY_ITSELF: ReadonlySet<FinishReason> = new Set(['stop', 'tool-calls'])
