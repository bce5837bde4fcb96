/** Finds text that looks like a call although nobody reads it as one. */

const MARKERS = [
  '<tool_call',
  '<function=',
  '<function_call',
  '<invoke ',
  '<|tool_call',
  '<|tool▁call',
  '<｜tool▁call',
  '<｜DSML｜',
  '<|python_tag|>',
  '<|action_start|>',
  '<minimax:tool_call',
  '<|channel|>commentary to=',
  '[TOOL_CALLS]',
  'functools[',
]
const LONGEST = Math.max(...MARKERS.map((marker) => marker.length))

export class CallMarkers {
  private isDone = false
  /** The end of what came before, because a marker may lie in several deltas. */
  private tail = ''
  private length = 0

  /** The marker that this piece completes, once: the first one in a response. */
  find(piece: string): { readonly marker: string; readonly offset: number } | undefined {
    if (this.isDone) return undefined
    const text = this.tail + piece
    const base = this.length - this.tail.length
    this.length += piece.length
    this.tail = text.slice(-(LONGEST - 1))
    let found: { marker: string; offset: number } | undefined
    for (const marker of MARKERS) {
      const at = text.indexOf(marker)
      if (at !== -1 && (found === undefined || base + at < found.offset))
        found = { marker, offset: base + at }
    }
    this.isDone = found !== undefined
    return found
  }
}
