/**
 * Writes AG-UI: a message for each text and each thought, and the calls below the text they follow.
 *
 * The input of a tool is an object here: free text becomes its field `input`.
 *
 * AG-UI's client takes `{}` for the arguments of a call that ended and does not parse, and rejects a run that finishes
 * with an open call. A call that may not run therefore stays open, and the run ends with an error that explains it.
 */

import type { Metadata, SluiceEvent, ToolCall } from '../../base/event.ts'
import { explain } from '../../engine/calls/verdict.ts'
import { ofProvider } from '../metadata.ts'
import { fieldsOf } from '../payload-fields.ts'
import {
  asEvent,
  asRefusal,
  type Payload,
  type PayloadWriter,
  type WireFormat,
  type WriterOptions,
} from '../wire-format.ts'
import type { JudgedCall, WrittenCall } from '../written-calls.ts'
import type { WrittenResult } from '../written-results.ts'
import { isOfTool, WrittenTools } from '../written-tools.ts'

const NAME = 'ag-ui'

/** Writes the events of AG-UI. */
export const agUiWriter: WireFormat<'ag-ui'> = {
  name: NAME,
  contentType: 'text/event-stream',
  frame: asEvent,
  end: '',
  refuse: ({ message, code }) => asRefusal({ message, ...(code !== undefined && { code }) }),
  open: (about) => new AgUiWriter(about),
}

/** Kinds of `custom` that are events of this format already. A client would run calls that it finds in messages. */
const EVENTS = /^(RAW|STATE_(SNAPSHOT|DELTA)|STEP_(STARTED|FINISHED)|ACTIVITY_(SNAPSHOT|DELTA))$/

class AgUiWriter implements PayloadWriter {
  private readonly about: Required<WriterOptions>
  private readonly tools: WrittenTools
  /** The message that calls belong to. */
  private messageId: string
  /** Calls whose free text has begun. */
  private readonly wrapped = new Set<string>()
  /** The calls that the client is to run. */
  private readonly pending = new Set<string>()
  /** Calls that the provider runs and whose result did not come. */
  private readonly unanswered = new Set<string>()
  /** What the run failed with: no event may follow it, so it is written last. */
  private failure: Payload | undefined

  constructor(about: Required<WriterOptions>) {
    this.about = about
    this.messageId = about.id
    this.tools = new WrittenTools(about, {
      input: (call, json) => this.input(call, json),
      judge: (judged, event) => this.judge(judged, event),
      result: (result) => this.answer(result),
    })
  }

  opening(): Payload[] {
    return [{ type: 'RUN_STARTED', ...this.run }]
  }

  private get run(): Payload {
    return { threadId: this.about.id, runId: this.about.id }
  }

  /** Ids of messages are unique in a conversation; those of spans only in a response. */
  private messageOf(id: string): string {
    return `${this.about.id}-${id}`
  }

  write(event: SluiceEvent): readonly Payload[] {
    switch (event.type) {
      case 'text-start':
        this.messageId = this.messageOf(event.id)
        return [this.message('TEXT_MESSAGE_START', event, { role: 'assistant' })]
      case 'text-delta':
        return [this.message('TEXT_MESSAGE_CONTENT', event, { delta: event.delta })]
      case 'text-end':
        return [this.message('TEXT_MESSAGE_END', event)]
      case 'reasoning-start':
        return [
          { type: 'REASONING_START', messageId: this.messageOf(event.id) },
          this.message('REASONING_MESSAGE_START', event, { role: 'reasoning' }),
        ]
      case 'reasoning-delta':
        return [this.message('REASONING_MESSAGE_CONTENT', event, { delta: event.delta })]
      case 'reasoning-end':
        return [
          this.message('REASONING_MESSAGE_END', event),
          ...encrypted('message', this.messageOf(event.id), event.metadata),
          { type: 'REASONING_END', messageId: this.messageOf(event.id) },
        ]
      case 'custom': {
        const value = fieldsOf(event.value)
        const isEvent = EVENTS.test(event.kind) && value.type === event.kind
        return [isEvent ? value : { type: 'CUSTOM', name: event.kind, value: event.value ?? null }]
      }
      case 'error':
        this.failure ??= runError(event.error.message, event.error.code)
        return []
      case 'finish':
        return this.finish(event)
      default:
        return isOfTool(event) ? this.tools.write(event) : []
    }
  }

