/**
 * Cohere's chat, version 2: content and calls that are opened, filled and closed by their index.
 *
 *     {"type":"tool-plan-delta","delta":{"message":{"tool_plan":"I will look."}}}
 *     {"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"c1","function":{"name":"ls","arguments":""}}}}}
 *     {"type":"message-end","delta":{"finish_reason":"TOOL_CALL","usage":{"tokens":{"input_tokens":9}}}}
 *
 * The plan is what the model thinks before it calls a tool.
 */

import type { Fields } from '../../fields.ts'
import { type ReasonTable, reportReason } from '../finish-reasons.ts'
import { under } from '../metadata.ts'
import type { Output } from '../output.ts'
import { fieldsOf, numberOf, textOf, wordOf } from '../payload-fields.ts'
import type { Provider } from '../provider.ts'
import { ProviderError, reportErrorIn } from '../provider-error.ts'

const NAME = 'cohere'

export const cohere: Provider<typeof NAME> = {
  name: NAME,
  framing: 'sse',
  detect: ({ type }) =>
    /^(message-(start|end)|content-(start|delta|end)|tool-plan-delta|tool-call-(start|delta|end)|citation-(start|end))$/.test(
      textOf(type),
    ),
  open: (out) => ({ read: (payload) => readPayload(payload, out) }),
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

function readPayload(payload: Fields, out: Output): void {
  const delta = fieldsOf(payload.delta)
  const message = fieldsOf(delta.message)
  const content = fieldsOf(message.content)
  const place = numberOf(payload.index)
  switch (payload.type) {
    case 'message-start':
      out.metadata(under(NAME, { id: wordOf(payload.id) }))
      return
    case 'tool-plan-delta':
      out.reasoning(textOf(message.tool_plan), { place: 'plan' })
      return
    case 'content-start':
    case 'content-delta':
      out.reasoning(textOf(content.thinking), { place })
      out.text(textOf(content.text), { place })
      return
    case 'content-end':
      out.endReasoning()
      out.endText()
      return
    case 'tool-call-start':
    case 'tool-call-delta': {
      const call = fieldsOf(message.tool_calls)
      const { name, arguments: args } = fieldsOf(call.function)
      out.call({ index: place, id: wordOf(call.id), name: wordOf(name), arguments: textOf(args) })
      return
    }
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
  if (!reportErrorIn(payload, NAME, out)) out.unknown(textOf(payload.type) || 'payload', payload)
}

function readEnd({ finish_reason, usage, error }: Fields, payload: Fields, out: Output): void {
  const tokens = fieldsOf(fieldsOf(usage).tokens ?? fieldsOf(usage).billed_units)
  out.usage({ inputTokens: numberOf(tokens.input_tokens), outputTokens: numberOf(tokens.output_tokens) })
  if (typeof error === 'string') out.error(new ProviderError(NAME, error, wordOf(finish_reason), payload))
  reportReason(finish_reason, REASONS, out)
}
