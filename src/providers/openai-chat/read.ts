/**
 * OpenAI's Chat Completions, and all that imitate them.
 *
 *     {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}
 *     {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"ls","arguments":"{"}}]}}]}
 *     {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":5}}
 *
 * A response that was not streamed has a `message` in place of each `delta`.
 */

import { count, flag, map, optional, resumed, type StateOf, set } from '../../base/declared-state.ts'
import type { Metadata } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { MOST_IDS } from '../../base/limits.ts'
import { isNumber, isRecord, isString } from '../../base/plain-state.ts'
import { reportAnyReason } from '../finish-reasons.ts'
import { under } from '../metadata.ts'
import type { Output } from '../output.ts'
import {
  contentOf,
  costOf,
  fieldsIn,
  fieldsOf,
  holdsOthers,
  isOtherRole,
  listOf,
  mayHoldArguments,
  numberOf,
  present,
  sumOf,
  textOf,
  wordOf,
} from '../payload-fields.ts'
import type { Provider } from '../provider.ts'
import { reportErrorIn } from '../provider-error.ts'
import { unwrapped, wireChunk } from './client-chunk.ts'
import { FIELD_METADATA, REASONING_FIELDS, type ReasoningField } from './reasoning-fields.ts'

const NAME = 'openai-chat'

/**
 * Reads Chat Completions, of OpenAI and of every server that imitates it.
 *
 *     readProvider(fetch(url, init), { provider: openaiChat })
 */
export const openaiChat: Provider<typeof NAME> = {
  name: NAME,
  framing: 'sse',
  detect: (payload) =>
    Array.isArray(unwrapped(payload).choices) || textOf(payload.object).startsWith('chat.completion'),
  open(out, saved) {
    const state = resumed(STATE, saved)
    return {
      state,
      read(payload, isFramed) {
        readChunk(isFramed ? payload : wireChunk(payload), state, out)
      },
    }
  },
}

function readChunk(payload: Fields, state: ChatState, out: Output): void {
  reportErrorIn(payload, NAME, out)
  for (const choice of listOf(payload.choices)) readChoice(fieldsOf(choice), state, out)
  const usage = payload.usage ?? fieldsOf(payload.x_groq).usage
  if (isFields(usage)) readUsage(usage, out)
  // The choices may be under a name that is not known.
  if (!Array.isArray(payload.choices) && holdsList(payload)) out.call({ isUnread: true })
  // Every chunk repeats the id and the model.
  if (!state.isKnown && wordOf(payload.id) !== undefined) {
    state.isKnown = true
    out.metadata(under(NAME, { id: payload.id, model: payload.model }))
  }
  for (const field of Object.keys(payload))
    if (!KNOWN.has(field))
      if (BESIDE.has(field)) readBeside(field, payload[field], state, out)
      else out.unknown(field, payload[field], Array.isArray(payload.choices))
}

const STATE = {
  /** The id and the model of the response came. */
  isKnown: flag,
  /** The other answers that began. */
  others: set(isNumber),
  /** What stands beside the answer, as JSON: it is repeated in every chunk, and passed on when it changes. */
  beside: map(isString, isString),
  /** The detail of reasoning that is being sent, without its text. */
  detail: optional<Fields>(isRecord),
  details: count,
  /** Reasoning came without details, whose text is then a repetition. */
  hasPlainReasoning: flag,
  /** The field that plain reasoning came in last. */
  field: optional(isString),
  /** The message that is being sent is not the model's. */
  isOfOther: flag,
}
type ChatState = StateOf<typeof STATE>

const KNOWN = new Set(
  `id object created model choices usage error system_fingerprint service_tier x_groq type provider
   prompt_filter_results obfuscation`.split(/\s+/),
)

/** What Perplexity and xAI send beside the choices. */
const BESIDE = new Set(['citations', 'search_results', 'related_questions', 'images', 'videos'])

