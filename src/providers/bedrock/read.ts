/**
 * Bedrock's ConverseStream: blocks by their index, in frames whose type is the payload's only key.
 *
 *     {"contentBlockStart":{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"t1","name":"ls"}}}}
 *     {"contentBlockDelta":{"contentBlockIndex":1,"delta":{"toolUse":{"input":"{\"pa"}}}}
 *     {"messageStop":{"stopReason":"tool_use"}}
 *
 * Blocks of text and reasoning have no start. A response that was not streamed (Converse) is one message with all its
 * blocks.
 */

import { flag, map, resumed, type StateOf, set, stateCheck, text } from '../../base/declared-state.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { isAnything, isNumber } from '../../base/plain-state.ts'
import { CLAUDE_REASONS, type ReasonTable, reportReason } from '../finish-reasons.ts'
import { awsFraming } from '../framing/aws-framing.ts'
import { under } from '../metadata.ts'
import type { Output } from '../output.ts'
import {
  contentOf,
  fieldsIn,
  fieldsOf,
  holdsOthers,
  isOtherRole,
  numberOf,
  present,
  textOf,
  wordOf,
} from '../payload-fields.ts'
import type { PayloadReader, Provider } from '../provider.ts'
import { ProviderError } from '../provider-error.ts'

const NAME = 'bedrock'

/** Reads Amazon Bedrock's Converse stream. */
export const bedrock: Provider<typeof NAME> = {
  name: NAME,
  framing: awsFraming,
  detect: (payload) =>
    ['messageStart', 'contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop'].some(
      (key) => isFields(payload[key]),
    ) || isWhole(payload),
  open: (out, saved) => new BedrockReader(out, resumed(STATE, saved)),
}

const isWhole = ({ output, stopReason }: Fields): boolean =>
  typeof stopReason === 'string' && isFields(fieldsOf(output).message)

const REASONS: ReasonTable = {
  ...CLAUDE_REASONS,
  content_filtered: 'content-filter',
  guardrail_intervened: 'content-filter',
  malformed_model_output: 'error',
  malformed_tool_use: 'error',
}

const RESULT = { id: text, content: text, isError: flag }

const STATE = {
  calls: set(isNumber),
  /** Inputs that came with the start of their calls, as values: pieces may follow, and should be the same. */
  inputs: map(isNumber, isAnything),
  results: map(isNumber, stateCheck(RESULT)),
  /** The message that is being sent is not the model's. */
  isOfOther: flag,
}
type BedrockState = StateOf<typeof STATE>

class BedrockReader implements PayloadReader {
  readonly state: BedrockState
  private readonly out: Output

  constructor(out: Output, state: BedrockState) {
    this.out = out
    this.state = state
  }

  read(payload: Fields): void {
    const { out } = this
    if (isWhole(payload)) {
      this.readWhole(payload)
      return
    }
    for (const [type, value] of Object.entries(payload)) {
      const body = fieldsOf(value)
      const index = numberOf(body.contentBlockIndex) ?? 0
      if (type === 'messageStart') this.readStart(body)
      else if (this.state.isOfOther && type.startsWith('contentBlock')) out.custom(type, value)
      else if (type === 'contentBlockStart') this.start(index, fieldsOf(body.start))
      else if (type === 'contentBlockDelta' && isFields(body.delta)) this.delta(index, body.delta)
      else if (type === 'contentBlockDelta') this.missPiece(index)
      else if (type === 'contentBlockStop') this.stop(index)
      else if (type === 'messageStop') this.readEnd(body)
      else if (type === 'metadata') this.readMetadata(body)
      else if (/(Exception|[eE]rror)$/.test(type)) {
        const message = wordOf(body.message) ?? wordOf(body.originalMessage) ?? wordOf(value) ?? type
        out.error(new ProviderError(NAME, message, type, payload))
      } else if (type !== '$unknown' && type !== 'type') {
        out.unknown(type, value)
        if ('contentBlockIndex' in body) this.missPiece(index)
      }
    }
  }

  /** Something came for a block that is not known. If the block is a call, it may have been a piece of the input. */
  private missPiece(index: number): void {
    if (this.state.calls.has(index)) this.out.call({ index, isUnread: true })
  }

  private readStart(start: Fields): void {
    this.state.isOfOther = isOtherRole(start.role)
    if (this.state.isOfOther) this.out.custom(textOf(start.role), start)
  }

  private readEnd({ stopReason, additionalModelResponseFields: fields }: Fields): void {
    reportReason(stopReason, REASONS, this.out)
    if (isFields(fields)) this.out.custom('additionalModelResponseFields', fields)
  }

