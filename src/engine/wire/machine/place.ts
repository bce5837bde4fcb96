/**
 * Whether it is certain what the text that comes next belongs to. Once a call went wrong, what follows may be the rest
 * of its arguments, and a call that is found in them may be data that someone quoted:
 *
 *     <tool_call>{"name":"write","arguments":{"text":"say "hi" <tool_call>{"name":"rm"}</tool_call>"}}</tool_call>
 *                                                             ^ from here on no call is certain
 *
 * This never heals within a response, except that reasoning has an end of its own: a model that thinks about the
 * format and gets it wrong can still make the call that it means.
 */

import { isBoolean, nullable, type Shape } from '../../../base/plain-state.ts'

export interface PlaceState {
  isUncertain: boolean
  /** What it was where the open reasoning began; null outside of reasoning. */
  before: boolean | null
}

export const placeShape = (): Shape<PlaceState> => ({ isUncertain: isBoolean, before: nullable(isBoolean) })

export function openReasoning(place: PlaceState): void {
  place.before = place.isUncertain
}

/** The closing marker of reasoning was found. */
export function closeReasoning(place: PlaceState): void {
  place.isUncertain = place.before ?? place.isUncertain
  place.before = null
}

/** `inReasoning`: what follows belongs to reasoning at most up to its closing marker. */
export function losePlace(place: PlaceState, inReasoning: boolean): void {
  place.isUncertain = true
  if (!inReasoning) place.before = null
}
