/**
 * Granite 20B function calling: a marker before each call, and none behind it. A call of `no_function` calls nothing.
 *
 *     <function_call> {"name": "get_weather", "arguments": {"city": "Paris"}}
 */

import { define } from '../engine/wire/dialect.ts'
import { space, wire } from '../engine/wire/index.ts'
import { callObject } from './call-object.ts'
import { strayBrace } from './stray-brackets.ts'

/** The dialect of Granite 20B function calling. */
export const granite20bFc = define('granite-20b-fc', {
  call: wire`<function_call>
    ${callObject}${strayBrace}`,
  drop: wire`<function_call>
    {
    "name"${space}:${space}"no_function"${space},
    "arguments"${space}:${space}{
    }
    }`,
  reservedNames: ['no_function'],
  spacedCalls: true,
  endOfTurn: ['<|endoftext|>'],
})
