/**
 * Measures jobs against each other in one run.
 *
 * These figures are ratios: the machine is shared, so only what ran side by side can be compared. A sample is
 * the processor's time of the whole process, so that the collector and the compiler are in it. Jobs take turns,
 * the median counts, and each is warm before it is measured. Garbage is never collected by force, because that
 * throws optimised code away.
 */

const ROUNDS = 9
const SAMPLE = 25_000 // microseconds of processor time that a sample should take at least
// A job is warm when it has run for a while and has stopped getting faster: the compiler is done with it.
const WARM = 350_000
const WARM_AT_MOST = 1_500_000
const STEADY = 5 // measurements in a row, none of which is faster than all before

/** @param {() => unknown} job */
function timeOf(job, times) {
  const start = process.cpuUsage()
  for (let run = 0; run < times; run++) job()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / times
}

/** @param {() => unknown} job */
function timesFor(job, warm) {
  let times = 1
  let best = Number.POSITIVE_INFINITY
  let steady = 0
  for (let spent = 0; spent < warm || (steady < STEADY && spent < WARM_AT_MOST); steady++) {
    const time = timeOf(job, times)
    spent += time * times
    if (time < best * 0.98) steady = 0
    best = Math.min(best, time)
    if (time * times < SAMPLE / 2) times *= 2
  }
  return times
}

/**
 * Microseconds that each job takes, by its name.
 *
 * @param {Record<string, () => unknown>} jobs
 * @returns {Record<string, number>}
 */
export function measure(jobs, rounds = ROUNDS, warm = WARM) {
  const entries = Object.entries(jobs).map(([name, job]) => ({
    name,
    job,
    times: timesFor(job, warm),
    samples: [],
  }))
  for (let round = 0; round < rounds; round++)
    for (const entry of entries) entry.samples.push(timeOf(entry.job, entry.times))
  return Object.fromEntries(entries.map(({ name, samples }) => [name, median(samples)]))
}

/** The same for jobs that are asynchronous. @param {Record<string, () => Promise<unknown>>} jobs */
export async function measureAsync(jobs, rounds = 7) {
  const entries = Object.entries(jobs).map(([name, job]) => ({ name, job, samples: [] }))
  for (const { job } of entries) for (let spent = 0; spent < WARM; ) spent += await timeOfAsync(job)
  for (let round = 0; round < rounds; round++)
    for (const { job, samples } of entries) samples.push(await timeOfAsync(job))
  return Object.fromEntries(entries.map(({ name, samples }) => [name, median(samples)]))
}

/** @param {() => Promise<unknown>} job */
async function timeOfAsync(job) {
  const start = process.cpuUsage()
  await job()
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/** @param {number[]} samples */
export function median(samples) {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}
