/**
 * LFM2: python calls between tokens.
 *
 *     <|tool_call_start|>[get_weather(city="Paris", days=2)]<|tool_call_end|>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, list, optional, pythonCall, wire } from '../engine/wire/index.ts'
import { callObject } from './call-object.ts'
import { CHATML_END, CONTROL_TOKENS } from './control-tokens.ts'
import { think } from './reasoning.ts'
import { strayBrace, strayBracket, strayParenthesis } from './stray-brackets.ts'

/** The dialect of LFM2. */
export const lfm2 = define('lfm2', {
  reasoning: think,
  call: [
    wire`<|tool_call_start|>
      [
      ${list(wire`${pythonCall}${strayParenthesis}`)}
      ]${strayBracket}
      ${closer`<|tool_call_end|>`}`,
    wire`<|tool_call_start|>
      [
      ${list(wire`${callObject}${strayBrace}`)}
      ]${strayBracket}
      ${closer`<|tool_call_end|>`}`,
    wire`<|tool_call_start|>
      ${callObject}${strayBrace}
      ${closer`<|tool_call_end|>`}`,
    wire`<|tool_call_start|>
      ${list(wire`${pythonCall}${strayParenthesis}`)}
      ${closer`<|tool_call_end|>`}`,
  ],
  emptyCall: wire`<|tool_call_start|>
    ${optional`[
    ]`}
    <|tool_call_end|>`,
  strayCloser: 'show',
  ignore: CONTROL_TOKENS,
  spacedCalls: true,
  endOfTurn: CHATML_END,
  aliases: ['lfm2-thinking', 'lfm2_5'],
})
