/** A timeout that restarts with every event. One timer serves a whole response. */

import type { Clock } from '../runs/recording/clock.ts'

export class Deadline {
  private readonly clock: Clock
  private readonly onExpire: () => void
  private limit = Number.POSITIVE_INFINITY
  private last = 0
  private isWaiting = false
  private timer: AbortController | null = null

  constructor(clock: Clock, onExpire: () => void) {
    this.clock = clock
    this.onExpire = onExpire
  }

  /** Starts waiting. */
  wait(limit: number): void {
    if (limit !== this.limit) this.stop()
    this.limit = limit
    this.isWaiting = true
    if (limit === Number.POSITIVE_INFINITY) return
    this.last = this.clock.now()
    if (this.timer === null) void this.run()
  }

  /** Restarts the time: bytes have arrived. */
  touch(): void {
    if (this.limit !== Number.POSITIVE_INFINITY) this.last = this.clock.now()
  }

  /** Pauses: the time that a slow consumer takes does not count. */
  rest(): void {
    this.isWaiting = false
  }

  stop(): void {
    this.isWaiting = false
    this.timer?.abort()
    this.timer = null
  }

  private async run(): Promise<void> {
    const timer = new AbortController()
    this.timer = timer
    while (this.isWaiting && this.timer === timer) {
      const left = this.last + this.limit - this.clock.now()
      if (left <= 0) {
        this.timer = null
        this.onExpire()
        return
      }
      try {
        await this.clock.wait(left, timer.signal)
      } catch {
        return
      }
    }
    if (this.timer === timer) this.timer = null
  }
}
