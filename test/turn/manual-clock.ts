/** Time that moves only when a test says so. */

import type { Clock } from '../../src/runs/recording/clock.ts'

interface Wait {
  readonly due: number
  readonly milliseconds: number
  readonly resolve: () => void
}

export class ManualClock implements Clock {
  private time = 0
  private readonly waits = new Set<Wait>()
  private readonly watchers = new Map<number, () => void>()

  readonly now = (): number => this.time

  readonly wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason)
        return
      }
      const onAbort = (): void => {
        this.waits.delete(wait)
        reject(signal?.reason)
      }
      const wait: Wait = {
        due: this.time + milliseconds,
        milliseconds,
        resolve: () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.waits.add(wait)
      this.watchers.get(milliseconds)?.()
      this.watchers.delete(milliseconds)
    })

  /** Resolves when something waits for this long. */
  async untilWaiting(milliseconds: number): Promise<void> {
    if ([...this.waits].some((wait) => wait.milliseconds === milliseconds)) return
    await new Promise<void>((resolve) => this.watchers.set(milliseconds, resolve))
  }

  /** Waits until something waits for this long, and lets the time pass. */
  async pass(milliseconds: number): Promise<void> {
    await this.untilWaiting(milliseconds)
    this.advance(milliseconds)
  }

  advance(milliseconds: number): void {
    this.time += milliseconds
    for (const wait of [...this.waits])
      if (wait.due <= this.time) {
        this.waits.delete(wait)
        wait.resolve()
      }
  }

  /** How many timers run. */
  get open(): number {
    return this.waits.size
  }
}
