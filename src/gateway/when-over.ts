/** Events of which somebody wants to know when they are over: at their end, at an error, or when nobody reads on. */

/** `over` is called once. It is no generator, because one around another costs time for each event. */
export function whenOver<T>(
  events: AsyncGenerator<T, void, undefined>,
  over: () => void,
): AsyncIterable<T, void, undefined> {
  let isOver = false
  const end = (): void => {
    if (isOver) return
    isOver = true
    over()
  }
  const ended = (step: IteratorResult<T, void>): IteratorResult<T, void> => {
    if (step.done) end()
    return step
  }
  const failed = (error: unknown): never => {
    end()
    throw error
  }
  const iterator: AsyncIterator<T, void, undefined> = {
    next: () => events.next().then(ended, failed),
    return: () => events.return().then(ended, failed),
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
