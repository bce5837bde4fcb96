/**
 * LangChain's messages: the chunks that a model streams, as objects or in their serialized forms, and the pairs of a
 * message and its origin that LangGraph streams as `messages`.
 *
 *     {"type":"AIMessageChunk","id":"run-1","content":"Hi","tool_call_chunks":[],"additional_kwargs":{},"response_metadata":{}}
 *     {"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessageChunk"],"kwargs":{"tool_call_chunks":[{"index":0,"id":"c1","name":"ls","args":"{\"pa"}]}}
 *     [{"type":"tool","content":"a.ts","tool_call_id":"c1"}, {"langgraph_node":"tools"}]
 *
 * A chunk has its calls twice: in pieces of JSON, and as values that LangChain made of unfinished JSON, which are never
 * read. A whole message can be an unfinished one, too: its calls count when it says why it stopped, or when another
 * message follows. A graph runs the calls of its models itself.
 */

import {
  count,
  flag,
  map,
  optional,
  record,
  resumed,
  type StateOf,
  stateCheck,
  text,
} from '../../base/declared-state.ts'
import type { Metadata } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { isNumber, isString } from '../../base/plain-state.ts'
import { sliceFromPair } from '../../base/surrogates.ts'
import { CALL_INDICES, callIndex } from '../call-indices.ts'
import { isOwnStop, reportAnyReason } from '../finish-reasons.ts'
import { under } from '../metadata.ts'
import type { Output } from '../output.ts'
import {
  contentOf,
  fieldsIn,
  fieldsOf,
  holdsOthers,
  listOf,
  numberOf,
  resultText,
  textOf,
  wholeArguments,
  wordOf,
} from '../payload-fields.ts'
import type { PayloadReader, Provider } from '../provider.ts'
import { reportErrorIn } from '../provider-error.ts'

const NAME = 'langchain'

/** Reads the messages and message chunks of LangChain. */
export const langchain: Provider<typeof NAME> = {
  name: NAME,
  detect: (payload) =>
    messageIn(payload) !== undefined || (payload.type === 'metadata' && typeof payload.run_id === 'string'),
  open: (out, saved) => new LangChainReader(out, resumed(STATE, saved)),
}

/** Where integrations say why the model stopped. */
const REASON_FIELDS = ['finish_reason', 'stop_reason', 'finishReason', 'stopReason', 'done_reason']

const MESSAGE = { kind: text, isChunk: flag, fields: record }
type Message = Readonly<StateOf<typeof MESSAGE>>

const STATE = {
  /** The calls, by their message and their index in it. */
  ...CALL_INDICES,
  /** The messages are those of a graph. */
  isGraph: flag,
  hasBegun: flag,
  /** The first message, if it holds calls: what stands behind it tells whether a graph runs them. */
  first: optional<Message>(stateCheck(MESSAGE)),
  /** The last whole message that did not say why it stopped. */
  unfinished: optional<Message>(stateCheck(MESSAGE)),
  /** The message that came in chunks last: it is not read again when it comes whole. */
  chunkId: text,
  /** How much of the text of the last whole message was read: it may come again, and longer. */
  wholeId: text,
  wholeLength: count,
  /** Figures of chunks and of messages are added. */
  figures: map(isString, isNumber),
}
type LangChainState = StateOf<typeof STATE>

class LangChainReader implements PayloadReader {
  readonly state: LangChainState
  private readonly out: Output

  constructor(out: Output, state: LangChainState) {
    this.out = out
    this.state = state
  }

