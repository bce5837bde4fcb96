/** Every buffer has a limit, and this is the one place that names them; those of `sluice/json` are its own options. */

import { SluiceError } from './errors.ts'
import { checkNames } from './options.ts'

/** The limits of a parser. Reaching one is a diagnostic, never an exception. */
export interface Limits {
  /** Characters held while a construct is still undecided: an opener was seen, its name was not. */
  undecided: number
  /** Characters of a name, an id or a key as the wire writes them. */
  name: number
  /** Characters of an opening tag with its attributes. */
  tag: number
  /** Characters of one call's source. Beyond it the call is `invalid` and no longer kept. */
  call: number
  /** Levels of nesting in a call's arguments. */
  depth: number
  /** Keys of one object in a call's arguments. */
  keys: number
  /** Digits of a number in a call's arguments. */
  number: number
  /** Characters of an unquoted value in a call's arguments. */
  bare: number
  /** Repairs of one call's arguments. */
  repairs: number
  /** Characters, or bytes, of one payload in a provider's stream: an event, a line or a frame. */
  payload: number
  /** Diagnostics of one response; what comes after is counted, not listed. */
  diagnostics: number
}

/** The limits that a parser has if you pass none. */
export const DEFAULT_LIMITS: Readonly<Limits> = Object.freeze({
  undecided: 64 * 1024,
  name: 256,
  tag: 16 * 1024,
  call: 64 * 1024 * 1024,
  depth: 128,
  keys: 10_000,
  number: 1024,
  bare: 4096,
  repairs: 256,
  payload: 64 * 1024 * 1024,
  diagnostics: 1000,
})

/**
 * Calls and results of one response whose ids are remembered. Later ones get ids that are generated, which never
 * repeat; the wire's own is then `wireId`. It stands apart because every parser needs it, and none of the others.
 */
export const MOST_IDS = 4096

/**
 * How much is kept while something waits for its turn, or for what it cannot go on without. Not for users to set:
 * no response that makes sense comes near them.
 */
export const FIXED_LIMITS = {
  /** Calls whose verdict waits until the model has stopped. Beyond it all of them are guesses. */
  tentativeCalls: 256,
  /** Calls whose verdict waits because the response may have begun inside reasoning. Beyond it all of them are guesses. */
  unopenedCalls: 1024,
  /** Characters of the calls whose verdict waits. */
  tentativeLength: 8 * 1024 * 1024,
  /** Segments: characters of a content whose START waits. Beyond it START goes without what it waited for. */
  segmentWaiting: 1024 * 1024,
  /** Segments: characters of one segment that are kept for reading its arguments. */
  segmentContent: 64 * 1024 * 1024,
  /** Segments: whitespace that may stand before a content marker, or behind it. */
  markerSpace: 1024,
  /** Blocks: characters that wait for their turn. Beyond it all speak at once, and chunks of several blocks mix. */
  blocksWaiting: 4 * 1024 * 1024,
  /** AI SDK: characters of a call that came to nothing, enough to see what went wrong with it. */
  unreadCall: 64 * 1024,
  /** AI SDK: characters of a text that are kept for the debug summary. */
  debugText: 1024 * 1024,
  /** Gemini: keys of the path of one patch. */
  patchKeys: 1000,
  /** Log: bytes of a record in a file. */
  recordBytes: 256 * 1024 * 1024,
  /** The command: characters of a line, or of a file that it needs as a whole. */
  wholeText: 256 * 1024 * 1024,
  /** Policy: calls of one stream that were not allowed and are remembered. Beyond it nothing is approved any more. */
  verdicts: 4096,
  /** Policy: characters of a name in a path. No system has longer ones. */
  pathName: 1024,
} as const

export function resolveLimits(limits: Partial<Limits> | undefined): Readonly<Limits> {
  if (limits === undefined) return DEFAULT_LIMITS
  checkNames('There is no limit', limits, DEFAULT_LIMITS)
  for (const [name, value] of Object.entries(limits))
    if (typeof value !== 'number' || !(value >= 1))
      throw new SluiceError(
        'invalid-option',
        `The limit '${name}' must be a number of at least 1, not ${String(value)}.`,
      )
  return Object.freeze({ ...DEFAULT_LIMITS, ...limits })
}
