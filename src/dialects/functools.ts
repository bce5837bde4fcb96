/**
 * Phi-4-mini, FireFunction: a word that only a bracket makes a marker.
 *
 *     functools[{"name": "get_weather", "arguments": {"city": "Paris"}}]
 */

import { define } from '../engine/wire/dialect.ts'
import { list, wire } from '../engine/wire/index.ts'
import { callObject } from './call-object.ts'
import { strayBrace, strayBracket } from './stray-brackets.ts'

/** The dialect of Phi-4-mini and FireFunction. */
export const functools = define('functools', {
  call: wire`functools[
    ${list(wire`${callObject}${strayBrace}`)}
    ]${strayBracket}`,
  emptyCall: wire`functools[
    ]`,
  spacedCalls: true,
  endOfTurn: ['<|end|>', '<|endoftext|>', '<|eot_id|>'],
  aliases: ['phi4_mini_json', 'firefunction'],
})