  read(payload: Fields): void {
    const { out, state } = this
    // Beside a message, or in an event of `streamEvents`.
    const isOrigin = isOfGraph(payload)
    state.isGraph ||= isOrigin || isOfGraph(fieldsOf(payload.metadata))
    this.readFirst()
    if (isOrigin) return
    const message = messageIn(payload)
    if (message !== undefined) {
      const isFirst = !state.hasBegun
      state.hasBegun = true
      if (isFirst && holdsCalls(message)) state.first = kept(message)
      else this.readMessage(message)
    } else if (payload.event === 'on_chat_model_end') out.over()
    else if (typeof payload.run_id === 'string' && payload.error === undefined)
      out.metadata(under(NAME, { runId: payload.run_id }))
    else if (!reportErrorIn(payload, NAME, out)) {
      out.unknown(textOf(payload.type) || 'payload', payload)
      // A message in another form.
      if (payload.lc === 1 || isFields(payload.kwargs)) out.call({ isUnread: true })
    }
  }

  end(): void {
    this.readFirst()
    const { unfinished } = this.state
    if (unfinished === null) return
    this.readWholeCalls(unfinished.fields, 'The message of the call did not end.')
  }

  private readFirst(): void {
    const { first } = this.state
    this.state.first = null
    if (first !== null) this.readMessage(first)
  }

  private readMessage(message: Message): void {
    const { out, state } = this
    const { kind, isChunk, fields } = message
    const id = textOf(fields.id)
    // Another message follows, so the one before was whole.
    if (state.unfinished !== null && (kind !== 'ai' || id !== textOf(state.unfinished.fields.id)))
      this.finishWhole()
    if (kind === 'tool') this.readResult(fields)
    else if (kind !== 'ai') out.custom(kind, fields)
    else if (isChunk) {
      state.chunkId = id
      this.readContent(fields, id, 0)
      for (const call of fieldsIn(fields.tool_call_chunks)) this.readCallChunk(id, call)
      this.readChunkValues(fields)
      this.readUsage(fieldsOf(fields.usage_metadata))
      this.readEnd(fields)
    } else if (id === '' || id !== state.chunkId) {
      if (id === '' || id !== state.wholeId) state.wholeLength = 0
      state.wholeId = id
      state.wholeLength = this.readContent(fields, id, state.wholeLength)
      state.unfinished = kept(message)
      // The calls come first: one that follows the end of a response is not trusted.
      if (reasonIn(fields) !== undefined) this.finishWhole()
      this.readEnd(fields)
    } else if (isOwnStop(reasonIn(fields)))
      // Of a call that was cut off, the values are what LangChain made of half its JSON.
      for (const { id, name, args } of fieldsIn(fields.tool_calls))
        out.confirmCall(textOf(id), wordOf(name), args)
  }

  private readEnd(fields: Fields): void {
    const { out } = this
    const about = fieldsOf(fields.response_metadata)
    out.metadata(under(NAME, { model: wordOf(about.model_name) ?? wordOf(about.model) }))
    reportAnyReason(reasonIn(fields), out)
    if (fields.chunk_position === 'last') out.over()
  }

  private finishWhole(): void {
    const { state } = this
    const { unfinished } = state
    if (unfinished === null) return
    state.unfinished = null
    this.readWholeCalls(unfinished.fields)
    this.readUsage(fieldsOf(unfinished.fields.usage_metadata))
  }

  // ── content ────────────────────────────────────────────────────────────────────────────────────

  /** `read`: how much of the text was read before. Answers how much it is now. */
  private readContent({ content, additional_kwargs }: Fields, place: string, read: number): number {
    const { out } = this
    const extra = fieldsOf(additional_kwargs)
    const summary = fieldsOf(extra.reasoning).summary
    if (read === 0)
      out.reasoning(
        textOf(extra.reasoning_content) ||
          textOf(extra.reasoning) ||
          fieldsIn(summary)
            .map((part) => textOf(part.text))
            .join(''),
        { place },
      )
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : fieldsIn(content)
    let length = 0
    for (const part of parts)
      if (typeof part.text === 'string' && TEXT.test(textOf(part.type))) {
        const fresh = sliceFromPair(part.text, Math.max(0, read - length))
        out.text(fresh, { place })
        // A message that comes again, and longer, repeats what its text cites.
        if (read === 0 || fresh !== '') this.readCitations(part)
        length += part.text.length
      } else if (read === 0) this.readPart(part, place)
    return Math.max(read, length)
  }

