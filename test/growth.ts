/** Tells whether work takes time in proportion to its size, on a machine that has other things to do. */

/** Four times the work may take no more than this times the time. Linear is 4, quadratic is 16. */
export const MOST_GROWTH = 8
const ATTEMPTS = 4
const REPEATS = 4

/**
 * How much longer four times as much takes, in the processor's time. One collection of garbage in the wrong run looks
 * like growth; so growth is believed only if it is still there when both are run again, and when there is more of it.
 */
export async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  await timeOf(work, size / 4)
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && least >= MOST_GROWTH; attempt++) {
    const scaled = size * 2 ** attempt
    let [short, long] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let repeat = 0; repeat < REPEATS && !(long / short < MOST_GROWTH); repeat++) {
      short = Math.min(short, await timeOf(work, scaled))
      long = Math.min(long, await timeOf(work, 4 * scaled))
    }
    least = Math.min(least, long / short)
  }
  return least
}

async function timeOf(work: (size: number) => unknown, size: number): Promise<number> {
  const start = process.cpuUsage()
  await work(size)
  const { user, system } = process.cpuUsage(start)
  return Math.max(1, user + system)
}
