/** Keeps pairs of surrogates together: the first half of one waits for the second, in whichever delta it comes. */

export class Pairs {
  private half = ''

  /** What may be said now. */
  push(piece: string): string {
    const text = this.half + piece
    const isHalf = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800
    this.half = isHalf ? text.slice(-1) : ''
    return isHalf ? text.slice(0, -1) : text
  }

  /** No second half comes. */
  end(): string {
    const { half } = this
    this.half = ''
    return half
  }
}
