/**
 * Writes Anthropic Messages: a block for each span and each call.
 *
 * The input of a tool is an object here: free text becomes its field `input`. A tool that Anthropic ran is written as it
 * came; one that another provider ran is a call of an MCP server, which is the form that has any name and any answer.
 *
 * Anthropic's client reads partial JSON, so a call that was cut off gets an input, too. Its tool runner runs a call
 * that has ended when the next block starts, or when the message stops for `tool_use`. The block of a call that may not
 * run therefore ends last, and such a message stops for another reason.
 */

import type { FinishReason, JsonValue, Metadata, SluiceEvent, ToolCall, Usage } from '../../base/event.ts'
import { isFields } from '../../base/fields.ts'
import { Rope } from '../../base/rope.ts'
import { type ReasonWords, reasonWord } from '../finish-reasons.ts'
import { ofProvider } from '../metadata.ts'
import { answerOf, fieldsOf, present, wordOf } from '../payload-fields.ts'
import { claudeReasoning, serverOf } from '../signatures.ts'
import {
  asNamedEvent,
  asRefusal,
  type Payload,
  type PayloadWriter,
  type WireFormat,
  type WriterOptions,
} from '../wire-format.ts'
import { inputValue, type JudgedCall, type WrittenCall } from '../written-calls.ts'
import type { WrittenResult } from '../written-results.ts'
import { isOfTool, WrittenTools } from '../written-tools.ts'

const NAME = 'anthropic'

/** Writes Anthropic Messages. */
export const anthropicWriter: WireFormat<'anthropic'> = {
  name: NAME,
  contentType: 'text/event-stream',
  frame: asNamedEvent,
  end: '',
  refuse: ({ message, code }) => asRefusal({ type: 'error', error: { type: code ?? 'api_error', message } }),
  open: (about) => new AnthropicWriter(about),
}

const REASONS: ReasonWords = {
  words: { 'tool-calls': 'tool_use', length: 'max_tokens', 'content-filter': 'refusal' },
  otherwise: 'end_turn',
  own: new Set(
    'end_turn max_tokens stop_sequence pause_turn refusal model_context_window_exceeded'.split(' '),
  ),
}

class AnthropicWriter implements PayloadWriter {
  private readonly about: Required<WriterOptions>
  private readonly tools: WrittenTools
  private blocks = 0
  /** The blocks of text and reasoning that are open, by the id of the span. */
  private readonly spans = new Map<string, number>()
  /** The calls that a provider ran, by their ids: whether Anthropic did. */
  private readonly hosted = new Map<string, boolean>()
  private readonly signatures = new Map<string, string>()
  /** The input of calls that are written when they are whole. */
  private readonly inputs = new Map<string, Rope>()
  /** Calls whose free text has begun. */
  private readonly wrapped = new Set<string>()
  /** The blocks of calls that may not run. */
  private readonly refused: number[] = []
  private wasCutOff = false
  /** A call was written that the client is to run. */
  private hasCalls = false
  private hasFailed = false

  constructor(about: Required<WriterOptions>) {
    this.about = about
    this.tools = new WrittenTools(about, {
      // A call that waits for an approval is run by another provider, which Anthropic has no block for.
      begin: ({ metadata }) => (isRequest(metadata) ? undefined : []),
      input: (call, json) => this.input(call, json),
      judge: (judged, event) => this.judge(judged, event),
      result: (result) => this.answer(result),
    })
  }

  opening(): Payload[] {
    const { id, model } = this.about
    const usage = { input_tokens: 0, output_tokens: 0 }
    const message = {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    }
    return [{ type: 'message_start', message }]
  }

  write(event: SluiceEvent): readonly Payload[] {
    switch (event.type) {
      case 'text-start':
        return [this.open(event.id, { type: 'text', text: '' })]
      case 'text-delta':
        return [this.delta(this.spans.get(event.id), { type: 'text_delta', text: event.delta })]
      case 'text-end':
        return [this.close(event.id)]
      case 'reasoning-start':
        return this.openReasoning(event.id, event.metadata)
      case 'reasoning-delta':
        return [this.delta(this.spans.get(event.id), { type: 'thinking_delta', thinking: event.delta })]
      case 'reasoning-end':
        return [...this.sign(event.id, event.metadata), this.close(event.id)]
      case 'custom':
        return this.writeCustom(event.kind, event.value)
      case 'error':
        return this.fail(event.error.message, event.error.code)
      case 'finish':
        return this.finish(event)
      default:
        return isOfTool(event) ? this.tools.write(event) : []
    }
  }

