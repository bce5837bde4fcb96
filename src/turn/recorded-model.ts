/** Turns that are recorded and played again: each response of the model is a recording. */

import type { SluiceEvent } from '../base/event.ts'
import type { Clock } from '../runs/recording/clock.ts'
import type { EventsRecording } from '../runs/recording/format.ts'
import { record } from '../runs/recording/record.ts'
import type { RecordingWriter } from '../runs/recording/recording-writer.ts'
import { type ReplayOptions, replay } from '../runs/recording/replay.ts'
import type { Model } from './model.ts'
import { TurnError } from './turn-error.ts'

/**
 * Records every response. `open` gives the writer of each, whose kind is `events`.
 *
 *     const model = recordModel(anthropicModel({ apiKey }), (index) => new RecordingWriter(write(index), 'events'))
 */
export function recordModel(
  model: Model,
  open: (index: number) => RecordingWriter,
  clock?: Pick<Clock, 'now'>,
): Model {
  let index = 0
  return async (request, context) => record(await model(request, context), open(index++), clock)
}

/** Answers the first request with the first recording, and so on. */
export function replayModel(recordings: readonly EventsRecording[], options: ReplayOptions = {}): Model {
  let index = 0
  return (_, { signal }) => {
    const recording = recordings[index++]
    if (recording === undefined) throw new TurnError('unknown', `There is no recording of response ${index}.`)
    return replay(recording, { speed: 'instant', signal, ...options }) as AsyncIterable<SluiceEvent>
  }
}
