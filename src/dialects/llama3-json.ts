/**
 * Llama 3.x: a bare JSON object at the start of the message, or behind a token.
 *
 *     <|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}; {"name": …}
 */

import { define } from '../engine/wire/dialect.ts'
import { list, object, space, wire } from '../engine/wire/index.ts'
import { LLAMA_END } from './control-tokens.ts'
import { fenced } from './fence.ts'
import { strayBrace } from './stray-brackets.ts'

const call = object({ name: ['name'], arguments: ['parameters', 'arguments'] })

const calls = wire`${list(wire`${call}${strayBrace}`, ';')}`

/** The dialect of Llama 3.x. */
export const llama3Json = define('llama3-json', {
  call: wire`<|python_tag|>${space}${calls}`,
  weakCall: [calls, fenced(calls)],
  weakCallInLines: true,
  spacedCalls: true,
  endOfTurn: LLAMA_END,
  aliases: ['llama3_json', 'llama4_json', 'llama3'],
})
