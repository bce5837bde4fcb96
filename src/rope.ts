/**
 * Text that grows by many short pieces. Joining them one by one would leave a tree with a node per piece, many
 * times the size of the text; so every now and then the newest part is made flat.
 */

/** How long the newest part may become: little while the text is short, more when that does not matter any longer. */
const FLAT = 256
const FLAT_OF_LONG = 1024
const LONG = 8192
/** So many pieces of forgotten text are known: enough for the end of it that a message shows. */
const LAST = 16

export class Rope {
  length = 0
  private settled = ''
  /** The last flat part; it stays apart, so that what was just added can be taken back. */
  private block = ''
  private tail = ''
  /** The last pieces of a text that is forgotten, in a ring. */
  private recent: string[] | null = null
  private added = 0

  constructor(text = '') {
    this.length = text.length
    this.tail = text
  }

  add(piece: string): void {
    this.length += piece.length
    if (this.recent !== null) {
      this.recent[this.added++ % LAST] = piece
      return
    }
    this.tail += piece
    if (this.tail.length >= FLAT) this.settle()
  }

  private settle(): void {
    if (this.length > LONG && this.tail.length < FLAT_OF_LONG) return
    this.tail.charCodeAt(0) // looking at a character makes the engine flatten the string
    this.settled += this.block
    this.block = this.tail
    this.tail = ''
  }

  /** Nobody will ask for the text: from now on only its length and its end are known. */
  forget(): void {
    this.recent = [this.toString()]
    this.added = 1
    this.settled = ''
    this.block = ''
    this.tail = ''
  }

  /** What is left of forgotten text: no less than the last pieces, each at least a character long. */
  private recall(): void {
    const { recent } = this
    if (recent === null) return
    const oldest = this.added > LAST ? this.added % LAST : 0
    this.tail = [...recent.slice(oldest), ...recent.slice(0, oldest)].join('').slice(-FLAT)
    this.recent = [this.tail]
    this.added = 1
  }

  /** Takes back the last characters, which were added a moment ago. */
  cut(count: number): void {
    this.recall()
    if (count > this.tail.length) {
      this.tail = this.block + this.tail
      this.block = ''
    }
    if (count > this.tail.length) {
      this.tail = this.toString()
      this.settled = ''
    }
    this.tail = this.tail.slice(0, Math.max(0, this.tail.length - count))
    this.length -= count
    if (this.recent !== null) this.recent = [this.tail]
  }

  /** The last characters, for messages. */
  end(count: number): string {
    this.recall()
    const last = this.block + this.tail
    return last.length >= count ? last.slice(-count) : (this.settled.slice(-count) + last).slice(-count)
  }

  toString(): string {
    return this.settled + this.block + this.tail
  }
}
