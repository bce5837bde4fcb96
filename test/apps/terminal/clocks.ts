import type { Clock } from '../../../src/runs/recording/index.ts'

/** A clock that stands still until the test moves it. */
export class ManualClock implements Clock {
  private time = 0
  private waiting: { readonly at: number; readonly resolve: () => void }[] = []

  now = (): number => this.time

  wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const entry = { at: this.time + milliseconds, resolve }
      this.waiting.push(entry)
      signal?.addEventListener('abort', () => {
        this.waiting = this.waiting.filter((one) => one !== entry)
        reject(signal.reason)
      })
    })

  async advance(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds
    while (this.goToNext(end)) {
      await Promise.resolve()
      await Promise.resolve()
    }
    this.time = end
  }

  /** The time for which someone waits next has come, if that is not later than the end. */
  goToNext(end = Number.POSITIVE_INFINITY): boolean {
    const [next] = this.waiting.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
    if (next === undefined) return false
    this.waiting = this.waiting.filter((one) => one !== next)
    this.time = Math.max(this.time, next.at)
    next.resolve()
    return true
  }
}

/** A clock that is always right and never makes anyone wait: when nothing else is left to do, the next time has come. */
export class AutoClock implements Clock {
  private readonly clock = new ManualClock()
  private isDue = false

  now = this.clock.now

  wait = (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    const wait = this.clock.wait(milliseconds, signal)
    this.goOn()
    return wait
  }

  private goOn(): void {
    if (this.isDue) return
    this.isDue = true
    setImmediate(() => {
      this.isDue = false
      if (this.clock.goToNext()) this.goOn()
    })
  }
}
