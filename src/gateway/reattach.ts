/**
 * Going on with a run whose producer was lost, where its upstream goes on, too: a response of Responses that runs in the
 * background can be read again behind the last event that is in the log, and a stream of llama.cpp behind the last byte.
 */

import { errorRecord } from '../base/errors.ts'
import type { SluiceEvent } from '../base/event.ts'
import { isFields } from '../base/fields.ts'
import { OpenEvents } from '../base/open-events.ts'
import { createToolTable } from '../engine/calls/tools.ts'
import type { StreamPlace } from '../runs/log/run-record.ts'
import type { LostRun } from '../runs/log/take-over.ts'
import { BackgroundResponse } from './background-response.ts'
import type { GatewayConfig, UpstreamConfig } from './gateway-config.ts'
import { isTakenOver, type PendingInput } from './gateway-run.ts'
import { behind, endingOf, parserOf } from './lost-ending.ts'
import { replayPath, stopStream } from './replayed-stream.ts'
import { aboutOf, type RunAbout } from './run-about.ts'
import { addressOf, upstreamHeaders } from './upstream-address.ts'
import { bodyWithoutKey } from './without-key.ts'

export interface Reattachment {
  readonly about: RunAbout
  /** What follows. `onInput`: gets what arrives, without what the log has already. */
  events(onInput: PendingInput['add'], signal: AbortSignal): AsyncGenerator<SluiceEvent, void, undefined>
}

/** How an upstream is asked for the rest of a response. */
interface Rest {
  readonly path: string
  /** What it sends once more: the log has the beginning of an event that comes whole. */
  readonly again: Buffer
  /** Where the rest begins, if the upstream counts bytes. */
  readonly place?: StreamPlace
  /** Tells the upstream that the rest is not needed. */
  stop(): Promise<void>
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
  if (about === undefined || upstream === undefined || upstream.key === 'client') return undefined
  // The upstream knows such a tool under another name, which is not in the log.
  if (Array.from(createToolTable(about.tools)).some(({ name }) => !/^[\w-]{1,64}$/.test(name)))
    return undefined
  const told = run.steps.flatMap(({ events }) => events)
  if (told.some(({ type }) => type === 'finish')) return undefined
  const arrived = Buffer.concat(run.steps.map(({ input = '' }) => Buffer.from(input as Uint8Array)))
  const rest = about.isReplayed
    ? restOfStream(run, about, upstream)
    : restOfResponse(arrived, about, upstream)
  if (rest === undefined) return undefined
  const read: SluiceEvent[] = []
  const parser = parserOf(about, (event) => read.push(event))
  parser.push(arrived)
  const untold = behind(told, read.splice(0))
  if (untold === undefined) return undefined
  async function* events(
    onInput: PendingInput['add'],
    signal: AbortSignal,
  ): AsyncGenerator<SluiceEvent, void, undefined> {
    const open = new OpenEvents()
    for (const event of told) open.add(event)
    let isFound = false
    let isOver = false
    const taken = (): SluiceEvent[] => {
      for (const event of read) {
        open.add(event)
        isOver ||= event.type === 'finish'
      }
      return read.splice(0)
    }
    try {
      for await (const { piece, place } of piecesOf(upstream!, rest!, config, signal)) {
        if (!isFound) read.push(...untold!)
        isFound = true
        if (piece.length > 0) onInput(piece, place)
        parser.push(piece)
        yield* taken()
      }
      parser.end()
      yield* taken()
    } catch (error) {
      if (isOver) return
      // Until the upstream has the rest, the events that the log lacks were not emitted either.
      yield* isFound ? open.end() : endingOf(run)
      if (!signal.aborted) yield { type: 'error', error: { ...errorRecord(error), code: 'producer-lost' } }
      yield { type: 'finish', reason: signal.aborted ? 'aborted' : 'error' }
      if (!isTakenOver(signal.reason)) await rest!.stop()
    }
  }
  return { about, events }
}

/** Behind the last byte that is in the log; from the beginning where there is none. */
function restOfStream({ steps }: LostRun, { id }: RunAbout, upstream: UpstreamConfig): Rest | undefined {
  const last = steps.filter(({ input = '' }) => input.length > 0).at(-1)
  const place = last === undefined ? { stream: id, offset: 0 } : last.place
  if (place === undefined) return undefined
  const stop = (): Promise<void> => stopStream(upstream, place.stream)
  return { path: replayPath(place), again: Buffer.alloc(0), place, stop }
}

/** Behind the last event that is whole in the log. */
function restOfResponse(arrived: Buffer, about: RunAbout, upstream: UpstreamConfig): Rest | undefined {
  // Calls in the text are read by a parser that the log does not describe in full.
  if (upstream.protocol !== 'openai-responses' || about.dialect !== undefined) return undefined
  const end = arrived.lastIndexOf('\n\n') + 2
  const place = placeIn(arrived.subarray(0, end).toString())
  if (place === undefined) return undefined
  const background = new BackgroundResponse()
  background.add(arrived)
  return {
    path: `/v1/responses/${place.id}?stream=true&starting_after=${place.sequence}`,
    again: arrived.subarray(end),
    stop: () => background.cancel(upstream, undefined),
  }
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

/** Pieces that are not in the log. The first is empty: the upstream has the rest. */
async function* piecesOf(
  upstream: UpstreamConfig,
  { path, again, place }: Rest,
  { connectTimeoutMs, idleTimeoutMs }: GatewayConfig,
  signal: AbortSignal,
): AsyncGenerator<{ readonly piece: Uint8Array; readonly place?: StreamPlace }, void, undefined> {
  const controller = new AbortController()
  const stop = (): void => controller.abort(signal.reason)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const late = (): void => controller.abort(new Error('The upstream sent nothing for too long.'))
  let timer = setTimeout(late, connectTimeoutMs)
  try {
    const headers = upstreamHeaders(upstream, undefined)
    const request = { headers, signal: controller.signal, redirect: 'error' } as const
    const response = await fetch(addressOf(upstream, path), request)
    if (!response.ok || response.body === null)
      throw new Error(`The upstream answered ${response.status} when its response was asked for again.`)
    yield { piece: new Uint8Array() }
    let next = 0
    const key = upstream.key === 'client' ? undefined : upstream.key?.own
    const body = bodyWithoutKey(response.body, key, {
      onPiece: (_, at) => {
        next = at
      },
    })
    let left = again
    clearTimeout(timer)
    timer = setTimeout(late, idleTimeoutMs)
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
      clearTimeout(timer)
      timer = setTimeout(late, idleTimeoutMs)
      const common = Math.min(left.length, piece.length)
      if (!left.subarray(0, common).equals(piece.subarray(0, common)))
        throw new Error('The upstream sent a different response from the one in the log.')
      left = left.subarray(common)
      yield {
        piece: piece.subarray(common),
        ...(place && { place: { ...place, offset: place.offset + next } }),
      }
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
