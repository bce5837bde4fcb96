/**
 * Protocols grow, and readers meet names that they do not know. Whatever is called otherwise in a stream, no call runs that
 * did not run before: not with other arguments, not with none, and not twice.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isExecutable } from '../../src/calls/verdict.ts'
import type { Part } from '../../src/part.ts'
import { runs } from '../effort.ts'
import { PROVIDER_ENTRIES } from '../laws/providers.ts'
import { RECORDED_STREAMS } from './recorded-streams.ts'
import { renamingsOf } from './renamed-streams.ts'
import { eventsOf } from './told.ts'

const WHOLE = new URL('fixtures/whole/', import.meta.url)

/** Arguments come in pieces of a few characters, so that each of them can be lost. */
const MESSAGE: readonly Part[] = [
  { type: 'text', text: 'Both.' },
  { type: 'call', toolName: 'move', input: { from: '/tmp/a', to: { path: '/tmp/b' }, count: 2 } },
  { type: 'call', toolName: 'ping', input: {} },
  { type: 'call', toolName: 'wipe', input: { path: '/tmp/c/d' } },
]

const STREAMS: readonly [what: string, provider: string, payloads: readonly object[]][] = [
  ...RECORDED_STREAMS.map(({ file, provider, payloads }) => [file, provider, payloads] as const),
  ...readdirSync(WHOLE).map((file) => {
    const payload = JSON.parse(readFileSync(new URL(file, WHOLE), 'utf8')) as object
    return [`whole/${file}`, file.replace(/(-interactions)?\.json$/, ''), [payload]] as const
  }),
  ...PROVIDER_ENTRIES.map(
    (entry) => [entry.name, entry.name.split(' ')[0]!, entry.payloads(MESSAGE)] as const,
  ),
].map(([what, provider, payloads]) => [what, provider, payloads])

const runsOf = (payloads: readonly object[], provider: string): string[] =>
  eventsOf(payloads, { provider }).flatMap((event) =>
    event.type === 'tool-call' && isExecutable(event)
      ? [`${event.toolName} ${JSON.stringify(event.input)}`]
      : [],
  )

/** Those that run, beyond those that ran before. */
function added(runs: readonly string[], before: readonly string[]): string[] {
  const left = [...before]
  return runs.filter((run) => {
    const at = left.indexOf(run)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** As many as the effort allows, from all parts of a list. */
function spread<T>(list: readonly T[]): T[] {
  const count = runs(list.length)
  return Array.from({ length: count }, (_, at) => list[Math.floor((at * list.length) / count)]!)
}

describe.each(STREAMS)('%s', (_, provider, payloads) => {
  test('runs nothing else if a name in it is another', () => {
    const before = runsOf(payloads, provider)
    const found = spread(renamingsOf(payloads)).flatMap(([what, renamed]) =>
      added(runsOf(renamed(), provider), before).map((run) => `${what}: ${run}`),
    )
    expect(found).toEqual([])
  })
})

/** What clients are asked to ignore: signs of life, and events that a protocol will have one day. */
const NEW_EVENTS: readonly object[] = [
  { type: 'ping_2' },
  { type: 'alive', at: 1_700_000_000 },
  { type: 'metrics', note: 'warm', tokens: { cached: 3 }, ids: [1, 2] },
]

describe.each(RECORDED_STREAMS)('$file', ({ provider, payloads }) => {
  test('runs the same if there are events that are not known', () => {
    const before = runsOf(payloads, provider)
    for (const event of NEW_EVENTS)
      for (const at of spread([...payloads.keys()])) {
        const grown = [...payloads.slice(0, at), event, ...payloads.slice(at)]
        expect([at, runsOf(grown, provider)]).toEqual([at, before])
      }
  })
})
