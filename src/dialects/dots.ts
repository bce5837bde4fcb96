/**
 * dots: named parameters, or one JSON object, in a wrapper.
 *
 *     <dots_function_call>
 *     <invoke name="get_weather">
 *     <parameter name="city">Paris</parameter>
 *     </invoke>
 *     </dots_function_call>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, each, tag, wire } from '../engine/wire/index.ts'
import { reported } from '../engine/wire/template.ts'
import { callObject } from './call-object.ts'
import { parameterValue } from './parameter-value.ts'
import { think } from './reasoning.ts'
import { strayBrace } from './stray-brackets.ts'

/** The dialect of dots. */
export const dots = define('dots', {
  reasoning: think,
  call: [
    wire`<dots_function_call>${each`
      ${tag('invoke', { name: 'name' })}${each`
      ${tag('parameter', { name: 'key' })}${parameterValue}${closer`</parameter>`}`}
      ${closer`</invoke>`}`}
      ${closer`</dots_function_call>`}`,
    wire`<dots_function_call>
      ${callObject}${strayBrace}
      ${closer`</dots_function_call>`}`,
  ],
  drop: wire`${reported('stray-markup')}</dots_function_call>`,
  emptyCall: wire`<dots_function_call>
    </dots_function_call>`,
  spacedTags: true,
  spacedCalls: true,
  endOfTurn: ['<|endofresponse|>', '<|endoftext|>'],
})