function readBeside(field: string, value: unknown, { beside }: ChatState, out: Output): void {
  if (!Array.isArray(value) || value.length === 0) return
  const json = contentOf(value)
  if (beside.get(field) === json) return
  beside.set(field, json)
  out.custom(field, value)
}

function readChoice(choice: Fields, state: ChatState, out: Output): void {
  // Only the first of several answers is one message; the others are ignored.
  if (typeof choice.index === 'number' && choice.index > 0) {
    if (!state.others.has(choice.index) && goesOn(fieldsOf(choice.delta))) out.call({ isUnread: true })
    if (state.others.size < MOST_IDS) state.others.add(choice.index)
    out.custom('choice', choice)
    return
  }
  const sent = [choice.delta, choice.message].find(isFields)
  if (sent !== undefined && isOfOther(sent, state)) readMessageOfOther(sent, out)
  else if (isFields(choice.delta)) readDelta(choice.delta, state, out, false)
  else if (isFields(choice.message)) readMessage(choice.message, state, out)
  else if (typeof choice.text === 'string') out.text(choice.text)
  else if (holdsOthers(choice, CHOICE)) out.call({ isUnread: true })
  reportErrorIn(choice, NAME, out)
  if (isFields(choice.logprobs)) out.custom('logprobs', choice.logprobs)
  if (isFields(choice.usage)) readUsage(choice.usage, out)
  reportAnyReason(choice.finish_reason, out)
  out.metadata(under(NAME, { stopSequence: wordOf(choice.stop_reason) ?? wordOf(choice.matched_stop) }))
}

/** Whether a message is not the model's. Its role comes with the first of its deltas, or with each. */
function isOfOther({ role }: Fields, state: ChatState): boolean {
  if (wordOf(role) !== undefined) state.isOfOther = isOtherRole(role)
  return state.isOfOther
}

/** The last delta, which has the reason, may have nothing else. */
function readMessageOfOther(sent: Fields, out: Output): void {
  if (Object.keys(sent).length > 0) out.custom(textOf(sent.role) || 'message', sent)
}

/** Whether another answer begins in the middle of a call, so that it may be that of this one. */
const goesOn = ({ tool_calls }: Fields): boolean =>
  fieldsIn(tool_calls).some((call) => wordOf(fieldsOf(call.function).name) === undefined)

/** Whether a chunk holds a list that is not known. */
const holdsList = (payload: Fields): boolean =>
  Object.entries(payload).some(
    ([field, value]) => !KNOWN.has(field) && Array.isArray(value) && mayHoldArguments(value),
  )

/** Some servers end a stream with the whole message: of that, only what did not come in the stream is new. */
function readMessage(message: Fields, state: ChatState, out: Output): void {
  const { content, refusal, tool_calls, function_call, ...rest } = message
  const others = Object.entries(rest).filter(([name]) => !(out.has('reasoning') && NAMES.includes(name)))
  const fresh = {
    ...Object.fromEntries(others),
    ...(!out.has('text') && { content, refusal }),
    ...(!out.has('call') && { tool_calls, function_call }),
  }
  if (out.has('call'))
    for (const [position, call] of fieldsIn(tool_calls).entries()) {
      const { name, arguments: args } = fieldsOf(call.function)
      out.confirmCall(wordOf(call.id) ?? position, wordOf(name), args)
    }
  readDelta(fresh, state, out, true)
}

function readDelta(delta: Fields, state: ChatState, out: Output, isWhole: boolean): void {
  readReasoning(delta, state, out)
  readContent(delta.content, out)
  if (isFields(delta.extra_content))
    out.text('', { metadata: { [NAME]: { extra_content: delta.extra_content } } })
  readRefusal(textOf(delta.refusal), out)
  for (const [position, call] of listOf(delta.tool_calls).entries())
    readCall(fieldsOf(call), isWhole ? position : undefined, out)
  // The form that was there before `tool_calls`: one call, which is never numbered.
  if (isFields(delta.function_call)) readFunction(delta.function_call, 0, undefined, undefined, out)
  for (const field of Object.keys(delta)) if (!READ.has(field)) readOther(field, delta[field], out)
}

