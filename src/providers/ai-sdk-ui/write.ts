/** Writes the AI SDK's UI message stream, which `useChat` reads. */

import type { Metadata, SluiceEvent, ToolCall } from '../../base/event.ts'
import { explain } from '../../engine/calls/verdict.ts'
import { answerOf, fieldsOf } from '../payload-fields.ts'
import {
  asEvent,
  type Payload,
  type PayloadWriter,
  type WireFormat,
  type WriterOptions,
} from '../wire-format.ts'
import { inputOf, mayBeWhole } from '../written-calls.ts'
import { type WrittenResult, WrittenResults } from '../written-results.ts'

/** Writes a UI message stream of the AI SDK, for `useChat`. */
export const aiSdkUiWriter: WireFormat<'ai-sdk-ui'> = {
  name: 'ai-sdk-ui',
  contentType: 'text/event-stream',
  frame: asEvent,
  end: 'data: [DONE]\n\n',
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  // `useChat` shows the body as the message of its error.
  refuse: ({ message }) => ({ contentType: 'text/plain; charset=utf-8', body: message }),
  open: (about) => new UiWriter(about),
}

/** Kinds of `custom` that are chunks of this format already. */
const CHUNKS = /^(source-url|source-document|file|data-.+)$/

class UiWriter implements PayloadWriter {
  private readonly messageId: string
  private readonly allow: Required<WriterOptions>['allow']
  private readonly results = new WrittenResults()
  /** The calls that were written: `useChat` fails on a result of any other. */
  private readonly calls = new Set<string>()

  constructor({ id, allow }: Required<WriterOptions>) {
    this.messageId = id
    this.allow = allow
  }

  opening(): Payload[] {
    return [{ type: 'start', messageId: this.messageId }, { type: 'start-step' }]
  }

  write(event: SluiceEvent): readonly Payload[] {
    switch (event.type) {
      case 'text-start':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-end':
        return [{ type: event.type, id: event.id, ...attached(event.metadata) }]
      case 'text-delta':
      case 'reasoning-delta':
        return [{ type: event.type, id: event.id, delta: event.delta }]
      case 'tool-input-start':
        this.calls.add(event.id)
        return [
          {
            type: 'tool-input-start',
            toolCallId: event.id,
            toolName: event.toolName,
            ...(event.providerExecuted && { providerExecuted: true }),
            ...attached(event.metadata),
          },
        ]
      case 'tool-input-delta':
        return [{ type: 'tool-input-delta', toolCallId: event.id, inputTextDelta: event.delta }]
      case 'tool-call':
        return this.judge(event)
      case 'tool-result-start':
      case 'tool-result-delta':
      case 'tool-result-end':
        return this.answer(this.results.add(event))
      case 'custom':
        return [custom(event.kind, event.value)]
      case 'error':
        return [{ type: 'error', errorText: event.error.message }]
      case 'finish':
        if (event.reason === 'aborted') return [{ type: 'abort' }]
        return [{ type: 'finish-step' }, { type: 'finish', finishReason: event.reason }]
      default:
        return []
    }
  }

  private answer(result: WrittenResult | undefined): Payload[] {
    if (result === undefined) return []
    const { id: toolCallId, isError, content } = result
    const output = answerOf(content)
    if (!this.calls.has(toolCallId))
      return [{ type: 'data-tool-result', data: { toolCallId, output, isError } }]
    return isError
      ? [{ type: 'tool-output-error', toolCallId, errorText: content }]
      : [{ type: 'tool-output-available', toolCallId, output }]
  }

  private judge(event: ToolCall): Payload[] {
    this.calls.add(event.id)
    const isGood = mayBeWhole(event, { allow: this.allow })
    const call = {
      toolCallId: event.id,
      toolName: event.toolName,
      // A call that may not run has no value: the text is what there is of it.
      input: isGood ? inputOf(event) : (event.raw ?? event.input),
      ...(event.providerExecuted && { providerExecuted: true }),
      ...attached(event.metadata),
    }
    return isGood
      ? [{ type: 'tool-input-available', ...call }]
      : [{ type: 'tool-input-error', ...call, errorText: explain(event) }]
  }
}

const attached = (metadata: Metadata | undefined): Payload =>
  metadata === undefined ? {} : { providerMetadata: metadata }

function custom(kind: string, value: unknown): Payload {
  const chunk = fieldsOf(value)
  return CHUNKS.test(kind) && chunk.type === kind ? chunk : { type: `data-${kind}`, data: value }
}
