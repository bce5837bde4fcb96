/** Waiting that a signal can end, whatever becomes of what was waited for. */

/**
 * Waits for some work, but not longer than until the signal fires: then it rejects with the signal's reason, and the
 * work may settle whenever it likes, or never.
 */
export function untilAborted<T>(work: PromiseLike<T> | T, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    const forget = (): void => signal.removeEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
    Promise.resolve(work).then(
      (value) => {
        forget()
        resolve(value)
      },
      (error: unknown) => {
        forget()
        reject(error)
      },
    )
  })
}

/** Calls a function that may throw at once or later, and waits for it no longer than the signal allows. */
export function callUntilAborted<T>(work: () => PromiseLike<T> | T, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason)
  try {
    return untilAborted(work(), signal)
  } catch (error) {
    return Promise.reject(error)
  }
}

/** A controller that also fires when its parent does, until it is released. */
export interface LinkedController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
  /** The parent forgets it, so that a long turn does not collect the controllers of its rounds. */
  release(): void
}

export function linkedController(parent: AbortSignal | undefined): LinkedController {
  const controller = new AbortController()
  const follow = (): void => controller.abort(parent?.reason)
  if (parent?.aborted) follow()
  else parent?.addEventListener('abort', follow)
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => parent?.removeEventListener('abort', follow),
  }
}
