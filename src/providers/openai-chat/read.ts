/**
 * OpenAI's Chat Completions, and all that imitate them.
 *
 *     {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}
 *     {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"ls","arguments":"{"}}]}}]}
 *     {"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":5}}
 *
 * A response that was not streamed has a `message` in place of each `delta`.
 */

import type { Metadata } from '../../event.ts'
import { type Fields, isFields } from '../../fields.ts'
import { isBoolean, resumedState, type Shape } from '../../plain-state.ts'
import { type ReasonTable, reportReason } from '../finish-reasons.ts'
import { under } from '../metadata.ts'
import type { Output } from '../output.ts'
import { fieldsIn, fieldsOf, listOf, numberOf, textOf, wordOf } from '../payload-fields.ts'
import type { Provider } from '../provider.ts'
import { reportErrorIn } from '../provider-error.ts'

const NAME = 'openai-chat'

export const openaiChat: Provider<typeof NAME> = {
  name: NAME,
  framing: 'sse',
  detect: (payload) => Array.isArray(payload.choices) || textOf(payload.object).startsWith('chat.completion'),
  open(out, saved) {
    const state = resumedState(saved, shape, () => ({ isKnown: false }))
    return {
      state,
      read(payload) {
        reportErrorIn(payload, NAME, out)
        for (const choice of listOf(payload.choices)) readChoice(fieldsOf(choice), out)
        const usage = payload.usage ?? fieldsOf(payload.x_groq).usage
        if (isFields(usage)) readUsage(usage, out)
        // Every chunk repeats the id and the model.
        if (!state.isKnown && wordOf(payload.id) !== undefined) {
          state.isKnown = true
          out.metadata(under(NAME, { id: payload.id, model: payload.model }))
        }
        for (const field of Object.keys(payload)) if (!KNOWN.has(field)) out.unknown(field, payload[field])
      },
    }
  },
}

interface ChatState {
  /** The id and the model of the response came. */
  isKnown: boolean
}

const shape = (): Shape<ChatState> => ({ isKnown: isBoolean })

const KNOWN = new Set(
  `id object created model choices usage error system_fingerprint service_tier x_groq type provider
   prompt_filter_results obfuscation`.split(/\s+/),
)

const REASONS: ReasonTable = {
  stop: 'stop',
  eos: 'stop',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  length: 'length',
  model_length: 'length',
  content_filter: 'content-filter',
  error: 'error',
}

function readChoice(choice: Fields, out: Output): void {
  // Only the first of several answers is one message; the others are ignored.
  if (typeof choice.index === 'number' && choice.index > 0) {
    out.custom('choice', choice)
    return
  }
  if (isFields(choice.delta)) readDelta(choice.delta, out, false)
  else if (isFields(choice.message)) readDelta(choice.message, out, true)
  else if (typeof choice.text === 'string') out.text(choice.text)
  reportErrorIn(choice, NAME, out)
  if (isFields(choice.logprobs)) out.custom('logprobs', choice.logprobs)
  reportReason(choice.finish_reason, REASONS, out)
}

function readDelta(delta: Fields, out: Output, isWhole: boolean): void {
  readReasoning(delta, out)
  readContent(delta.content, out)
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
  else out.unknown(`delta.${field}`, value)
}

const READ = new Set(
  `role content refusal reasoning_content reasoning reasoning_details thinking tool_calls function_call`.split(
    ' ',
  ),
)
/** What some servers send beside the answer, as it is. */
const CUSTOM = new Set(['annotations', 'audio', 'images', 'citations', 'executed_tools'])

const NAMES = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking']

/** One field or another; where several have the same text, the first one counts. */
function readReasoning(delta: Fields, out: Output): void {
  if (!NAMES.some((name) => delta[name] != null)) return
  const details = fieldsIn(delta.reasoning_details)
  const text =
    textOf(delta.reasoning_content) ||
    textOf(delta.reasoning) ||
    textOf(delta.thinking) ||
    details.map((detail) => textOf(detail.text) || textOf(detail.summary)).join('')
  // Signatures and encrypted reasoning are in the details, and must be sent back as they came.
  const opaque = details.filter(
    (detail) => isFields(detail) && (detail.signature != null || detail.data != null),
  )
  out.reasoning(text, {
    metadata: opaque.length === 0 ? undefined : { [NAME]: { reasoning_details: opaque } },
  })
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
      metadata: extra,
    })
  else if (index !== undefined && call.type === 'custom') out.unknown('delta.tool_calls', call)
  else readFunction(fieldsOf(call.function), index, id, extra, out)
}

/** Written out field by field: this runs for every token of a call, and a spread costs more than all the rest. */
function readFunction(
  called: Fields,
  index: number | undefined,
  id: string | undefined,
  metadata: Metadata | undefined,
  out: Output,
): void {
  const args = called.arguments
  const isGiven = typeof args === 'string' || (typeof args === 'object' && args !== null)
  out.call({ index, id, name: wordOf(called.name), arguments: isGiven ? args : undefined, metadata })
}

function readUsage(usage: Fields, out: Output): void {
  out.usage({
    inputTokens: numberOf(usage.prompt_tokens),
    outputTokens: numberOf(usage.completion_tokens),
    totalTokens: numberOf(usage.total_tokens),
    reasoningTokens: numberOf(fieldsOf(usage.completion_tokens_details).reasoning_tokens),
    cachedInputTokens: numberOf(fieldsOf(usage.prompt_tokens_details).cached_tokens),
  })
}
