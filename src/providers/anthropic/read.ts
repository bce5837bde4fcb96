/**
 * Anthropic's Messages: blocks that are opened, filled and closed by their index.
 *
 *     {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"ls","input":{}}}
 *     {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"pa"}}
 *     {"type":"content_block_stop","index":1}
 *
 * A response that was not streamed is one message with all its blocks.
 */

import type { Metadata } from '../../event.ts'
import { type Fields, isFields } from '../../fields.ts'
import { isNumber, isRecord, isString, mapOf, resumedState, type Shape } from '../../plain-state.ts'
import { type ReasonTable, reportReason } from '../finish-reasons.ts'
import { under } from '../metadata.ts'
import type { Output } from '../output.ts'
import { contentOf, fieldsOf, listOf, numberOf, textOf, wordOf } from '../payload-fields.ts'
import type { PayloadReader, Provider } from '../provider.ts'
import { reportErrorIn } from '../provider-error.ts'

const NAME = 'anthropic'

export const anthropic: Provider<typeof NAME> = {
  name: NAME,
  framing: 'sse',
  detect: ({ type, content }) =>
    (typeof type === 'string' && /^(message_(start|delta|stop)|content_block_\w+)$/.test(type)) ||
    (type === 'message' && Array.isArray(content)),
  open: (out, saved) => new AnthropicReader(out, resumedState(saved, shape, begin)),
}

const REASONS: ReasonTable = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content-filter',
}

interface AnthropicState {
  /** The types of the blocks that are open. */
  readonly blocks: Map<number, string>
  /** Input that came with the start of a call. It counts if nothing of it comes in pieces. */
  readonly inputs: Map<number, Fields>
}

const begin = (): AnthropicState => ({ blocks: new Map(), inputs: new Map() })
const shape = (): Shape<AnthropicState> => ({
  blocks: mapOf(isNumber, isString),
  inputs: mapOf(isNumber, isRecord),
})

class AnthropicReader implements PayloadReader {
  readonly state: AnthropicState
  private readonly out: Output

  constructor(out: Output, state: AnthropicState) {
    this.out = out
    this.state = state
  }

  read(payload: Fields): void {
    const { out } = this
    const index = numberOf(payload.index) ?? 0
    switch (payload.type) {
      case 'message_start':
        // No block is read here: Anthropic's client fills them into this very object while the stream goes on.
        this.readAbout(fieldsOf(payload.message))
        return
      case 'message':
        this.readMessage(payload)
        return
      case 'content_block_start':
        this.openBlock(index, fieldsOf(payload.content_block))
        return
      case 'content_block_delta':
        this.readDelta(index, fieldsOf(payload.delta))
        return
      case 'content_block_stop':
        this.closeBlock(index)
        return
      case 'message_delta':
        this.readEnd(fieldsOf(payload.delta))
        readUsage(fieldsOf(payload.usage), out)
        return
      case 'message_stop':
        out.over()
        return
      case 'ping':
        return
    }
    if (!reportErrorIn(payload, NAME, out)) out.unknown(textOf(payload.type) || 'payload', payload)
  }

  private readAbout(message: Fields): void {
    this.out.metadata(under(NAME, { id: wordOf(message.id), model: wordOf(message.model) }))
    readUsage(fieldsOf(message.usage), this.out)
  }

  private readMessage(message: Fields): void {
    this.readAbout(message)
    for (const [index, block] of listOf(message.content).entries()) {
      this.openBlock(index, fieldsOf(block))
      this.closeBlock(index)
    }
    this.readEnd(message)
  }

  private readEnd({ stop_reason, stop_sequence }: Fields): void {
    reportReason(stop_reason, REASONS, this.out)
    if (typeof stop_sequence === 'string') this.out.metadata({ [NAME]: { stopSequence: stop_sequence } })
  }

  private openBlock(index: number, block: Fields): void {
    const { out, state } = this
    const type = textOf(block.type)
    state.blocks.set(index, type)
    if (type === 'text') {
      out.text(textOf(block.text), { place: index })
      for (const citation of listOf(block.citations)) out.custom('citation', citation)
    } else if (type === 'thinking') {
      out.reasoning(textOf(block.thinking), { place: index, metadata: signed(block.signature) })
    } else if (type === 'redacted_thinking') {
      const metadata = { [NAME]: { redactedData: textOf(block.data) } }
      out.reasoning('', { place: index, metadata })
    } else if (isCall(type)) {
      out.call({
        index,
        id: wordOf(block.id),
        name: wordOf(block.name),
        providerExecuted: type !== 'tool_use',
        metadata: under(NAME, { serverName: block.server_name }),
      })
      if (isFields(block.input)) state.inputs.set(index, block.input)
    } else if (type.endsWith('_tool_result')) {
      out.result({
        id: textOf(block.tool_use_id),
        content: contentOf(block.content),
        isError: block.is_error === true || textOf(fieldsOf(block.content).type).endsWith('_error'),
        metadata: { [NAME]: { type } },
      })
    } else out.custom(type || 'content_block', block)
  }

  private readDelta(index: number, delta: Fields): void {
    const { out } = this
    switch (delta.type) {
      case 'text_delta':
        out.text(textOf(delta.text), { place: index })
        return
      case 'thinking_delta':
        out.reasoning(textOf(delta.thinking), { place: index })
        return
      case 'signature_delta':
        out.reasoning('', { place: index, metadata: signed(delta.signature) })
        return
      case 'input_json_delta':
        if (delta.partial_json !== '') this.state.inputs.delete(index)
        out.call({ index, arguments: textOf(delta.partial_json) })
        return
      case 'citations_delta':
        out.custom('citation', delta.citation)
        return
      default:
        out.custom(textOf(delta.type) || 'delta', delta)
        return
    }
  }

  private closeBlock(index: number): void {
    const { state } = this
    const type = state.blocks.get(index) ?? ''
    state.blocks.delete(index)
    if (type === 'text') this.out.endText()
    else if (type.endsWith('thinking')) this.out.endReasoning()
    else if (isCall(type)) {
      this.out.call({ index, arguments: state.inputs.get(index) })
      this.out.endCall(index, 'unsure')
    }
    state.inputs.delete(index)
  }
}

const isCall = (type: string): boolean => type.endsWith('tool_use')

const signed = (signature: unknown): Metadata | undefined => under(NAME, { signature: wordOf(signature) })

/** The figures at the end are totals. Tokens from the cache are input, too. */
function readUsage(usage: Fields, out: Output): void {
  const input = numberOf(usage.input_tokens)
  const cached = numberOf(usage.cache_read_input_tokens)
  const written = numberOf(usage.cache_creation_input_tokens)
  out.usage({
    inputTokens: input === undefined ? undefined : input + (cached ?? 0) + (written ?? 0),
    outputTokens: numberOf(usage.output_tokens),
    cachedInputTokens: cached,
  })
}
