/** The part of a writer that is the same everywhere: the lease is renewed, and the writer learns of a stop. */

import { LogError } from './log-error.ts'

/** What the store answers to an append or a renewal that it accepted. */
export interface Answer {
  /** Someone asked for the run to be stopped. */
  readonly isStopped: boolean
}

export class Lease {
  private readonly controller = new AbortController()
  private readonly renew: () => Promise<Answer>
  private readonly timer: ReturnType<typeof setInterval>
  private isRenewing = false
  /** Why nothing can be appended any more. */
  private over: LogError | undefined

  /** Renewed three times per lease, so that one lost message does not lose the run. */
  constructor(leaseMs: number, renew: () => Promise<Answer>) {
    this.renew = renew
    this.timer = setInterval(() => void this.tick(), Math.max(1, leaseMs / 3))
    this.timer.unref?.()
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Throws where the run is no longer ours. */
  check(): void {
    if (this.over !== undefined) throw this.over
  }

  heard({ isStopped }: Answer): void {
    if (isStopped && !this.signal.aborted)
      this.controller.abort(new LogError('stopped', 'The run was stopped.'))
  }

  /** Appending failed. The lease goes on if the same or a smaller record can be appended. */
  failed(error: unknown): void {
    if (!(error instanceof LogError) || error.code === 'unavailable' || error.code === 'too-large') return
    this.end(error)
    if (!this.signal.aborted) this.controller.abort(error)
  }

  end(reason: LogError): void {
    clearInterval(this.timer)
    this.over ??= reason
  }

  private async tick(): Promise<void> {
    if (this.isRenewing) return
    this.isRenewing = true
    try {
      this.heard(await this.renew())
    } catch (error) {
      this.failed(error)
    } finally {
      this.isRenewing = false
    }
  }
}
