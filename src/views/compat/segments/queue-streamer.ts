/** A bounded queue between a producer of events and a reader: the producer waits if the reader is too slow. */

import { SluiceError } from '../../../base/errors.ts'
import { checkOptions, type KnownOptions } from '../../../base/options.ts'

/** Options of `QueueStreamer`. */
export interface QueueStreamerOptions {
  /** How many items may wait. Default 1000. */
  readonly capacity?: number
}

const OPTIONS: KnownOptions<QueueStreamerOptions> = { capacity: 'number' }

/**
 *     const queue = new QueueStreamer<SegmentEvent>()
 *     const handler = new StreamingResponseHandler({ onSegmentEvent: (event) => queue.put(event) })
 *     for await (const event of queue) socket.send(JSON.stringify(event))
 */
export class QueueStreamer<Item> implements AsyncIterable<Item> {
  private readonly capacity: number
  private items: Item[] = []
  private head = 0
  private isClosed = false
  private failure: { readonly error: unknown } | null = null
  private isRead = false
  /** Resolves the promises that wait for a change. */
  private waiting: (() => void)[] = []

  constructor(options: QueueStreamerOptions = {}) {
    checkOptions(options, OPTIONS)
    const { capacity = 1000 } = options
    if (!(capacity >= 1))
      throw new SluiceError('invalid-option', `'capacity' is a number of at least 1, not ${capacity}.`)
    this.capacity = capacity
  }

  get size(): number {
    return this.items.length - this.head
  }

  /** Adds an item. The promise resolves when the queue is below its capacity; a producer that does not await it lets the queue grow. */
  async put(item: Item): Promise<void> {
    if (this.isClosed)
      throw new SluiceError('push-after-end', 'This queue is closed; nothing can be added to it.')
    this.items.push(item)
    this.wake()
    while (this.size >= this.capacity && !this.isClosed) await this.change()
  }

  /** Nothing more comes. What is in the queue can still be read. */
  close(): void {
    this.isClosed = true
    this.wake()
  }

  /** Nothing more comes, because something failed: the reader gets the error after the last item. */
  fail(error: unknown): void {
    this.failure ??= { error }
    this.close()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    if (this.isRead) throw new SluiceError('invalid-source', 'This queue already has a reader.')
    this.isRead = true
    try {
      for (;;) {
        while (this.size > 0) yield this.take()
        if (this.isClosed) break
        await this.change()
      }
    } finally {
      this.close()
      this.items = []
      this.head = 0
    }
    if (this.failure !== null) throw this.failure.error
  }

  private take(): Item {
    const item = this.items[this.head++]!
    // What was read is let go now and then, not each time, which would cost as much as the queue is long.
    if (this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head)
      this.head = 0
    }
    this.wake()
    return item
  }

  private change(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  private wake(): void {
    const { waiting } = this
    this.waiting = []
    for (const resolve of waiting) resolve()
  }
}
