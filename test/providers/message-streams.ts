/**
 * Streams that attacks are tried on: those that were recorded, and a message with calls in the format of every provider.
 *
 * @reads test/providers/fixtures/
 */

import { readdirSync, readFileSync } from 'node:fs'
import type { SluiceEvent } from '../../src/base/event.ts'
import type { Part } from '../../src/base/part.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { runs } from '../effort.ts'
import { PROVIDER_ENTRIES } from '../laws/providers.ts'
import { RECORDED_STREAMS } from './recorded-streams.ts'

export interface MessageStream {
  readonly what: string
  readonly provider: string
  readonly payloads: readonly object[]
}

/** Arguments come in pieces of a few characters, so that each of them can be lost. */
const MESSAGE: readonly Part[] = [
  { type: 'reasoning', text: 'Hm, two of them.' },
  { type: 'text', text: 'Both.' },
  { type: 'call', toolName: 'move', input: { from: '/tmp/a', to: { path: '/tmp/b' }, count: 2 } },
  { type: 'text', text: 'And then.' },
  { type: 'call', toolName: 'ping', input: {} },
  { type: 'call', toolName: 'wipe', input: { path: '/tmp/c/d' } },
]

const WHOLE = new URL('fixtures/whole/', import.meta.url)

export const STREAMED: readonly MessageStream[] = [
  ...RECORDED_STREAMS.map(({ file, provider, payloads }) => ({ what: file, provider, payloads })),
  ...PROVIDER_ENTRIES.map((entry) => ({
    what: entry.name,
    provider: entry.name.split(' ')[0]!,
    payloads: entry.payloads(MESSAGE),
  })),
]

/** Bodies of responses that were not streamed. */
export const NOT_STREAMED: readonly MessageStream[] = readdirSync(WHOLE).map((file) => ({
  what: `whole/${file}`,
  provider: file.replace(/(-interactions)?\.json$/, ''),
  payloads: [JSON.parse(readFileSync(new URL(file, WHOLE), 'utf8')) as object],
}))

/** The calls that run, with their input. */
export const runsIn = (events: readonly SluiceEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === 'tool-call' && isExecutable(event)
      ? [`${event.toolName} ${JSON.stringify(event.input)}`]
      : [],
  )

/** Those that run, beyond those that ran before. */
export function added(runs: readonly string[], before: readonly string[]): string[] {
  const left = [...before]
  return runs.filter((run) => {
    const at = left.indexOf(run)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** As many as the effort allows, from all parts of a list. */
export function spread<T>(list: readonly T[], share = 1): T[] {
  const count = runs(Math.ceil(list.length * share))
  return Array.from({ length: count }, (_, at) => list[Math.floor((at * list.length) / count)]!)
}
