/** The options of a turn. */

import type { JsonValue, ToolCall } from '../base/event.ts'
import { isFields } from '../base/fields.ts'
import { checkOptions, type KnownOptions, shown, wrongOption } from '../base/options.ts'
import type { EmitOptions } from '../engine/parser.ts'
import { checkMessages } from '../requests/conversation/check-messages.ts'
import type { ConversationMessage, ModelRequest } from '../requests/conversation/model-request.ts'
import { type Clock, systemClock } from '../runs/recording/clock.ts'
import { FORMAT_OPTIONS, type FormatOptions } from '../values/schema/validate.ts'
import type { StreamOptions } from '../views/compat/blocks/types.ts'
import type { Hooks, Model } from './model.ts'
import { Policy } from './policy/policy.ts'
import { type Execute, executablesOf, type TurnTools } from './tool.ts'

/** A complete call that needs approval. */
export interface ApprovalRequest {
  readonly id: string
  readonly toolName: string
  /** What the tool would get: the validated input. It is frozen; what cannot be frozen is a copy. */
  readonly input: unknown
  /** The call as the model wrote it, frozen. */
  readonly call: ToolCall
  /** What the approval is for: the tool, the input as it was written, and the input that the tool would get. */
  readonly digest: string
  /** The call was repaired by guessing: `call.repairs` says how. */
  readonly isGuess: boolean
  /** The policy's reason for asking. */
  readonly reason?: string
  /** Fires when no answer is needed any more. */
  readonly signal: AbortSignal
}

/**
 * The answer to an approval request. The model gets `reason`. An answer that names another `digest` than the request has is
 * for another call, and denies this one. Any other value denies the call, too.
 */
export type Approval =
  | boolean
  | { readonly approved: boolean; readonly reason?: string; readonly digest?: string }

/** A call whose arguments are still streaming. It can be decided early; a denial counts until the tool starts. */
export interface EarlyCall {
  readonly id: string
  readonly toolName: string
  /** The input as far as it is known. */
  readonly input: JsonValue
  /** The call runs once it is complete and valid, if it is still a call of this tool. A guess still needs `approve`. */
  approve(): void
  deny(reason?: string): void
  /** Fires when no answer is needed any more. */
  readonly signal: AbortSignal
}

/** Options that `runTurn`, `startTurn` and `streamYielding` share. */
export interface TurnOptions
  extends Hooks,
    FormatOptions,
    Pick<StreamOptions, 'onToolCalls' | 'maxToolDepth' | 'toolTimeoutMs'> {
  readonly model: Model
  /** A request, its messages, or the user's text. */
  readonly conversation: ModelRequest | readonly ConversationMessage[] | string
  /** Default: the tools of the conversation; their calls are left to the caller. */
  readonly tools?: TurnTools
  readonly signal?: AbortSignal

  // ── which calls run ──
  /** Approves or denies calls: every call, or with a policy those that the policy wants to ask about. */
  readonly approve?: (request: ApprovalRequest) => Approval | PromiseLike<Approval>
  /** Called when a call begins. */
  readonly onCallStart?: (call: EarlyCall) => void
  readonly policy?: Policy
  /** How many tools run in parallel. Default 8. */
  readonly maxParallelTools?: number
  /** How often the same refusal may come, without a tool run in between, before the turn ends. Default 3. */
  readonly maxRepeatedRefusals?: number

  // ── failures ──
  /** How often a request is repeated after a retryable error. Default 2. */
  readonly maxRetries?: number
  /** How often a request is repeated after a refusal. Responses are then emitted only when they are complete. Default 0. */
  readonly refusalRetries?: number
  /** How often `prefilledModel` continues a response that stopped inside a thought or a call. Default 24. */
  readonly maxResumptionRounds?: number
  /** Until the server answers. Default: ten minutes, because a response that is not streamed takes that long. */
  readonly connectTimeoutMs?: number
  /** Until the first event. Default: ten minutes. */
  readonly firstEventTimeoutMs?: number
  /** Between two chunks of a response. Default: ten minutes. */
  readonly idleTimeoutMs?: number

  // ── hooks ──
  /** May change a request before it is written. The conversation stays as it is. */
  readonly beforeRequest?: (
    request: ModelRequest,
    about: { readonly round: number; readonly attempt: number },
  ) => ModelRequest | undefined | PromiseLike<ModelRequest | undefined>
  /** Which events are emitted for calls; see `createParser`. */
  readonly emit?: EmitOptions
  readonly clock?: Clock
  /** A random number between 0 and 1, for the jitter of retries. */
  readonly random?: () => number
}

