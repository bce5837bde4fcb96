/** Waiting that a signal can end, even if the awaited work never settles. */

/**
 * Awaits some work until the signal aborts, and then rejects with the signal's reason. A late rejection of the work is
 * handled.
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

/** Calls a function unless the signal has aborted, and awaits it until the signal aborts. */
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
  /** Removes the listener from the parent, so that a long turn does not accumulate them. */
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
