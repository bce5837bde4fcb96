/** The async shell of the reader of chunks for a user interface. */

import type { SluiceEvent } from '../../base/event.ts'
import { type UiChunkLike, UiEventReader, type UiEventsOptions } from './ui-reader.ts'

/**
 * The events of a stream of chunks for a user interface, such as `result.toUIMessageStream()` on a server or the
 * parsed body of its response in a browser.
 *
 *     for await (const event of readUiEvents(chunks))
 *       if (event.type === 'argument-delta' && event.path[0] === 'content') file.append(event.delta)
 */
export async function* readUiEvents(
  chunks: ReadableStream<UiChunkLike> | AsyncIterable<UiChunkLike>,
  options: UiEventsOptions = {},
): AsyncGenerator<SluiceEvent, void> {
  let ready: SluiceEvent[] = []
  const reader = new UiEventReader((event) => ready.push(event), options)
  const taken = (): SluiceEvent[] => {
    const events = ready
    ready = []
    return events
  }
  for await (const chunk of iterate(chunks)) {
    reader.add(chunk)
    yield* taken()
  }
  reader.end()
  yield* taken()
}

/** Not every browser can iterate over a stream. */
async function* iterate(
  chunks: ReadableStream<UiChunkLike> | AsyncIterable<UiChunkLike>,
): AsyncGenerator<UiChunkLike, void> {
  if (!('getReader' in chunks)) {
    yield* chunks
    return
  }
  const reader = chunks.getReader()
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value
  } finally {
    // A stream that has failed refuses to be cancelled, and its reader knows of that already.
    reader.cancel().catch(() => {})
  }
}
