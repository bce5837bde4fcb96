/**
 * The inside of a call's source: without the tag or header that opens it, and without what closes it.
 *
 *     <tool name="lookup">|<term>owl</term>|</tool>
 */

import type { Literals } from '../../../engine/wire/literals.ts'
import { type UntilState, until, untilStart } from '../../../engine/wire/until.ts'

export class SourceWindow {
  private toSkip: number
  private readonly closer: Literals | undefined
  private readonly state: UntilState = untilStart()
  /** The closer at the end of what was read. It is inside if more follows. */
  private closed = ''

  constructor(opener: number, closer: Literals | undefined) {
    this.toSkip = opener
    this.closer = closer
  }

  /** The next piece of the source; what is inside is returned. */
  push(piece: string): string {
    let at = Math.min(this.toSkip, piece.length)
    this.toSkip -= at
    if (this.closer === undefined) return piece.slice(at)
    let inside = ''
    while (at < piece.length) {
      const from = at
      const { held } = this.state
      let certain = ''
      at = until(this.state, this.closer, piece, at, piece.length, (text) => {
        certain = text
      })
      inside += this.closed + certain
      this.closed = this.state.found === -1 ? '' : (held + piece.slice(from, at)).slice(certain.length)
    }
    return inside
  }

  /** The source is over: what was held back is inside. */
  end(): string {
    return this.state.held
  }
}
