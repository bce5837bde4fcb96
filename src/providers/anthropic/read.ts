/**
 * Anthropic's Messages: blocks that are opened, filled and closed by their index.
 *
 *     {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"ls","input":{}}}
 *     {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"pa"}}
 *     {"type":"content_block_stop","index":1}
 *
 * A response that was not streamed is one message with all its blocks.
 */

import { flag, list, map, record, resumed, type StateOf } from '../../base/declared-state.ts'
import type { Metadata } from '../../base/event.ts'
import type { Fields } from '../../base/fields.ts'
import { isAnything, isNumber, isRecord, isString } from '../../base/plain-state.ts'
import { CLAUDE_REASONS, isOwnStop, reportReason } from '../finish-reasons.ts'
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
  sumOf,
  textOf,
  wordOf,
} from '../payload-fields.ts'
import type { PayloadReader, Provider } from '../provider.ts'
import { reportErrorIn } from '../provider-error.ts'

const NAME = 'anthropic'

/**
 * Reads Anthropic Messages.
 *
 *     readProvider(fetch(url, init), { provider: anthropic })
 */
export const anthropic: Provider<typeof NAME> = {
  name: NAME,
  framing: 'sse',
  detect: ({ type, content }) =>
    (typeof type === 'string' && /^(message_(start|delta|stop)|content_block_\w+)$/.test(type)) ||
    (type === 'message' && Array.isArray(content)),
  open: (out, saved) => new AnthropicReader(out, resumed(STATE, saved)),
}

