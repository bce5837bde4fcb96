/**
 * MiniCPM5: named parameters without a wrapper; a value may stand in CDATA.
 *
 *     <function name="get_weather"><param name="city"><![CDATA[Paris]]></param></function>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, each, tag, valueWith, wire } from '../engine/wire/index.ts'
import { WRAPPERS } from './parameter-value.ts'
import { think } from './reasoning.ts'

/** The dialect of MiniCPM5. */
export const minicpm5 = define('minicpm5', {
  reasoning: think,
  call: wire`${tag('function', { name: 'name' })}${each`
    ${tag('param', { name: 'key' })}${valueWith({ cdata: true, wrappers: WRAPPERS, repeats: true })}${closer`</param>`}`}
    ${closer`</function>`}`,
  spacedTags: true,
  spacedCalls: true,
  endOfTurn: ['<|im_end|>', '</s>'],
  knownToolsOnly: true, // nothing but the tag marks a call, and it is an ordinary word
  untyped: 'json',
})
