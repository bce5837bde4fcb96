/**
 * The AI SDK's stream parts: those of `streamText` (`fullStream`), and those of a provider (`doStream`). They
 * differ in small things: one has `text` where the other has `delta`, and a call's input is a value or JSON.
 *
 *     {"type":"text-delta","id":"0","text":"Hi"}                     {"type":"text-delta","id":"0","delta":"Hi"}
 *     {"type":"tool-call","toolCallId":"c","toolName":"ls","input":{}}      … "input":"{}"
 *     {"type":"finish","finishReason":"tool-calls","totalUsage":{}}         … "finishReason":{"unified":"tool-calls"}
 *
 * A response that was not streamed (`generateText`, `doGenerate`) has its parts in a list.
 *
 *     {"content":[{"type":"text","text":"Hi"}],"finishReason":"stop","usage":{}}
 */

import type { FinishReason } from '../../base/event.ts'
import type { Fields } from '../../base/fields.ts'
import { metadataOf, SDK_REASONS, SdkCalls, type SdkCallsState } from '../ai-sdk-calls.ts'
import { AiSdkUiReader } from '../ai-sdk-ui/read.ts'
import { normaliseReason } from '../finish-reasons.ts'
import { under } from '../metadata.ts'
import type { Output } from '../output.ts'
import { fieldsIn, fieldsOf, isOtherRole, listOf, numberOf, textOf, wordOf } from '../payload-fields.ts'
import type { PayloadReader, Provider } from '../provider.ts'
import { errorIn, ProviderError } from '../provider-error.ts'

const NAME = 'ai-sdk'

/** Reads the stream parts of the AI SDK: those of a language model, and `fullStream`. */
export const aiSdk: Provider<typeof NAME> = {
  name: NAME,
  framing: 'sse',
  // What comes as text is a UI message stream, unless it begins as none does; these are passed from hand to hand.
  detect: (payload, isFramed) =>
    isWhole(payload) || (isFramed ? BEGINNINGS : PARTS).test(textOf(payload.type)),
  open: (out, saved) => new AiSdkReader(out, new SdkCalls(out, saved)),
}

const isWhole = ({ type, content, finishReason }: Fields): boolean =>
  type === undefined && Array.isArray(content) && finishReason !== undefined

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

  end(): void {
    this.calls.end()
  }

  /** The parts of a whole response have no ids of their own. */
  private readWhole(response: Fields): void {
    const { out } = this
    if (isOtherRole(response.role)) out.custom(textOf(response.role), response)
    else this.readContent(response.content)
    this.readAbout(fieldsOf(response.response))
    readFinish(response, out)
  }

  private readContent(content: unknown): void {
    const { out } = this
    for (const [place, part] of fieldsIn(content).entries()) {
      const options = { place, metadata: metadataOf(part) }
      if (part.type === 'text') out.text(textOf(part.text), options)
      else if (part.type === 'reasoning') out.reasoning(textOf(part.text), options)
      else this.read(part)
    }
  }

  read(part: Fields): void {
    const { out, calls } = this
    if (isWhole(part)) {
      this.readWhole(part)
      return
    }
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
        calls.startOnce(id || callId, part)
        return
      case 'tool-input-delta':
        calls.delta(id || callId, part.delta ?? part.text ?? part.inputTextDelta)
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
  const input = { ...fieldsOf(usage.inputTokens), ...fieldsOf(usage.inputTokenDetails) }
  const output = { ...fieldsOf(usage.outputTokens), ...fieldsOf(usage.outputTokenDetails) }
  out.usage({
    inputTokens: numberOf(usage.inputTokens) ?? numberOf(input.total),
    outputTokens: numberOf(usage.outputTokens) ?? numberOf(output.total),
    totalTokens: numberOf(usage.totalTokens),
    reasoningTokens:
      numberOf(usage.reasoningTokens) ?? numberOf(output.reasoning) ?? numberOf(output.reasoningTokens),
    cachedInputTokens:
      numberOf(usage.cachedInputTokens) ?? numberOf(input.cacheRead) ?? numberOf(input.cacheReadTokens),
    cacheWriteInputTokens: numberOf(input.cacheWrite) ?? numberOf(input.cacheWriteTokens),
  })
}

function errorText(error: unknown): unknown {
  return error instanceof Error ? error.message : error
}

function errorOf(part: Fields): Error {
  if (part.error instanceof Error) return part.error
  return errorIn(part, NAME) ?? new ProviderError(NAME, 'The stream reports an error.', undefined, part)
}
