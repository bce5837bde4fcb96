/**
 * Past calls exactly as the model wrote them: with its own spaces, its own order of arguments, its own closers. What is
 * sent again unchanged is also found again in a provider's cache.
 *
 *     Let me look.|<tool_call>{"name": "ls"} </tool_call>|\n One moment.
 *                  └── from the first call to where the text behind the calls begins
 */

import type { ConversationPart, WrittenSource } from '../conversation/model-request.ts'
import { parse } from '../message.ts'
import type { CallPart } from '../part.ts'
import type { RenderOptions } from '../render.ts'

/**
 * The source of the calls `parts[from]` up to `parts[to]`. Undefined where it is not known, or where anything else than
 * these calls could be read from it: then they are rendered.
 */
export function verbatimCalls(
  parts: readonly ConversationPart[],
  from: number,
  to: number,
  { dialect, text }: WrittenSource,
  options: RenderOptions,
): string | undefined {
  const calls = parts.slice(from, to) as CallPart[]
  if (dialect !== options.dialect.name || !calls.every((call) => isAtItsPlace(call, text))) return undefined
  const end = endOfCalls(parts, to, text)
  if (end === undefined) return undefined
  const source = text.slice(calls[0]!.span!.start, end)
  return isReadAs(source, calls, options) ? source : undefined
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

/** Whether these calls can be read from the source, and nothing else: no call that opens, and no end of a message. */
function isReadAs(source: string, calls: readonly CallPart[], { dialect, tools }: RenderOptions): boolean {
  const { parts, diagnostics, finish, text } = parse(source, { dialect, tools: tools ?? [] })
  if (diagnostics.length > 0 || finish.rawReason !== undefined || text.trim() !== '') return false
  const read = parts.filter(({ type }) => type !== 'text')
  return (
    read.length === calls.length && read.every((part, at) => part.type === 'call' && isSame(part, calls[at]!))
  )
}

function isSame(one: CallPart, other: CallPart): boolean {
  return (
    one.status === 'complete' &&
    one.toolName === other.toolName &&
    JSON.stringify(one.input) === JSON.stringify(other.input)
  )
}
