/** A turn with the events of Membrane's `streamYielding`. */

import type { Usage } from '../base/event.ts'
import { checkOption } from '../base/options.ts'
import type { ConversationPart, ModelRequest } from '../requests/conversation/model-request.ts'
import { createBlocksView } from '../views/compat/blocks/blocks-view.ts'
import type { ApprovedToolCall, BlockEvent, ChunkMeta, ToolResult } from '../views/compat/blocks/types.ts'
import { type StartTurnOptions, Turn } from './turn.ts'
import type { TurnError } from './turn-error.ts'
import { type CallsWaiting, isSluiceEvent, type Retry, type TurnEvent } from './turn-event.ts'
import type { TurnResult, TurnStop } from './turn-result.ts'

/** Options of `streamYielding`. */
export interface YieldingOptions extends StartTurnOptions {
  /** False: without `tokens`. */
  readonly emitTokens?: boolean
  /** False: without `block`. */
  readonly emitBlocks?: boolean
  /** False: without `usage`. */
  readonly emitUsage?: boolean
}

/** The result of a turn, under Membrane's names. */
export interface NormalizedResponse {
  readonly content: readonly ConversationPart[]
  readonly rawAssistantText: string
  readonly toolCalls: readonly ApprovedToolCall[]
  readonly toolResults: readonly ToolResult[]
  readonly stopReason: TurnStop
  readonly usage: Usage
  /** To go on with. */
  readonly conversation: ModelRequest
}

/** An event of `streamYielding`. The last one is `complete`, `error` or `aborted`. */
export type YieldingEvent =
  | { readonly type: 'tokens'; readonly content: string; readonly meta: ChunkMeta }
  | { readonly type: 'block'; readonly event: BlockEvent }
  | ({ readonly type: 'tool-calls' } & Omit<CallsWaiting, 'type'>)
  | { readonly type: 'usage'; readonly usage: Usage }
  | ({ readonly type: 'retrying' } & Omit<Retry, 'type'>)
  | { readonly type: 'complete'; readonly response: NormalizedResponse }
  | { readonly type: 'error'; readonly error: TurnError }
  | ({
      readonly type: 'aborted'
      readonly reason: 'user'
      readonly partialContent: readonly ConversationPart[]
      readonly partialUsage: Usage
    } & Pick<NormalizedResponse, 'rawAssistantText' | 'toolCalls' | 'toolResults' | 'conversation'>)

/**
 * Starts a turn for code that was written for Membrane. It runs only as far as you read, as with `startTurn`.
 *
 *     const stream = streamYielding({ model, conversation, tools })
 *     for await (const event of stream) {
 *       if (event.type === 'tokens' && event.meta.visible) show(event.content)
 *       if (event.type === 'tool-calls') stream.provideToolResults(await run(event.calls))
 *     }
 */
export function streamYielding(options: YieldingOptions): YieldingStream {
  return new YieldingStream(options)
}

/** A running turn with the events of Membrane, which `streamYielding` returns. */
export class YieldingStream implements AsyncIterableIterator<YieldingEvent, undefined> {
  private readonly turn: Turn
  private readonly ready: YieldingEvent[] = []
  private readonly emitsUsage: boolean
  private readonly view: ReturnType<typeof createBlocksView>

  constructor({ emitTokens = true, emitBlocks = true, emitUsage = true, ...options }: YieldingOptions) {
    checkOption('emitTokens', emitTokens, 'boolean')
    checkOption('emitBlocks', emitBlocks, 'boolean')
    checkOption('emitUsage', emitUsage, 'boolean')
    this.turn = new Turn(options)
    this.emitsUsage = emitUsage
    this.view = createBlocksView({
      ...(emitTokens && { onChunk: (content, meta) => this.ready.push({ type: 'tokens', content, meta }) }),
      ...(emitBlocks && { onBlock: (event) => this.ready.push({ type: 'block', event }) }),
    })
  }

  /** Calls wait for their results. */
  get isWaitingForTools(): boolean {
    return this.turn.isWaitingForTools
  }

  get pendingToolCallIds(): readonly string[] {
    return this.turn.pendingToolCallIds
  }

  /** How many rounds of tools there were, with the one that runs. */
  get toolDepth(): number {
    return this.turn.toolDepth
  }

  /** Answers the calls that wait, as `Turn.provideToolResults` does. */
  provideToolResults(...given: Parameters<Turn['provideToolResults']>): void {
    this.turn.provideToolResults(...given)
  }

  /** Ends the turn. Its `aborted` is still to be read. */
  cancel(reason?: unknown): void {
    this.turn.cancel(reason)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<YieldingEvent, undefined>> {
    while (this.ready.length === 0) {
      const step = await this.turn.next()
      if (step.done) return step
      await this.add(step.value)
    }
    return { done: false, value: this.ready.shift()! }
  }

  /** The loop was left. */
  async return(): Promise<IteratorResult<YieldingEvent, undefined>> {
    this.ready.length = 0
    await this.turn.return()
    return { done: true, value: undefined }
  }

  private async add(event: TurnEvent): Promise<void> {
    if (isSluiceEvent(event)) this.view.add(event)
    else if (event.type === 'calls-waiting') this.ready.push({ ...event, type: 'tool-calls' })
    else if (event.type === 'retry') this.ready.push({ ...event, type: 'retrying' })
    else if (event.type === 'usage' && this.emitsUsage)
      this.ready.push({ type: 'usage', usage: { ...event.total } })
    else if (event.type === 'turn-finish') {
      // Behind its last event, a turn has its result.
      await this.turn.next()
      this.ready.push(endOf(await this.turn.result))
    }
  }
}

function endOf(result: TurnResult): YieldingEvent {
  const { stopReason, error, content, usage, conversation } = result
  if (error !== undefined) return { type: 'error', error }
  const common = {
    rawAssistantText: result.rawText,
    toolCalls: result.toolCalls.map((call) => ({ ...call, name: call.toolName })),
    toolResults: result.toolResults.map(({ id, content: answer, isError }) => ({
      toolUseId: id,
      content: answer,
      isError,
    })),
    conversation,
  }
  return stopReason === 'aborted'
    ? { type: 'aborted', reason: 'user', partialContent: content, partialUsage: usage, ...common }
    : { type: 'complete', response: { content, stopReason, usage, ...common } }
}
