/**
 * Jamba, Hunyuan A13B, Apriel: an array of calls between tags. MiniMax M1 leaves out brackets and commas.
 *
 *     <tool_calls>[{"name": "get_weather", "arguments": {"city": "Paris"}}]</tool_calls>
 */

import { define } from '../wire/dialect.ts'
import { closer, each, list, newline, wire } from '../wire/index.ts'
import { callObject } from './call-object.ts'
import { think } from './reasoning.ts'
import { strayBrace, strayBracket } from './stray-brackets.ts'

export const toolCallsArray = define('tool-calls-array', {
  reasoning: think,
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
  drop: [wire`<answer>${newline}`, wire`</answer>`],
  endOfTurn: ['<|eos|>', '<|eom|>', '<|end|>'],
  aliases: ['jamba', 'hunyuan_a13b'],
})