  /** LangChain's own form, and that of Anthropic, which integrations pass on. */
  private readCitations({ annotations, citations }: Fields): void {
    for (const annotation of listOf(annotations)) this.out.custom('annotation', annotation)
    for (const citation of listOf(citations)) this.out.custom('citation', citation)
  }

  private readPart(part: Fields, place: string): void {
    const { out } = this
    const type = textOf(part.type)
    if (type === 'reasoning' || type === 'thinking' || type === 'thinking_delta') {
      const summary = fieldsIn(part.summary).map((one) => textOf(one.text))
      const text = textOf(part.reasoning) || textOf(part.thinking) || summary.join('')
      out.reasoning(text, { place, metadata: signed(part) })
    } else if (type === 'signature_delta' || type === 'redacted_thinking')
      out.reasoning('', { place, metadata: signed(part) })
    else if (type === 'server_tool_call') {
      const { id, name, args } = part
      out.wholeCall({ id: wordOf(id), name: wordOf(name), arguments: args, providerExecuted: true })
    } else if (type === 'server_tool_call_result')
      out.result({
        id: textOf(part.tool_call_id),
        content: resultText(part.output),
        isError: part.status === 'error',
      })
    else if (!CALLS.test(type)) out.custom(type || 'content', part)
  }

  // ── calls ──────────────────────────────────────────────────────────────────────────────────────

  private readCallChunk(messageId: string, call: Fields): void {
    const { out, state } = this
    const { index } = call
    const key = typeof index === 'number' || typeof index === 'string' ? `${messageId} ${index}` : undefined
    out.call({
      index: key === undefined ? undefined : callIndex(state, key),
      id: wordOf(call.id),
      name: wordOf(call.name),
      arguments: call.args,
      isUnread: call.args === undefined && holdsOthers(call, CALL_FIELDS),
      providerExecuted: state.isGraph,
    })
  }

  /** A chunk without pieces of JSON has whole values, unless its pieces are under a name that is not known. */
  private readChunkValues(fields: Fields): void {
    const isUnread = fields.tool_call_chunks === undefined && holdsOthers(fields, MESSAGE_FIELDS)
    if (isUnread) this.out.call({ isUnread })
    if (listOf(fields.tool_call_chunks).length === 0)
      this.readWholeCalls(fields, isUnread ? 'The pieces of the call could not be read.' : undefined)
  }

  /** The calls of a whole message, and those that LangChain could not use. */
  private readWholeCalls({ tool_calls, invalid_tool_calls }: Fields, why?: string): void {
    const read = (call: Fields, refusal: string | undefined): void =>
      this.out.wholeCall({
        id: wordOf(call.id),
        name: wordOf(call.name),
        arguments: wholeArguments(call.args, call, CALL_FIELDS),
        providerExecuted: this.state.isGraph,
        refusal,
      })
    for (const call of fieldsIn(tool_calls)) read(call, why)
    for (const call of fieldsIn(invalid_tool_calls))
      read(call, contentOf(call.error) || 'LangChain could not use the call.')
  }

  private readResult(fields: Fields): void {
    const id = textOf(fields.tool_call_id)
    this.out.endCall(id)
    this.out.result({
      id,
      toolName: wordOf(fields.name),
      content: resultText(fields.content),
      isError: fields.status === 'error',
    })
  }

  private readUsage(usage: Fields): void {
    const { figures } = this.state
    const input = fieldsOf(usage.input_token_details)
    const output = fieldsOf(usage.output_token_details)
    const added = (figure: string, more: unknown): number | undefined => {
      const count = numberOf(more)
      if (count !== undefined) figures.set(figure, (figures.get(figure) ?? 0) + count)
      return figures.get(figure)
    }
    this.out.usage({
      inputTokens: added('input', usage.input_tokens),
      outputTokens: added('output', usage.output_tokens),
      totalTokens: added('total', usage.total_tokens),
      reasoningTokens: added('reasoning', output.reasoning),
      cachedInputTokens: added('cached', input.cache_read),
      cacheWriteInputTokens: added('written', input.cache_creation),
    })
  }
}

