/**
 * DeepSeek V3 and R1: a type, a name, and the arguments in a fence.
 *
 *     <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather
 *     ```json
 *     {"city": "Paris"}
 *     ```<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 */

import { define } from '../wire/dialect.ts'
import { args, closer, each, name, optional, wire, wrapper } from '../wire/index.ts'
import { CONTROL_TOKENS, DEEPSEEK_END } from './control-tokens.ts'
import { think } from './reasoning.ts'
import { strayBrace } from './stray-brackets.ts'

const FENCE = '```'

export const deepseekV3 = define('deepseek-v3', {
  reasoning: think,
  call: wire`${wrapper`<｜tool▁calls▁begin｜>`}${each`
    <｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}
    ${optional`${FENCE}json`}
    ${args}${strayBrace}
    ${optional`${FENCE}`}
    ${closer`<｜tool▁call▁end｜>`}`}
    ${closer`<｜tool▁calls▁end｜>`}`,
  strayCloser: 'text',
  ignore: CONTROL_TOKENS,
  endOfTurn: DEEPSEEK_END,
  aliases: ['deepseek_v3', 'deepseekv3', 'deepseek_r1', 'cogito'],
})
