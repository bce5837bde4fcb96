/**
 * Functionary v3.1, Llama 3.1's custom tools: the name in the tag, the arguments as JSON.
 *
 *     <function=get_weather>{"city": "Paris"}</function>
 */

import { define } from '../engine/wire/dialect.ts'
import { args, closer, wire } from '../engine/wire/index.ts'
import { nameInTag } from '../engine/wire/template.ts'
import { LLAMA_END } from './control-tokens.ts'
import { strayBrace } from './stray-brackets.ts'

/** The dialect of Functionary v3.1 and Llama 3.1's custom tools. */
export const functionaryV31 = define('functionary-v31', {
  call: wire`<function=${nameInTag}>
    ${args}${strayBrace}
    ${closer`</function>`}`,
  spacedCalls: true,
  endOfTurn: LLAMA_END,
})
