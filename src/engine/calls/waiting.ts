/**
 * Verdicts that wait. A call inside reasoning, or one that no marker opens, may be meant or only be mentioned; what
 * follows it tells the two apart. Its input streams like that of any other call, and its verdict is kept here until
 * something decides.
 *
 *     <think>I should look. <tool_call>{"name": "ls"}</tool_call>|            the model stopped: it stands
 *     <think>I could write <tool_call>{"name": "ls"}</tool_call>| or not.     the thought goes on: it is a guess
 *     [ls(path="src")]|                                                       the model stopped: it stands
 *     [ls(path="src")]| lists a folder.                                       text follows: it is a guess
 *
 * A dialect whose calls may stand anywhere has them between lines of text. One that begins a line waits for its end alone:
 *
 *     So: ⏎ {"name": "ls"}|⏎ Done.                                            its line ended: it stands
 *     {"name": "ls"}| is what I would write.                                  text follows on its line: it is a guess
 */

import type { DiagnosticCode, Repair, Sink, Span, ToolCall } from '../../base/event.ts'
import { FIXED_LIMITS } from '../../base/limits.ts'
import { type Check, isBoolean, isCount, listOf, recordOf, type Shape } from '../../base/plain-state.ts'

/** Why a verdict waits: for the end of the response, also because it stands in a line of text, or for that of the line. */
export type WaitingReason = 'inside-reasoning' | 'text-behind-call' | 'text-in-line' | 'text-on-line'

/** What a call that turns out to be a guess is given: the code of the repair and of the diagnostic, and its message. */
const DOUBTS: Readonly<Record<WaitingReason, readonly [code: DiagnosticCode, message: string]>> = {
  'inside-reasoning': [
    'inside-reasoning',
    'The model continued its reasoning after the call, so the call may only be a mention.',
  ],
  'text-behind-call': [
    'text-behind-call',
    'Text follows a call that has no opening marker, so the call may only be a mention.',
  ],
  'text-in-line': [
    'text-behind-call',
    'Text stands around a call that has no opening marker, so the call may only be a mention.',
  ],
  'text-on-line': [
    'text-behind-call',
    'Text follows a call without an opening marker on its line, so the call may only be a mention.',
  ],
}

/** Where a verdict goes that no longer waits. */
export interface VerdictHost {
  readonly emit: Sink
  /** Takes a verdict that nothing behind the call delays any longer. */
  emitVerdict(call: ToolCall): void
  report(code: DiagnosticCode, message: string, span: Span | undefined, id?: string): void
}

interface WaitingVerdict {
  readonly call: ToolCall
  readonly reason: WaitingReason
}

export interface WaitingVerdicts {
  verdicts: WaitingVerdict[]
  /** Characters of the calls that wait, and of the white space behind them. */
  length: number
  /** Too many calls waited: those that follow are guesses at once, until the model goes on with something else. */
  isFull: boolean
}

export const noVerdicts = (): WaitingVerdicts => ({ verdicts: [], length: 0, isFull: false })

export const isWaitingReason: Check<WaitingReason> = (value): value is WaitingReason =>
  typeof value === 'string' && Object.hasOwn(DOUBTS, value)

export const isVerdict: Check<ToolCall> = (value): value is ToolCall => {
  const call = value as Partial<ToolCall> | null
  return (
    typeof call === 'object' &&
    call?.type === 'tool-call' &&
    typeof call.id === 'string' &&
    typeof call.toolName === 'string' &&
    typeof call.status === 'string' &&
    Array.isArray(call.repairs)
  )
}

export const waitingShape = (): Shape<WaitingVerdicts> => ({
  verdicts: listOf(recordOf({ call: isVerdict, reason: isWaitingReason })),
  length: isCount,
  isFull: isBoolean,
})

/** Keeps the verdict on a call whose source is `length` characters long. */
export function hold(
  waiting: WaitingVerdicts,
  host: VerdictHost,
  verdict: WaitingVerdict,
  length: number,
): void {
  waiting.verdicts.push(verdict)
  waiting.length += length
  const { tentativeCalls, tentativeLength } = FIXED_LIMITS
  if (!waiting.isFull && (waiting.verdicts.length > tentativeCalls || waiting.length > tentativeLength)) {
    waiting.isFull = true
    host.report(
      'limit-reached',
      `More than ${tentativeCalls} calls or ${tentativeLength} characters wait for a verdict, so these calls are guesses.`,
      verdict.call.span,
    )
  }
  if (waiting.isFull) decide(waiting, host, false)
}

/** Takes up to `length` characters of white space, and returns how many: more than a limit of them decides, too. */
export function passSpace(waiting: WaitingVerdicts, length: number): number {
  const taken = Math.max(0, Math.min(length, FIXED_LIMITS.tentativeLength - waiting.length))
  waiting.length += taken
  return taken
}

/** Whether the end of the line decides: no call waits for more. */
export function waitsForLineEnd({ verdicts }: WaitingVerdicts): boolean {
  return verdicts.every(({ reason }) => reason === 'text-on-line')
}

/** Whether what closes a sentence or a fence says nothing about the calls: none of them stands in a line of text. */
export function allowsClosing({ verdicts }: WaitingVerdicts): boolean {
  return verdicts.every(({ reason }) => reason !== 'text-in-line')
}

/** Something followed that a model does not write behind a call that it meant. */
export function doubt(waiting: WaitingVerdicts, host: VerdictHost): void {
  decide(waiting, host, false)
  waiting.isFull = false
}

/** Emits all verdicts. `isMeant`: the model stopped behind the calls, or ended the line. */
export function decide(waiting: WaitingVerdicts, host: VerdictHost, isMeant: boolean): void {
  const { verdicts } = waiting
  waiting.verdicts = []
  waiting.length = 0
  for (const { call, reason } of verdicts) {
    if (isMeant || call.status === 'truncated' || call.status === 'invalid') host.emitVerdict(call)
    else mentioned(host, call, ...DOUBTS[reason])
  }
}

/** Emits a call that may only be mentioned as a guess, with the reason. */
export function mentioned(host: VerdictHost, call: ToolCall, code: DiagnosticCode, message: string): void {
  const repair: Repair = { code, class: 'guess', offset: call.span?.start ?? 0 }
  host.report(code, message, call.span, call.id)
  host.emit({ ...call, status: 'repaired', repairs: [...call.repairs, repair] })
}
