/**
 * Kimi K2: the id holds the name and a counter.
 *
 *     <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|><|tool_calls_section_end|>
 */

import { define } from '../engine/wire/dialect.ts'
import {
  args,
  closer,
  each,
  either,
  idWithName,
  literal,
  space,
  wire,
  wrapper,
} from '../engine/wire/index.ts'
import { seen } from '../engine/wire/seen.ts'
import { CHATML_END, CONTROL_TOKENS } from './control-tokens.ts'
import { noArguments } from './no-arguments.ts'
import { think } from './reasoning.ts'
import { strayBrace } from './stray-brackets.ts'

/** The model writes the section's name in the singular, too. */
const open = literal('<|tool_calls_section_begin|>', '<|tool_call_section_begin|>')
const close = literal('<|tool_calls_section_end|>', '<|tool_call_section_end|>')

/** The dialect of Kimi K2. */
export const kimiK2 = define('kimi-k2', {
  reasoning: think,
  call: wire`${wrapper`${open}`}${each`
    <|tool_call_begin|>${space}${idWithName('functions.', ':')}
    <|tool_call_argument_begin|>
    ${either(args, noArguments(seen('<|tool_call_end|>')))}${strayBrace}
    ${closer`<|tool_call_end|>`}`}
    ${closer`${close}`}`,
  emptyCall: wire`${open}
    ${close}`,
  callEndsReasoning: true,
  ignore: CONTROL_TOKENS,
  spacedCalls: true,
  endOfTurn: CHATML_END,
  aliases: ['kimi_k2', 'kimi'],
})
