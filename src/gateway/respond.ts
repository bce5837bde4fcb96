/** A run as the answer to its client: a stream, a whole body, or an error, each in the client's own protocol. */

import type { ErrorRecord, SluiceEvent } from '../base/event.ts'
import { turnError } from '../turn/turn-error.ts'
import { FrameWriter } from './frames.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { type GatewayError, gatewayError, recordFor } from './gateway-error.ts'
import type { Run, Step, Steps } from './gateway-run.ts'
import { gather } from './gather.ts'
import { jsonResponse } from './json-response.ts'
import { type ClientProtocol, isSse } from './protocols.ts'
import type { RunAbout } from './run-about.ts'
import { streamBody } from './stream-body.ts'

export interface RespondOptions {
  readonly config: GatewayConfig
  readonly hasExtensions: boolean
  /** The client can come back: its frames have ids. */
  readonly isResumable: boolean
  /** The client reads no more: its response is over, or it has left. */
  onLeave(): void
  /** Closes the client's connection. */
  breakOff(error: unknown): boolean
}

/** How long an error can still become the status of the answer. Then the stream begins. */
const WAIT_MS = 10_000

export function refuse(
  protocol: ClientProtocol,
  error: GatewayError,
  headers: Record<string, string> = {},
): Response {
  const record = recordFor(protocol.name, error)
  const { body, contentType } = protocol.writer.refuse!(record)
  return new Response(body, {
    status: error.status,
    headers: {
      'content-type': contentType,
      ...(error.retryAfter !== undefined && { 'retry-after': String(error.retryAfter) }),
      ...headers,
    },
  })
}

/** The first event that says something, and the steps with it still among them. */
async function peeked(steps: Steps): Promise<{ first: SluiceEvent | undefined; seen: Step[] }> {
  const seen: Step[] = []
  for (;;) {
    const step = await steps.next()
    if (step.done) return { first: undefined, seen }
    seen.push(step.value)
    const first = step.value.events.find(({ type }) => type !== 'diagnostic')
    if (first !== undefined) return { first, seen }
  }
}

/** How a run begins, once that is known or has taken too long to wait for, and all of its steps. */
export async function beginningOf(run: Run): Promise<{ error?: ErrorRecord; steps: Steps }> {
  const beginning = peeked(run.steps)
  const early = await Promise.race([beginning, wait(WAIT_MS)])
  return {
    ...(early?.first?.type === 'error' && { error: early.first.error }),
    steps: early === undefined ? after(beginning, run.steps) : behind(early.seen, run.steps),
  }
}

/** Steps behind a beginning that is not known yet. */
async function* after(
  beginning: ReturnType<typeof peeked>,
  steps: Steps,
): AsyncGenerator<Step, void, undefined> {
  try {
    for await (const step of behind((await beginning).seen, steps)) yield step
  } finally {
    await steps.return()
  }
}

/** Steps that were taken already, and then the rest. */
function behind(seen: readonly Step[], steps: Steps): Steps {
  let at = 0
  const all: Steps = {
    next: () => (at < seen.length ? Promise.resolve({ value: seen[at++]! }) : steps.next()),
    return: () => steps.return(),
    [Symbol.asyncIterator]: () => all as AsyncIterator<Step, void, undefined>,
  }
  return all
}

export function failureOf(run: Run, record: ErrorRecord): GatewayError {
  return gatewayError(run.refusal.error ?? turnError(record, record, undefined))
}

export async function respondStreamed(
  run: Run,
  protocol: ClientProtocol,
  about: RunAbout,
  options: RespondOptions,
): Promise<Response> {
  const { config, onLeave, breakOff } = options
  const headers = { 'sluice-run': about.id }
  const { error, steps } = await beginningOf(run)
  if (error !== undefined) {
    onLeave()
    return refuse(protocol, failureOf(run, error), headers)
  }
  const writer = new FrameWriter(protocol, about, {
    hasExtensions: options.hasExtensions,
    hasIds: options.isResumable,
  })
  async function* frames(): AsyncGenerator<string, void, undefined> {
    for await (const { n, events } of steps) {
      const text = writer.text(n, events)
      if (text !== '') yield text
    }
  }
  return streamResponse(protocol, frames(), { config, onLeave, breakOff, headers })
}

/** Frames as a response. */
export function streamResponse(
  protocol: ClientProtocol,
  frames: AsyncGenerator<string, void, undefined>,
  {
    config,
    onLeave,
    breakOff,
    headers,
  }: Pick<RespondOptions, 'config' | 'onLeave' | 'breakOff'> & { headers: Record<string, string> },
): Response {
  const { contentType, headers: own } = protocol.writer
  const body = streamBody(frames, {
    keepAliveMs: config.keepAliveMs,
    slowClientMs: config.slowClientMs,
    keepAlive: isSse(protocol) ? ': keep-alive\n\n' : '',
    onLeave,
    breakOff,
  })
  return new Response(body, {
    headers: {
      'content-type': contentType,
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      ...own,
      ...headers,
    },
  })
}

export async function* nonEmpty(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const text of texts) if (text !== '') yield text
}

export async function respondWhole(
  run: Run,
  protocol: ClientProtocol,
  about: RunAbout,
  { onLeave }: RespondOptions,
): Promise<Response> {
  const headers = { 'sluice-run': about.id }
  try {
    const { payloads, notes, failure } = await gather(run.steps, protocol, about)
    if (failure !== undefined) return refuse(protocol, failureOf(run, failure), headers)
    const sluice = notes.length > 0 && { sluice: { run: about.id, notes } }
    return jsonResponse({ ...protocol.whole!(payloads), ...sluice }, { headers })
  } finally {
    onLeave()
  }
}

function wait(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref?.()
  })
}
