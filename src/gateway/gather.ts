/** All of a run at once, for an answer that is not streamed. */

import type { ErrorRecord, SluiceEvent } from '../base/event.ts'
import type { Payload } from '../providers/wire-format.ts'
import { extensionIn, type Frame, FrameWriter, payloadsIn } from './frames.ts'
import type { Step } from './gateway-run.ts'
import type { ClientProtocol } from './protocols.ts'
import type { RunAbout } from './run-about.ts'

export interface Gathered {
  readonly payloads: readonly Payload[]
  /** What only clients of the gateway look at. */
  readonly notes: readonly Payload[]
  /** Why the response is not whole. Half an answer is none, unless its protocol can say that it is half. */
  readonly failure?: ErrorRecord
  /** It was stopped. */
  readonly isAborted: boolean
}

export async function gather(
  steps: AsyncIterable<Step>,
  protocol: ClientProtocol,
  about: RunAbout,
): Promise<Gathered> {
  const writer = new FrameWriter(
    protocol,
    { ...about, includesUsage: true },
    { hasExtensions: false, hasIds: false },
  )
  const frames: Frame[] = []
  const notes: Payload[] = []
  let failure: ErrorRecord | undefined
  let isAborted = false
  for await (const { n, events } of steps) {
    for (const event of events) {
      failure ??= failureIn(event)
      if (event.type === 'finish') isAborted = event.reason === 'aborted'
      const note = extensionIn(event)
      if (note !== undefined) notes.push(note)
    }
    frames.push(...writer.record(n, events.map(heldBack)))
  }
  return { payloads: payloadsIn(frames), notes, ...(failure && { failure }), isAborted }
}

/** A whole body has no growing calls: a call is written when its verdict is known, and left out if it may not run. */
function heldBack(event: SluiceEvent): SluiceEvent {
  return event.type === 'tool-input-start' ? { ...event, tentative: true } : event
}

function failureIn(event: SluiceEvent): ErrorRecord | undefined {
  if (event.type === 'error') return event.error
  const isBroken = event.type === 'finish' && (event.reason === 'error' || event.reason === 'aborted')
  return isBroken ? { name: 'GatewayError', message: 'The response broke off.' } : undefined
}
