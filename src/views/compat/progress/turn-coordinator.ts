/**
 * Passes one response to the renderer and to the store: calls are registered when they begin, their
 * progress is forwarded, and they are complete when they may run. What is kept, and what is shown in the end, is the
 * same with and without progress.
 */

import type { SluiceEvent, ToolCall } from '../../../base/event.ts'
import { checkOption, checkOptions, type KnownOptions } from '../../../base/options.ts'
import { Rope } from '../../../base/rope.ts'
import { isExecutable } from '../../../engine/calls/verdict.ts'
import { EventBuilder } from './event-builder.ts'
import { ARG_PARSER_OPTIONS, type ArgParserOptions } from './incremental-arg-parser.ts'
import type {
  ConversationEvent,
  FinishedReason,
  StreamingEvent,
  TextEventPart,
  ToolCallArgumentProgress,
  ToolCallFailed,
  ToolCallRequest,
} from './progress-event.ts'
import { createProgressView, type ProgressView } from './progress-view.ts'
import type { TruncationReport } from './truncation-report.ts'

/** Shows calls. */
export interface ToolRenderer {
  /** A call begins. */
  register(call: { readonly id: string; readonly name: string }): void
  /** An argument of it is complete. Nothing of this is in `complete`'s way: that has all of it again. */
  progress?(progress: ToolCallArgumentProgress): void
  /** The call is complete and may run. */
  complete(request: ToolCallRequest): void
  /** The call will never run. */
  fail?(failure: ToolCallFailed): void
  /** The response was taken back, and the call with it. */
  cancel?(id: string): void
}

/** Options of `TurnCoordinator`. */
export interface TurnCoordinatorOptions extends ArgParserOptions {
  readonly renderer: ToolRenderer
  /** Stores text, reasoning and requests. */
  readonly persist?: (event: ConversationEvent) => void
  /** False: the renderer gets no progress. */
  readonly progress?: boolean
  readonly onWarning?: (message: string, index: number) => void
}

const OPTIONS: KnownOptions<TurnCoordinatorOptions> = {
  ...ARG_PARSER_OPTIONS,
  renderer: 'object',
  persist: 'function',
  progress: 'boolean',
  onWarning: 'function',
}

/**
 *     const coordinator = new TurnCoordinator({ renderer, persist })
 *     for await (const event of provider) coordinator.handleStreamingEvent(event)
 *
 * It takes the events of a provider's stream, or the engine's own through `add`: one of the two, not both.
 */
export class TurnCoordinator {
  private readonly renderer: ToolRenderer
  private readonly persist: (event: ConversationEvent) => void
  private readonly builder: EventBuilder
  private readonly view: ProgressView | null
  private readonly forwards: boolean
  /** Texts of the engine's stream that are open. */
  private readonly texts = new Map<string, Rope>()

  constructor(options: TurnCoordinatorOptions) {
    checkOptions(options, OPTIONS)
    checkOption('renderer', options.renderer, 'object')
    const { renderer, persist, progress, ...building } = options
    this.renderer = renderer
    this.persist = persist ?? (() => {})
    this.forwards = progress ?? true
    this.builder = new EventBuilder({ ...building, onCall: (call) => this.renderer.register(call) })
    this.view = this.forwards ? createProgressView((progress) => this.renderer.progress?.(progress)) : null
  }

  /** Takes the next event of a provider's stream. Answers whether more is to come. */
  handleStreamingEvent(event: StreamingEvent): 'continue' | 'finished' {
    switch (event.type) {
      case 'Part':
        this.forward(this.builder.handlePart(event.index, event.part))
        return 'continue'
      case 'ToolCallArgumentChunk':
        this.forward(this.builder.handleToolArgumentChunk(event.index, event.chunk))
        return 'continue'
      case 'Flush':
        this.settle(this.builder.handleFlush(event.index))
        return 'continue'
      case 'Finished':
        this.finish(event.reason)
        return 'finished'
    }
  }

  private forward(progress: readonly ToolCallArgumentProgress[]): void {
    if (this.forwards) for (const one of progress) this.renderer.progress?.(one)
  }

  private settle(event: TextEventPart | ToolCallRequest | ToolCallFailed | undefined): void {
    if (event === undefined) return
    if (event.type === 'ToolCallFailed') {
      this.renderer.fail?.(event)
      return
    }
    this.persist(event)
    if (event.type === 'ToolCallRequest') this.renderer.complete(event)
  }

  private finish(reason: FinishedReason): void {
    if (reason === 'refused') {
      for (const id of this.builder.cancel()) this.renderer.cancel?.(id)
      return
    }
    const { events, truncated } = this.builder.drain()
    for (const event of events) this.persist(event)
    for (const report of truncated) this.renderer.fail?.(failureOf(report))
  }

  // ── the engine's own events ────────────────────────────────────────────────────────────────────

  /** Takes the next event of the engine's stream. The parser has to emit arguments, or there is no progress. */
  add(event: SluiceEvent): void {
    // A call that its provider runs is no request.
    if ('providerExecuted' in event && event.providerExecuted) return
    this.view?.add(event)
    switch (event.type) {
      case 'tool-input-start':
        this.renderer.register({ id: event.id, name: event.toolName })
        break
      case 'tool-call':
        this.settle(requestOf(event))
        break
      case 'text-delta':
      case 'reasoning-delta':
        this.textOf(event.type, event.id).add(event.delta)
        break
      case 'text-end':
        this.settleText('Message', 'text-delta', event.id)
        break
      case 'reasoning-end':
        this.settleText('Reasoning', 'reasoning-delta', event.id)
        break
    }
  }

  private textOf(channel: string, id: string): Rope {
    const key = `${channel} ${id}`
    const text = this.texts.get(key) ?? new Rope()
    this.texts.set(key, text)
    return text
  }

  private settleText(type: TextEventPart['type'], channel: string, id: string): void {
    const text = this.textOf(channel, id).toString()
    this.texts.delete(`${channel} ${id}`)
    if (text !== '') this.persist({ type, text })
  }
}

function requestOf(call: ToolCall): ToolCallRequest | ToolCallFailed {
  const { id, toolName: name, status, input, error, raw = '' } = call
  if (isExecutable(call)) return { type: 'ToolCallRequest', id, name, arguments: input }
  const message = error?.message ?? 'The arguments are not JSON, and what they mean would be a guess.'
  const failed = status === 'truncated' ? 'truncated' : 'invalid'
  return { type: 'ToolCallFailed', id, name, status: failed, message, raw }
}

function failureOf({ toolCallId, toolName, message, raw = '' }: TruncationReport): ToolCallFailed {
  return { type: 'ToolCallFailed', id: toolCallId, name: toolName, status: 'truncated', message, raw }
}
