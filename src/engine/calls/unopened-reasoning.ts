/**
 * Verdicts that wait because the response may have begun inside reasoning. The prompt of some models ends with the opener of
 * reasoning, so the response holds only its closer, and that shows that everything before it was a thought.
 *
 *     I could <tool_call>…</tool_call>|, but no.</think>Here you are.     the closer comes: it is a guess
 *     <tool_call>…</tool_call>|                                           the response ends: it stands
 */

import type { ToolCall } from '../../base/event.ts'
import { FIXED_LIMITS } from '../../base/limits.ts'
import { isBoolean, isCount, listOf, type Shape } from '../../base/plain-state.ts'
import { isVerdict, mentioned, type VerdictHost } from './waiting.ts'

export interface UnopenedReasoning {
  calls: ToolCall[]
  /** Characters of these calls. */
  length: number
  /** Too many calls waited: they are guesses, and so are those that follow. */
  isFull: boolean
}

export const unopenedReasoning = (): UnopenedReasoning => ({ calls: [], length: 0, isFull: false })

export const unopenedShape = (): Shape<UnopenedReasoning> => ({
  calls: listOf(isVerdict),
  length: isCount,
  isFull: isBoolean,
})

/** Keeps a verdict until a closer comes, or the end. */
export function keepVerdict(unopened: UnopenedReasoning, host: VerdictHost, call: ToolCall): void {
  const { span } = call
  unopened.calls.push(call)
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
  Object.assign(unopened, { calls: [], length: 0 })
  for (const call of calls)
    mentioned(
      host,
      call,
      'inside-reasoning',
      'Reasoning ends behind the call, so the call may only be a mention.',
    )
}

/** No closer can come any more: the calls stand. */
export function releaseVerdicts(unopened: UnopenedReasoning, host: VerdictHost): void {
  const { calls } = unopened
  Object.assign(unopened, { calls: [], length: 0 })
  for (const call of calls) host.emit(call)
}
