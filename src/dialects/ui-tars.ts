/**
 * UI-TARS behind a prompt that offers it tools of one's own: a tag per parameter, as Qwen3-Coder writes them. Its native
 * actions (`Action: click(…)`) are no calls.
 *
 *     <tool_call>
 *     <function=computer>
 *     <parameter=action>
 *     screenshot
 *     </parameter>
 *     </function>
 *     </tool_call>
 */

import { define } from '../engine/wire/dialect.ts'
import { text, wire } from '../engine/wire/index.ts'
import { CHATML_END } from './control-tokens.ts'
import { functionWithParameters } from './qwen3-coder.ts'

/** The dialect of UI-TARS with tools of your own. */
export const uiTars = define('ui-tars', {
  call: functionWithParameters('<tool_call>', '</tool_call>'),
  result: wire`<tool_response>${text}</tool_response>`,
  spacedTags: true,
  spacedCalls: true,
  endOfTurn: CHATML_END,
  neutralise: { '<': '&lt;' },
})
