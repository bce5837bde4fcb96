/** Time, as far as recordings need it; tests bring their own. */

export interface Clock {
  /** Milliseconds since any fixed moment. */
  now(): number
  /** Resolves after some milliseconds; rejects with the signal's reason when it aborts first. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** Timers take no more: a longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => performance.now(),
  wait(milliseconds, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason)
        return
      }
      let left = milliseconds
      let timer: ReturnType<typeof setTimeout>
      const onAbort = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const waitOn = (): void => {
        const now = Math.min(left, LONGEST_TIMER)
        left -= now
        timer = setTimeout(() => {
          if (left > 0) {
            waitOn()
            return
          }
          signal?.removeEventListener('abort', onAbort)
          resolve()
        }, now)
      }
      waitOn()
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  },
}
