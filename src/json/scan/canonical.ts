/**
 * The copied ("canonical") text of a value: valid JSON verbatim, everything else rewritten, and at any moment
 * *completable*, which means that what was handed out plus some closers is valid JSON.
 *
 *     {"path":"src/ma|            handed out: {"path":"src/ma     completion: "}
 *     {"path":"src/main.rs","ti|  handed out: {"path":"src/main.rs"     held: ,"ti
 *
 * It works on indices of the current chunk, so that valid text costs one slice per chunk:
 *
 *     held  +  chunk[mark … committed … now]
 *     └──── certain ─────────┘└─ pending ─┘
 */
export class CanonicalText {
  /** Text of earlier chunks that is not certain yet. */
  held = ''

  private chunk = ''
  /** Certain text that has left the chunk because something after it was rewritten. */
  private ready = ''
  /** Where the text that belongs here begins in the chunk. */
  private mark = 0
  /** Up to here the chunk (and all that was held) is certain; -1 when nothing of it is. */
  private committed = -1

  /** A chunk arrives, or a value begins in it with `token`. `held`: what was not certain of earlier chunks. */
  enter(chunk: string, from: number, token: string, held: string): void {
    this.chunk = chunk
    this.ready = token
    this.held = held
    this.mark = from
    this.committed = -1
  }

  /** Everything before `index` is certain. */
  commit(index: number): void {
    this.committed = index
  }

  /** The chunk's text from `from` to `to` is written as `canonical` instead. */
  rewrite(from: number, to: number, canonical: string): void {
    this.settle()
    if (from > this.mark) this.held += this.chunk.slice(this.mark, from)
    this.held += canonical
    this.mark = to
  }

  /** What is pending was not meant: a trailing comma, the space before the root. */
  drop(index: number): void {
    this.settle()
    this.held = ''
    this.mark = index
  }

  /** From `index` on the chunk's text does not belong here, until `resume`. */
  park(index: number): void {
    this.rewrite(index, index, '')
  }

  resume(index: number): void {
    this.mark = index
  }

  /** Ends the chunk at `index`; returns what can be handed out. */
  leave(index: number, parked: boolean): string {
    const ready = this.take()
    if (!parked && index > this.mark) this.held += this.chunk.slice(this.mark, index)
    this.chunk = ''
    return ready
  }

  /** Hands out what is certain while the chunk goes on. */
  take(): string {
    this.settle()
    const ready = this.ready
    this.ready = ''
    return ready
  }

  private settle(): void {
    if (this.committed < 0) return
    const certain = this.chunk.slice(this.mark, this.committed)
    this.ready += this.held === '' ? certain : this.held + certain
    this.held = ''
    this.mark = this.committed
    this.committed = -1
  }
}
