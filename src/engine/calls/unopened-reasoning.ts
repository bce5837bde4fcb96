/**
 * Verdicts that wait because the response may have begun inside reasoning. The prompt of some models ends with the opener of
 * reasoning, so the response holds only its closer, and that shows that everything before it was a thought.
 *
 *     I could <tool_call>…</tool_call>|, but no.</think>Here you are.     the closer comes: it is a guess
 *     <tool_call>…</tool_call>|                                           the response ends: it stands
 */

import type { ToolCall } from '../../base/event.ts'
import { FIXED_LIMITS } from '../../base/limits.ts'
import { isBoolean, isCount, isString, listOf, type Shape } from '../../base/plain-state.ts'
import { isVerdict, mentioned, type VerdictHost } from './waiting.ts'

export interface UnopenedReasoning {
  calls: ToolCall[]
  /** Characters of these calls. */
  length: number
  /** The end of the text behind the last of them, in which a closer may have begun that stays text. */
  tail: string
  /** Too many calls waited: they are guesses, and so are those that follow. */
  isFull: boolean
}

export const unopenedReasoning = (): UnopenedReasoning => ({ calls: [], length: 0, tail: '', isFull: false })

export const unopenedShape = (): Shape<UnopenedReasoning> => ({
  calls: listOf(isVerdict),
  length: isCount,
  tail: isString,
  isFull: isBoolean,
})

/** Keeps a verdict until a closer comes, or the end. */
export function keepVerdict(unopened: UnopenedReasoning, host: VerdictHost, call: ToolCall): void {
  const { span } = call
  unopened.calls.push(call)
  unopened.tail = ''
  unopened.length += span === undefined ? 0 : span.end - span.start
  const { unopenedCalls, tentativeLength } = FIXED_LIMITS
  if (!unopened.isFull && (unopened.calls.length > unopenedCalls || unopened.length > tentativeLength)) {
    unopened.isFull = true
    host.report(
      'limit-reached',
      `More than ${unopenedCalls} calls or ${tentativeLength} characters wait for a verdict, so these calls are guesses; pass 'start'.`,
      span,
    )
  }
  if (unopened.isFull) closeUnopened(unopened, host)
}

/** A closer of reasoning that nothing opened: the calls before it stand in a thought. */
export function closeUnopened(unopened: UnopenedReasoning, host: VerdictHost): void {
  const { calls } = unopened
  Object.assign(unopened, { calls: [], length: 0, tail: '' })
  for (const call of calls)
    mentioned(
      host,
      call,
      'inside-reasoning',
      'Reasoning ends behind the call, so the call may only be a mention.',
    )
}

/** Where the first of these closers ends in text behind the calls that wait; -1: none has come. */
export function shownCloserEnd(
  unopened: UnopenedReasoning,
  closers: readonly string[],
  text: string,
): number {
  const { tail } = unopened
  const all = tail + text
  const ends = closers.flatMap((closer) => {
    const at = all.indexOf(closer)
    return at === -1 ? [] : at + closer.length - tail.length
  })
  unopened.tail = all.slice(1 - Math.max(...closers.map(({ length }) => length)))
  return ends.length === 0 ? -1 : Math.min(...ends)
}

/** No closer can come any more: the calls stand. */
export function releaseVerdicts(unopened: UnopenedReasoning, host: VerdictHost): void {
  const { calls } = unopened
  Object.assign(unopened, { calls: [], length: 0, tail: '' })
  for (const call of calls) host.emit(call)
}
