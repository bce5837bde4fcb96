/**
 * A clock for a recording that is played: its time runs at any speed, stands still, and goes on step by step.
 *
 *     const playback = new Playback(2)
 *     for await (const chunk of replay(recording, { clock: playback })) show(chunk)
 */

import { SluiceError } from '../../base/errors.ts'
import { type Clock, systemClock } from './clock.ts'

interface Waiting {
  readonly at: number
  readonly resolve: () => void
}

/** A clock for `replay` that can pause, step and change its speed. */
export class Playback implements Clock {
  private readonly clock: Clock
  private pace: number
  private running = true
  /** The time that was played at the last moment it was looked at, and when that was. */
  private played = 0
  private seenAt: number
  private waiting: Waiting[] = []
  private alarm: AbortController | null = null

  /** `speed`: 2 is twice as fast. */
  constructor(speed = 1, clock: Clock = systemClock) {
    if (!(speed > 0 && speed < Number.POSITIVE_INFINITY))
      throw new SluiceError('invalid-option', `'speed' is a number above 0, not ${String(speed)}.`)
    this.pace = speed
    this.clock = clock
    this.seenAt = clock.now()
  }

  get isPaused(): boolean {
    return !this.running
  }

  get speed(): number {
    return this.pace
  }

  /** Milliseconds of the recording that were played. */
  readonly now = (): number => {
    const at = this.clock.now()
    if (this.running) this.played += (at - this.seenAt) * this.pace
    this.seenAt = at
    return this.played
  }

  readonly wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.waiting = this.waiting.filter((one) => one !== entry)
        this.setAlarm()
        reject(signal?.reason)
      }
      const entry: Waiting = {
        at: this.now() + milliseconds,
        resolve: () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.waiting.push(entry)
      this.setAlarm()
    })

  pause(): void {
    this.now()
    this.running = false
    this.setAlarm()
  }

  resume(): void {
    this.now()
    this.running = true
    this.setAlarm()
  }

  setSpeed(speed: number): void {
    this.now()
    this.pace = speed
    this.setAlarm()
  }

  /** Goes on to the next moment that something waits for. */
  step(): void {
    const next = Math.min(...this.waiting.map(({ at }) => at))
    if (next === Number.POSITIVE_INFINITY) return
    this.played = Math.max(this.now(), next)
    this.wake()
  }

  /** Whoever waits for a time that has come goes on. */
  private wake(): void {
    const now = this.now()
    const due = this.waiting.filter(({ at }) => at <= now)
    this.waiting = this.waiting.filter(({ at }) => at > now)
    for (const { resolve } of due) resolve()
    this.setAlarm()
  }

  private setAlarm(): void {
    this.alarm?.abort()
    this.alarm = null
    if (!this.running || this.waiting.length === 0) return
    const next = Math.min(...this.waiting.map(({ at }) => at))
    const alarm = new AbortController()
    this.alarm = alarm
    this.clock.wait(Math.max(0, (next - this.now()) / this.pace), alarm.signal).then(
      () => {
        if (this.alarm === alarm) this.wake()
      },
      () => {},
    )
  }
}
