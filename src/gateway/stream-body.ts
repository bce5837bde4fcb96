/**
 * Frames as the body of a response. Nothing is asked for that the client has not taken, a client that takes nothing for too
 * long is given up, and one that waits gets a sign of life now and then.
 */

/** A longer timer would fire at once. */
export const LONGEST_MS = 2 ** 31 - 1

export interface StreamBodyOptions {
  readonly keepAliveMs: number
  readonly slowClientMs: number
  /** What a client gets while it waits; nothing where the format has no place for it. */
  readonly keepAlive: string
  /** The client reads no more: the body is over, or the client has left or takes nothing. */
  onLeave(): void
  /** Closes the connection of the client, which then cancels the body. False: there is none to close. */
  breakOff(error: unknown): boolean
}

export function streamBody(
  frames: AsyncIterator<string | Uint8Array, void, undefined>,
  { keepAliveMs, slowClientMs, keepAlive, onLeave, breakOff }: StreamBodyOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isOver = false
  // Who is waited for, and since when: the frames, or a client that has not taken the last one.
  let isPulling = false
  let since = performance.now()
  // One timer for all of the body, which is not touched with every frame.
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = (): void => {
    isOver = true
    clearTimeout(timer)
    onLeave()
  }
  const leave = (): void => {
    if (isOver) return
    end()
    void Promise.resolve(frames.return?.()).catch(() => {})
  }
  // A server that gets an error from a body writes it to the client, as if it were a part of the response.
  const fail = (controller: ReadableStreamDefaultController<Uint8Array>, error: unknown): void => {
    if (!breakOff(error)) controller.error(error)
  }
  const look = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const limit = isPulling ? keepAliveMs : slowClientMs
    const left = since + limit - performance.now()
    if (left <= 0 && !isPulling) {
      leave()
      fail(controller, new Error('The client read nothing for too long.'))
      return
    }
    if (left <= 0) {
      if (keepAlive !== '') controller.enqueue(encoder.encode(keepAlive))
      since = performance.now()
    }
    wait(controller, left <= 0 ? limit : left)
  }
  // Whom it waits for may change in between.
  const wait = (controller: ReadableStreamDefaultController<Uint8Array>, ms: number): void => {
    timer = setTimeout(look, Math.min(Math.max(ms, 1), keepAliveMs, slowClientMs, LONGEST_MS), controller)
    timer.unref?.()
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => wait(controller, slowClientMs),
      async pull(controller) {
        isPulling = true
        since = performance.now()
        try {
          const step = await frames.next()
          if (isOver) return
          if (step.done) {
            end()
            controller.close()
            return
          }
          controller.enqueue(typeof step.value === 'string' ? encoder.encode(step.value) : step.value)
          isPulling = false
          since = performance.now()
        } catch (error) {
          if (isOver) return
          end()
          fail(controller, error)
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  )
}
