/**
 * The AI SDK's stream parts: those of `streamText` (`fullStream`), and those of a provider (`doStream`). They
 * differ in small things: one has `text` where the other has `delta`, and a call's input is a value or JSON.
 *
 *     {"type":"text-delta","id":"0","text":"Hi"}                     {"type":"text-delta","id":"0","delta":"Hi"}
 *     {"type":"tool-call","toolCallId":"c","toolName":"ls","input":{}}      … "input":"{}"
 *     {"type":"finish","finishReason":"tool-calls","totalUsage":{}}         … "finishReason":{"unified":"tool-calls"}
 */

import type { FinishReason } from '../../event.ts'
import type { Fields } from '../../fields.ts'
import { metadataOf, SDK_REASONS, SdkCalls, type SdkCallsState } from '../ai-sdk-calls.ts'
import { AiSdkUiReader } from '../ai-sdk-ui/read.ts'
import { normaliseReason } from '../finish-reasons.ts'
import { under } from '../metadata.ts'
import type { Output } from '../output.ts'
import { fieldsOf, listOf, numberOf, textOf, wordOf } from '../payload-fields.ts'
import type { PayloadReader, Provider } from '../provider.ts'
import { errorIn, ProviderError } from '../provider-error.ts'

const NAME = 'ai-sdk'

export const aiSdk: Provider<typeof NAME> = {
  name: NAME,
  framing: 'sse',
  // What comes as text is a UI message stream, unless it begins as none does; these are passed from hand to hand.
  detect: ({ type }, isFramed) => (isFramed ? BEGINNINGS : PARTS).test(textOf(type)),
  open: (out, saved) => new AiSdkReader(out, new SdkCalls(out, saved)),
}

const BEGINNINGS = /^(stream-start|response-metadata)$/
const PARTS =
  /^(stream-start|response-metadata|start(-step)?|(text|reasoning|tool-input)-(start|delta|end)|tool-call|tool-result|finish(-step)?|raw)$/

class AiSdkReader implements PayloadReader {
  private readonly out: Output
  private readonly calls: SdkCalls
  /** Reads what is the same in a UI message stream, and its other chunks, which may come as objects, too. */
  private readonly ui: AiSdkUiReader

  constructor(out: Output, calls: SdkCalls) {
    this.out = out
    this.calls = calls
    this.ui = new AiSdkUiReader(out, calls)
  }

  get state(): SdkCallsState {
    return this.calls.state
  }

  read(part: Fields): void {
    const { out, calls } = this
    const type = textOf(part.type)
    const id = textOf(part.id)
    const delta = textOf(part.delta) || textOf(part.text)
    const callId = textOf(part.toolCallId)
    switch (type) {
      case 'text-start':
      case 'text-delta':
        out.text(delta, { place: id, metadata: metadataOf(part) })
        return
      case 'text-end':
        for (const citation of listOf(part.citations)) out.custom('citation', citation)
        out.endText(metadataOf(part))
        return
      case 'reasoning-start':
      case 'reasoning-delta':
        out.reasoning(delta, { place: id, metadata: metadataOf(part) })
        return
      case 'tool-input-start':
        calls.start(id || callId, part)
        return
      case 'tool-input-delta':
        calls.delta(id || callId, delta || textOf(part.inputTextDelta))
        return
      case 'tool-call':
        if (part.invalid === true) calls.refused(callId, part, errorText(part.error))
        else calls.whole(callId, part)
        return
      case 'tool-result':
        if (part.preliminary === true) {
          out.custom('preliminary-tool-result', part)
          return
        }
        calls.result(callId, part, part.output ?? part.result, part.isError === true)
        return
      case 'tool-error':
        calls.result(callId, part, errorText(part.error), true)
        return
      case 'stream-start':
        if (listOf(part.warnings).length > 0) out.custom('warnings', part.warnings)
        return
      case 'response-metadata':
        this.readAbout(part)
        return
      case 'finish-step':
        this.readAbout(fieldsOf(part.response))
        readFinish(part, out)
        return
      case 'finish':
        readFinish(part, out)
        return
      case 'error':
        out.error(errorOf(part))
        return
      case 'source':
        out.custom(type, part)
        return
    }
    if (!SILENT.has(type)) this.ui.read(part)
  }

  private readAbout(response: Fields): void {
    this.out.metadata(under(NAME, { id: wordOf(response.id), model: wordOf(response.modelId) }))
  }
}

const SILENT = new Set(['tool-input-end', 'ping', 'raw'])

function readFinish(part: Fields, out: Output): void {
  const { finishReason } = part
  const raw = wordOf(finishReason) ?? wordOf(fieldsOf(finishReason).unified)
  const reason: FinishReason | undefined = raw === undefined ? undefined : normaliseReason(raw, SDK_REASONS)
  const rawReason = wordOf(fieldsOf(finishReason).raw) ?? wordOf(part.rawFinishReason) ?? raw
  if (reason !== undefined) out.finish(reason, rawReason)
  const usage = fieldsOf(part.totalUsage ?? part.usage)
  const input = fieldsOf(usage.inputTokens)
  const output = fieldsOf(usage.outputTokens)
  out.usage({
    inputTokens: numberOf(usage.inputTokens) ?? numberOf(input.total),
    outputTokens: numberOf(usage.outputTokens) ?? numberOf(output.total),
    totalTokens: numberOf(usage.totalTokens),
    reasoningTokens: numberOf(usage.reasoningTokens) ?? numberOf(output.reasoning),
    cachedInputTokens: numberOf(usage.cachedInputTokens) ?? numberOf(input.cacheRead),
  })
}

function errorText(error: unknown): unknown {
  return error instanceof Error ? error.message : error
}

function errorOf(part: Fields): Error {
  if (part.error instanceof Error) return part.error
  return errorIn(part, NAME) ?? new ProviderError(NAME, 'The stream reports an error.', undefined, part)
}
