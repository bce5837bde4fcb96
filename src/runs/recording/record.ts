/** Records a stream on its way to its reader. */

import type { SluiceEvent } from '../../base/event.ts'
import { openSource, type SourceReader } from '../../base/source.ts'
import type { StreamEnd } from '../../engine/wire/machine.ts'
import { type Clock, systemClock } from './clock.ts'
import type { RecordingWriter } from './recording-writer.ts'

/**
 * Passes every chunk on, and writes it down with the time it came.
 *
 *     const events = sluice(record(response.body, writer), { dialect: hermes })
 *
 * Whatever happens to the stream happens here too, and the recording has how it ended.
 */
export function record<Chunk extends string | Uint8Array | SluiceEvent>(
  source: ReadableStream<Chunk> | AsyncIterable<Chunk> | Iterable<Chunk>,
  writer: RecordingWriter,
  clock: Pick<Clock, 'now'> = systemClock,
): AsyncGenerator<Chunk, void, undefined> {
  return pass<Chunk>(openSource(source), writer, clock)
}

async function* pass<Chunk>(
  reader: SourceReader,
  writer: RecordingWriter,
  clock: Pick<Clock, 'now'>,
): AsyncGenerator<Chunk, void, undefined> {
  const start = clock.now()
  let reason: StreamEnd = 'interrupted'
  let failure: unknown
  try {
    for (let step = await reader.next(); !step.done; step = await reader.next()) {
      writer.append(clock.now() - start, step.value)
      yield step.value as Chunk
    }
    reason = 'finished'
  } catch (error) {
    reason = 'failed'
    failure = error
    throw error
  } finally {
    writer.end(clock.now() - start, reason, failure)
    await reader.cancel()
  }
}
