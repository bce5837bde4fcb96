/**
 * Jamba, Hunyuan A13B, Apriel: an array of calls between tags. MiniMax M1 leaves out brackets and commas.
 *
 *     <tool_calls>[{"name": "get_weather", "arguments": {"city": "Paris"}}]</tool_calls>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, each, list, newline, optional, wire } from '../engine/wire/index.ts'
import { callObject } from './call-object.ts'
import { think } from './reasoning.ts'
import { reasoningMarkers } from './reasoning-markers.ts'
import { strayBrace, strayBracket } from './stray-brackets.ts'

/** The dialect of Jamba, Hunyuan A13B, Apriel and MiniMax M1. */
export const toolCallsArray = define('tool-calls-array', {
  reasoning: [think, reasoningMarkers.apriel],
  call: [
    wire`<tool_calls>
      [
      ${list(wire`${callObject}${strayBrace}`)}
      ]${strayBracket}
      ${closer`</tool_calls>`}`,
    wire`<tool_calls>${each`
      ${callObject}${strayBrace}`}
      ${closer`</tool_calls>`}`,
  ],
  drop: [wire`<answer>${newline}`, wire`</answer>`, wire`${newline}[END FINAL RESPONSE]`],
  emptyCall: wire`<tool_calls>
    ${optional`[
    ]`}
    </tool_calls>`,
  spacedCalls: true,
  endOfTurn: ['<|eos|>', '<|eom|>', '<|end|>'],
  aliases: ['jamba', 'hunyuan_a13b'],
})
