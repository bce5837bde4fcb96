/**
 * Past calls exactly as the model wrote them: with its own spaces, its own order of arguments, its own closers. What is
 * sent again unchanged is also found again in a provider's cache.
 *
 *     Let me look.|<tool_call>{"name": "ls"} </tool_call>|\n One moment.
 *                  └── from the first call to where the text behind the calls begins
 */

import type { CallPart } from '../../base/part.ts'
import type { ConversationPart, WrittenSource } from '../conversation/model-request.ts'

/** The source of the calls `parts[from]` up to `parts[to]`, if it is known: otherwise they are rendered. */
export function verbatimCalls(
  parts: readonly ConversationPart[],
  from: number,
  to: number,
  { text }: WrittenSource,
): string | undefined {
  const calls = parts.slice(from, to) as CallPart[]
  if (!calls.every((call) => isAtItsPlace(call, text))) return undefined
  const end = endOfCalls(parts, to, text)
  return end === undefined ? undefined : text.slice(calls[0]!.span!.start, end)
}

function isAtItsPlace({ span, raw, status }: CallPart, text: string): boolean {
  return status === 'complete' && span !== undefined && text.slice(span.start, span.end) === raw
}

/** Where the text behind the calls begins, which is known by its length. */
function endOfCalls(parts: readonly ConversationPart[], to: number, text: string): number | undefined {
  const next = parts[to]
  if (next === undefined) return text.length
  if (next.type !== 'text') return undefined
  const behind = parts[to + 1]
  const textEnd = behind === undefined ? text.length : behind.type === 'call' ? behind.span?.start : undefined
  if (textEnd === undefined) return undefined
  const end = textEnd - next.text.length
  return text.slice(end, textEnd) === next.text ? end : undefined
}