const CALL_FIELDS = new Set(['id', 'name', 'args', 'index', 'type', 'error'])
/** Those of a message in its serialized forms, and of an instance of LangChain's classes. */
const MESSAGE_FIELDS = new Set(
  `id name type content additional_kwargs response_metadata usage_metadata tool_calls tool_call_chunks invalid_tool_calls
   chunk_position example role lc_serializable lc_kwargs lc_namespace lc_aliases lc_attributes lc_id lc_secrets
   lc_direct_tool_output run_id parent_run_id`.split(/\s+/),
)

const TEXT = /^(text|text_delta|output_text)$/
/** Parts that hold what stands in `tool_call_chunks` and `tool_calls`. */
const CALLS = /^(tool_use|tool_call|tool_call_chunk|input_json_delta|function_call|invalid_tool_call)$/

/** The signatures of Anthropic, which must be sent back. */
const signed = (part: Fields): Metadata | undefined =>
  under('anthropic', { signature: wordOf(part.signature), redactedData: wordOf(part.data) })

/** Why the model stopped, wherever an integration says so. */
const reasonIn = ({ response_metadata, additional_kwargs }: Fields): unknown =>
  [fieldsOf(response_metadata), fieldsOf(additional_kwargs)]
    .flatMap((one) => REASON_FIELDS.map((field) => one[field]))
    .find((one) => wordOf(one) !== undefined)

const isOfGraph = (origin: Fields): boolean => 'langgraph_node' in origin || 'langgraph_step' in origin

const holdsCalls = ({ kind, fields }: Message): boolean =>
  kind === 'ai' && [fields.tool_calls, fields.tool_call_chunks].some((calls) => listOf(calls).length > 0)

/** The message that a payload is, in any of its forms. */
function messageIn(payload: Fields): Message | undefined {
  const { data } = payload
  if (payload.event === 'on_chat_model_stream') return messageIn(fieldsOf(fieldsOf(data).chunk))
  const isSerialized = payload.lc === 1 && isFields(payload.kwargs)
  const fields = isSerialized ? fieldsOf(payload.kwargs) : isFields(data) ? data : payload
  const name = isSerialized ? textOf(listOf(payload.id).at(-1)) : textOf(payload.type)
  const isKnown = isSerialized || 'additional_kwargs' in fields || 'response_metadata' in fields
  const kind = KINDS.find(([, names]) => names.test(name))?.[0]
  if (!isKnown || kind === undefined) return undefined
  const isChunk = name.endsWith('Chunk') || Array.isArray(fields.tool_call_chunks)
  return { kind, isChunk, fields }
}

/** What of a message is read: an instance of LangChain's classes holds more. */
function kept({ kind, isChunk, fields }: Message): Message {
  const found = FIELDS.flatMap((field) =>
    fields[field] === undefined ? [] : [[field, fields[field]] as const],
  )
  return { kind, isChunk, fields: Object.fromEntries(found) }
}

const FIELDS =
  `id content additional_kwargs response_metadata usage_metadata chunk_position tool_call_chunks tool_calls
  invalid_tool_calls`.split(/\s+/)

const KINDS: readonly (readonly [kind: string, names: RegExp])[] = [
  ['ai', /^(ai|AIMessage(Chunk)?)$/],
  ['tool', /^(tool|ToolMessage(Chunk)?)$/],
  ['human', /^(human|HumanMessage(Chunk)?)$/],
  ['system', /^(system|SystemMessage(Chunk)?)$/],
  ['function', /^(function|FunctionMessage(Chunk)?)$/],
  ['remove', /^(remove|RemoveMessage)$/],
]
