/**
 * Past turns for a model without tools of its own: calls and results become text, written as the model itself
 * would write them.
 */

import type { JsonValue } from '../../base/event.ts'
import { isFields } from '../../base/fields.ts'
import type { CallPart as WrittenCall } from '../../base/part.ts'
import type { RenderOptions } from '../../engine/render.ts'
import { callsText } from '../../requests/prompt/turn-text.ts'
import { type FailedCall, failedCallOf } from './failures.ts'
import type { MessageLike, PartLike } from './parts.ts'
import { outputOf, type ResultOptions, type ResultPart, textOfOutput, writeResults } from './results.ts'

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
  let calls: readonly CallPart[] = []
  for (let at = 0; at < prompt.length; at++) {
    const message = prompt[at]!
    if (message.role === 'assistant') {
      calls = callsOf(message)
      const kept = withoutFailed(message, options)
      const turn = kept && renderTurn(kept, options)
      // An empty answer that should have been a call: providers refuse a turn without content.
      if (turn !== undefined && (turn === message || turn.content.length > 0)) rendered.push(turn)
    } else if (message.role !== 'tool') rendered.push(message)
    else {
      const content = [...message.content] as PartLike[]
      while (prompt[at + 1]?.role === 'tool') content.push(...(prompt[++at]!.content as readonly PartLike[]))
      const results = content.filter(isResult)
      // What is no result, such as the answer to a question for approval, is not ours.
      const others = content.filter((part) => !isResult(part))
      if (others.length > 0) rendered.push({ ...message, content: others })
      if (results.length > 0)
        rendered.push({ role: 'user', content: writeResults(inOrder(results, calls), options) })
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

/**
 * What the tools of the conversation answered, as text. What the AI SDK says about a call that cannot run is no answer: it
 * quotes the call, which the model may send again.
 */
export function pastResults(prompt: readonly MessageLike[]): string[] {
  const failed = new Set(
    prompt.flatMap(callsOf).flatMap((call) => (failureIn(call) === undefined ? [] : call.toolCallId)),
  )
  return prompt
    .filter(({ role }) => role === 'tool')
    .flatMap(({ content }) => (content as readonly PartLike[]).filter(isResult))
    .filter((result) => !(isError(result) && failed.has(result.toolCallId)))
    .map(({ output }) => textOfOutput(output))
}

const isResult = (part: PartLike): part is ResultPart => part.type === 'tool-result'
const isCall = (part: PartLike): part is CallPart =>
  part.type === 'tool-call' && (part as CallPart).providerExecuted !== true

const isPlainText = (part: PartLike): part is TextPart =>
  part.type === 'text' && (part as TextPart).providerOptions === undefined

function callsOf({ content }: MessageLike): CallPart[] {
  return typeof content === 'string' ? [] : content.filter(isCall)
}

/**
 * Answers come as the tools finish, and the model knows them only by the order of its calls. What the AI SDK says
 * about a call that cannot run is replaced by what was wrong with it.
 */
function inOrder(results: readonly ResultPart[], calls: readonly CallPart[]): ResultPart[] {
  const places = new Map(calls.map(({ toolCallId }, index) => [toolCallId, index]))
  const placeOf = ({ toolCallId }: ResultPart): number => places.get(toolCallId) ?? calls.length
  return [...results]
    .sort((a, b) => placeOf(a) - placeOf(b))
    .map((result) => {
      const call = calls[placeOf(result)]
      const failed = call && failureIn(call)
      return failed !== undefined && isError(result)
        ? { ...result, output: { type: 'error-text', value: failed.reason } }
        : result
    })
}

const isError = ({ output }: ResultPart): boolean => outputOf(output).type.startsWith('error')

/** What is known of a call that cannot run. One that was repaired has an input of its own. */
function failureIn(call: CallPart): FailedCall | undefined {
  const hasInput = isFields(call.input) && Object.keys(call.input).length > 0
  return hasInput ? undefined : failedCallOf(call)
}

/**
 * The message without the calls that failed when they were written. The AI SDK has kept them as errors of something
 * that the provider ran, some without the call; to the model they are its own text, or nothing.
 */
function withoutFailed(message: MessageLike, { providerTools }: HistoryOptions): MessageLike | undefined {
  if (typeof message.content === 'string') return message
  const failed = new Set(
    message.content.flatMap((part) =>
      isResult(part) && isError(part) && !providerTools.has(part.toolName) ? part.toolCallId : [],
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
      const text = writeCalls(group, options)
      written += (written === '' || text === '' || /\s$/.test(written) ? '' : '\n') + text
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
  // One that named no tool is visible text already.
  const written = calls.filter((call) => failureIn(call)?.text !== '').map(writtenCall)
  return written.length === 0 ? '' : callsText(written, options)
}

/** A call that failed is the text that the model wrote. */
function writtenCall(call: CallPart): WrittenCall {
  const failed = failureIn(call)
  const written: WrittenCall = { type: 'call', toolName: call.toolName, input: inputOf(call.input) }
  if (failed === undefined) return written
  return { ...written, raw: failed.text, error: { code: 'failed', message: failed.reason, offset: 0 } }
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
