/**
 * xLAM 2: a list of calls, which is the whole message, in a code block or not. Behind a text it stands behind a marker.
 *
 *     [{"name": "get_weather", "arguments": {"city": "Paris"}}]
 *     <tool_call>[{"name": "get_weather", "arguments": {"city": "Paris"}}]</tool_call>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, list, space, wire } from '../engine/wire/index.ts'
import { ahead } from '../engine/wire/template.ts'
import { callObject, listUnder } from './call-object.ts'
import { CHATML_END } from './control-tokens.ts'
import { think } from './reasoning.ts'

const rest = wire`
  ${list(callObject)}
  ]`
const calls = wire`[${rest}`

/** The dialect of xLAM 2. */
export const xlam = define('xlam', {
  reasoning: think,
  call: [
    wire`<tool_call>
      ${calls}
      ${closer`</tool_call>`}`,
    wire`[TOOL_CALLS]${space}${calls}`,
  ],
  weakCall: [
    // xLAM 1.
    listUnder('tool_calls'),
    // The marker begins with a bracket, too.
    wire`${ahead('[', '{ \n\r\t')}${rest}`,
    wire`${'```json'}
      ${calls}
      ${closer`${'```'}`}`,
  ],
  spacedCalls: true,
  endOfTurn: [...CHATML_END, '<|eot_id|>'],
})