function readOther(field: string, value: unknown, out: Output): void {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return
  if (CUSTOM.has(field)) out.custom(field, value)
  else {
    out.unknown(`delta.${field}`, value)
    // Calls come in a list, and this may be theirs under another name.
    if (typeof value === 'object' && mayHoldArguments(value)) out.call({ isUnread: true })
  }
}

const NAMES: readonly string[] = [...REASONING_FIELDS, 'reasoning_details', 'reasoning_opaque']
const READ = new Set(['role', 'content', 'refusal', 'tool_calls', 'function_call', 'extra_content', ...NAMES])
/** What some servers send beside the answer, as it is. */
const CUSTOM = new Set(['annotations', 'audio', 'images', 'citations', 'executed_tools'])
/** The fields of a choice, of a call in it, and of what is called. */
const CUSTOM_CALL = new Set(['name', 'input'])
const CHOICE = new Set([
  'index',
  'delta',
  'message',
  'text',
  'finish_reason',
  'logprobs',
  'usage',
  'error',
  // The stop sequence that was found in the text, or the id of a token: vLLM's word for it, and SGLang's.
  'stop_reason',
  'matched_stop',
])
const CALL = new Set(['index', 'id', 'type', 'function', 'custom', 'extra_content'])
const FUNCTION = new Set(['name', 'arguments', 'description', 'parameters', 'strict'])

/**
 * One field or another; where several have the same text, the first one counts. OpenRouter's details are blocks, each
 * with what signs it, and must be sent back one by one: each is a span of its own.
 */
function readReasoning(delta: Fields, state: ChatState, out: Output): void {
  if (!NAMES.some((name) => delta[name] != null)) return
  const details = fieldsIn(delta.reasoning_details)
  const hasText = details.some((detail) => detailText(detail) !== '')
  const field = REASONING_FIELDS.find((name) => wordOf(delta[name]) !== undefined)
  if (!hasText || state.hasPlainReasoning) readPlainReasoning(delta, field, state, out)
  state.hasPlainReasoning ||= field !== undefined && details.length === 0
  for (const detail of details) readDetail(detail, state, out)
}

/** What signs plain reasoning, beside the field that it goes back in: the two may come apart. */
const attached = (fields: Fields, { field }: ChatState): Metadata => ({
  [NAME]: { ...fields, ...present({ field }) },
})

/** Text of another field goes back in that field, so it is a span of its own. */
function readPlainReasoning(
  delta: Fields,
  field: ReasoningField | undefined,
  state: ChatState,
  out: Output,
): void {
  if (field !== undefined) {
    if (state.field !== null && state.field !== field) out.endReasoning()
    state.field = field
    out.reasoning(textOf(delta[field]), { metadata: FIELD_METADATA[field], isName: true })
  }
  const opaque = wordOf(delta.reasoning_opaque)
  if (opaque !== undefined) out.reasoning('', { metadata: attached({ reasoning_opaque: opaque }, state) })
}

const detailText = (detail: Fields): string => textOf(detail.text) || textOf(detail.summary)

/** A block may come in pieces, of which the last one has the signature. Text that came without details is signed by the next one. */
function readDetail({ text, summary, ...given }: Fields, state: ChatState, out: Output): void {
  const isNew = state.detail === null || !isSameDetail(state.detail, given)
  const detail = { ...(isNew ? {} : state.detail), ...present(given) }
  if (isNew) state.details++
  state.detail = detail
  const isOpaque = given.signature != null || given.data != null
  const metadata = isNew || isOpaque ? { [NAME]: { reasoning_details: [detail] } } : undefined
  if (!state.hasPlainReasoning)
    out.reasoning(detailText({ text, summary }), { place: state.details, metadata })
  else if (isOpaque) {
    out.reasoning('', { metadata: attached({ reasoning_details: [detail] }, state) })
    out.endReasoning()
  }
}

