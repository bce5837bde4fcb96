/**
 * Llama 3.2, Llama 4, ToolACE: the whole message is a list of python calls.
 *
 *     [get_weather(city="Paris", days=2), get_time(tz='Europe/Paris')]
 */

import { define } from '../engine/wire/dialect.ts'
import { list, optional, pythonCall, wire } from '../engine/wire/index.ts'
import { LLAMA_END } from './control-tokens.ts'
import { fenced } from './fence.ts'
import { strayBracket, strayParenthesis } from './stray-brackets.ts'

const calls = wire`[
  ${list(wire`${pythonCall}${strayParenthesis}`)}
  ]${strayBracket}`

/** The dialect of Llama 3.2, Llama 4 and ToolACE. */
export const pythonic = define('pythonic', {
  call: wire`<|python_start|>${calls}${optional`<|python_end|>`}`,
  weakCall: [calls, fenced(calls)],
  weakCallInLines: true,
  guessedCall: calls,
  spacedCalls: true,
  endOfTurn: LLAMA_END,
  aliases: ['llama4_pythonic'],
})
