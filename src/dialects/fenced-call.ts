/**
 * Calls that models write as JSON in a fence, whatever their own format is. Prose shows calls like that, too, so that they
 * are guesses.
 *
 *     ```json
 *     {"name": "get_weather", "arguments": {"city": "Paris"}}
 *     ```
 */

import { list, wire } from '../engine/wire/index.ts'
import { callObject } from './call-object.ts'
import { fenced } from './fence.ts'
import { strayBrace, strayBracket } from './stray-brackets.ts'

const call = wire`${callObject}${strayBrace}`

export const fencedCalls = [
  fenced(call),
  fenced(wire`[
    ${list(call)}
    ]${strayBracket}`),
]