  private readWhole(response: Fields): void {
    const message = fieldsOf(fieldsOf(response.output).message)
    if (isOtherRole(message.role)) this.out.custom(textOf(message.role), message)
    else
      for (const [index, block] of fieldsIn(message.content).entries()) {
        this.readBlock(index, block)
        this.stop(index)
      }
    this.readEnd(response)
    this.readMetadata(response)
  }

  /** A whole block, as its start and its only piece. */
  private readBlock(
    index: number,
    { toolUse, toolResult, reasoningContent, citationsContent, ...rest }: Fields,
  ): void {
    const { out } = this
    this.start(index, present({ toolUse, toolResult }) ?? {})
    if (isFields(toolUse) && toolUse.input === undefined) this.missPiece(index)
    if (isFields(toolResult)) this.delta(index, { toolResult: toolResult.content })
    const { reasoningText, redactedContent } = fieldsOf(reasoningContent)
    if (isFields(reasoningContent)) this.reasoning(index, { ...fieldsOf(reasoningText), redactedContent })
    const { content, citations } = fieldsOf(citationsContent)
    for (const part of fieldsIn(content)) this.delta(index, part)
    for (const citation of fieldsIn(citations)) out.custom('citation', citation)
    this.delta(index, rest)
  }

  private start(index: number, { toolUse, toolResult, ...others }: Fields): void {
    const { out, state } = this
    if (isFields(toolUse)) {
      const { toolUseId, name, input, type } = toolUse
      state.calls.add(index)
      out.call({
        index,
        id: wordOf(toolUseId),
        name: wordOf(name),
        arguments: typeof input === 'string' ? input : undefined,
        isUnread: (input ?? undefined) === undefined && holdsOthers(toolUse, CALL),
        providerExecuted: type === 'server_tool_use',
      })
      if (input !== undefined && typeof input !== 'string') state.inputs.set(index, input)
    } else if (isFields(toolResult))
      state.results.set(index, {
        id: textOf(toolResult.toolUseId),
        content: '',
        isError: toolResult.status === 'error',
      })
    for (const [kind, value] of Object.entries(others)) out.custom(kind, value)
  }

  private delta(index: number, { text, toolUse, toolResult, reasoningContent, ...others }: Fields): void {
    const { out } = this
    if (typeof text === 'string') out.text(text, { place: index })
    if (isFields(toolUse))
      out.call({ index, arguments: toolUse.input, isUnread: toolUse.input === undefined })
    if (isFields(reasoningContent)) this.reasoning(index, reasoningContent)
    const result = this.state.results.get(index)
    for (const part of fieldsIn(toolResult))
      if (result !== undefined) result.content += textOf(part.text) || contentOf(part.json)
    for (const [kind, value] of Object.entries(others)) {
      out.custom(kind, value)
      this.missPiece(index)
    }
  }

  private reasoning(index: number, { text, signature, redactedContent }: Fields): void {
    this.out.reasoning(textOf(text), {
      place: index,
      metadata: under(NAME, { signature: wordOf(signature), redactedContent }),
    })
  }

  private stop(index: number): void {
    const { out, state } = this
    const result = state.results.get(index)
    if (state.calls.delete(index)) {
      this.readInput(index)
      out.endCall(index, 'unsure')
    } else if (result !== undefined) out.result(result)
    else {
      out.endText()
      out.endReasoning()
    }
    state.results.delete(index)
  }

  private readInput(index: number): void {
    const { out, state } = this
    out.call({ index, arguments: state.inputs.get(index) })
    state.inputs.delete(index)
  }

  /** Calls that did not end by themselves. */
  end(): void {
    for (const index of [...this.state.inputs.keys()]) this.readInput(index)
  }

  private readMetadata({ usage: given, trace, metrics }: Fields): void {
    const usage = fieldsOf(given)
    const input = numberOf(usage.inputTokens)
    const cached = numberOf(usage.cacheReadInputTokens)
    const written = numberOf(usage.cacheWriteInputTokens)
    this.out.usage({
      inputTokens: input === undefined ? undefined : input + (cached ?? 0) + (written ?? 0),
      outputTokens: numberOf(usage.outputTokens),
      cachedInputTokens: cached,
      cacheWriteInputTokens: written,
    })
    if (isFields(trace)) this.out.custom('trace', trace)
    if (isFields(metrics)) this.out.metadata({ [NAME]: { metrics } })
  }
}

const CALL = new Set(['toolUseId', 'name', 'input', 'type'])
