/** Waiting that a signal can end, even if the awaited work never settles. */

interface AbortListener {
  readonly callbacks: Set<() => void>
  readonly onAbort: () => void
}

/**
 * The one listener of each signal, however many calls run at once: Node takes more than ten for a leak, and prints a warning
 * on the terminal of the program.
 */
const listeners = /* @__PURE__ */ new WeakMap<AbortSignal, AbortListener>()

/** Calls back when the signal aborts, or now if it has. Returns what removes the callback, and the listener with the last one. */
function whenAborted(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback()
    return () => {}
  }
  const { callbacks, onAbort } = listeners.get(signal) ?? listen(signal)
  callbacks.add(callback)
  return () => {
    callbacks.delete(callback)
    if (callbacks.size > 0 || listeners.get(signal)?.callbacks !== callbacks) return
    listeners.delete(signal)
    signal.removeEventListener('abort', onAbort)
  }
}

function listen(signal: AbortSignal): AbortListener {
  const callbacks = new Set<() => void>()
  const onAbort = (): void => {
    listeners.delete(signal)
    for (const callback of callbacks) callback()
  }
  const listener = { callbacks, onAbort }
  listeners.set(signal, listener)
  signal.addEventListener('abort', onAbort, { once: true })
  return listener
}

/**
 * Awaits some work until the signal aborts, and then rejects with the signal's reason. A late rejection of the work is
 * handled.
 */
export function untilAborted<T>(work: PromiseLike<T> | T, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const forget = whenAborted(signal, () => reject(signal.reason))
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

/**
 * The same for many pieces of work, one after the other: one listener serves all of them.
 *
 *     const waiting = new WaitUntilAborted(signal)
 *     while (isOpen) use(await waiting.for(source.next()))
 *     waiting.release()
 */
export class WaitUntilAborted {
  private readonly signal: AbortSignal
  private reject: ((reason: unknown) => void) | undefined
  private readonly onAbort = (): void => this.reject?.(this.signal.reason)

  constructor(signal: AbortSignal) {
    this.signal = signal
    signal.addEventListener('abort', this.onAbort)
  }

  for<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.reject = reject
      work.then(resolve, reject)
      if (this.signal.aborted) this.onAbort()
    })
  }

  release(): void {
    this.signal.removeEventListener('abort', this.onAbort)
  }
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
  /** Fires the signal, and releases the controller. */
  abort(reason?: unknown): void
  /** Removes the listener from the parent, so that a long turn does not accumulate them. */
  release(): void
}

export function linkedController(parent: AbortSignal | undefined): LinkedController {
  const controller = new AbortController()
  const release = parent === undefined ? () => {} : whenAborted(parent, () => controller.abort(parent.reason))
  return {
    signal: controller.signal,
    abort: (reason) => {
      controller.abort(reason)
      release()
    },
    release,
  }
}
