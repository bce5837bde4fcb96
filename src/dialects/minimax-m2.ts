/**
 * MiniMax M2: named parameters in attributes.
 *
 *     <minimax:tool_call>
 *     <invoke name="get_weather">
 *     <parameter name="city">Paris</parameter>
 *     </invoke>
 *     </minimax:tool_call>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, each, tag, wire, wrapper } from '../engine/wire/index.ts'
import { CONTROL_TOKENS } from './control-tokens.ts'
import { parameterValue } from './parameter-value.ts'
import { think } from './reasoning.ts'

/** The dialect of MiniMax M2. */
export const minimaxM2 = define('minimax-m2', {
  reasoning: think,
  call: wire`${wrapper`<minimax:tool_call>`}${each`
    ${tag('invoke', { name: 'name' })}${each`
    ${tag('parameter', { name: 'key' })}${parameterValue}${closer`</parameter>`}`}
    ${closer`</invoke>`}`}
    ${closer`</minimax:tool_call>`}`,
  spacedTags: true,
  emptyCall: wire`<minimax:tool_call>
    </minimax:tool_call>`,
  callEndsReasoning: true,
  ignore: CONTROL_TOKENS,
  spacedCalls: true,
  endOfTurn: ['[e~['],
  aliases: ['minimax_m2', 'minimax_m2_append_think', 'minimax', 'minimax-append-think'],
})
