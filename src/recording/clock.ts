/** Time, as far as recordings need it; tests bring their own. */

export interface Clock {
  /** Milliseconds since any fixed moment. */
  now(): number
  /** Resolves after some milliseconds; rejects with the signal's reason when it aborts first. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wait(milliseconds, signal) {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, milliseconds)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  },
}
