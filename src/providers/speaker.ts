/** Makes events of what a provider's file says: the one implementation of `Output`. */

import { type AssemblerHost, CallAssembler, type CallDelta, type CallKey } from '../calls/assembler.ts'
import type { CallSettings } from '../calls/call.ts'
import type { DiagnosticCode, Event, Finish, FinishReason, Metadata, Sink, Usage } from '../event.ts'
import { createSinkParser, type ParserOptions, settingsFor } from '../parser.ts'
import type { EndReason } from '../wire/machine.ts'
import { CallMarkers } from './call-markers.ts'
import { CallSource, Ids } from './ids.ts'
import { mergeMetadata } from './metadata.ts'
import type { CallEnd, Output, ProviderResult, SpanOptions, TextCallDelta } from './output.ts'
import { Spans } from './spans.ts'
import { TextCalls } from './text-calls.ts'

export interface SpeakerOptions extends ParserOptions {
  readonly onIgnored?: (what: string, value: unknown) => void
}

export class Speaker implements Output {
  readonly settings: CallSettings
  /** What was not known and is ignored, with how often it came. */
  readonly ignored = new Map<string, number>()
  private readonly sink: Sink
  private readonly onIgnored: SpeakerOptions['onIgnored']
  private readonly ids: Ids
  private readonly spans: Spans
  private readonly calls: CallAssembler
  private readonly native: CallSource
  private readonly texts: TextCalls
  private readonly markers: CallMarkers | null
  private readonly results = new Set<string>()
  /** Calls that are over but for the question whether they really have no arguments. */
  private readonly doubtful = new Set<CallKey | undefined>()
  private figures: Usage = {}
  private finished: { readonly reason: FinishReason; readonly raw: string | undefined } | undefined
  private isOver = false
  private hasFailed = false
  /** Calls that nobody has answered yet. */
  private readonly toRun = new Set<string>()
  private about: Metadata | undefined
  private length = 0
  private diagnostics = 0

  constructor(sink: Sink, { onIgnored, ...options }: SpeakerOptions) {
    // Says what is wrong with the options before anything is read.
    const { generateId, ...silent } = options
    createSinkParser(() => {}, generateId === undefined ? silent : { ...silent, generateId: () => 'none' })
    this.sink = sink
    this.onIgnored = onIgnored
    this.ids = new Ids(generateId)
    this.settings = settingsFor(options)
    const inText = new CallSource(this.ids)
    this.native = new CallSource(this.ids)
    const ofText = new CallSource(this.ids)
    this.spans = new Spans((event) => this.say(inText.distinct(event)), this.ids, options)
    this.calls = new CallAssembler(this.hostOf(this.native))
    this.texts = new TextCalls(this.hostOf(ofText))
    this.markers = [options.dialect ?? []].flat().length === 0 ? new CallMarkers() : null
  }

  private hostOf(source: CallSource): AssemblerHost {
    return {
      settings: this.settings,
      emit: (event) => this.say(source.distinct(event)),
      newId: (kind) => this.ids.next(kind),
      report: (code, message, offset, id) => this.report(code, message, offset, id && source.idOf(id)),
      beforeCall: () => this.spans.close(),
      sayText: (text) => this.sayPlainly(text),
    }
  }

  private say(event: Event): void {
    if (event.type === 'tool-call' && !event.providerExecuted) this.toRun.add(event.id)
    this.sink(event)
  }

  private report(code: DiagnosticCode, message: string, offset: number, id?: string): void {
    if (++this.diagnostics > this.settings.limits.diagnostics) return
    const span = { start: offset, end: offset }
    this.sink({ type: 'diagnostic', code, message, span, ...(id ? { id } : {}) })
  }

  /** The source of a call that failed. It does not go through the dialect, because it is no text of the model. */
  private sayPlainly(delta: string): void {
    if (delta === '') return
    this.spans.close()
    const id = this.ids.next('text')
    this.sink({ type: 'text-start', id })
    this.sink({ type: 'text-delta', id, delta })
    this.sink({ type: 'text-end', id })
  }

  // ── what a provider's file says ────────────────────────────────────────────────────────────────

