/**
 * Past turns for a model without tools of its own: calls and results become text, written as the model itself
 * would write them.
 */

import type { JsonValue } from '../../event.ts'
import { callsText } from '../../prompt/turn-text.ts'
import type { RenderOptions } from '../../render.ts'
import type { MessageLike, PartLike } from './parts.ts'
import { type ResultOptions, type ResultPart, writeResults } from './results.ts'

export interface HistoryOptions extends ResultOptions {
  /** Names of the tools in the request that the provider runs. */
  readonly providerTools: ReadonlySet<string | undefined>
}

interface CallPart extends PartLike {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
  readonly providerExecuted?: boolean
}

interface TextPart extends PartLike {
  readonly text: string
  readonly providerOptions?: unknown
}

/** The prompt without calls and results, but for those of tools that the provider runs. */
export function renderHistory(prompt: readonly MessageLike[], options: HistoryOptions): MessageLike[] {
  const rendered: MessageLike[] = []
  let order: readonly string[] = []
  for (let at = 0; at < prompt.length; at++) {
    const message = prompt[at]!
    if (message.role === 'assistant') {
      order = callsOf(message).map(({ toolCallId }) => toolCallId)
      const kept = withoutFailed(message, options)
      if (kept !== undefined) rendered.push(renderTurn(kept, options))
    } else if (message.role !== 'tool') rendered.push(message)
    else {
      const content = [...message.content] as PartLike[]
      while (prompt[at + 1]?.role === 'tool') content.push(...(prompt[++at]!.content as readonly PartLike[]))
      const results = content.filter(isResult)
      // What is no result, such as the answer to a question for approval, is not ours.
      const others = content.filter((part) => !isResult(part))
      if (others.length > 0) rendered.push({ ...message, content: others })
      if (results.length > 0)
        rendered.push({ role: 'user', content: writeResults(inOrder(results, order), options) })
    }
  }
  return rendered
}

/** Ids that calls of the conversation have already, whatever became of them. */
export function pastIds(prompt: readonly MessageLike[]): Set<string> {
  return new Set(
    prompt.flatMap(({ content }) =>
      typeof content === 'string'
        ? []
        : content.flatMap((part) => (part as Partial<CallPart>).toolCallId ?? []),
    ),
  )
}

const isResult = (part: PartLike): part is ResultPart => part.type === 'tool-result'
const isCall = (part: PartLike): part is CallPart =>
  part.type === 'tool-call' && (part as CallPart).providerExecuted !== true

const isPlainText = (part: PartLike): part is TextPart =>
  part.type === 'text' && (part as TextPart).providerOptions === undefined

function callsOf({ content }: MessageLike): CallPart[] {
  return typeof content === 'string' ? [] : content.filter(isCall)
}

/** Answers come as the tools finish, and the model knows them only by the order of its calls. */
function inOrder(results: readonly ResultPart[], order: readonly string[]): ResultPart[] {
  const place = new Map(order.map((id, index) => [id, index]))
  const placeOf = ({ toolCallId }: ResultPart): number => place.get(toolCallId) ?? order.length
  return [...results].sort((a, b) => placeOf(a) - placeOf(b))
}

/**
 * The message without the calls that failed when they were written. The AI SDK has kept them as errors of something
 * that the provider ran, some without the call; to the model they are its own text, or nothing.
 */
function withoutFailed(message: MessageLike, { providerTools }: HistoryOptions): MessageLike | undefined {
  if (typeof message.content === 'string') return message
  const failed = new Set(
    message.content.flatMap((part) =>
      isResult(part) && part.output.type.startsWith('error') && !providerTools.has(part.toolName)
        ? part.toolCallId
        : [],
    ),
  )
  if (failed.size === 0) return message
  const content = message.content.filter((part) => !failed.has((part as Partial<CallPart>).toolCallId ?? ''))
  return content.length === 0 ? undefined : { ...message, content }
}

// ── calls ────────────────────────────────────────────────────────────────────────────────────────

function renderTurn(message: MessageLike, options: ResultOptions): MessageLike {
  if (callsOf(message).length === 0) return message
  const content: PartLike[] = []
  let written = ''
  const flush = (): void => {
    if (written !== '') content.push({ type: 'text', text: written } as PartLike)
    written = ''
  }
  const parts = message.content as readonly PartLike[]
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!
    if (isCall(part)) {
      const group = [part]
      for (let next = parts[at + 1]; next !== undefined && isCall(next); next = parts[++at + 1])
        group.push(next)
      written += (written === '' || /\s$/.test(written) ? '' : '\n') + writeCalls(group, options)
    } else if (isPlainText(part)) written += (written === '' ? '' : '\n') + part.text
    else {
      flush()
      content.push(part)
    }
  }
  flush()
  return { ...message, content }
}

function writeCalls(calls: readonly CallPart[], options: RenderOptions): string {
  return callsText(
    calls.map(({ toolName, input }) => ({ type: 'call', toolName, input: inputOf(input) })),
    options,
  )
}

/** An input that the AI SDK could not read is kept as the text it was. */
function inputOf(input: unknown): JsonValue {
  if (typeof input !== 'string') return (input ?? {}) as JsonValue
  try {
    return JSON.parse(input) as JsonValue
  } catch {
    return { input }
  }
}
