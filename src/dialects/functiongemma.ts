/**
 * FunctionGemma: Gemma 4's calls with markers of its own.
 *
 *     <start_function_call>call:get_weather{city:<escape>Paris<escape>}<end_function_call>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, literalCall, space, wire } from '../engine/wire/index.ts'
import { strayBrace } from './stray-brackets.ts'

/** The dialect of FunctionGemma. */
export const functiongemma = define('functiongemma', {
  call: wire`<start_function_call>${space}call:${literalCall('literalCall', { open: '{', close: '}', separator: ':', quote: '<escape>', quotesJson: true, end: '<end_function_call>' })}${strayBrace}
    ${closer`<end_function_call>`}`,
  emptyCall: wire`<start_function_call>
    <end_function_call>`,
  spacedCalls: true,
  endOfTurn: ['<end_of_turn>', '<start_function_response>'],
})
