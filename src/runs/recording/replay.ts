/** Plays a recording: the same chunks, with the same pauses between them. */

import { SluiceError } from '../../base/errors.ts'
import { checkOptions, type KnownOptions } from '../../base/options.ts'
import { type Clock, systemClock } from './clock.ts'
import type { ChunkOf, Recording } from './format.ts'

/** Options of `replay`. */
export interface ReplayOptions {
  /** 2 is twice as fast. `instant`, or Infinity, does not wait at all. Default 1. */
  readonly speed?: number | 'instant'
  /** Stops the replay: its loop is left with the signal's reason. */
  readonly signal?: AbortSignal
  readonly clock?: Clock
}

const OPTIONS: KnownOptions<ReplayOptions> = { speed: 'any', signal: 'object', clock: 'object' }

/**
 * The chunks of a recording, each when its time has come.
 *
 *     for await (const event of sluice(replay(recording, { speed: 4 }), { dialect: hermes })) show(event)
 *
 * Times count from the first chunk that is asked for. A reader that is slower than the recording gets what is
 * due at once, and the replay does not fall behind. A recording of a stream that failed fails at its end too.
 */
export function replay<AnyRecording extends Recording>(
  recording: AnyRecording,
  options: ReplayOptions = {},
): AsyncGenerator<ChunkOf<AnyRecording>, void, undefined> {
  checkOptions(options, OPTIONS)
  if (!Array.isArray(recording?.chunks))
    throw new SluiceError('invalid-recording', 'replay takes a recording; make one with parseRecording.')
  const { speed = 1, signal, clock = systemClock } = options
  const factor = speed === 'instant' ? Number.POSITIVE_INFINITY : speed
  if (typeof factor !== 'number' || !(factor > 0))
    throw new SluiceError(
      'invalid-option',
      `'speed' is a number above 0, or 'instant', not ${String(speed)}.`,
    )
  return play(recording, factor, signal, clock)
}

async function* play<AnyRecording extends Recording>(
  { chunks, end }: AnyRecording,
  speed: number,
  signal: AbortSignal | undefined,
  clock: Clock,
): AsyncGenerator<ChunkOf<AnyRecording>, void, undefined> {
  const start = clock.now()
  const due = async (at: number): Promise<void> => {
    signal?.throwIfAborted()
    if (speed === Number.POSITIVE_INFINITY) return
    const left = start + at / speed - clock.now()
    if (left > 0) await clock.wait(left, signal)
  }
  for (const { at, chunk } of chunks) {
    await due(at)
    yield chunk
  }
  if (end === undefined) return
  await due(end.at)
  if (end.reason === 'failed') throw new Error(end.error ?? 'The recorded stream failed.')
}
