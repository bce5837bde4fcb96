/** A message as the command writes it in JSON. Others read it, so its shape is stable. */

import type { Diagnostic, ToolCall } from '../../base/event.ts'
import type { ResultPart } from '../../base/part.ts'
import type { Message } from '../../engine/message.ts'

/** `error`, `results`, `repairs`, `raw` and the like are left out where they are empty. */
export function messageJson(message: Message) {
  const { text, reasoning, toolCalls, results, finish, diagnostics, error, parts } = message
  const custom = parts.flatMap((part) => (part.type === 'custom' ? [withoutType(part)] : []))
  return {
    text,
    reasoning,
    toolCalls: toolCalls.map(callJson),
    ...(results.length > 0 && { results: results.map(resultJson) }),
    ...(custom.length > 0 && { custom }),
    finish: withoutType(finish),
    diagnostics: diagnostics.map(diagnosticJson),
    ...(error !== undefined && { error: error.message }),
  }
}

function callJson({ id, toolName, input, status, repairs, type: _type, ...rest }: ToolCall) {
  return { id, name: toolName, input, status, ...(repairs.length > 0 && { repairs }), ...rest }
}

/** Whether a result is whole is not said: the response is over. */
function resultJson({ type: _type, state: _state, ...fields }: ResultPart) {
  return fields
}

/** `span` is always there; where nothing of the text is meant, it is empty. */
function diagnosticJson({ code, message, span = { start: 0, end: 0 }, type: _type, ...rest }: Diagnostic) {
  return { code, message, span, ...rest }
}

function withoutType<SluiceEvent extends { readonly type: string }>({ type: _type, ...fields }: SluiceEvent) {
  return fields
}
