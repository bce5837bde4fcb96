/** The last lines of a file, as many as fit into a limit: whoever follows a run that grows wants those. */

import type { StoredRecord } from '../run-store.ts'

/** Characters. A thousand runs at once keep sixteen million. */
const LIMIT = 16_384

export class RecentLines {
  private records: StoredRecord[] = []
  private length = 0

  add(n: number, line: string): void {
    this.records.push([n, line.slice(0, -1)])
    this.length += line.length
    let gone = 0
    while (this.length > LIMIT && gone < this.records.length)
      this.length -= this.records[gone++]![1].length + 1
    if (gone > 0) this.records = this.records.slice(gone)
  }

  /** The records from a number on, and none if they are yet to come; undefined where some of them are not here any more. */
  from(n: number): readonly StoredRecord[] | undefined {
    const first = this.records[0]?.[0]
    if (first === undefined || n < first || n - first > this.records.length) return undefined
    return this.records.slice(n - first)
  }

  clear(): void {
    this.records = []
    this.length = 0
  }
}
