/**
 * Going on with a run whose producer was lost, where its upstream goes on, too: a response of Responses that runs in the
 * background can be read again behind the last event that is in the log.
 */

import { errorRecord } from '../errors.ts'
import type { SluiceEvent } from '../event.ts'
import { isFields } from '../fields.ts'
import type { LostRun } from '../log/take-over.ts'
import { OpenEvents } from '../open-events.ts'
import { BackgroundResponse } from './background-response.ts'
import type { GatewayConfig, UpstreamConfig } from './gateway-config.ts'
import { behind, parserOf } from './lost-ending.ts'
import { aboutOf, type RunAbout } from './run-about.ts'
import { addressOf, upstreamHeaders } from './upstream-address.ts'
import { bodyWithoutKey } from './without-key.ts'

export interface Reattachment {
  readonly about: RunAbout
  /** What follows. `onInput`: gets what arrives, without what the log has already. */
  events(
    onInput: (piece: Uint8Array) => void,
    signal: AbortSignal,
  ): AsyncGenerator<SluiceEvent, void, undefined>
}

/** Undefined where the upstream cannot be read again, or only with the key of the client. */
export function reattachmentOf(run: LostRun, config: GatewayConfig): Reattachment | undefined {
  try {
    return reattachment(run, config)
  } catch {
    // What is in the log is not what this version reads: the run is closed.
    return undefined
  }
}

function reattachment(run: LostRun, config: GatewayConfig): Reattachment | undefined {
  const about = aboutOf(run.header)
  const upstream = config.upstreams.find(({ name }) => name === about?.upstream)
  if (about === undefined || upstream?.protocol !== 'openai-responses' || upstream.key === 'client')
    return undefined
  // Calls in the text are read by a parser that the log does not describe in full.
  if (about.dialect !== undefined) return undefined
  const told = run.steps.flatMap(({ events }) => events)
  if (told.some(({ type }) => type === 'finish')) return undefined
  const arrived = Buffer.concat(run.steps.map(({ input = '' }) => Buffer.from(input as Uint8Array)))
  // A frame that was cut off comes again.
  const end = arrived.lastIndexOf('\n\n') + 2
  const place = placeIn(arrived.subarray(0, end).toString())
  if (place === undefined) return undefined
  const read: SluiceEvent[] = []
  const parser = parserOf(about, (event) => read.push(event))
  parser.push(arrived.subarray(0, end))
  const untold = behind(told, read.splice(0))
  if (untold === undefined) return undefined
  const background = new BackgroundResponse()
  background.add(arrived)
  const path = `/v1/responses/${place.id}?stream=true&starting_after=${place.sequence}`
  async function* events(
    onInput: (piece: Uint8Array) => void,
    signal: AbortSignal,
  ): AsyncGenerator<SluiceEvent, void, undefined> {
    const open = new OpenEvents()
    for (const event of told) open.add(event)
    let isOver = false
    const taken = (): SluiceEvent[] => {
      for (const event of read) {
        open.add(event)
        isOver ||= event.type === 'finish'
      }
      return read.splice(0)
    }
    try {
      read.push(...untold!)
      yield* taken()
      for await (const piece of behindPrefix(
        piecesOf(upstream!, path, config.idleTimeoutMs, signal),
        arrived.subarray(end),
      )) {
        onInput(piece.rest)
        parser.push(piece.whole)
        yield* taken()
      }
      parser.end()
      yield* taken()
    } catch (error) {
      if (isOver) return
      yield* open.end()
      if (signal.aborted) void background.cancel(upstream!, undefined)
      if (!signal.aborted) yield { type: 'error', error: { ...errorRecord(error), code: 'producer-lost' } }
      yield { type: 'finish', reason: signal.aborted ? 'aborted' : 'error' }
    }
  }
  return { about, events }
}

/** The response in its frames, and the number of the last one. */
function placeIn(frames: string): { readonly id: string; readonly sequence: number } | undefined {
  let id: string | undefined
  let sequence: number | undefined
  for (const [, json] of frames.matchAll(/^data: ?(\{.*)$/gm)) {
    const payload: unknown = JSON.parse(json!)
    if (!isFields(payload)) continue
    const { response, sequence_number } = payload
    if (isFields(response) && response.background === true && typeof response.id === 'string')
      id = response.id
    if (typeof sequence_number === 'number') sequence = sequence_number
  }
  return id === undefined || sequence === undefined || !/^[\w-]+$/.test(id) ? undefined : { id, sequence }
}

async function* piecesOf(
  upstream: UpstreamConfig,
  path: string,
  idleMs: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const controller = new AbortController()
  const stop = (): void => controller.abort(signal.reason)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const late = (): void => controller.abort(new Error('The upstream sent nothing for too long.'))
  let timer = setTimeout(late, idleMs)
  try {
    const headers = upstreamHeaders(upstream, undefined)
    const request = { headers, signal: controller.signal, redirect: 'error' } as const
    const response = await fetch(addressOf(upstream, path), request)
    if (!response.ok || response.body === null)
      throw new Error(`The upstream answered ${response.status} when its response was asked for again.`)
    const body = bodyWithoutKey(response.body, upstream.key === 'client' ? undefined : upstream.key?.own)
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
      clearTimeout(timer)
      timer = setTimeout(late, idleMs)
      yield piece
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

/** Pieces of a stream, and what of each is not in the log. The log may have the beginning of the first frame. */
async function* behindPrefix(
  pieces: AsyncIterable<Uint8Array>,
  prefix: Buffer,
): AsyncGenerator<{ readonly whole: Uint8Array; readonly rest: Uint8Array }, void, undefined> {
  let left = prefix
  for await (const whole of pieces) {
    const common = Math.min(left.length, whole.length)
    if (!left.subarray(0, common).equals(whole.subarray(0, common)))
      throw new Error('The upstream sent a different response from the one in the log.')
    left = left.subarray(common)
    yield { whole, rest: whole.subarray(common) }
  }
}
