import { expect, test } from 'vitest'
import { createParser } from '../src/engine/parser.ts'
import { growthOf, MOST_GROWTH } from './growth.ts'

/** Work for each character, and for each character before it. */
function workOf(size: number, isQuadratic: boolean): void {
  const parser = createParser({})
  for (let at = 0; at < size; at++)
    for (let again = 0; again <= (isQuadratic ? at : 0); again++) parser.push('x')
}

// By time, growth with the square would take too long to measure again.
test.skipIf(process.env.SLUICE_GROWTH === 'time')('growth is told from growth with the square', async () => {
  expect(await growthOf((size) => workOf(size, false), 2000)).toBeLessThan(MOST_GROWTH)
  expect(await growthOf((size) => workOf(size, true), 2000)).toBeGreaterThan(MOST_GROWTH)
})
