/** Finds text that looks like a call, where no dialect is given to read it. */

import { isBoolean, isCount, isString, resumedState, type Shape } from '../plain-state.ts'

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

export interface CallMarkersState {
  isDone: boolean
  /** The end of what came before, because a marker may lie in several deltas. */
  tail: string
  length: number
}

const begin = (): CallMarkersState => ({ isDone: false, tail: '', length: 0 })
const shape = (): Shape<CallMarkersState> => ({ isDone: isBoolean, tail: isString, length: isCount })

export class CallMarkers {
  readonly state: CallMarkersState

  constructor(saved?: unknown) {
    this.state = resumedState(saved, shape, begin)
  }

  /** The marker that this piece completes, once: the first one in a response. */
  find(piece: string): { readonly marker: string; readonly offset: number } | undefined {
    const { state } = this
    if (state.isDone) return undefined
    const text = state.tail + piece
    const base = state.length - state.tail.length
    state.length += piece.length
    state.tail = text.slice(-(LONGEST - 1))
    let found: { marker: string; offset: number } | undefined
    for (const marker of MARKERS) {
      const at = text.indexOf(marker)
      if (at !== -1 && (found === undefined || base + at < found.offset))
        found = { marker, offset: base + at }
    }
    state.isDone = found !== undefined
    return found
  }
}
