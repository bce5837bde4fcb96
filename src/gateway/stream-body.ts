/**
 * Frames as the body of a response. Nothing is asked for that the client has not taken, a client that takes nothing for too
 * long is given up, and one that waits gets a sign of life now and then.
 */

export interface StreamBodyOptions {
  readonly keepAliveMs: number
  readonly slowClientMs: number
  /** What a client gets while it waits; nothing where the format has no place for it. */
  readonly keepAlive: string
  /** The client has left, or takes nothing. */
  onLeave(): void
  /** Closes the connection of the client, which then cancels the body. False: there is none to close. */
  breakOff(error: unknown): boolean
}

export function streamBody(
  frames: AsyncIterator<string, void, undefined>,
  { keepAliveMs, slowClientMs, keepAlive, onLeave, breakOff }: StreamBodyOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isOver = false
  let slow: ReturnType<typeof setTimeout> | undefined
  const leave = (): void => {
    if (isOver) return
    isOver = true
    clearTimeout(slow)
    onLeave()
    void Promise.resolve(frames.return?.()).catch(() => {})
  }
  // A server that gets an error from a body writes it to the client, as if it were a part of the response.
  const fail = (controller: ReadableStreamDefaultController<Uint8Array>, error: unknown): void => {
    if (!breakOff(error)) controller.error(error)
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(slow)
        const ping = setInterval(() => {
          // A client that has left may leave frames behind that are still awaited.
          if (keepAlive !== '' && !isOver) controller.enqueue(encoder.encode(keepAlive))
        }, keepAliveMs)
        try {
          const step = await frames.next()
          if (isOver) return
          if (step.done) {
            isOver = true
            controller.close()
            return
          }
          controller.enqueue(encoder.encode(step.value))
          slow = setTimeout(() => {
            leave()
            fail(controller, new Error('The client took nothing for too long.'))
          }, slowClientMs)
          slow.unref?.()
        } catch (error) {
          if (!isOver) {
            isOver = true
            fail(controller, error)
          }
        } finally {
          clearInterval(ping)
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  )
}
