/**
 * The text of the server-sent event that is open. One that is too long is left out, up to the empty line that ends
 * it, however it is cut. Otherwise the text is kept: the parser of events keeps it to itself, and whoever goes on in
 * another process needs it to bring another parser to where this one is.
 */

import { flag, resumed, rope, type StateOf } from '../../base/declared-state.ts'
import { Rope } from '../../base/rope.ts'

const stateWithin = (limit: number) => ({
  /** What there is of the event, unless it is left out. */
  text: rope(limit),
  isLeftOut: flag,
  endsInNewline: flag,
})

export interface OpenEventReceiver {
  pass(text: string): void
  leaveOut(): void
}

export class OpenEvent {
  readonly state: StateOf<ReturnType<typeof stateWithin>>
  private readonly limit: number
  private readonly to: OpenEventReceiver

  constructor(limit: number, to: OpenEventReceiver, saved?: unknown) {
    this.limit = limit
    this.to = to
    this.state = resumed(stateWithin(limit), saved)
  }

  /** The next text, with newlines for all line ends. */
  read(text: string): void {
    const { state } = this
    if (text === '') return
    if (!state.isLeftOut && state.text.length + text.length <= this.limit) this.takeAll(text)
    else this.takeEach(text)
    state.endsInNewline = text.endsWith('\n')
  }

  /** Nothing in the text can be too long. */
  private takeAll(text: string): void {
    const { state } = this
    this.to.pass(text)
    const end = text.lastIndexOf('\n\n')
    if (end !== -1) this.begin(text.slice(end + 2))
    else if (state.endsInNewline && text.startsWith('\n')) this.begin(text.slice(1))
    else state.text.add(text)
  }

  private takeEach(text: string): void {
    let at = 0
    while (at < text.length) {
      const end = this.endIn(text, at)
      this.take(text.slice(at, end === -1 ? text.length : end), end !== -1)
      at = end === -1 ? text.length : end
    }
  }

  /** Behind the empty line that ends the open event, or -1. */
  private endIn(text: string, from: number): number {
    const isNewline = from === 0 ? this.state.endsInNewline : text[from - 1] === '\n'
    if (isNewline && text[from] === '\n') return from + 1
    const at = text.indexOf('\n\n', from)
    return at === -1 ? -1 : at + 2
  }

  private take(piece: string, isLast: boolean): void {
    const { state } = this
    const remaining = this.limit - state.text.length
    if (!state.isLeftOut && piece.length > remaining) {
      // A line that is complete may be read before its event is, so that all must be passed on that is not too long.
      this.to.pass(piece.slice(0, remaining))
      state.isLeftOut = true
      this.begin('')
      this.to.leaveOut()
    }
    if (!state.isLeftOut) {
      this.to.pass(piece)
      state.text.add(piece)
    }
    if (!isLast) return
    state.isLeftOut = false
    this.begin('')
  }

  private begin(text: string): void {
    if (text !== '' || this.state.text.length > 0) this.state.text = new Rope(text)
  }
}
