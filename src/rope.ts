/**
 * Text that grows by many short pieces. Joining them one by one would leave a tree with a node per piece,
 * eight times the size of the text; so about every kilobyte the newest part is made flat.
 */

const FLAT = 1024
/** So much stays apart, so that what was just added can be taken back. */
const KEPT = 64

export class Rope {
  length = 0
  private settled = ''
  private tail = ''

  constructor(text = '') {
    this.length = text.length
    this.tail = text
  }

  add(piece: string): void {
    this.length += piece.length
    this.tail += piece
    if (this.tail.length < FLAT) return
    this.tail.charCodeAt(0) // looking at a character makes the engine flatten the string
    this.settled += this.tail.slice(0, -KEPT)
    this.tail = this.tail.slice(-KEPT)
  }

  /** Takes back the last characters, which were added a moment ago. */
  cut(count: number): void {
    if (count > this.tail.length) {
      this.tail = this.toString()
      this.settled = ''
    }
    this.tail = this.tail.slice(0, this.tail.length - count)
    this.length -= count
  }

  /** The last characters, for messages. */
  end(count: number): string {
    return this.tail.length >= count
      ? this.tail.slice(-count)
      : (this.settled.slice(-count) + this.tail).slice(-count)
  }

  toString(): string {
    return this.settled + this.tail
  }
}
