/**
 * Protocols grow, and readers meet names that they do not know. Whatever is called otherwise in a stream, no call runs that
 * did not run before: not with other arguments, not with none, and not twice.
 */

import { describe, expect, test } from 'vitest'
import { added, NOT_STREAMED, runsIn, STREAMED, spread } from './message-streams.ts'
import { RECORDED_STREAMS } from './recorded-streams.ts'
import { renamingsOf } from './renamed-streams.ts'
import { eventsOf } from './told.ts'

const runsOf = (payloads: readonly object[], provider: string): string[] =>
  runsIn(eventsOf(payloads, { provider }))

describe.each([...STREAMED, ...NOT_STREAMED])('$what', ({ provider, payloads }) => {
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
