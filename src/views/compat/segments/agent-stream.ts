/**
 * All that an agent does, for those who watch: its segments, and what becomes of its calls.
 *
 * There is one log, and each consumer has its own place in it. So consumers see the same events in the same order,
 * the agent never waits for any of them, and memory is bounded by the log. A consumer that falls behind by more than
 * the log holds gets an error; it never misses an event without knowing.
 */

import { messageOf, SluiceError } from '../../../base/errors.ts'
import type { JsonValue } from '../../../base/event.ts'
import { checkOptions, type KnownOptions } from '../../../base/options.ts'
import type { ToolInvocation } from './invocation.ts'
import type { SegmentEvent, SegmentEventDict } from './segment-event.ts'

/** What happened. `invocation_id` is the id of the segment that the call was shown in. */
export type AgentEventBody =
  | { readonly type: 'segment'; readonly event: SegmentEventDict }
  | { readonly type: 'tool_invocation'; readonly invocation: ToolInvocation }
  | {
      readonly type: 'tool_approval_requested'
      readonly invocation_id: string
      readonly tool_name: string
      readonly arguments: ToolInvocation['arguments']
    }
  | {
      readonly type: 'tool_approval'
      readonly invocation_id: string
      readonly approved: boolean
      readonly reason?: string
    }
  | { readonly type: 'tool_execution_started'; readonly invocation_id: string; readonly tool_name: string }
  | { readonly type: 'tool_execution_succeeded'; readonly invocation_id: string; readonly result: JsonValue }
  | { readonly type: 'tool_execution_failed'; readonly invocation_id: string; readonly error: string }
  | { readonly type: 'error'; readonly error: string }

/** `sequence` counts from 1, without gaps. */
export type AgentEvent = AgentEventBody & { readonly sequence: number; readonly agent_id: string }

/** Options of `AgentEventStream`. */
export interface AgentEventStreamOptions {
  readonly agentId?: string
  /** How many events are kept for consumers that come late or read slowly. Default 10000. */
  readonly buffer?: number
}

/** Where a subscription begins, and when it ends. */
export interface SubscribeOptions {
  /** The last event that the consumer has seen. Default 0: it sees all. */
  readonly after?: number
  /** Ends the loop, for consumers that go away while they wait. */
  readonly signal?: AbortSignal
}

const OPTIONS: KnownOptions<AgentEventStreamOptions> = { agentId: 'string', buffer: 'number' }
const SUBSCRIBE_OPTIONS: KnownOptions<SubscribeOptions> = { after: 'number', signal: 'object' }

/**
 *     const agent = new AgentEventStream({ agentId: 'a1' })
 *     const handler = new StreamingResponseHandler(agent.callbacks())
 *     for await (const event of agent.subscribe()) socket.send(JSON.stringify(event))
 */
export class AgentEventStream {
  readonly agentId: string
  private readonly buffer: number
  private log: AgentEvent[] = []
  /** Where the events that are kept begin in the log, and how many were let go before it. */
  private head = 0
  private dropped = 0
  private isClosed = false
  private waiting: (() => void)[] = []

  constructor(options: AgentEventStreamOptions = {}) {
    checkOptions(options, OPTIONS)
    const { agentId = '', buffer = 10_000 } = options
    if (!(buffer >= 1))
      throw new SluiceError('invalid-option', `'buffer' is a number of at least 1, not ${buffer}.`)
    this.agentId = agentId
    this.buffer = buffer
  }

  /** The sequence number of the last event. */
  get latest(): number {
    return this.dropped + this.log.length
  }

  // ── for the agent ──────────────────────────────────────────────────────────────────────────────

  publish(body: AgentEventBody): AgentEvent {
    if (this.isClosed)
      throw new SluiceError('push-after-end', 'This stream is closed; nothing more can be written.')
    const event = { sequence: this.latest + 1, agent_id: this.agentId, ...body }
    this.log.push(event)
    if (this.log.length - this.head > this.buffer) this.head++
    // What is no longer kept is let go now and then, not each time, which would cost as much as the log is long.
    if (this.head > this.buffer) {
      this.log = this.log.slice(this.head)
      this.dropped += this.head
      this.head = 0
    }
    this.wake()
    return event
  }

  /** What a handler needs to publish its segments and invocations here. */
  callbacks(): {
    onSegmentEvent: (event: SegmentEvent) => void
    onToolInvocation: (invocation: ToolInvocation) => void
  } {
    return {
      onSegmentEvent: (event) => this.publish({ type: 'segment', event: event.toDict() }),
      onToolInvocation: (invocation) => this.publish({ type: 'tool_invocation', invocation }),
    }
  }

  requestApproval({ id, name, arguments: args }: ToolInvocation): void {
    this.publish({ type: 'tool_approval_requested', invocation_id: id, tool_name: name, arguments: args })
  }

  approval(invocationId: string, approved: boolean, reason?: string): void {
    const about = reason === undefined ? {} : { reason }
    this.publish({ type: 'tool_approval', invocation_id: invocationId, approved, ...about })
  }

  executionStarted({ id, name }: ToolInvocation): void {
    this.publish({ type: 'tool_execution_started', invocation_id: id, tool_name: name })
  }

  executionSucceeded(invocationId: string, result: JsonValue): void {
    this.publish({ type: 'tool_execution_succeeded', invocation_id: invocationId, result })
  }

  executionFailed(invocationId: string, error: unknown): void {
    this.publish({ type: 'tool_execution_failed', invocation_id: invocationId, error: messageOf(error) })
  }

  error(error: unknown): void {
    this.publish({ type: 'error', error: messageOf(error) })
  }

  /** Nothing more comes. Consumers read to the end of the log. */
  close(): void {
    this.isClosed = true
    this.wake()
  }

  // ── for those who watch ────────────────────────────────────────────────────────────────────────

  /** The events behind `after`, and all that come. Leaving the loop is enough to stop. */
  async *subscribe(options: SubscribeOptions = {}): AsyncGenerator<AgentEvent, void, void> {
    checkOptions(options, SUBSCRIBE_OPTIONS)
    const { after = 0, signal } = options
    // A client that has seen more events than there are has read another stream, and would miss those in between.
    if (!Number.isInteger(after) || after < 0 || after > this.latest)
      throw new SluiceError(
        'invalid-option',
        `'after' is the number of an event, 0 to ${this.latest}, not ${after}.`,
      )
    const wake = (): void => this.wake()
    signal?.addEventListener('abort', wake)
    try {
      for (let seen = after; !signal?.aborted; ) {
        if (seen < this.latest) yield this.eventAfter(seen++)
        else if (this.isClosed) return
        else await new Promise<void>((resolve) => this.waiting.push(resolve))
      }
    } finally {
      signal?.removeEventListener('abort', wake)
    }
  }

  private eventAfter(seen: number): AgentEvent {
    const index = seen - this.dropped
    if (index >= this.head) return this.log[index]!
    throw new SluiceError(
      'invalid-source',
      `This consumer is too far behind: event ${seen + 1} is gone, the oldest that is kept is ${this.dropped + this.head + 1}. Subscribe anew, with a larger 'buffer' if that happens often.`,
    )
  }

  private wake(): void {
    const { waiting } = this
    this.waiting = []
    for (const resolve of waiting) resolve()
  }
}
