/** Calls that must not run: what they are called, who is told, and what is shown instead. */

import { UNKNOWN_TOOL } from '../../calls/tools.ts'
import { isExecutable } from '../../calls/verdict.ts'
import { SluiceError } from '../../errors.ts'
import type { CallError, ToolCall } from '../../event.ts'

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
 * What becomes of it: its own `text`, nothing (`drop`), or a call (`emit`). A malformed call is emitted with an
 * input that is not JSON, so that the AI SDK repairs it or tells the model, and never runs it.
 */
export type FailureChoice = 'text' | 'drop' | 'emit'

export interface FailureChoices {
  readonly malformed?: FailureChoice
  readonly guessed?: FailureChoice
  readonly 'unknown-tool'?: FailureChoice
  /** Never `emit`: what a model did not finish saying must not run. */
  readonly truncated?: 'text' | 'drop'
}

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

export type OnError = (message: string, metadata: FailureMetadata) => void

const DEFAULT_CHOICES: Readonly<Record<FailureClass, FailureChoice>> = {
  malformed: 'text',
  truncated: 'text',
  guessed: 'text',
  'unknown-tool': 'emit',
}

export function resolveChoices(choices: FailureChoices = {}): Readonly<Record<FailureClass, FailureChoice>> {
  for (const [failure, choice] of Object.entries(choices))
    if (
      !Object.hasOwn(DEFAULT_CHOICES, failure) ||
      !['text', 'drop', 'emit'].includes(choice) ||
      (failure === 'truncated' && choice === 'emit')
    )
      throw new SluiceError(
        'invalid-option',
        `'failures' cannot have '${failure}: ${choice}'; malformed, guessed and unknown-tool are 'text', 'drop' or 'emit', truncated is 'text' or 'drop'.`,
      )
  return { ...DEFAULT_CHOICES, ...choices }
}

/** What is wrong with a call whose input is this JSON text, or nothing. */
export function failureOf(call: ToolCall, input: string): FailureClass | undefined {
  if (call.status === 'truncated') return 'truncated'
  const isUnknown = call.error?.code === UNKNOWN_TOOL
  if (call.status === 'invalid' && !isUnknown) return 'malformed'
  // The value itself is not kept, and the text tells as well that there is one. A call of an unknown tool may be
  // repaired into one of another tool, so that its input must not be a guess either.
  const read: ToolCall = {
    ...call,
    input: input === 'null' ? null : input,
    ...(isUnknown && { status: 'complete' }),
  }
  if (!isExecutable(read)) return 'guessed'
  return isUnknown ? 'unknown-tool' : undefined
}

export function failureMessage(call: ToolCall, failure: FailureClass): string {
  if (call.error !== undefined && failure !== 'guessed') return call.error.message
  const codes = new Set(call.repairs.filter((repair) => repair.class !== 'lossless').map(({ code }) => code))
  return `What the call means had to be guessed (${[...codes].join(', ')}).`
}

/** The input of a call that must not run: the text that came, and behind that the reason, where it would be JSON. */
export function inputThatCannotRun(inputText: string, message: string): string {
  if (inputText.trim() !== '') {
    try {
      JSON.parse(inputText)
    } catch {
      return inputText
    }
  }
  // An empty input would count as one without arguments.
  return `${inputText}\n${message}`
}
