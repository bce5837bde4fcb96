/** Calls that must not run: what they are called, who is told, and what the AI SDK gets instead. */

import { SluiceError } from '../../base/errors.ts'
import type { CallError, ToolCall } from '../../base/event.ts'
import { isFields } from '../../base/fields.ts'
import { UNKNOWN_TOOL } from '../../engine/calls/tools.ts'
import { isExecutable } from '../../engine/calls/verdict.ts'

/**
 * What can be wrong with a call.
 *
 * - `malformed`: it cannot be read, or contradicts itself.
 * - `truncated`: the response ended inside it.
 * - `guessed`: it was put right in a way that may not be what was meant.
 * - `unknown-tool`: it is well written, but there is no such tool.
 */
export type FailureClass = 'malformed' | 'truncated' | 'guessed' | 'unknown-tool'

/**
 * What becomes of it.
 *
 * - `emit`: a call that cannot run. Its input is the text of the call and the reason, which is never JSON, so that the
 *   AI SDK asks `repairToolCall`, or tells the model. A call of an unknown tool is emitted with its own input.
 * - `text`: the text that the model wrote.
 * - `drop`: nothing.
 * - `run`: a guess is taken for what was meant. A call that may be data of something else still cannot run.
 */
export type FailureChoice = 'emit' | 'text' | 'drop' | 'run'

/** What becomes of calls that must not run, by the reason. */
export interface FailureChoices {
  readonly malformed?: Exclude<FailureChoice, 'run'>
  readonly truncated?: Exclude<FailureChoice, 'run'>
  readonly guessed?: FailureChoice
  readonly 'unknown-tool'?: Exclude<FailureChoice, 'run'>
}

/** What `onError` gets about a call that failed. */
export interface FailureMetadata {
  /** The source of the call, as the model wrote it. */
  readonly toolCall: string
  /** Empty where it did not come to a name. */
  readonly toolName: string
  /** Empty where the call was never announced. */
  readonly toolCallId: string
  readonly reason: FailureClass | 'tool-choice'
  /** Where and why, if more is known than the message tells. */
  readonly error?: CallError | undefined
}

/** Is told of every call that failed. The message is the one that the model gets. */
export type OnError = (message: string, metadata: FailureMetadata) => void

const CHOICES: Readonly<Record<FailureClass, readonly FailureChoice[]>> = {
  malformed: ['emit', 'text', 'drop'],
  truncated: ['emit', 'text', 'drop'],
  guessed: ['emit', 'text', 'drop', 'run'],
  'unknown-tool': ['emit', 'text', 'drop'],
}

export function resolveChoices(choices: FailureChoices = {}): Readonly<Record<FailureClass, FailureChoice>> {
  for (const [failure, choice] of Object.entries(choices))
    if (!Object.hasOwn(CHOICES, failure) || !CHOICES[failure as FailureClass].includes(choice))
      throw new SluiceError(
        'invalid-option',
        `'failures' cannot have '${failure}: ${choice}'; malformed, truncated, guessed and unknown-tool are 'emit', 'text' or 'drop', and guessed can be 'run'.`,
      )
  return { malformed: 'emit', truncated: 'emit', guessed: 'emit', 'unknown-tool': 'emit', ...choices }
}

/** What is wrong with a call, or nothing. */
export function failureOf(call: ToolCall): FailureClass | undefined {
  if (call.status === 'truncated') return 'truncated'
  const isUnknown = call.error?.code === UNKNOWN_TOOL
  if (call.status === 'invalid' && !isUnknown) return 'malformed'
  // A call of an unknown tool may be repaired into one of another tool, so that its input must not be a guess either.
  if (!isExecutable(isUnknown ? { ...call, status: 'complete' } : call)) return 'guessed'
  return isUnknown ? 'unknown-tool' : undefined
}

/**
 * The input of a call that cannot run: its text, and the reason on a line of its own. That is never JSON, whatever the
 * text is: a JSON string holds no line break, and outside of strings nothing begins with `E`.
 */
export function inputThatCannotRun(text: string, reason: string): string {
  return text + REASON + reason
}

const REASON = '\nError: '

/** The name of a call that names no tool: one that no tool has. */
export function unknownName(tools: { has(name: string): boolean }): string {
  let name = 'unknown'
  while (tools.has(name)) name += '_'
  return name
}

/** What travels with a call that cannot run, and comes back with the next prompt. */
export interface FailedCall {
  /** As the model wrote it. Empty where it is visible text already. */
  readonly text: string
  /** What the model is told. */
  readonly reason: string
}

export const FAILED = 'sluice'

/** The metadata of a part that stands for a failed call. */
export interface FailedCallMetadata {
  readonly [FAILED]: FailedCall
}

/**
 * What a past message says about a call that failed. What was metadata are options there; some majors lose them on the
 * way through a page, and others the input.
 */
export function failedCallOf(part: {
  readonly input: unknown
  readonly providerOptions?: unknown
}): FailedCall | undefined {
  const { input, providerOptions } = part
  const noted = isFields(providerOptions) ? providerOptions[FAILED] : undefined
  if (isFields(noted) && typeof noted.text === 'string' && typeof noted.reason === 'string')
    return { text: noted.text, reason: noted.reason }
  if (typeof input !== 'string') return undefined
  const end = input.lastIndexOf(REASON)
  return end === -1 ? undefined : { text: input.slice(0, end), reason: input.slice(end + REASON.length) }
}
