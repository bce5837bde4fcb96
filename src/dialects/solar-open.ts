/**
 * Solar Open: reasoning, text and calls are messages of their own, and a call has an id before its name.
 *
 *     <|tool_calls|><|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>get_weather<|tool_call:args|>{"city": "Paris"}<|tool_call:end|><|calls|>
 */

import { define } from '../engine/wire/dialect.ts'
import { args, closer, each, id, name, optional, space, wire, wrapper } from '../engine/wire/index.ts'
import { reasoningMarkers } from './reasoning-markers.ts'
import { strayBrace } from './stray-brackets.ts'

/** The dialect of Solar Open. */
export const solarOpen = define('solar-open', {
  reasoning: reasoningMarkers.solar,
  call: wire`${wrapper`<|tool_calls|>`}${each`${space}${optional`<|tool_call:begin|>${id}`}<|tool_call:name|>${name}<|tool_call:args|>${space}${args}${strayBrace}${space}${closer`<|tool_call:end|>`}`}${space}${closer`<|calls|>`}`,
  emptyCall: wire`<|tool_calls|>${space}<|calls|>`,
  // The prompt ends behind the first of these.
  drop: [wire`<|begin|>assistant${optional`<|content|>`}`, wire`<|content|>`, wire`<|end|>`],
  callEndsReasoning: true,
  dropEndsReasoning: true,
  strayCloser: 'text', // it ends messages of text, too, and is dropped
  spacedCalls: true,
  example:
    '<|tool_calls|><|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>get_weather<|tool_call:args|>{"city":"Paris"}<|tool_call:end|><|calls|>',
})
