/**
 * Many responses at once, for a long time: memory stays where it is. The long laws read a few, to see that they do not
 * disturb each other.
 *
 *     npm run prove -- soak
 */

import { expect, test } from 'vitest'
import { growthOf, heapInUse, shown } from './heap.ts'
import { scripts, soak } from './streams.ts'

/** The last tenth may need so much more than the first: what is left of measuring it. */
const MOST_GROWTH = 0.05

test('responses that are read at once give what each gives alone', () => {
  expect(soak(scripts(1), 50, 500, () => {})).toBe(0)
})

test.runIf(process.env.SLUICE_SOAK === 'true')(
  '10,000 parsers at once need as much at the end as at the beginning',
  () => {
    const tenths: number[] = []
    expect(soak(scripts(20), 10_000, 50_000, () => tenths.push(heapInUse()))).toBe(0)
    process.stdout.write(`soak: 50,000 responses, 10,000 at once: ${shown(tenths)}\n`)
    expect(growthOf(tenths), shown(tenths)).toBeLessThan(MOST_GROWTH)
    // Each holds what its dialect and its provider must remember, and an open call.
    expect(tenths.at(-1)! / 10_000).toBeLessThan(30_000)
  },
)
