/**
 * DeepSeek V3.1: name, separator, arguments as JSON.
 *
 *     <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 */

import { define } from '../engine/wire/dialect.ts'
import { args, closer, each, either, name, space, wire, wrapper } from '../engine/wire/index.ts'
import { CONTROL_TOKENS, DEEPSEEK_END } from './control-tokens.ts'
import {
  DEEPSEEK_OUTPUTS,
  deepseekToken as token,
  deepseekTokenSeen as tokenSeen,
} from './deepseek-tokens.ts'
import { noArguments } from './no-arguments.ts'
import { think } from './reasoning.ts'
import { strayBrace } from './stray-brackets.ts'

const open = token('tool▁calls▁begin')
const close = token('tool▁calls▁end')

/** The dialect of DeepSeek V3.1. */
export const deepseekV31 = define('deepseek-v31', {
  reasoning: think,
  call: wire`${wrapper`${open}`}${each`
    ${token('tool▁call▁begin')}${space}${name}${space}${token('tool▁sep')}
    ${either(args, noArguments(tokenSeen('tool▁call▁end')))}${strayBrace}
    ${closer`${token('tool▁call▁end')}`}`}
    ${closer`${close}`}`,
  emptyCall: wire`${open}
    ${close}`,
  ignore: CONTROL_TOKENS,
  spacedCalls: true,
  endOfTurn: DEEPSEEK_END,
  drop: DEEPSEEK_OUTPUTS,
  aliases: ['deepseek_v31', 'deepseekv31', 'deepseek3'],
})