  text(delta: string, options?: SpanOptions): void {
    if (delta !== '') this.goOn()
    this.spans.text(delta, options)
    this.length += delta.length
    const found = this.markers?.find(delta)
    if (found !== undefined)
      this.report(
        'looks-like-a-call',
        `'${found.marker}' in the text looks like a call; give the dialect that reads it.`,
        found.offset,
      )
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

  call(delta: CallDelta): void {
    if (this.doubtful.size > 0) this.settle()
    this.calls.delta(delta)
  }

  endCall(key?: CallKey, how: CallEnd = 'whole'): void {
    if (how === 'unsure' && this.calls.lacksArguments(key)) this.doubtful.add(key)
    else this.calls.endCall(key, how === 'cut')
  }

  /** Something other than a call comes next. */
  private goOn(): void {
    this.settle()
    this.calls.endWhole()
  }

  /** The model did not stop at a call: if it has no arguments, it needs none. */
  private settle(): void {
    for (const key of this.doubtful) this.calls.endCall(key)
    this.doubtful.clear()
  }

  textCall(delta: TextCallDelta): void {
    this.settle()
    this.texts.delta(delta)
  }

  endTextCall(key: CallKey, isCut?: boolean): void {
    this.texts.endCall(key, isCut)
  }

  result({ id: callId, toolName, content, isError, metadata }: ProviderResult): void {
    this.settle()
    this.spans.close()
    const known = this.native.idOf(callId)
    const id = known === '' || this.results.has(known) ? this.ids.next('result') : known
    this.results.add(id)
    this.toRun.delete(known)
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

  custom(kind: string, value: unknown): void {
    this.sink({ type: 'custom', kind, value })
  }

  usage(usage: { readonly [Figure in keyof Usage]: number | undefined }): void {
    const known = Object.entries(usage).filter(([, figure]) => typeof figure === 'number')
    this.figures = { ...this.figures, ...Object.fromEntries(known) }
  }

  finish(reason: FinishReason, raw?: string): void {
    this.finished = { reason, raw }
    if (STOPPED_BY_ITSELF.has(reason)) this.settle()
  }

  over(): void {
    this.isOver = true
  }

  metadata(metadata: Metadata): void {
    this.about = mergeMetadata(this.about, metadata)
  }

  /** The first one counts: what follows it is about the same failure. */
  error(error: Error): void {
    if (this.hasFailed) return
    this.hasFailed = true
    this.spans.close()
    this.sink({ type: 'error', error })
  }

  unknown(what: string, value?: unknown): void {
    // What is counted is bounded, too: names come from the wire.
    if (this.ignored.has(what) || this.ignored.size < this.settings.limits.diagnostics)
      this.ignored.set(what, (this.ignored.get(what) ?? 0) + 1)
    this.onIgnored?.(what, value)
  }

  odd(message: string): void {
    this.report('provider-payload', message, this.length)
  }

  /** A limit was reached while payloads were looked for. */
  limitReached(message: string): void {
    this.report('limit-reached', message, this.length)
  }

  // ── the end ────────────────────────────────────────────────────────────────────────────────────

  end(reason: EndReason): void {
    const isWhole = reason === 'finished' && !this.hasFailed && (this.isOver || this.finished !== undefined)
    const isCut = !isWhole || !STOPPED_BY_ITSELF.has(this.finished?.reason ?? 'stop')
    this.calls.endAll(isCut)
    this.texts.endAll(isCut)
    this.spans.end(reason)
    if (reason === 'finished' && !isWhole && !this.hasFailed)
      this.report(
        'truncated-stream',
        'The stream ended before the provider said that it is over.',
        this.length,
      )
    this.sink(this.finishEvent(reason, isWhole))
  }

  private finishEvent(reason: EndReason, isWhole: boolean): Finish {
    const raw = this.finished?.raw ?? this.spans.stoppedBy
    const { inputTokens, outputTokens } = this.figures
    const usage =
      inputTokens === undefined || outputTokens === undefined
        ? this.figures
        : { ...this.figures, totalTokens: this.figures.totalTokens ?? inputTokens + outputTokens }
    return {
      type: 'finish',
      reason: this.finishReason(reason, isWhole),
      ...(raw !== undefined && { rawReason: raw }),
      ...(Object.keys(usage).length > 0 && { usage }),
      ...(this.about && { metadata: this.about }),
    }
  }

  private finishReason(reason: EndReason, isWhole: boolean): FinishReason {
    if (reason === 'interrupted') return 'aborted'
    if (!isWhole) return 'error'
    const said = this.finished?.reason ?? 'stop'
    return STOPPED_BY_ITSELF.has(said) ? (this.toRun.size > 0 ? 'tool-calls' : 'stop') : said
  }
}

/** Some say that they stopped where they called tools, and some the other way round. */
const STOPPED_BY_ITSELF: ReadonlySet<FinishReason> = new Set(['stop', 'tool-calls'])
