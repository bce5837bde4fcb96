/** Valid texts, searched for one that makes markup of what is held back. */

/** How many continuations are tried again before all witnesses are searched. */
const MOST_REMEMBERED = 60

export class Witnesses {
  private readonly texts: readonly string[]
  /** Continuations that made markup of something, the last one first. Mostly one of them does it again. */
  private readonly worked: string[] = []

  constructor(texts: readonly string[]) {
    this.texts = [...new Set(texts)]
  }

  /** `last`: the last character that was read. Whether a continuation of `held` is found that makes markup of it. */
  find(held: string, last: string, isMarkup: (continuation: string) => boolean): boolean {
    const tried = new Set<string>()
    const works = (continuation: string): boolean => {
      if (tried.has(continuation)) return false
      tried.add(continuation)
      if (!isMarkup(continuation)) return false
      this.remember(continuation)
      return true
    }
    const [latest = ''] = this.worked
    // Mostly the next character takes up the continuation that worked before it.
    if (latest.startsWith(last) && works(latest.slice(1))) return true
    if ([...this.worked].some(works)) return true
    // First where a witness holds the same text, with or without the white space before it; then, because a witness
    // need not, behind every place of it.
    return (
      this.worksBehind(held, works) ||
      (held.trimStart() !== '' && this.worksBehind(held.trimStart(), works)) ||
      this.texts.some((text) => Array.from(text, (_, at) => text.slice(at)).some(works))
    )
  }

  /** Whether what follows a piece somewhere in the texts works. */
  private worksBehind(piece: string, works: (continuation: string) => boolean): boolean {
    return this.texts.some((text) => {
      for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + 1))
        if (works(text.slice(at + piece.length))) return true
      return false
    })
  }

  private remember(continuation: string): void {
    const at = this.worked.indexOf(continuation)
    if (at !== -1) this.worked.splice(at, 1)
    this.worked.unshift(continuation)
    this.worked.length = Math.min(this.worked.length, MOST_REMEMBERED)
  }
}
