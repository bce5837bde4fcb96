/**
 * Nemotron Nano v2: an array of calls between tags.
 *
 *     <TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Paris"}}]</TOOLCALL>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, list, optional, wire } from '../engine/wire/index.ts'
import { callObject } from './call-object.ts'
import { think } from './reasoning.ts'
import { strayBrace, strayBracket } from './stray-brackets.ts'

/** The dialect of Nemotron Nano v2. */
export const nemotronV2 = define('nemotron-v2', {
  reasoning: think,
  call: wire`<TOOLCALL>
    [
    ${list(wire`${callObject}${strayBrace}`)}
    ]${strayBracket}
    ${closer`</TOOLCALL>`}`,
  emptyCall: wire`<TOOLCALL>
    ${optional`[
    ]`}
    </TOOLCALL>`,
  spacedCalls: true,
  endOfTurn: ['<SPECIAL_12>', '<|im_end|>'],
})