/** Blocks are numbered, but not always, and not always one by one. */
function isSameDetail(one: Fields, other: Fields): boolean {
  const isData = one.data == null || other.data == null || one.data === other.data
  const isOpen = other.index != null || one.signature == null
  return one.index === other.index && one.type === other.type && isData && isOpen
}

function readRefusal(text: string, out: Output): void {
  if (text !== '') out.refusal(text, { metadata: { [NAME]: { refusal: true } } })
}

/** Text, or Mistral's list of parts. */
function readContent(content: unknown, out: Output): void {
  if (typeof content === 'string') {
    out.text(content)
    return
  }
  for (const part of fieldsIn(content))
    if (part.type === 'text') out.text(textOf(part.text))
    else if (part.type === 'thinking')
      out.reasoning(
        typeof part.thinking === 'string'
          ? part.thinking
          : listOf(part.thinking)
              .map((inner) => textOf(fieldsOf(inner).text))
              .join(''),
      )
    else if (part.type === 'refusal') readRefusal(textOf(part.refusal), out)
    else out.custom(textOf(part.type) || 'content', part)
}

function readCall(call: Fields, position: number | undefined, out: Output): void {
  const index = numberOf(call.index) ?? position
  const id = wordOf(call.id)
  // Google's compatible server puts its signatures here.
  const extra = isFields(call.extra_content) ? { [NAME]: { extra_content: call.extra_content } } : undefined
  if (isFields(call.custom))
    out.textCall({
      key: index ?? id ?? 0,
      id,
      name: wordOf(call.custom.name),
      text: textOf(call.custom.input),
      isUnread: call.custom.input === undefined && holdsOthers(call.custom, CUSTOM_CALL),
      metadata: extra,
    })
  else if (index !== undefined && call.type === 'custom') out.unknown('delta.tool_calls', call)
  else readFunction(fieldsOf(call.function), index, id, extra, out)
  if (fieldsOf(call.function).arguments === undefined && holdsOthers(call, CALL))
    out.call({ index, id, isUnread: true })
}

/** Written out field by field: this runs for every token of a call, and a spread costs more than all the rest. */
function readFunction(
  called: Fields,
  index: number | undefined,
  id: string | undefined,
  metadata: Metadata | undefined,
  out: Output,
): void {
  const isUnread = called.arguments === undefined && holdsOthers(called, FUNCTION)
  out.call({ index, id, name: wordOf(called.name), arguments: called.arguments, isUnread, metadata })
}

/** Servers have figures of the cache, and what was charged, in several places. */
function readUsage(usage: Fields, out: Output): void {
  const input = fieldsOf(usage.prompt_tokens_details)
  const output = fieldsOf(usage.completion_tokens_details)
  const reasoningTokens = numberOf(output.reasoning_tokens) ?? numberOf(usage.reasoning_tokens)
  out.usage({
    inputTokens: numberOf(usage.prompt_tokens),
    outputTokens: outputTokens(usage, reasoningTokens),
    totalTokens: numberOf(usage.total_tokens),
    reasoningTokens,
    cachedInputTokens: firstNumber(
      input.cached_tokens,
      usage.cached_tokens,
      usage.prompt_cache_hit_tokens,
      usage.cache_read_input_tokens,
    ),
    cacheWriteInputTokens: firstNumber(
      input.cache_write_tokens,
      input.cache_creation_tokens,
      usage.cache_creation_input_tokens,
    ),
    cost: costOf(usage),
  })
}

const firstNumber = (...values: readonly unknown[]): number | undefined =>
  values.map(numberOf).find((value) => value !== undefined)

/** With reasoning, which xAI counts apart: only together with it the tokens add up to the total. */
function outputTokens(usage: Fields, reasoning = 0): number | undefined {
  const output = numberOf(usage.completion_tokens)
  if (output === undefined) return undefined
  const isApart = sumOf(numberOf(usage.prompt_tokens), output, reasoning) === usage.total_tokens
  return isApart ? output + reasoning : output
}