  // ── blocks ─────────────────────────────────────────────────────────────────────────────────────

  private block(index: number, content_block: Payload): Payload {
    return { type: 'content_block_start', index, content_block }
  }

  private delta(index: number | undefined, delta: Payload): Payload {
    return { type: 'content_block_delta', index: index ?? 0, delta }
  }

  private open(id: string, content_block: Payload): Payload {
    const index = this.blocks++
    this.spans.set(id, index)
    return this.block(index, content_block)
  }

  private close(id: string): Payload {
    const index = this.spans.get(id)
    this.spans.delete(id)
    return { type: 'content_block_stop', index: index ?? 0 }
  }

  private openReasoning(id: string, metadata: Metadata | undefined): Payload[] {
    const { redactedData } = claudeReasoning(metadata)
    if (redactedData !== undefined) return [this.open(id, { type: 'redacted_thinking', data: redactedData })]
    return [this.open(id, { type: 'thinking', thinking: '', signature: '' }), ...this.sign(id, metadata)]
  }

  private sign(id: string, metadata: Metadata | undefined): Payload[] {
    const { signature } = claudeReasoning(metadata)
    if (signature === undefined || this.signatures.get(id) === signature) return []
    this.signatures.set(id, signature)
    return [this.delta(this.spans.get(id), { type: 'signature_delta', signature })]
  }

  private writeCustom(kind: string, value: unknown): Payload[] {
    if (kind === 'citation') {
      const index = [...this.spans.values()].at(-1)
      // Those of others lack what the API wants back with a citation, and clients refuse them.
      const isOwn = String(fieldsOf(value).type).endsWith('_location')
      return index === undefined || !isOwn
        ? []
        : [this.delta(index, { type: 'citations_delta', citation: value })]
    }
    if (!BLOCKS.has(kind) || fieldsOf(value).type !== kind) return []
    const index = this.blocks++
    const { content, ...block } = fieldsOf(value)
    const isText = kind === 'compaction' && typeof content === 'string'
    return [
      this.block(index, isText ? { ...block, content: '' } : fieldsOf(value)),
      ...(isText ? [this.delta(index, { type: 'compaction_delta', content })] : []),
      { type: 'content_block_stop', index },
    ]
  }

  // ── calls ──────────────────────────────────────────────────────────────────────────────────────

  /** A call gets its block with the first piece of its input: one that is bad from its start has none. */
  private announce(call: WrittenCall, input: JsonValue = {}): Payload[] {
    if (call.index !== undefined) return []
    const { id, toolName: name, providerExecuted } = call
    call.index = this.blocks++
    const { type: own, caller } = ofProvider(call.metadata, NAME)
    if (providerExecuted) this.hosted.set(id, own !== undefined)
    const type = typeOf(call)
    const server = type === MCP ? { server_name: serverOf(call.metadata) } : {}
    return [this.block(call.index, { type, id, name, input, ...server, ...present({ caller }) })]
  }

  private input(call: WrittenCall, json: string): Payload[] {
    // Clients take the input of these from the start of the block.
    if (typeOf(call) === MCP) {
      const input = this.inputs.get(call.id) ?? new Rope()
      input.add(json)
      this.inputs.set(call.id, input)
      return []
    }
    // An object is asked for, and there is only a string.
    const partial_json =
      call.isText && json.startsWith('"') && !this.wrapped.has(call.id) ? `{"input":${json}` : json
    if (call.isText) this.wrapped.add(call.id)
    return [...this.announce(call), this.delta(call.index, { type: 'input_json_delta', partial_json })]
  }

  private judge({ call, rest, isGood }: JudgedCall, event: ToolCall): Payload[] {
    if (!isGood && !call.providerExecuted) {
      if (call.index === undefined) return []
      this.refused.push(call.index)
      this.wasCutOff ||= event.status === 'truncated'
      return []
    }
    this.hasCalls ||= !call.providerExecuted
    const payloads = rest === '' ? [] : this.input(call, rest)
    const json = this.inputs.get(call.id)?.toString() ?? ''
    this.inputs.delete(call.id)
    const isBlock = typeOf(call) === MCP
    const input = isBlock && isGood ? inputValue(event, json) : {}
    payloads.push(...this.announce(call, isFields(input) ? input : { input }))
    if (call.isText && isGood && !isBlock)
      payloads.push(this.delta(call.index, { type: 'input_json_delta', partial_json: '}' }))
    return [...payloads, { type: 'content_block_stop', index: call.index }]
  }

