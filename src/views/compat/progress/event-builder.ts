/**
 * Puts together what comes at each index of a provider's stream: text, and calls whose arguments are reported
 * while they come.
 *
 *     Part 0 ToolCallRequest{id, name}   Chunk 0 {"path":"a.rs"   Chunk 0 ,"n":1}   Flush 0
 *                                        ArgumentParsed path      ArgumentParsed n  ToolCallRequest
 *
 * - One index is one thing of one type; a part of another type is passed over, with a warning.
 * - Of ids and of names the first one counts that is not empty. An id that was used in an event stays.
 * - Nothing is reported of a call before its name is known; what was complete by then is reported at once.
 * - After its flush an index takes nothing any more, except what begins something new; the same call again is not new.
 */

import { resolveLimits } from '../../../base/limits.ts'
import { checkOptions, type KnownOptions } from '../../../base/options.ts'
import { Rope } from '../../../base/rope.ts'
import { CallBuffer, type CallBufferOptions } from './call-buffer.ts'
import { ARG_PARSER_OPTIONS } from './incremental-arg-parser.ts'
import type {
  EventPart,
  TextEventPart,
  ToolCallArgumentProgress,
  ToolCallFailed,
  ToolCallRequest,
} from './progress-event.ts'
import type { TruncationReport } from './truncation-report.ts'

/** Options of `EventBuilder`. */
export interface EventBuilderOptions extends CallBufferOptions {
  /** Called for parts that do not belong where they came. */
  readonly onWarning?: (message: string, index: number) => void
}

const OPTIONS: KnownOptions<EventBuilderOptions> = {
  ...ARG_PARSER_OPTIONS,
  onCall: 'function',
  onWarning: 'function',
}

/** What is left when the stream is over. */
export interface Drained {
  /** Text that was not flushed. */
  readonly events: readonly TextEventPart[]
  /** Calls that were not flushed: they are not requests. */
  readonly truncated: readonly TruncationReport[]
}

/** Builds events from the parts of a provider's stream, by index: text, and calls whose arguments are reported as they arrive. */
export class EventBuilder {
  private readonly options: EventBuilderOptions
  private readonly open = new Map<number, TextBuffer | CallBuffer>()
  /** The indices that are over, and the id of the call that was there. */
  private readonly flushed = new Map<number, string>()

  constructor(options: EventBuilderOptions = {}) {
    checkOptions(options, OPTIONS)
    resolveLimits(options.limits)
    this.options = options
  }

  /** Takes a part, and gives the progress that had to wait for it. */
  handlePart(index: number, part: EventPart): ToolCallArgumentProgress[] {
    const buffer = this.open.get(index) ?? (this.isOver(index, part) ? undefined : this.begin(index, part))
    if (buffer instanceof CallBuffer && part.type === 'ToolCallRequest') {
      buffer.identify(part.id, part.name)
      buffer.take(part.arguments)
      return buffer.progress()
    }
    if (buffer instanceof TextBuffer && part.type === buffer.type) buffer.text.add(part.text)
    else
      this.warn(
        `A part of type ${part.type} arrived at an index that holds another kind of part, or that was flushed.`,
        index,
      )
    return []
  }

  /** Takes the next piece of a call's arguments, and gives what it completed. */
  handleToolArgumentChunk(index: number, chunk: string): ToolCallArgumentProgress[] {
    const buffer = this.open.get(index) ?? this.beginEarly(index)
    if (buffer instanceof CallBuffer) return buffer.grow(chunk)
    this.warn('A piece of arguments arrived at an index that holds no call, or that was flushed.', index)
    return []
  }

  /** What is at the index is complete. Nothing, if it was flushed already or there is nothing in it. */
  handleFlush(index: number): TextEventPart | ToolCallRequest | ToolCallFailed | undefined {
    const buffer = this.open.get(index)
    if (buffer === undefined) return undefined
    this.open.delete(index)
    const event = buffer.flush()
    this.flushed.set(index, buffer instanceof CallBuffer ? buffer.id : '')
    return event
  }

  /** The stream is over. Text is kept; a call that was not flushed was cut off, whatever its arguments look like. */
  drain(): Drained {
    const buffers = [...this.open].sort(([first], [second]) => first - second).map(([, buffer]) => buffer)
    this.cancel()
    return {
      events: buffers.flatMap((buffer) => (buffer instanceof TextBuffer ? (buffer.flush() ?? []) : [])),
      truncated: buffers.flatMap((buffer) => (buffer instanceof CallBuffer ? buffer.report() : [])),
    }
  }

  /** Everything that is not flushed is given up. Answers the ids of the calls that were announced. */
  cancel(): string[] {
    const calls = [...this.open.values()].filter((buffer) => buffer instanceof CallBuffer)
    this.open.clear()
    return calls.flatMap(({ id, isKnown }) => (isKnown ? id : []))
  }

  /** A call that was flushed comes again: it must not run twice. */
  private isOver(index: number, part: EventPart): boolean {
    return part.type === 'ToolCallRequest' && part.id !== '' && this.flushed.get(index) === part.id
  }

  private begin(index: number, part: EventPart): TextBuffer | CallBuffer {
    this.flushed.delete(index)
    const buffer =
      part.type === 'ToolCallRequest' ? new CallBuffer(index, this.options) : new TextBuffer(part.type)
    this.open.set(index, buffer)
    return buffer
  }

  private beginEarly(index: number): CallBuffer | undefined {
    if (this.flushed.has(index)) return undefined
    const buffer = new CallBuffer(index, this.options)
    this.open.set(index, buffer)
    return buffer
  }

  private warn(message: string, index: number): void {
    this.options.onWarning?.(message, index)
  }
}

class TextBuffer {
  readonly type: TextEventPart['type']
  readonly text = new Rope()

  constructor(type: TextEventPart['type']) {
    this.type = type
  }

  flush(): TextEventPart | undefined {
    const text = this.text.toString()
    return this.type === 'Message' && text.trim() === '' ? undefined : { type: this.type, text }
  }
}
