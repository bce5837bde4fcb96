/**
 * Kimi K2: the id holds the name and a counter.
 *
 *     <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|><|tool_calls_section_end|>
 */

import { define } from '../wire/dialect.ts'
import { args, closer, each, idWithName, space, wire, wrapper } from '../wire/index.ts'
import { CHATML_END, CONTROL_TOKENS } from './control-tokens.ts'
import { think } from './reasoning.ts'
import { strayBrace } from './stray-brackets.ts'

export const kimiK2 = define('kimi-k2', {
  reasoning: think,
  call: wire`${wrapper`<|tool_calls_section_begin|>`}${each`
    <|tool_call_begin|>${space}${idWithName('functions.', ':')}
    <|tool_call_argument_begin|>
    ${args}${strayBrace}
    ${closer`<|tool_call_end|>`}`}
    ${closer`<|tool_calls_section_end|>`}`,
  emptyCall: wire`<|tool_calls_section_begin|>
    <|tool_calls_section_end|>`,
  callEndsReasoning: true,
  ignore: CONTROL_TOKENS,
  spacedCalls: true,
  endOfTurn: CHATML_END,
  aliases: ['kimi_k2'],
})
