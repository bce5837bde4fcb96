/**
 * The AI SDK's UI message stream, which a server sends to `useChat`.
 *
 *     {"type":"tool-input-start","toolCallId":"c1","toolName":"ls"}
 *     {"type":"tool-input-delta","toolCallId":"c1","inputTextDelta":"{\"pa"}
 *     {"type":"tool-input-available","toolCallId":"c1","toolName":"ls","input":{"path":"."}}
 */

import { type Fields, isFields } from '../../fields.ts'
import { metadataOf, SDK_REASONS, SdkCalls, type SdkCallsState } from '../ai-sdk-calls.ts'
import { normaliseReason } from '../finish-reasons.ts'
import type { Output } from '../output.ts'
import { textOf, wordOf } from '../payload-fields.ts'
import type { PayloadReader, Provider } from '../provider.ts'
import { ProviderError } from '../provider-error.ts'

const NAME = 'ai-sdk-ui'

export const aiSdkUi: Provider<typeof NAME> = {
  name: NAME,
  framing: 'sse',
  detect: ({ type }) =>
    /^(start(-step)?|(text|reasoning)-(start|delta|end)|tool-input-(start|delta|available|error)|tool-output-\w+|finish(-step)?|message-metadata|data-.*|source-url|source-document)$/.test(
      textOf(type),
    ),
  open: (out, saved) => new AiSdkUiReader(out, new SdkCalls(out, saved)),
}

export class AiSdkUiReader implements PayloadReader {
  private readonly out: Output
  private readonly calls: SdkCalls

  constructor(out: Output, calls: SdkCalls) {
    this.out = out
    this.calls = calls
  }

  get state(): SdkCallsState {
    return this.calls.state
  }

  read(chunk: Fields): void {
    const { out, calls } = this
    const type = textOf(chunk.type)
    const span = { place: textOf(chunk.id), metadata: metadataOf(chunk) }
    const callId = textOf(chunk.toolCallId)
    this.readMetadata(chunk)
    switch (type) {
      case 'text-start':
      case 'text-delta':
        out.text(textOf(chunk.delta), span)
        return
      case 'text-end':
        out.endText(span.metadata)
        return
      case 'reasoning-start':
      case 'reasoning-delta':
        out.reasoning(textOf(chunk.delta), span)
        return
      case 'reasoning-end':
        out.endReasoning(span.metadata)
        return
      case 'tool-input-start':
        calls.startOnce(callId, chunk)
        return
      case 'tool-input-delta':
        calls.delta(callId, textOf(chunk.inputTextDelta))
        return
      case 'tool-input-available':
        calls.whole(callId, chunk)
        return
      case 'tool-input-error':
        calls.refused(callId, chunk, chunk.errorText)
        calls.result(callId, chunk, chunk.errorText, true)
        return
      case 'tool-output-available':
        if (chunk.preliminary === true) {
          out.custom('preliminary-tool-result', chunk)
          return
        }
        calls.result(callId, chunk, chunk.output, false)
        return
      case 'tool-output-error':
        calls.result(callId, chunk, chunk.errorText, true)
        return
      case 'tool-output-denied':
        calls.result(callId, chunk, 'The call was denied.', true)
        return
      case 'finish': {
        const raw = wordOf(chunk.finishReason)
        raw === undefined ? out.over() : out.finish(normaliseReason(raw, SDK_REASONS), raw)
        return
      }
      case 'abort':
        out.finish('aborted', wordOf(chunk.reason))
        return
      case 'error':
        out.error(
          new ProviderError(
            NAME,
            wordOf(chunk.errorText) ?? 'The stream reports an error.',
            undefined,
            chunk,
          ),
        )
        return
    }
    if (CUSTOM.test(type)) out.custom(type, chunk)
    else if (!SILENT.has(type)) out.unknown(type || 'payload', chunk)
  }

  private readMetadata({ messageId, messageMetadata }: Fields): void {
    if (typeof messageId === 'string') this.out.metadata({ [NAME]: { messageId } })
    if (isFields(messageMetadata)) this.out.metadata({ [NAME]: { messageMetadata } })
  }
}

const SILENT = new Set(['start', 'start-step', 'finish-step', 'message-metadata'])
const CUSTOM =
  /^(source-url|source-document|file|reasoning-file|custom|reset-step|tool-approval-request|data-.*)$/
