/**
 * GigaChat 3: one call, as a message of its own or behind a token.
 *
 *     <|message_sep|>
 *
 *     function call<|role_sep|>
 *     {"name": "get_weather", "arguments": {"city": "Paris"}}
 */

import { define } from '../engine/wire/dialect.ts'
import { wire } from '../engine/wire/index.ts'
import { callObject } from './call-object.ts'
import { strayBrace } from './stray-brackets.ts'

/** The dialect of GigaChat 3. */
export const gigachat3 = define('gigachat3', {
  call: [
    wire`<|message_sep|>
      function call<|role_sep|>
      ${callObject}${strayBrace}`,
    wire`<|function_call|>
      ${callObject}${strayBrace}`,
  ],
  spacedCalls: true,
  endOfTurn: ['</s>'],
  aliases: ['gigachat_v3'],
})