  private answer(result: WrittenResult): Payload[] {
    const { id: tool_use_id, isError } = result
    const { type: own, caller } = ofProvider(result.metadata, NAME)
    // The answer to a call of the application has no place in an answer of the model.
    if (own === undefined && !this.hosted.has(tool_use_id)) return []
    const index = this.blocks++
    const type = wordOf(own) ?? 'mcp_tool_result'
    const content = answerOf(result.content)
    const block =
      type === 'mcp_tool_result'
        ? { type, tool_use_id, is_error: isError, content: textBlocks(content, result.content) }
        : { type, tool_use_id, content, ...present({ caller }) }
    return [this.block(index, block), { type: 'content_block_stop', index }]
  }

  // ── the end ────────────────────────────────────────────────────────────────────────────────────

  private fail(message: string, code = 'api_error'): Payload[] {
    this.hasFailed = true
    return [{ type: 'error', error: { type: code, message } }]
  }

  private finish({ reason, rawReason, usage = {}, metadata }: SluiceEvent & { type: 'finish' }): Payload[] {
    if (this.hasFailed) return []
    if (reason === 'error' || reason === 'aborted') return this.fail('The response broke off.')
    const { stopSequence, stopDetails, container, contextManagement } = ofProvider(metadata, NAME)
    const more = present({ stop_details: stopDetails, container })
    const stop_sequence = stopSequence ?? null
    const stop_reason = this.stopReason(reason, rawReason)
    return [
      ...this.refused.map((index) => ({ type: 'content_block_stop', index })),
      {
        type: 'message_delta',
        delta: { stop_reason, stop_sequence, ...more },
        ...present({ context_management: contextManagement }),
        usage: usageOf(usage),
      },
      { type: 'message_stop' },
    ]
  }

  private stopReason(reason: FinishReason, rawReason: string | undefined): string {
    const mayCall = reason === 'tool-calls' && this.hasCalls && this.refused.length === 0
    if (mayCall) return 'tool_use'
    const word = reason === 'tool-calls' ? 'end_turn' : reasonWord(REASONS, reason, rawReason)
    // Anthropic's client reads arguments that were cut off as whole ones: only the reason says that they are not.
    return word === 'end_turn' && this.wasCutOff ? 'max_tokens' : word
  }
}

/** The block of a tool that another provider ran: it has any name, any server and any answer. */
const MCP = 'mcp_tool_use'

function typeOf({ providerExecuted, metadata }: WrittenCall): string {
  return providerExecuted ? (wordOf(ofProvider(metadata, NAME).type) ?? MCP) : 'tool_use'
}

/** Blocks that were passed on as they came. */
const BLOCKS = new Set(['compaction', 'container_upload'])

const isRequest = (metadata: Metadata | undefined): boolean =>
  ofProvider(metadata, 'openai-responses').type === 'mcp_approval_request'

/** What an MCP server answers: blocks of text. Text alone would be allowed, but not every client takes it. */
function textBlocks(content: unknown, text: string): readonly unknown[] {
  const isBlocks = Array.isArray(content) && content.every((block) => fieldsOf(block).type === 'text')
  return isBlocks ? content : [{ type: 'text', text }]
}

/** Tokens from the cache, and those that are written to it, are counted apart. */
function usageOf(usage: Usage): Payload {
  const { inputTokens, outputTokens = 0, reasoningTokens, cachedInputTokens, cacheWriteInputTokens } = usage
  return {
    ...(inputTokens !== undefined && {
      input_tokens: Math.max(0, inputTokens - (cachedInputTokens ?? 0) - (cacheWriteInputTokens ?? 0)),
    }),
    ...(cachedInputTokens !== undefined && { cache_read_input_tokens: cachedInputTokens }),
    ...(cacheWriteInputTokens !== undefined && { cache_creation_input_tokens: cacheWriteInputTokens }),
    output_tokens: outputTokens,
    ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  }
}
