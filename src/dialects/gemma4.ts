/**
 * Gemma 4: an object literal whose quote is a token.
 *
 *     <|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:2}<tool_call|>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, literalCall, optional, space, wire } from '../engine/wire/index.ts'
import { CONTROL_TOKENS } from './control-tokens.ts'
import { reasoningMarkers } from './reasoning-markers.ts'
import { strayBrace } from './stray-brackets.ts'

/** The dialect of Gemma 4. */
export const gemma4 = define('gemma4', {
  reasoning: reasoningMarkers.gemma,
  call: wire`<|tool_call>${space}call:${literalCall('literalCall', { open: '{', close: '}', separator: ':', quote: '<|"|>', end: '<tool_call|>' })}${strayBrace}
    ${closer`<tool_call|>`}`,
  callEndsReasoning: true,
  ignore: CONTROL_TOKENS,
  spacedCalls: true,
  endOfTurn: ['<turn|>', '<end_of_turn>', '<|tool_response>'],
  emptyCall: wire`<|tool_call>${optional`<eos>`}
    <tool_call|>`,
  aliases: ['gemma4-no-thinking'],
})
