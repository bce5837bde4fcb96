/**
 * Notices a path of Windows whose backslashes were not doubled, so that valid JSON says something else.
 *
 *     {"path": "C:\temp\new.txt"}   the path that is read has a tab and a line break in it
 *
 * Looks at how a string begins, and at nothing else: a colon after one letter, and then an escape for a character
 * that no path has.
 */

/** Whether a whole text can hold such a string. Looks at each character once. */
export const MAY_BE_SUSPICIOUS = /"[A-Za-z]:\\[bfnrt]/

/** Behind any quote of tolerant reading: an unquoted value has no escapes. */
const SUSPICIOUS = /^["'`“”„‘’‚][A-Za-z]:\\[bfnrt]/
/** Of the quote, the letter, the colon and the escape. */
const HEAD_LENGTH = 5

export class WindowsPathCheck {
  private start = 0
  /** The first characters of the open string as they were written, its quote included. */
  private head = ''

  /** A string begins at this offset. */
  open(start: number): void {
    this.start = start
    this.head = ''
  }

  /** Takes what it needs of a chunk, of which `base` is the offset. */
  look(chunk: string, base: number): void {
    if (this.head.length === HEAD_LENGTH) return
    const from = Math.max(0, this.start + this.head.length - base)
    this.head += chunk.slice(from, Math.max(0, this.start + HEAD_LENGTH - base))
  }

  /** Where the escape is that was hardly meant as one, or -1. */
  get escapeAt(): number {
    return SUSPICIOUS.test(this.head) ? this.start + 3 : -1
  }
}
