/**
 * Tells whether work grows in proportion to its size.
 *
 * `npm test` counts: V8 counts how often each block of the source runs, which gives the same number on any machine, however
 * busy it is. Counting does not see inside V8's own functions (a copy of a string that is too long, for example), so
 * `npm run test:laws` measures the processor's time instead, and believes growth only when it is still there after
 * measuring again with more work.
 *
 * A block of a function that V8 compiled before counting began is not counted. The files that use this are therefore
 * called `*.growth.test.ts`, run in a process of their own, and load `count-blocks.ts` before anything else.
 */

import { takeBlockCount } from './count-blocks.ts'

/** Four times the size may take no more than this times the work. Linear is 4, quadratic is 16. */
export const MOST_GROWTH = 8

/** Counts are exact, so that less work tells as much. */
const COUNTED_SHARE = 1 / 32

const ATTEMPTS = 4
const REPEATS = 4
/** Milliseconds below which a measurement tells nothing. */
const TOO_QUICK = 3

/** How much more work there is when the size is four times as large. */
export async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  return process.env.SLUICE_GROWTH === 'time' ? growthOfTime(work, size) : growthOfCount(work, size)
}

async function growthOfCount(work: (size: number) => unknown, size: number): Promise<number> {
  const counted = Math.ceil(size * COUNTED_SHARE)
  takeBlockCount()
  await work(counted)
  const short = takeBlockCount()
  await work(4 * counted)
  const long = takeBlockCount()
  if (long === 0) throw new Error('Nothing was counted: the library was loaded before counting began.')
  return long / short
}

async function growthOfTime(work: (size: number) => unknown, size: number): Promise<number> {
  await timeOf(work, size / 4)
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && least >= MOST_GROWTH; attempt++) {
    const scaled = size * 2 ** attempt
    let [short, long] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    // A garbage collection in the wrong run looks like growth, and is gone when both are measured again.
    for (let repeat = 0; repeat < REPEATS && !(long / short < MOST_GROWTH); repeat++) {
      short = Math.min(short, await timeOf(work, scaled))
      long = Math.min(long, await timeOf(work, 4 * scaled))
      if (long < TOO_QUICK) return 1
    }
    least = Math.min(least, long / short)
  }
  return least
}

/** The processor's time in milliseconds, because the machine has other things to do. */
async function timeOf(work: (size: number) => unknown, size: number): Promise<number> {
  const start = process.cpuUsage()
  await work(size)
  const { user, system } = process.cpuUsage(start)
  return Math.max(0.001, (user + system) / 1000)
}
