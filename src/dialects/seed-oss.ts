/**
 * Seed-OSS: Qwen3-Coder's parameters with tags of its own.
 *
 *     <seed:tool_call>
 *     <function=get_weather>
 *     <parameter=city>Paris</parameter>
 *     </function>
 *     </seed:tool_call>
 */

import { define } from '../engine/wire/dialect.ts'
import { wire } from '../engine/wire/index.ts'
import { CONTROL_TOKENS } from './control-tokens.ts'
import { functionWithParameters } from './qwen3-coder.ts'
import { reasoningMarkers } from './reasoning-markers.ts'

/** The dialect of Seed-OSS. */
export const seedOss = define('seed-oss', {
  reasoning: reasoningMarkers.seed,
  call: functionWithParameters('<seed:tool_call>', '</seed:tool_call>'),
  callEndsReasoning: true,
  ignore: CONTROL_TOKENS,
  spacedTags: true,
  spacedCalls: true,
  endOfTurn: ['<seed:eos>'],
  emptyCall: wire`<seed:tool_call>
    </seed:tool_call>`,
  aliases: ['seed_oss'],
})
