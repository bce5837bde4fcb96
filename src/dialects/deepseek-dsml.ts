/**
 * DeepSeek V3.2 and V4: the wire says whether a value is a string or JSON.
 *
 *     <｜DSML｜function_calls>
 *     <｜DSML｜invoke name="get_weather">
 *     <｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>
 *     </｜DSML｜invoke>
 *     </｜DSML｜function_calls>
 */

import { define } from '../engine/wire/dialect.ts'
import { args, closer, each, either, literal, tag, wire, wrapper } from '../engine/wire/index.ts'
import { CONTROL_TOKENS, DEEPSEEK_END } from './control-tokens.ts'
import { parameterValue } from './parameter-value.ts'
import { think } from './reasoning.ts'
import { strayBrace } from './stray-brackets.ts'

const open = literal('<｜DSML｜function_calls>', '<｜DSML｜tool_calls>')
const close = literal('</｜DSML｜function_calls>', '</｜DSML｜tool_calls>')

const parameters = each`
  ${tag('｜DSML｜parameter', { name: 'key', string: 'is-string' }, { optional: ['string'] })}${parameterValue}${closer`</｜DSML｜parameter>`}`

/** The model writes all arguments as one JSON object, too. */
const json = wire`
  ${args}${strayBrace}`

/** The dialect of DeepSeek V3.2 and V4. */
export const deepseekDsml = define('deepseek-dsml', {
  reasoning: think,
  call: wire`${wrapper`${open}`}${each`
    ${tag('｜DSML｜invoke', { name: 'name' })}${either(parameters, json)}
    ${closer`</｜DSML｜invoke>`}`}
    ${closer`${close}`}`,
  emptyCall: wire`${open}
    ${close}`,
  callEndsReasoning: true,
  ignore: CONTROL_TOKENS,
  spacedCalls: true,
  endOfTurn: DEEPSEEK_END,
  untyped: 'json',
  aliases: ['deepseek_v32', 'deepseek_v4', 'deepseekv32', 'deepseekv4'],
})
