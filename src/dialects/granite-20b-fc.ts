/**
 * Granite 20B function calling: a marker before each call, and none behind it.
 *
 *     <function_call> {"name": "get_weather", "arguments": {"city": "Paris"}}
 */

import { dialect, wire } from '../wire/index.ts'
import { callObject } from './call-object.ts'

export const granite20bFc = dialect('granite-20b-fc', {
  call: wire`<function_call>
    ${callObject}`,
})