const STATE = {
  /** The types of the blocks that are open. */
  blocks: map(isNumber, isString),
  /** Input that came with the start of a call. It counts if nothing of it comes in pieces. */
  inputs: map(isNumber, isAnything),
  /** Blocks that are passed on as they are, once they are whole. */
  others: map<number, Fields>(isNumber, isRecord),
  /** The blocks that the message had when it began, until the next payload shows whether they are sent apart. */
  first: list<Fields>(isRecord),
  /** The figures so far: those at the end need not repeat what the start said. */
  usage: record,
  /** The message that is being sent is not the model's. */
  isOfOther: flag,
}
type AnthropicState = StateOf<typeof STATE>

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
    if (this.state.first.length > 0 && payload.type !== 'ping') this.readFirst(payload)
    if (this.state.isOfOther && textOf(payload.type).startsWith('content_block_')) {
      out.custom(textOf(payload.type), payload)
      return
    }
    switch (payload.type) {
      case 'message_start':
        this.readStart(fieldsOf(payload.message))
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
        this.readContext(payload)
        this.readUsage(fieldsOf(payload.usage))
        return
      case 'message_stop':
        out.over()
        return
      case 'ping':
        return
    }
    if (reportErrorIn(payload, NAME, out)) return
    out.unknown(textOf(payload.type) || 'payload', payload)
    if ('index' in payload) this.missPiece(index)
  }

  /** Something came for a block that is not known. If the block is a call, it may have been a piece of the input. */
  private missPiece(index: number): void {
    if (isCall(this.state.blocks.get(index) ?? '')) this.out.call({ index, isUnread: true })
  }

  private readAbout(message: Fields): void {
    const { id, model, container } = message
    this.state.usage = {}
    this.out.metadata(under(NAME, { id: wordOf(id), model: wordOf(model), container }))
    this.readUsage(fieldsOf(message.usage))
  }

  /** A message that goes on after a program called a tool begins with that call. */
  private readStart(message: Fields): void {
    this.readAbout(message)
    this.state.isOfOther = isOtherRole(message.role)
    if (this.state.isOfOther) this.out.custom(textOf(message.role), message)
    else this.state.first = [...fieldsIn(message.content)]
  }

  /**
   * Anthropic's client fills the blocks of the stream into the object that began the message: those that the stream
   * begins by itself are not read from there.
   */
  private readFirst({ type, index }: Fields): void {
    const { first } = this.state
    this.state.first = []
    const isSentApart = type === 'content_block_start'
    this.readBlocks(isSentApart ? first.slice(0, numberOf(index) ?? 0) : first)
  }

  private readMessage(message: Fields): void {
    this.readAbout(message)
    if (isOtherRole(message.role)) this.out.custom(textOf(message.role), message)
    else this.readContent(message)
    this.readContext(message)
    this.readEnd(message)
  }

  private readContent(message: Fields): void {
    const { out } = this
    // Where a stream ends with the whole message, only what did not come in it is new.
    const channels = {
      text: out.has('text'),
      thinking: out.has('reasoning'),
      tool: out.has('call'),
    }
    const blocks = fieldsIn(message.content).filter(({ type }) => {
      const block = textOf(type)
      if (block.includes('tool')) return !channels.tool
      return !(block === 'text' ? channels.text : block.endsWith('thinking') && channels.thinking)
    })
    // Half an input is an object, too, and would look whole.
    if (channels.tool && isOwnStop(message.stop_reason))
      for (const { type, id, name, input } of fieldsIn(message.content))
        if (isCall(textOf(type))) out.confirmCall(textOf(id), wordOf(name), input)
    this.readBlocks(blocks)
  }

  private readBlocks(blocks: readonly Fields[]): void {
    for (const [index, block] of blocks.entries()) {
      this.openBlock(index, block)
      this.closeBlock(index)
    }
  }

  private readEnd({ stop_reason, stop_sequence, stop_details, container }: Fields): void {
    reportReason(stop_reason, CLAUDE_REASONS, this.out)
    this.out.metadata(
      under(NAME, {
        stopSequence: typeof stop_sequence === 'string' ? stop_sequence : undefined,
        stopDetails: stop_details,
        container,
      }),
    )
  }

  private readContext({ context_management }: Fields): void {
    this.out.metadata(under(NAME, { contextManagement: context_management }))
  }

  /**
   * The figures at the end are totals. Tokens from the cache are input, too. Where the model was asked several times, such
   * as for a summary of the conversation, the totals are those of the last one, and what was used is the sum.
   */
  private readUsage(given: Fields): void {
    const { out, state } = this
    const usage = { ...state.usage, ...present(given) }
    state.usage = usage
    const all = fieldsIn(usage.iterations)
    const figure = (field: string): number | undefined =>
      sumOf(...all.map((one) => numberOf(one[field]))) ?? numberOf(usage[field])
    const input = figure('input_tokens')
    const cached = figure('cache_read_input_tokens')
    const written = figure('cache_creation_input_tokens')
    out.usage({
      inputTokens: input === undefined ? undefined : input + (cached ?? 0) + (written ?? 0),
      outputTokens: figure('output_tokens'),
      reasoningTokens: numberOf(fieldsOf(usage.output_tokens_details).thinking_tokens),
      cachedInputTokens: cached,
      cacheWriteInputTokens: written,
    })
    if (all.length > 0) out.metadata({ [NAME]: { iterations: all } })
  }

  /** What was not whole when the stream ended. */
  end(): void {
    if (this.state.first.length > 0) this.readFirst({})
    const { others, inputs } = this.state
    for (const index of [...others.keys(), ...inputs.keys()]) this.closeBlock(index)
  }

  private openBlock(index: number, block: Fields): void {
    const { out, state } = this
    const type = textOf(block.type)
    state.blocks.set(index, type)
    if (type === 'text') {
      out.text(textOf(block.text), { place: index })
      for (const citation of fieldsIn(block.citations)) out.custom('citation', citation)
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
        metadata: under(NAME, {
          type: type === 'tool_use' ? undefined : type,
          serverName: block.server_name,
          caller: block.caller,
        }),
      })
      if (block.input === undefined) {
        if (holdsOthers(block, CALL_FIELDS)) this.missPiece(index)
      } else if (contentOf(block.input) !== '{}') state.inputs.set(index, block.input)
    } else if (type.endsWith('_tool_result')) {
      out.result({
        id: textOf(block.tool_use_id),
        content: type === 'mcp_tool_result' ? answerOf(block.content) : contentOf(block.content),
        isError: block.is_error === true || textOf(fieldsOf(block.content).type).endsWith('_error'),
        metadata: under(NAME, { type, caller: block.caller }),
      })
    } else state.others.set(index, block)
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
        out.call({ index, arguments: delta.partial_json, isUnread: delta.partial_json === undefined })
        return
      case 'citations_delta':
        out.custom('citation', delta.citation)
        return
      default:
        this.readOther(index, delta)
        return
    }
  }

  /** A piece of a block that is passed on as it is: its text goes on. */
  private readOther(index: number, delta: Fields): void {
    const { others } = this.state
    const block = others.get(index)
    if (block === undefined) {
      this.out.custom(textOf(delta.type) || 'delta', delta)
      this.missPiece(index)
      return
    }
    const grown = Object.entries(delta).map(([field, value]) =>
      typeof value === 'string' ? [field, textOf(block[field]) + value] : [field, value],
    )
    others.set(index, { ...block, ...Object.fromEntries(grown), type: block.type })
  }

  private closeBlock(index: number): void {
    const { state } = this
    const type = state.blocks.get(index) ?? ''
    state.blocks.delete(index)
    const other = state.others.get(index)
    state.others.delete(index)
    if (other !== undefined) this.out.custom(type || 'content_block', other)
    if (type === 'text') this.out.endText()
    else if (type.endsWith('thinking')) this.out.endReasoning()
    else if (isCall(type)) {
      this.out.call({ index, arguments: state.inputs.get(index) })
      this.out.endCall(index, 'unsure')
    }
    state.inputs.delete(index)
  }
}

/** What an MCP server answered is one block of text, most of the time. */
function answerOf(content: unknown): string {
  const [block, ...others] = fieldsIn(content)
  return block?.type === 'text' && others.length === 0 ? textOf(block.text) : contentOf(content)
}

const isCall = (type: string): boolean => type.endsWith('tool_use')
const CALL_FIELDS = new Set(['type', 'id', 'name', 'input', 'caller', 'server_name', 'cache_control'])

const signed = (signature: unknown): Metadata | undefined => under(NAME, { signature: wordOf(signature) })
