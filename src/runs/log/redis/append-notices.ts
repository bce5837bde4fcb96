/** Messages that say that a run has grown. They hold no records: those are read from the stream. */

import type { Redis } from 'ioredis'

export class AppendNotices {
  private readonly subscriber: Redis
  private readonly watchers = new Map<string, Set<(message: string) => void>>()

  /** A connection that subscribes does nothing else. */
  constructor(subscriber: Redis) {
    this.subscriber = subscriber
    subscriber.on('message', (channel: string, message: string) => {
      for (const wake of this.watchers.get(channel) ?? []) wake(message)
    })
  }

  watch(channel: string, wake: (message: string) => void): () => void {
    const watchers = this.watchers.get(channel) ?? new Set()
    this.watchers.set(channel, watchers)
    watchers.add(wake)
    // A hint that is missed is made up for by looking now and then, so that nothing is lost with the connection.
    if (watchers.size === 1) this.subscriber.subscribe(channel).catch(() => {})
    return () => {
      watchers.delete(wake)
      if (watchers.size > 0 || this.watchers.get(channel) !== watchers) return
      this.watchers.delete(channel)
      this.subscriber.unsubscribe(channel).catch(() => {})
    }
  }
}
