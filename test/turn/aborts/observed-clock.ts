/** The system's time, with a look at who waits: a timer that is left over keeps the process alive. */

import { type Clock, systemClock } from '../../../src/runs/recording/clock.ts'

export class ObservedClock implements Clock {
  /** How many timers run. */
  open = 0
  private readonly waits = new Set<number>()
  private readonly watchers = new Map<number, () => void>()

  readonly now = (): number => systemClock.now()

  readonly wait = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    this.open++
    this.waits.add(milliseconds)
    this.watchers.get(milliseconds)?.()
    try {
      await systemClock.wait(milliseconds, signal)
    } finally {
      this.open--
    }
  }

  /** Resolves when something waits, or has waited, for this long. */
  async untilWaiting(milliseconds: number): Promise<void> {
    if (this.waits.has(milliseconds)) return
    await new Promise<void>((resolve) => this.watchers.set(milliseconds, resolve))
  }
}
