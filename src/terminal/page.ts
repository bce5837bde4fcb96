/** Where everything a view writes goes: it knows the colours, and where on the page it is. */

export type Style = 'plain' | 'bold' | 'dim' | 'red' | 'green' | 'yellow'

/** Numbers of SGR: what begins the style and what ends it. */
const STYLES: Record<Exclude<Style, 'plain'>, readonly [begin: number, end: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
}

export class Page {
  private readonly write: (text: string) => void
  private readonly colour: boolean
  private written = ''
  private isEmpty = true
  private isLineStart = true

  constructor(write: (text: string) => void, colour: boolean) {
    this.write = write
    this.colour = colour
  }

  /**
   * Text without a newline. Each piece takes its colour back at once, so that a stream that stops anywhere
   * leaves the terminal as it was.
   */
  print(text: string, style: Style = 'plain'): void {
    if (text === '') return
    this.isEmpty = false
    this.isLineStart = false
    if (!this.colour || style === 'plain') this.written += text
    else this.written += `\x1b[${STYLES[style][0]}m${text}\x1b[${STYLES[style][1]}m`
  }

  /** Ends the line, even an empty one. */
  newline(): void {
    this.written += '\n'
    this.isLineStart = true
  }

  /** Goes to the start of a line. */
  startLine(): void {
    if (!this.isLineStart) this.newline()
  }

  /** Goes to the start of a block, which is one empty line away from what stands above it. */
  startBlock(): void {
    this.startLine()
    if (!this.isEmpty) this.newline()
  }

  /** Hands over what was written since the last time, in one piece. */
  flush(): void {
    if (this.written === '') return
    const { written } = this
    this.written = ''
    this.write(written)
  }
}
