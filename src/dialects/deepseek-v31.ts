/**
 * DeepSeek V3.1: name, separator, arguments as JSON.
 *
 *     <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 */

import { define } from '../wire/dialect.ts'
import { args, closer, each, name, space, wire, wrapper } from '../wire/index.ts'
import { CONTROL_TOKENS, DEEPSEEK_END } from './control-tokens.ts'
import { think } from './reasoning.ts'
import { strayBrace } from './stray-brackets.ts'

export const deepseekV31 = define('deepseek-v31', {
  reasoning: think,
  call: wire`${wrapper`<｜tool▁calls▁begin｜>`}${each`
    <｜tool▁call▁begin｜>${space}${name}${space}<｜tool▁sep｜>
    ${args}${strayBrace}
    ${closer`<｜tool▁call▁end｜>`}`}
    ${closer`<｜tool▁calls▁end｜>`}`,
  ignore: CONTROL_TOKENS,
  endOfTurn: DEEPSEEK_END,
  drop: [wire`<｜tool▁output▁begin｜>`, wire`<｜tool▁output▁end｜>`],
  aliases: ['deepseek_v31', 'deepseekv31', 'deepseek3'],
})
