/**
 * GLM 4.5 and later, Ling 3, Laguna: keys and values as sibling tags.
 *
 *     <tool_call>get_weather
 *     <arg_key>city</arg_key>
 *     <arg_value>Paris</arg_value>
 *     </tool_call>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, each, either, name, space, wire } from '../engine/wire/index.ts'
import { freeKey } from '../engine/wire/template.ts'
import { CONTROL_TOKENS } from './control-tokens.ts'
import { parameterValue, unopenedValue } from './parameter-value.ts'
import { think } from './reasoning.ts'

/** Keys and values. Models leave out any of their tags. */
export const pairs = each`
  <arg_key>${space}${freeKey}${closer`</arg_key>`}${closer`
  ${either(wire`<arg_value>${parameterValue}`, unopenedValue)}${closer`</arg_value>`}`}`

/** The dialect of GLM 4.5 and later, Ling 3 and Laguna. */
export const glm = define('glm', {
  reasoning: think,
  call: wire`<tool_call>${space}${name}${pairs}
    ${closer`</tool_call>`}`,
  emptyCall: wire`<tool_call>
    </tool_call>`,
  callEndsReasoning: true,
  ignore: CONTROL_TOKENS,
  spacedTags: true,
  spacedCalls: true,
  endOfTurn: ['<|user|>', '<|observation|>', '<|endoftext|>'],
  untyped: 'json',
  aliases: ['glm45', 'glm47', 'glm-4.7', 'glm-ocr', 'ling3', 'poolside_v1', 'poolside-v1', 'laguna'],
})
