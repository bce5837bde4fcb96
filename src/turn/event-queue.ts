/** Events of work that runs side by side, in the order in which they happen. */

export class EventQueue<Event> {
  private events: Event[] = []
  private wake: (() => void) | null = null
  private isOver = false

  readonly push = (event: Event): void => {
    if (this.isOver) return
    this.events.push(event)
    this.wake?.()
  }

  /** The work is done. What happens later is not part of it any more. */
  end(): void {
    this.isOver = true
    this.wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    for (;;) {
      const ready = this.events
      this.events = []
      yield* ready
      if (this.events.length > 0) continue
      if (this.isOver) return
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
      this.wake = null
    }
  }
}
