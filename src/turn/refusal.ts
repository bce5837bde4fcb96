/** What a model is told about a call that does not run, with advice that gets it further. */

import type { RefusedCall } from '../calls/prepare.ts'
import type { FinishReason, ToolCall } from '../event.ts'
import { isFields } from '../fields.ts'
import { keysOf } from '../path.ts'

/** Why a call was refused by the checks of the call itself. */
export function refusalMessage(call: ToolCall, refused: RefusedCall, finish: FinishReason): string {
  if (call.status === 'truncated') return cutOffMessage(call, finish)
  return call.error?.code === 'denied' ? deniedMessage(call.error.message) : refused.message
}

/** A policy is against it. Its reason is for the model, too. */
export function deniedMessage(reason: string): string {
  return `The call was denied: ${reason} It was not run. Do without it.`
}

/** The same call would be cut off at the same place: what helps is less of it at a time. */
function cutOffMessage(call: ToolCall, finish: FinishReason): string {
  const argument = argumentInFlight(call)
  const where = argument === undefined ? '' : ` inside the argument \`${argument}\``
  const why = finish === 'length' ? ' because the message had reached its greatest length' : ''
  const advice =
    argument === undefined
      ? 'Make the call shorter, or divide the work among several calls.'
      : `Do not send the whole call again: write \`${argument}\` in two or more calls, each with a part of it that is short enough for one message.`
  return `The call of \`${call.toolName}\` was cut off${where}${why}. It was not run. ${advice}`
}

/** The argument that was being written: the last one that is known of. */
function argumentInFlight({ error, input }: ToolCall): string | undefined {
  const [first] = error?.path === undefined ? [] : keysOf(error.path)
  return first ?? (isFields(input) ? Object.keys(input).at(-1) : undefined)
}

/** The model was told this before. */
export function withoutRepetition(message: string, times: number): string {
  return times < 2 ? message : `${message} This has now happened ${times} times: try something else.`
}

export const LIMIT_REACHED =
  'It was not run: no more tools may be used in this turn. Answer with what you know.'
export const STOPPED = 'It was not run to its end: the turn was stopped.'
export const RESPONSE_FAILED = 'It was not run: the response that it was part of failed.'
export const RESPONSE_FILTERED = 'It was not run: the response that it was part of was filtered.'
export const NOT_APPROVED = 'The user did not allow this call. Do not send it again; ask, or do without it.'
export const NOBODY_TO_ASK = 'It needs an approval that nobody can give here. Do without it.'
export const NO_RESULT = 'The tool gave no result for this call.'
