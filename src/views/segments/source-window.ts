/**
 * The inside of a call's source: without the tag or header that opens it, and without what closes it.
 *
 *     <tool name="lookup">|<term>owl</term>|</tool>
 */

import { beginsTag, MOST_SPACE, withoutSpace } from '../../xml/spaced-tag.ts'

export class SourceWindow {
  private toSkip: number
  private readonly closer: string
  /** What may be the closer. */
  private held = ''

  constructor(opener: number, closer: string) {
    this.toSkip = opener
    this.closer = closer
  }

  /** The next piece of the source; what is inside is given out. */
  push(piece: string): string {
    const skipped = Math.min(this.toSkip, piece.length)
    this.toSkip -= skipped
    const text = this.held + piece.slice(skipped)
    const kept = this.possibleCloser(text)
    this.held = text.slice(text.length - kept)
    return text.slice(0, text.length - kept)
  }

  /** How much of the text's end could be the closer, or the beginning of it. */
  private possibleCloser(text: string): number {
    const { closer } = this
    const first = closer[0]
    if (first === undefined) return 0
    let at = Math.max(0, text.length - closer.length - MOST_SPACE)
    for (at = text.indexOf(first, at); at !== -1; at = text.indexOf(first, at + 1))
      if (beginsTag(text.slice(at).toLowerCase(), closer) || closer.startsWith(text.slice(at)))
        return text.length - at
    return 0
  }

  /** The source is over: what was held back is inside, unless it is the closer. */
  end(): string {
    const { held } = this
    this.held = ''
    return withoutSpace(held).length === this.closer.length ? '' : held
  }
}
