/**
 * The text of the server-sent event that is not complete yet. The parser of events keeps it to itself; whoever
 * goes on in another process needs it to bring another parser to where the first one was.
 */

import { Rope } from '../../rope.ts'

/** Lines that say nothing of the event are left out when so much came since the last time. */
const SHORT = 4096

export interface UnfinishedState {
  text: Rope
  /** How long the text may become before it is looked through. */
  room: number
}

export class UnfinishedEvent {
  readonly state: UnfinishedState

  constructor(state: UnfinishedState = { text: new Rope(), room: SHORT }) {
    this.state = state
  }

  /** The next piece, with newlines for all line ends. */
  add(piece: string): void {
    const { state } = this
    const end = piece.lastIndexOf('\n\n')
    if (end !== -1) this.begin(piece.slice(end + 2))
    else if (piece.startsWith('\n') && state.text.end(1) === '\n') this.begin(piece.slice(1))
    else state.text.add(piece)
    if (state.text.length <= state.room) return
    state.text = new Rope(needed(state.text.toString()))
    state.room = 2 * state.text.length + SHORT
  }

  /** The event is over, or was given up. */
  begin(piece = ''): void {
    if (piece === '' && this.state.text.length === 0) return
    this.state.text = new Rope(piece)
    this.state.room = SHORT
  }
}

/** The lines with data, the last one with a name, and the one that is not complete. */
function needed(text: string): string {
  const lines = text.split('\n')
  const last = lines.pop()!
  const name = lines.filter((line) => /^event(:|$)/.test(line)).at(-1)
  const data = lines.filter((line) => /^data(:|$)/.test(line))
  return [...(name === undefined ? [] : [name]), ...data, last].join('\n')
}
