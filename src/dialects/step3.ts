/**
 * Step-3: named parameters, and a section of calls around them.
 *
 *     <｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter
 *     name="city">Paris</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, each, optional, tag, wire } from '../engine/wire/index.ts'
import { parameterValue } from './parameter-value.ts'
import { think } from './reasoning.ts'

/** The dialect of Step-3. */
export const step3 = define('step3', {
  reasoning: think,
  call: wire`<｜tool_calls_begin｜>${each`
    <｜tool_call_begin｜>${optional`function<｜tool_sep｜>`}${tag('steptml:invoke', { name: 'name' })}${each`
    ${tag('steptml:parameter', { name: 'key' })}${parameterValue}${closer`</steptml:parameter>`}`}
    ${closer`</steptml:invoke>`}
    ${closer`<｜tool_call_end｜>`}`}
    ${closer`<｜tool_calls_end｜>`}`,
  emptyCall: wire`<｜tool_calls_begin｜>
    <｜tool_calls_end｜>`,
  spacedCalls: true,
  endOfTurn: ['<|EOT|>', '<｜end▁of▁sentence｜>'],
})
