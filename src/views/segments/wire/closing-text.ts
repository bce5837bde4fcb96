/**
 * Text up to a closing tag, in any case; nothing but that tag ends it.
 *
 *     let a = 1</write_fi|le>
 */

export interface ClosingTextState {
  readonly held: string
}

export class ClosingText {
  isClosed = false
  private readonly close: string
  /** What may be the closing tag. */
  private held = ''

  constructor(tagName: string) {
    this.close = `</${tagName.toLowerCase()}>`
  }

  /** Reads `text[from, to)`; the index after the last character it took. `say` gets the text before the tag. */
  read(text: string, from: number, to: number, say: (text: string) => void): number {
    let at = from
    while (at < to && !this.isClosed) {
      if (this.held === '') {
        const found = text.indexOf('<', at)
        const end = found === -1 || found >= to ? to : found
        if (end > at) say(text.slice(at, end))
        at = end
        if (end === to) break
      }
      const sofar = this.held + text[at]!
      if (this.close.startsWith(sofar.toLowerCase())) {
        this.held = sofar
        this.isClosed = sofar.length === this.close.length
        at++
      } else {
        // A closing tag has one `<`, so nothing of what was held can begin another.
        say(this.held)
        this.held = ''
      }
    }
    return at
  }

  /** The text ends here. */
  end(say: (text: string) => void): void {
    if (this.held !== '') say(this.held)
    this.held = ''
  }

  save(): ClosingTextState {
    return { held: this.held }
  }

  static restore({ held }: ClosingTextState, tagName: string): ClosingText {
    return Object.assign(new ClosingText(tagName), { held })
  }
}
