/**
 * Tencent Hy3: GLM's keys and values in a section.
 *
 *     <tool_calls>
 *     <tool_call>get_weather<tool_sep>
 *     <arg_key>city</arg_key>
 *     <arg_value>Paris</arg_value>
 *     </tool_call>
 *     </tool_calls>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, each, name, wire, wrapper } from '../engine/wire/index.ts'
import { pairs } from './glm.ts'
import { think } from './reasoning.ts'

/** The dialect of Tencent Hy3. */
export const hyV3 = define('hy-v3', {
  reasoning: think,
  call: wire`${wrapper`<tool_calls>`}${each`
    <tool_call>${name}<tool_sep>${pairs}
    ${closer`</tool_call>`}`}
    ${closer`</tool_calls>`}`,
  emptyCall: [
    wire`<tool_calls>
    </tool_calls>`,
    wire`<tool_call>
    </tool_call>`,
  ],
  callEndsReasoning: true,
  spacedTags: true,
  spacedCalls: true,
  untyped: 'json',
  aliases: ['hy_v3', 'hunyuan'],
})
