/**
 * Reads the AI SDK's stream of chunks for a user interface, and emits events: each argument by its path, while it
 * grows. Nothing is read twice, so that a page can show a file of any length as it is written.
 *
 *     {"type":"tool-input-delta","toolCallId":"c1","inputTextDelta":"{\"path\":\"a."}
 */

import type { Sink } from '../../base/event.ts'
import type { ToolDefinitions } from '../../engine/calls/tools.ts'
import { aiSdkUi } from '../../providers/ai-sdk-ui/read.ts'
import { EventAssembler } from '../../providers/event-assembler.ts'
import type { PayloadReader } from '../../providers/provider.ts'

/** As much of a `UIMessageChunk` as every chunk has. */
export interface UiChunkLike {
  readonly type: string
}

/** Options of `readUiEvents`. */
export interface UiEventsOptions {
  readonly tools?: ToolDefinitions
}

/** Takes chunks and emits the events that `readProvider` gives for the same stream. */
export class UiEventReader {
  private readonly events: EventAssembler
  private readonly reader: PayloadReader
  private hasEnded = false

  constructor(sink: Sink, options: UiEventsOptions = {}) {
    this.events = new EventAssembler(sink, { ...options, emit: { json: true, arguments: true } })
    this.reader = aiSdkUi.open(this.events)
  }

  add(chunk: UiChunkLike): void {
    if (!this.hasEnded && typeof chunk?.type === 'string') this.reader.read({ ...chunk }, false)
  }

  /** Nothing more comes. A call that was not finished is cut off. */
  end(): void {
    if (this.hasEnded) return
    this.hasEnded = true
    this.reader.end?.()
    this.events.end('finished')
  }
}
