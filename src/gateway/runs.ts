/** Coming back to a run: in the protocol that it was started in, or in any other. */

import type { SluiceEvent } from '../base/event.ts'
import type { RunState } from '../runs/log/log.ts'
import { unknownRun } from '../runs/log/log-error.ts'
import { turnError } from '../turn/turn-error.ts'
import { hasExtensions } from './asked.ts'
import { type Frame, FrameWriter, payloadsIn, textOf } from './frames.ts'
import type { Gateway } from './gateway.ts'
import { GatewayError } from './gateway-error.ts'
import { type Step, stepsOf } from './gateway-run.ts'
import { gather } from './gather.ts'
import { jsonResponse } from './json-response.ts'
import { type ClientProtocol, PROTOCOLS } from './protocols.ts'
import { nonEmpty, streamResponse } from './respond.ts'
import { aboutOf, type RunAbout } from './run-about.ts'
import { begunResponse } from './whole.ts'

/** Where a reader goes on: behind a frame of a record, or behind a frame with a number of its own. */
export interface Position {
  readonly record: number
  readonly frame: number
  /** The `sequence_number` of Responses. */
  readonly sequence?: number
}

export const START: Position = { record: 0, frame: 0 }

/** `12.3`: behind frame 3 of record 12; `12`: behind record 12. A run has no position behind its last record. */
export function positionOf(text: string | null | undefined, { next }: Pick<RunState, 'next'>): Position {
  if (!text) return START
  const [, record, frame] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  if (record === undefined)
    throw new GatewayError(
      400,
      'invalid-request',
      `A position must be RECORD or RECORD.FRAME, such as 12.3, not '${text}'.`,
    )
  if (Number(record) >= next)
    throw new GatewayError(
      400,
      'invalid-request',
      `The run has no record ${record}; its last one is ${next - 1}.`,
    )
  return { record: Number(record), frame: frame === undefined ? Number.POSITIVE_INFINITY : Number(frame) }
}

/** `starting_after` of Responses: behind the event with that number. */
export function sequenceOf(text: string | undefined): Position {
  if (text === undefined) return START
  if (/^\d{1,15}$/.test(text)) return { ...START, sequence: Number(text) }
  throw new GatewayError(
    400,
    'invalid-request',
    `'starting_after' must be the number of an event, not '${text}'.`,
  )
}

/** A run that the client may see. One of somebody else is unknown to it. */
export async function findRun(
  gateway: Gateway,
  request: Request,
  id: string,
): Promise<{ about: RunAbout; state: RunState }> {
  const owner = gateway.ownerOf(request)
  const state = await gateway.log?.state(id)
  const about = state && aboutOf(state.header)
  if (state === undefined || about === undefined || about.owner !== owner) throw unknownRun(id)
  return { about, state }
}

/** The same for reading its records. */
export async function readableRun(
  gateway: Gateway,
  request: Request,
  id: string,
): Promise<{ about: RunAbout; state: RunState }> {
  const found = await findRun(gateway, request, id)
  if (found.about.keeps === undefined) return found
  throw new GatewayError(410, 'not-found', 'This run was kept without its content and cannot be read.')
}

/** The frames of a run behind a position. */
async function* framesBehind(
  gateway: Gateway,
  protocol: ClientProtocol,
  about: RunAbout,
  { record, frame, sequence }: Position,
  signal: AbortSignal,
  isExtended: boolean,
): AsyncGenerator<string, void, undefined> {
  // What a writer writes depends on what it wrote before, so that it begins at the beginning.
  const writer = new FrameWriter(protocol, about, { hasExtensions: isExtended, hasIds: true })
  let reached = -1
  const isBehind = (one: Frame, sequence: number): boolean => {
    const number = payloadsIn([one])[0]?.sequence_number
    if (typeof number !== 'number') return reached >= sequence
    reached = number
    return number > sequence
  }
  for await (const { n, events } of stepsOf(gateway.log!, about.id, signal)) {
    const frames = writer.record(n, events)
    if (sequence !== undefined) yield textOf(frames.filter((one) => isBehind(one, sequence)))
    else if (n > record) yield textOf(frames)
    else if (n === record) yield textOf(frames.filter(({ at }) => at > frame))
  }
}

export function resumeRun(
  gateway: Gateway,
  request: Request,
  protocol: ClientProtocol,
  about: RunAbout,
  position: Position,
): Response {
  gateway.metrics.resumes.inc()
  const controller = new AbortController()
  const isExtended = hasExtensions(gateway.config, request)
  const frames = framesBehind(gateway, protocol, about, position, controller.signal, isExtended)
  return streamResponse(protocol, nonEmpty(frames), {
    config: gateway.config,
    onLeave: () => controller.abort(),
    breakOff: (error) => gateway.breakOff(request, error, about.id),
    headers: { 'sluice-run': about.id },
  })
}

/** Events as they are, for pages that show everything: one JSON object per server-sent event. */
const EVENTS: ClientProtocol = {
  name: 'events',
  format: PROTOCOLS[0]!.format,
  paths: [],
  isStreamed: () => true,
  // Verdicts and diagnostics are events themselves.
  extension: () => '',
  writer: {
    name: 'events',
    contentType: 'text/event-stream',
    frame: (payload) => `data: ${JSON.stringify(payload)}\n\n`,
    end: '',
    takesLateVerdicts: true,
    open: () => ({ write: (event: SluiceEvent) => [event as unknown as Readonly<Record<string, unknown>>] }),
  },
  idPrefix: '',
}

/** The protocol of a name; by default the one that the run was started in. */
export function protocolNamed(name: string | null | undefined, about: RunAbout): ClientProtocol {
  const wanted = name || about.client
  const found = [...PROTOCOLS, EVENTS].find((protocol) => protocol.name === wanted)
  if (found !== undefined) return found
  const names = [...PROTOCOLS.map((protocol) => protocol.name), 'events']
  throw new GatewayError(400, 'invalid-request', `'as' must be one of ${names.join(', ')}, not '${wanted}'.`)
}

/** A run as one body: of one that goes on, or that broke off, only where the protocol can say so. */
export async function wholeRun(
  gateway: Gateway,
  protocol: ClientProtocol,
  about: RunAbout,
  { next, isClosed }: RunState,
): Promise<Response> {
  const { whole, hasStatus } = protocol
  if (whole !== undefined && !isClosed && !hasStatus)
    throw new GatewayError(
      409,
      'invalid-request',
      'The run has not ended; read it as a stream, or try again later.',
      1,
    )
  const steps = upTo(stepsOf(gateway.log!, about.id, new AbortController().signal), next)
  const { payloads, failure, isAborted } = await gather(steps, protocol, about)
  const sluice = { run: about.id, isClosed }
  if (whole === undefined) return jsonResponse({ payloads, sluice })
  if (failure !== undefined && !hasStatus) throw turnError(failure, failure, undefined)
  const body = payloads.length === 0 ? begunResponse(about) : whole(payloads)
  return jsonResponse({ ...body, ...(isAborted && { status: 'cancelled', error: null }), sluice })
}

/** The steps that there were when the run was looked at. */
async function* upTo(steps: AsyncIterable<Step>, next: number): AsyncGenerator<Step, void, undefined> {
  if (next <= 1) return
  for await (const step of steps) {
    yield step
    if (step.n + 1 >= next) return
  }
}
