/**
 * InternLM2, Intern-S1: one object per call between tokens.
 *
 *     <|action_start|><|plugin|>
 *     {"name": "get_weather", "parameters": {"city": "Paris"}}<|action_end|>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, object, optional, wire } from '../engine/wire/index.ts'
import { CHATML_END } from './control-tokens.ts'
import { think } from './reasoning.ts'
import { strayBrace } from './stray-brackets.ts'

/** The dialect of InternLM2 and Intern-S1. */
export const internlm2 = define('internlm2', {
  reasoning: think,
  call: wire`<|action_start|>
    <|plugin|>
    ${object({ name: ['name'], arguments: ['parameters', 'arguments'] })}${strayBrace}
    ${closer`<|action_end|>`}`,
  emptyCall: wire`<|action_start|>
    ${optional`<|plugin|>`}
    <|action_end|>`,
  spacedCalls: true,
  endOfTurn: CHATML_END,
  aliases: ['internlm', 'interns1'],
})
