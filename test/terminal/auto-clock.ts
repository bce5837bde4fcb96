import type { Clock } from '../../src/recording/index.ts'

/** A clock that is always right and never makes anyone wait: when nothing else is left to do, the next time has come. */
export class AutoClock implements Clock {
  private time = 0
  private waiting: { readonly at: number; readonly resolve: () => void }[] = []
  private isDue = false

  now = (): number => this.time

  wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const entry = { at: this.time + milliseconds, resolve }
      this.waiting.push(entry)
      signal?.addEventListener('abort', () => {
        this.waiting = this.waiting.filter((one) => one !== entry)
        reject(signal.reason)
      })
      this.goOn()
    })

  private goOn(): void {
    if (this.isDue || this.waiting.length === 0) return
    this.isDue = true
    setImmediate(() => {
      this.isDue = false
      const next = this.waiting.reduce((one, other) => (other.at < one.at ? other : one), this.waiting[0]!)
      if (next !== undefined) {
        this.waiting = this.waiting.filter((one) => one !== next)
        this.time = Math.max(this.time, next.at)
        next.resolve()
      }
      this.goOn()
    })
  }
}
