/**
 * The text of a response from where a call began whose end is not settled yet. Nothing is kept but the newest chunk
 * while no call is open.
 */

import type { SluiceEvent, ToolCall } from '../../base/event.ts'
import { Rope } from '../../base/rope.ts'

/** How much of a call's source is compared, to be sure that offsets mean the same here as there. */
const COMPARED = 16

export class RecentText {
  private text = new Rope()
  /** The offset of the text that is kept. */
  private start = 0
  private openCalls = 0

  /** `isNeeded`: a call that has ended is not settled yet. */
  push(chunk: string, isNeeded: boolean): void {
    if (isNeeded || this.openCalls > 0) this.text.add(chunk)
    else {
      this.start += this.text.length
      this.text = new Rope(chunk)
    }
  }

  note({ type }: SluiceEvent): void {
    if (type === 'tool-input-start') this.openCalls++
    else if (type === 'tool-call') this.openCalls--
  }

  /** What has come behind a call; undefined where that cannot be said. */
  behind({ raw = '', span }: ToolCall): string | undefined {
    if (span === undefined) return undefined
    const text = this.text.toString()
    const end = span.end - this.start
    const before = text.slice(Math.max(0, end - COMPARED), end)
    const isSame = end >= 0 && before.endsWith(raw.slice(-before.length || raw.length))
    return isSame ? text.slice(end) : undefined
  }
}
