/**
 * DeepSeek V3 and R1: a type, a name, and the arguments in a fence.
 *
 *     <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather
 *     ```json
 *     {"city": "Paris"}
 *     ```<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 */

import { define } from '../engine/wire/dialect.ts'
import { args, closer, each, either, name, optional, space, wire, wrapper } from '../engine/wire/index.ts'
import { CONTROL_TOKENS, DEEPSEEK_END } from './control-tokens.ts'
import {
  DEEPSEEK_OUTPUTS,
  deepseekToken as token,
  deepseekTokenSeen as tokenSeen,
} from './deepseek-tokens.ts'
import { noArguments } from './no-arguments.ts'
import { think } from './reasoning.ts'
import { strayBrace } from './stray-brackets.ts'

const FENCE = '```'

const open = token('tool▁calls▁begin')
const close = token('tool▁calls▁end')

const emptyFence = wire`${noArguments(FENCE)}
  ${tokenSeen('tool▁call▁end')}`

/** The dialect of DeepSeek V3 and R1. */
export const deepseekV3 = define('deepseek-v3', {
  reasoning: think,
  call: wire`${wrapper`${open}`}${each`
    ${token('tool▁call▁begin')}${space}function${space}${token('tool▁sep')}${space}${name}
    ${optional`${FENCE}${optional`json`}`}
    ${either(args, emptyFence)}${strayBrace}
    ${optional`${FENCE}`}
    ${closer`${token('tool▁call▁end')}`}`}
    ${closer`${close}`}`,
  drop: DEEPSEEK_OUTPUTS,
  emptyCall: wire`${open}
    ${close}`,
  strayCloser: 'show',
  ignore: CONTROL_TOKENS,
  spacedCalls: true,
  endOfTurn: DEEPSEEK_END,
  aliases: ['deepseek_v3', 'deepseekv3', 'deepseek_r1', 'cogito'],
})
