/** The source of a response, for messages whose calls a prompted model gets back as it wrote them. */

import type { CallPart } from '../base/part.ts'
import type { ToolDefinitions } from '../engine/calls/tools.ts'
import { inputJson } from '../engine/calls/written-input.ts'
import { type Message, parse } from '../engine/message.ts'
import type { WrittenSource } from '../requests/conversation/model-request.ts'
import { verbatimCalls } from '../requests/prompt/verbatim-calls.ts'
import type { WrittenText } from './model.ts'

/**
 * Undefined if there are no calls, or if anything but these calls could be read from their source, such as the end of the
 * message: then they are rendered.
 */
export function messageSource(
  { parts }: Message,
  { dialect, prefill, text }: WrittenText,
  tools: ToolDefinitions,
): WrittenSource | undefined {
  const source = { dialect: dialect.name, text: prefill + text }
  let hasCalls = false
  for (let from = 0; from < parts.length; from++) {
    if (parts[from]!.type !== 'call') continue
    let to = from + 1
    while (parts[to]?.type === 'call') to++
    const written = verbatimCalls(parts, from, to, source)
    if (written === undefined) return undefined
    const read = parse(written, { dialect, tools })
    if (!isReadAs(read, parts.slice(from, to) as CallPart[])) return undefined
    hasCalls = true
    from = to
  }
  return hasCalls ? source : undefined
}

function isReadAs({ parts, diagnostics, finish }: Message, calls: readonly CallPart[]): boolean {
  if (diagnostics.length > 0 || finish.rawReason !== undefined) return false
  return (
    parts.length === calls.length &&
    parts.every((part, at) => part.type === 'call' && isSame(part, calls[at]!))
  )
}

function isSame(one: CallPart, other: CallPart): boolean {
  return one.status === 'complete' && one.toolName === other.toolName && inputJson(one) === inputJson(other)
}