export const TURN_OPTIONS: KnownOptions<TurnOptions> = {
  model: 'any',
  conversation: 'any',
  tools: 'any',
  signal: 'object',
  approve: 'function',
  onCallStart: 'function',
  policy: 'any',
  ...FORMAT_OPTIONS,
  maxParallelTools: 'number',
  maxRepeatedRefusals: 'number',
  maxToolDepth: 'number',
  toolTimeoutMs: 'number',
  maxRetries: 'number',
  refusalRetries: 'number',
  maxResumptionRounds: 'number',
  connectTimeoutMs: 'number',
  firstEventTimeoutMs: 'number',
  idleTimeoutMs: 'number',
  onToolCalls: 'function',
  beforeRequest: 'function',
  onRequest: 'function',
  onResponse: 'function',
  emit: 'object',
  clock: 'object',
  random: 'function',
}

const TEN_MINUTES = 600_000

const DEFAULTS = {
  maxToolDepth: 10,
  toolTimeoutMs: TEN_MINUTES,
  maxParallelTools: 8,
  maxRepeatedRefusals: 3,
  maxRetries: 2,
  refusalRetries: 0,
  maxResumptionRounds: 24,
  connectTimeoutMs: TEN_MINUTES,
  firstEventTimeoutMs: TEN_MINUTES,
  idleTimeoutMs: TEN_MINUTES,
} as const

type Bounds = { readonly [Name in keyof typeof DEFAULTS]: number }

/** The options, checked, with every bound in place. */
export interface TurnSettings
  extends Omit<TurnOptions, keyof Bounds | 'clock' | 'random' | 'conversation'>,
    Bounds {
  readonly clock: Clock
  readonly random: () => number
  readonly request: ModelRequest
  /** Fires when the turn is to end: with the signal of the options, or because a callback failed or the turn was left. */
  readonly signal: AbortSignal
  /** The functions of the tools by name. */
  readonly executables: ReadonlyMap<string, Execute>
}

export function turnSettings(options: TurnOptions & Pick<TurnSettings, 'signal'>): TurnSettings {
  checkOptions(options, TURN_OPTIONS)
  if (typeof options.model !== 'function')
    throw wrongOption(
      `'model' takes a model, such as openaiChatModel({ model: '…' }) from 'sluice/turn', not ${shown(options.model)}.`,
    )
  const { conversation, policy, clock = systemClock, random = Math.random, ...given } = options
  if (policy !== undefined && !(policy instanceof Policy))
    throw wrongOption("'policy' takes a policy, which createPolicy of 'sluice/policy' makes.")
  const bounds: Record<keyof Bounds, number> = { ...DEFAULTS }
  for (const name of Object.keys(DEFAULTS) as (keyof Bounds)[]) {
    const value = given[name]
    if (value === undefined) continue
    const least = name === 'maxParallelTools' || name === 'maxRepeatedRefusals' ? 1 : 0
    if (!(value >= least)) throw wrongOption(`'${name}' takes a number of at least ${least}, not ${value}.`)
    bounds[name] = value
  }
  const executables = executablesOf(given.tools)
  const request = requestOf(conversation)
  const unknownFormats = new Set<string>()
  const onUnknownFormat = (format: string, path: string): void => {
    if (!unknownFormats.has(format)) given.onUnknownFormat?.(format, path)
    unknownFormats.add(format)
  }
  return {
    ...{ ...given, ...bounds, ...(policy && { policy }) },
    ...{ clock, random, request, executables, onUnknownFormat },
  }
}

function requestOf(conversation: unknown): ModelRequest {
  if (typeof conversation === 'string')
    return { messages: [{ role: 'user', parts: [{ type: 'text', text: conversation }] }] }
  if (Array.isArray(conversation)) {
    checkMessages(conversation)
    return { messages: conversation as readonly ConversationMessage[] }
  }
  if (isFields(conversation) && Array.isArray(conversation.messages)) {
    checkMessages(conversation.messages)
    return conversation as unknown as ModelRequest
  }
  throw wrongOption(
    `'conversation' takes the user's text, a list of messages, or a request with messages, not ${shown(conversation)}.`,
  )
}
