/**
 * Granite 3: an array of calls behind a marker.
 *
 *     <|tool_call|>[{"name": "get_weather", "arguments": {"city": "Paris"}}]
 */

import { define } from '../engine/wire/dialect.ts'
import { list, literal, wire } from '../engine/wire/index.ts'
import { callObject } from './call-object.ts'
import { think } from './reasoning.ts'
import { reasoningMarkers } from './reasoning-markers.ts'
import { strayBrace, strayBracket } from './stray-brackets.ts'

/** The dialect of Granite 3. */
export const granite3 = define('granite3', {
  reasoning: [reasoningMarkers.granite, think],
  call: wire`${literal('<|tool_call|>', '<tool_call>')}
    [
    ${list(wire`${callObject}${strayBrace}`)}
    ]${strayBracket}`,
  drop: [wire`<response>`, wire`</response>`],
  emptyCall: wire`${literal('<|tool_call|>', '<tool_call>')}
    [
    ]`,
  spacedCalls: true,
  endOfTurn: ['<|end_of_text|>'],
  strayCloser: 'show',
  aliases: ['granite'],
})
