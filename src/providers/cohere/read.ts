/**
 * Cohere's chat, version 2: content and calls that are opened, filled and closed by their index.
 *
 *     {"type":"tool-plan-delta","delta":{"message":{"tool_plan":"I will look."}}}
 *     {"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"c1","function":{"name":"ls","arguments":""}}}}}
 *     {"type":"message-end","delta":{"finish_reason":"TOOL_CALL","usage":{"tokens":{"input_tokens":9}}}}
 *
 * The plan is what the model thinks before it calls a tool. A response that was not streamed is one message. Cohere's own
 * client gives the fields of both in camel case.
 */

import { flag, resumed, type StateOf } from '../../base/declared-state.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { type ReasonTable, reportReason } from '../finish-reasons.ts'
import { under } from '../metadata.ts'
import type { Output } from '../output.ts'
import { fieldsIn, fieldsOf, isOtherRole, numberOf, textOf, wordOf } from '../payload-fields.ts'
import type { Provider } from '../provider.ts'
import { ProviderError, reportErrorIn } from '../provider-error.ts'
import { snakeCased, snakeCasedIf } from '../snake-case.ts'

const NAME = 'cohere'

/** Reads Cohere's chat, version 2. */
export const cohere: Provider<typeof NAME> = {
  name: NAME,
  framing: 'sse',
  detect: (payload) =>
    isWhole(payload) ||
    /^(message-(start|end)|content-(start|delta|end)|tool-plan-delta|tool-call-(start|delta|end)|citation-(start|end))$/.test(
      textOf(payload.type),
    ),
  open(out, saved) {
    const state = resumed(STATE, saved)
    return {
      state,
      read(payload, isFramed) {
        const type = textOf(payload.type)
        const wire = isFramed ? payload : wirePayload(payload)
        if (state.isOfOther && PIECE.test(type)) out.custom(type, payload)
        else if (isWhole(wire)) readWhole(wire, out)
        else readPayload(wire, state, out)
      },
    }
  },
}

const STATE = {
  /** The message that is being sent is not the model's. */
  isOfOther: flag,
}
type CohereState = StateOf<typeof STATE>

/** What comes between the start and the end of a message. */
const PIECE = /^(content|tool|citation)-/

const isWhole = ({ type, message, finish_reason, finishReason }: Fields): boolean =>
  type === undefined && isFields(message) && typeof (finish_reason ?? finishReason) === 'string'

/** What Cohere's client yields, as it is on the wire. */
function wirePayload(payload: Fields): Fields {
  const wire = snakeCased(payload)
  const usage = (given: unknown): unknown =>
    isFields(given)
      ? Object.fromEntries(
          Object.entries(snakeCased(given)).map(([name, field]) => [name, snakeCasedIf(field)]),
        )
      : given
  const delta = snakeCased(wire.delta)
  return {
    ...wire,
    delta: { ...delta, message: snakeCasedIf(delta.message), usage: usage(delta.usage) },
    message: snakeCasedIf(wire.message),
    usage: usage(wire.usage),
  }
}

function readWhole(response: Fields, out: Output): void {
  const message = fieldsOf(response.message)
  out.metadata(under(NAME, { id: wordOf(response.id) }))
  if (isOtherRole(message.role)) out.custom(textOf(message.role), message)
  else readMessage(message, out)
  readEnd(response, response, out)
}

function readMessage(message: Fields, out: Output): void {
  out.reasoning(textOf(message.tool_plan), { place: 'plan' })
  for (const [place, part] of fieldsIn(message.content).entries()) {
    readContent(part, place, out)
    if (part.type !== 'text' && part.type !== 'thinking') out.custom(textOf(part.type) || 'content', part)
  }
  for (const [index, call] of fieldsIn(message.tool_calls).entries()) {
    readCall(call, index, out)
    out.endCall(index, 'unsure')
  }
  for (const citation of fieldsIn(message.citations)) out.custom('citation', citation)
}

function readContent(content: Fields, place: number | undefined, out: Output): void {
  out.reasoning(textOf(content.thinking), { place })
  out.text(textOf(content.text), { place })
}

function readCall(call: Fields, index: number | undefined, out: Output): void {
  const { name, arguments: args } = fieldsOf(call.function)
  out.call({ index, id: wordOf(call.id), name: wordOf(name), arguments: args, isUnread: args === undefined })
}

const REASONS: ReasonTable = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  TOOL_CALL: 'tool-calls',
  MAX_TOKENS: 'length',
  ERROR: 'error',
  ERROR_TOXIC: 'content-filter',
  TIMEOUT: 'error',
}

function readPayload(payload: Fields, state: CohereState, out: Output): void {
  const delta = fieldsOf(payload.delta)
  const message = fieldsOf(delta.message)
  const place = numberOf(payload.index)
  switch (payload.type) {
    case 'message-start':
      out.metadata(under(NAME, { id: wordOf(payload.id) }))
      state.isOfOther = isOtherRole(message.role)
      if (state.isOfOther) out.custom(textOf(message.role), message)
      return
    case 'tool-plan-delta':
      out.reasoning(textOf(message.tool_plan), { place: 'plan' })
      return
    case 'content-start':
    case 'content-delta':
      readContent(fieldsOf(message.content), place, out)
      return
    case 'content-end':
      out.endReasoning()
      out.endText()
      return
    case 'tool-call-start':
    case 'tool-call-delta':
      readCall(fieldsOf(message.tool_calls), place, out)
      return
    case 'tool-call-end':
      out.endCall(place, 'unsure')
      return
    case 'citation-start':
      out.custom('citation', message.citations)
      return
    case 'citation-end':
      return
    case 'message-end':
      readEnd(delta, payload, out)
      return
  }
  if (reportErrorIn(payload, NAME, out)) return
  out.unknown(textOf(payload.type) || 'payload', payload)
  if (isFields(message.tool_calls)) out.call({ index: place, isUnread: true })
}

function readEnd({ finish_reason, usage, error }: Fields, payload: Fields, out: Output): void {
  const tokens = fieldsOf(fieldsOf(usage).tokens ?? fieldsOf(usage).billed_units)
  out.usage({
    inputTokens: numberOf(tokens.input_tokens),
    outputTokens: numberOf(tokens.output_tokens),
    cachedInputTokens: numberOf(fieldsOf(usage).cached_tokens),
  })
  if (typeof error === 'string') out.error(new ProviderError(NAME, error, wordOf(finish_reason), payload))
  reportReason(finish_reason, REASONS, out)
}
