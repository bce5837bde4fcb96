/**
 * Measures contestants against a reference that runs in the same rounds.
 *
 * A sample is the processor's time of the whole process, so that the collector and the compiler are in it. Contestants
 * take turns, the median counts, and each is warm before it is measured. One that takes longer than the cap is stopped,
 * and what it would take at the same speed for each chunk is a lower bound.
 */

import { median } from '../measure.mjs'

const SAMPLE = 20_000 // microseconds of processor time that a sample takes at least
const WARM = 150_000
const ROUNDS = 7
/** A contestant that takes this long, all samples together, is measured no more. */
const ENOUGH = 2_500_000

const spentSince = (start) => {
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/**
 * The clock of one run: contestants that may be slow ask it after each chunk whether they should give up. It goes by
 * processor time, so that a busy machine stops no one, and looks at that only when the time itself could be up.
 */
class Clock {
  constructor(microseconds) {
    this.cap = microseconds
    this.start = process.cpuUsage()
    this.look = performance.now() + microseconds / 1000
    this.hasStopped = false
    /** The part of the work that was done when it stopped. */
    this.part = 1
  }

  /** `part`: how much of the work is done. */
  isOver(part) {
    if (this.hasStopped || performance.now() < this.look) return this.hasStopped
    const left = this.cap - spentSince(this.start)
    if (left <= 0) {
      this.hasStopped = true
      this.part = part
    }
    this.look = performance.now() + left / 1000
    return this.hasStopped
  }
}

async function timeOf(run, input, times, cap) {
  const start = process.cpuUsage()
  let result
  for (let count = 1; count <= times; count++) {
    const clock = new Clock(cap * 1000)
    result = await run(input, clock)
    // What is left takes at least as long for each chunk.
    if (clock.hasStopped) return { time: spentSince(clock.start) / clock.part, isCapped: true, result }
  }
  return { time: spentSince(start) / times, isCapped: false, result }
}

/** Warms a contestant up; finds how often it has to run for a sample, and whether it is slow, right or fails. */
async function enter(contestant, input, isRight, cap) {
  const entry = { contestant, times: 1, samples: [], spent: 0, state: 'running' }
  try {
    while (entry.spent < WARM) {
      const { time, isCapped, result } = await timeOf(contestant.run, input, entry.times, cap)
      entry.spent += time * entry.times
      if (isCapped) return { ...entry, state: 'capped', samples: [time] }
      if (!isRight(result)) return { ...entry, state: 'wrong', samples: [time] }
      if (time * entry.times > WARM) entry.samples.push(time)
      if (time * entry.times < SAMPLE / 2) entry.times *= 2
    }
  } catch (error) {
    return { ...entry, state: 'failed', message: String(error?.message ?? error) }
  }
  return entry
}

/**
 * What each contestant takes, in microseconds.
 *
 * @param contestants `{ name, run(input, clock) }`, the reference first
 * @param isRight whether the result of a run is the one that it should be
 * @param cap milliseconds after which a run is stopped
 */
export async function race(contestants, input, isRight = () => true, cap = 3000) {
  const entries = []
  for (const contestant of contestants) entries.push(await enter(contestant, input, isRight, cap))
  for (let round = 0; round < ROUNDS; round++)
    for (const entry of entries) {
      if (entry.state !== 'running' || (entry.samples.length > 0 && entry.spent > ENOUGH)) continue
      const { time } = await timeOf(entry.contestant.run, input, entry.times, cap)
      entry.samples.push(time)
      entry.spent += time * entry.times
    }
  return entries.map(({ contestant, samples, state, message }) => ({
    name: contestant.name,
    gives: contestant.gives,
    time: samples.length === 0 ? undefined : median(samples),
    state: state === 'running' ? 'done' : state,
    message,
  }))
}
