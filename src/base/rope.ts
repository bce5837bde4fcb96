/**
 * Text that grows by many short pieces. Joining them one by one would leave a tree with a node per piece, many
 * times the size of the text; so every now and then the newest part is made flat.
 */

/** How long the newest part may become: a sixteenth of the text, between these. */
const LEAST = 32
const MOST = 1024

export class Rope {
  length = 0
  private settled = ''
  /** The last flat part; it stays apart, so that what was just added can be taken back. */
  private block = ''
  private tail = ''
  /** False: nobody will ask for the text, and only its length is known. */
  isKept = true

  /** A number: only the length is known. */
  constructor(text: string | number = '') {
    if (typeof text === 'string') {
      this.length = text.length
      this.tail = text
    } else {
      this.length = text
      this.isKept = false
    }
  }

  add(piece: string): void {
    this.length += piece.length
    if (!this.isKept) return
    this.tail += piece
    const { length } = this.tail
    if (length >= LEAST && (length >= MOST || length >= this.length >> 4)) this.settle()
  }

  /** Makes the newest part flat, together with the one before as long as that is short. */
  private settle(): void {
    if (this.block.length < MOST) this.block += this.tail
    else {
      this.settled += this.block
      this.block = this.tail
    }
    this.block.charCodeAt(0) // looking at a character makes the engine flatten the string
    this.tail = ''
  }

  /** From now on only its length is known. */
  forget(): void {
    this.isKept = false
    this.settled = ''
    this.block = ''
    this.tail = ''
  }

  /** Takes back the last characters, which were added a moment ago. */
  cut(count: number): void {
    this.length -= count
    if (!this.isKept) return
    if (count > this.tail.length) {
      this.tail = this.block + this.tail
      this.block = ''
    }
    if (count > this.tail.length) {
      this.tail = this.toString()
      this.settled = ''
    }
    this.tail = this.tail.slice(0, Math.max(0, this.tail.length - count))
  }

  /** The last characters, for messages. */
  end(count: number): string {
    return (this.settled.slice(-count) + this.block + this.tail).slice(-count)
  }

  /** What the constructor makes the same of. */
  save(): string | number {
    return this.isKept ? this.toString() : this.length
  }

  toString(): string {
    return this.settled + this.block + this.tail
  }
}
