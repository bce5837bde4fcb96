/** Notes of the gateway in a response, for clients that ask for extensions. */

import type { SluiceEvent } from '../base/event.ts'
import type { Payload } from '../providers/wire-format.ts'

const KIND = 'sluice'

export function noteEvent(note: Payload): SluiceEvent {
  return { type: 'custom', kind: KIND, value: note } as SluiceEvent
}

export function noteIn(event: SluiceEvent): Payload | undefined {
  return event.type === 'custom' && event.kind === KIND ? (event.value as Payload) : undefined
}
