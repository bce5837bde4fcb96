/** A message as the command writes it in JSON. Others read it, so its shape is stable. */

import type { ToolCall } from '../event.ts'
import type { Message } from '../message.ts'

/** `error`, `results`, `repairs`, `raw` and the like are there only where there is something to say. */
export function messageJson(message: Message) {
  const { text, reasoning, toolCalls, results, finish, diagnostics, error, parts } = message
  const custom = parts.flatMap((part) => (part.type === 'custom' ? [withoutType(part)] : []))
  return {
    text,
    reasoning,
    toolCalls: toolCalls.map(callJson),
    ...(results.length > 0 && { results }),
    ...(custom.length > 0 && { custom }),
    finish: withoutType(finish),
    diagnostics: diagnostics.map(withoutType),
    ...(error !== undefined && { error: error instanceof Error ? error.message : error }),
  }
}

function callJson({ id, toolName, input, status, repairs, type: _type, ...rest }: ToolCall) {
  return { id, name: toolName, input, status, ...(repairs.length > 0 && { repairs }), ...rest }
}

function withoutType<Event extends { readonly type: string }>({ type: _type, ...fields }: Event) {
  return fields
}