  private message(
    type: string,
    event: { readonly id: string; readonly metadata?: Metadata },
    more: Payload = {},
  ): Payload {
    return { type, messageId: this.messageOf(event.id), ...more, ...attached(event.metadata) }
  }

  // ── calls ──────────────────────────────────────────────────────────────────────────────────────

  /** A call starts with the first piece of its input: one that is bad before that is not written. */
  private announce(call: WrittenCall): Payload[] {
    if (call.index !== undefined) return []
    call.index = 0
    const { id, toolName, providerExecuted, metadata } = call
    if (providerExecuted) this.unanswered.add(id)
    return [
      {
        type: 'TOOL_CALL_START',
        toolCallId: id,
        toolCallName: toolName,
        parentMessageId: this.messageId,
        metadata: { ...metadata, providerExecuted },
      },
    ]
  }

  private input(call: WrittenCall, json: string): Payload[] {
    // An object is asked for, and there is only a string.
    const isWrapped = call.isText && !this.wrapped.has(call.id)
    if (call.isText) this.wrapped.add(call.id)
    const delta = isWrapped ? `{"input":${json}` : json
    return [...this.announce(call), { type: 'TOOL_CALL_ARGS', toolCallId: call.id, delta }]
  }

  private judge({ call, rest, isGood }: JudgedCall, event: ToolCall): Payload[] {
    const { id, providerExecuted } = call
    if (!isGood && !providerExecuted) {
      if (call.index !== undefined) this.failure ??= runError(explain(event), `${event.status}-call`)
      return []
    }
    const payloads = [...(rest === '' ? [] : this.input(call, rest)), ...this.announce(call)]
    if (!providerExecuted) this.pending.add(id)
    if (call.isText && isGood) payloads.push({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta: '}' })
    return [
      ...payloads,
      ...encrypted('tool-call', id, event.metadata),
      { type: 'TOOL_CALL_END', toolCallId: id, ...attached(event.metadata) },
    ]
  }

  private answer({ id, content, isError }: WrittenResult): Payload[] {
    this.pending.delete(id)
    this.unanswered.delete(id)
    return [this.result(id, content, isError)]
  }

  private result(id: string, content: string, isError = false): Payload {
    return {
      type: 'TOOL_CALL_RESULT',
      messageId: this.messageOf(`result-${id}`),
      toolCallId: id,
      content,
      role: 'tool',
      ...(isError && { metadata: { isError } }),
    }
  }

  // ── the end ────────────────────────────────────────────────────────────────────────────────────

  private finish({ reason, usage }: SluiceEvent & { type: 'finish' }): Payload[] {
    // The format has no place for what it cost.
    const { cost: _, ...tokens } = usage ?? {}
    const figures = usage && { usage: [{ model: this.about.model, ...tokens }] }
    // A client takes every call without a result for its own.
    const results = Array.from(this.unanswered, (id) => this.result(id, ''))
    if (reason === 'error') this.failure ??= runError('The response broke off.')
    if (this.failure !== undefined) return [...results, { ...this.failure, ...figures }]
    const pending = this.pending.size > 0 && { pendingToolCallIds: [...this.pending] }
    const outcome = reason === 'aborted' ? { type: 'cancelled' } : { type: 'success', ...pending }
    const metadata = { finishReason: reason }
    return [...results, { type: 'RUN_FINISHED', ...this.run, outcome, ...figures, metadata }]
  }
}

function runError(message: string, code?: string): Payload {
  return { type: 'RUN_ERROR', message, ...(code !== undefined && { code }) }
}

const attached = (metadata: Metadata | undefined): Payload => (metadata === undefined ? {} : { metadata })

/** What an agent of this protocol encrypted, back in its own event. */
function encrypted(subtype: string, entityId: string, metadata: Metadata | undefined): Payload[] {
  const { encryptedValue } = ofProvider(metadata, NAME)
  return typeof encryptedValue === 'string'
    ? [{ type: 'REASONING_ENCRYPTED_VALUE', subtype, entityId, encryptedValue }]
    : []
}
