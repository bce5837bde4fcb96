/**
 * The AI SDK's UI message stream, which a server sends to `useChat`.
 *
 *     {"type":"tool-input-start","toolCallId":"c1","toolName":"ls"}
 *     {"type":"tool-input-delta","toolCallId":"c1","inputTextDelta":"{\"pa"}
 *     {"type":"tool-input-available","toolCallId":"c1","toolName":"ls","input":{"path":"."}}
 *
 * A message that is whole has its parts in a list, as `useChat` keeps it.
 *
 *     {"id":"m1","role":"assistant","parts":[{"type":"tool-ls","toolCallId":"c1","state":"input-available","input":{"path":"."}}]}
 */

import { type Fields, isFields } from '../../base/fields.ts'
import { metadataOf, SDK_REASONS, SdkCalls, type SdkCallsState } from '../ai-sdk-calls.ts'
import { normaliseReason } from '../finish-reasons.ts'
import type { Output } from '../output.ts'
import { fieldsIn, fieldsOf, isOtherRole, textOf, wordOf } from '../payload-fields.ts'
import type { PayloadReader, Provider } from '../provider.ts'
import { ProviderError } from '../provider-error.ts'

const NAME = 'ai-sdk-ui'

/** Reads a UI message stream of the AI SDK. */
export const aiSdkUi: Provider<typeof NAME> = {
  name: NAME,
  framing: 'sse',
  detect: (payload) =>
    isWhole(payload) ||
    /^(start(-step)?|(text|reasoning)-(start|delta|end)|tool-input-(start|delta|available|error)|tool-output-\w+|finish(-step)?|message-metadata|data-.*|source-url|source-document)$/.test(
      textOf(payload.type),
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

  end(): void {
    this.calls.end()
  }

  read(chunk: Fields): void {
    const { out, calls } = this
    if (isWhole(chunk)) {
      this.readWhole(chunk)
      return
    }
    if (isMessage(chunk) && isOtherRole(chunk.role)) {
      out.custom(textOf(chunk.role), chunk)
      return
    }
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
        calls.delta(callId, chunk.inputTextDelta)
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
    if (type === 'tool-approval-request')
      out.awaitApproval(callId || textOf(fieldsOf(chunk.toolCall).toolCallId))
    if (CUSTOM.test(type)) out.custom(type, chunk)
    else if (!SILENT.has(type)) {
      out.unknown(type || 'payload', chunk)
      calls.missPiece(callId || textOf(chunk.id))
    }
  }

  private readWhole(message: Fields): void {
    const { out } = this
    this.readMetadata({ messageId: message.id, messageMetadata: message.metadata })
    for (const [place, part] of fieldsIn(message.parts).entries()) {
      const type = textOf(part.type)
      const options = { place, metadata: metadataOf(part) }
      if (type === 'text') out.text(textOf(part.text), options)
      else if (type === 'reasoning') out.reasoning(textOf(part.text), options)
      else if (type === 'dynamic-tool' || type.startsWith('tool-')) this.readTool(part)
      else if (type !== 'step-start') this.read(part)
    }
    out.over()
  }

  /** A call with its input and, if there is one, its result. */
  private readTool(part: Fields): void {
    const { calls } = this
    const id = textOf(part.toolCallId)
    const state = textOf(part.state)
    const toolName = wordOf(part.toolName) ?? textOf(part.type).replace(/^tool-/, '')
    const call = { ...part, toolName, providerMetadata: part.callProviderMetadata ?? part.providerMetadata }
    if (state === 'input-streaming') calls.refused(id, call, 'The input was not complete.')
    else if (state === 'output-error' && part.input === undefined) calls.refused(id, call, part.errorText)
    else calls.whole(id, call)
    if (state === 'output-available') calls.result(id, call, part.output, false)
    else if (state === 'output-error') calls.result(id, call, part.errorText, true)
    else if (state === 'output-denied') calls.result(id, call, 'The call was denied.', true)
    else if (state === 'approval-requested') this.out.awaitApproval(id)
  }

  private readMetadata({ messageId, messageMetadata }: Fields): void {
    if (typeof messageId === 'string') this.out.metadata({ [NAME]: { messageId } })
    if (isFields(messageMetadata)) this.out.metadata({ [NAME]: { messageMetadata } })
  }
}

const isMessage = ({ type, parts }: Fields): boolean => type === undefined && Array.isArray(parts)

const isWhole = (message: Fields): boolean => isMessage(message) && message.role === 'assistant'

const SILENT = new Set(['start', 'start-step', 'finish-step', 'message-metadata'])
const CUSTOM =
  /^(source-url|source-document|file|reasoning-file|custom|reset-step|tool-approval-request|data-.*)$/
