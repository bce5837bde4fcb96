/**
 * K-EXAONE 2: a tag per parameter, as Qwen3-Coder writes them, and results in tags of their own.
 *
 *     <tool_call>
 *     <function=get_weather>
 *     <parameter=city>
 *     Paris
 *     </parameter>
 *     </function>
 *     </tool_call>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, text, wire } from '../engine/wire/index.ts'
import { callObject } from './call-object.ts'
import { functionWithParameters } from './qwen3-coder.ts'
import { think } from './reasoning.ts'

/** The dialect of K-EXAONE 2. */
export const kExaone2 = define('k-exaone-2', {
  reasoning: think,
  call: [
    ...functionWithParameters('<tool_call>', '</tool_call>'),
    // As EXAONE 4 writes calls.
    wire`<tool_call>
      ${callObject}
      ${closer`</tool_call>`}`,
  ],
  result: wire`<tool_result>${text}</tool_result>`,
  spacedTags: true,
  spacedCalls: true,
  endOfTurn: ['<|endofturn|>', '[|endofturn|]'],
  aliases: ['k_exaone', 'exaone'],
  neutralise: { '<': '&lt;' },
})
