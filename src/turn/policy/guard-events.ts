/** A guard around a stream of events. */

import { checkEvent } from '../../base/errors.ts'
import type { SluiceEvent } from '../../base/event.ts'
import { createGuard, type GuardOptions } from './guard.ts'

/**
 * The events of a stream, guarded. Leaves the stream when the generation is to be stopped, which cancels it; the last
 * event is then `finish` with the reason `aborted`.
 *
 *     for await (const event of guardEvents(sluice(source, options), { policy })) …
 */
export async function* guardEvents(
  events: AsyncIterable<SluiceEvent> | Iterable<SluiceEvent>,
  options: Omit<GuardOptions, 'emit'>,
): AsyncGenerator<SluiceEvent, void, undefined> {
  const ready: SluiceEvent[] = []
  const guard = createGuard({ ...options, emit: (event) => ready.push(event) })
  for await (const event of events) {
    checkEvent(event, 'guardEvents')
    guard.add(event)
    yield* ready.splice(0)
    if (guard.hasStopped) break
  }
  if (guard.hasStopped) yield { type: 'finish', reason: 'aborted' }
}
