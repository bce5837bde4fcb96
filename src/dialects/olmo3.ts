/**
 * OLMo 3: python calls, one per line, between tags.
 *
 *     <function_calls>
 *     get_weather(city="Paris", days=2)
 *     </function_calls>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, each, pythonCall, wire } from '../engine/wire/index.ts'
import { CHATML_END } from './control-tokens.ts'
import { think } from './reasoning.ts'
import { strayParenthesis } from './stray-brackets.ts'

/** The dialect of OLMo 3. */
export const olmo3 = define('olmo3', {
  reasoning: think,
  call: wire`<function_calls>${each`
    ${pythonCall}${strayParenthesis}`}
    ${closer`</function_calls>`}`,
  emptyCall: wire`<function_calls>
    </function_calls>`,
  spacedCalls: true,
  endOfTurn: CHATML_END,
  strayCloser: 'show',
  aliases: ['olmo3-think', 'olmo3_think'],
})
