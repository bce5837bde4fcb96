/** The text a state works on: what has come and was not taken yet. */

export class StreamScanner {
  private buffer = ''
  private cursor = 0
  private taken = 0

  append(text: string): void {
    this.buffer = this.buffer.slice(this.cursor) + text
    this.cursor = 0
  }

  /** The next character, or nothing where more must come first. */
  peek(): string | undefined {
    return this.buffer[this.cursor]
  }

  hasMoreChars(): boolean {
    return this.cursor < this.buffer.length
  }

  /** Takes characters and gives them out. */
  consume(count = 1): string {
    const text = this.buffer.slice(this.cursor, this.cursor + count)
    this.advance(count)
    return text
  }

  advance(count = 1): void {
    const steps = Math.max(0, Math.min(count, this.buffer.length - this.cursor))
    this.cursor += steps
    this.taken += steps
  }

  /** All that was not taken. It stays where it is. */
  rest(): string {
    return this.buffer.slice(this.cursor)
  }

  /** How many characters were taken. */
  getPosition(): number {
    return this.taken
  }
}
