/**
 * Writes events as they are, for a page of one's own: one server-sent event for each, which `readEvents` reads.
 *
 *     data: {"type":"text-delta","id":"text-1","delta":"Hi"}
 *
 * All is written, also what has no place in other formats: verdicts that come late, calls that may not run with their
 * verdict, diagnostics.
 */

import type { SluiceEvent } from '../../base/event.ts'
import { asEvent, type Payload, type WireFormat } from '../wire-format.ts'

/** Writes each event as a server-sent event, for `readEvents` in a page. */
export const eventsWriter: WireFormat<'events'> = {
  name: 'events',
  contentType: 'text/event-stream',
  frame: asEvent,
  end: '',
  takesLateVerdicts: true,
  open: () => ({ write: (event: SluiceEvent): readonly Payload[] => [{ ...event }] }),
}
