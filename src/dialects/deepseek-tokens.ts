/**
 * The tokens of DeepSeek V3 and V3.1. Models that were trained on their text, and not on the tokens, write plain bars and
 * underscores.
 *
 *     <｜tool▁calls▁begin｜>    <|tool_calls_begin|>
 */

import { literal, wire } from '../engine/wire/index.ts'
import { seen } from '../engine/wire/seen.ts'

export const deepseekToken = (words: string) => literal(...spellings(words))

/** The same where it is only looked at. */
export const deepseekTokenSeen = (words: string) => seen(...spellings(words))

function spellings(words: string) {
  const plain = words.replaceAll('▁', '_')
  return [`<｜${words}｜>`, `<｜${plain}｜>`, `<|${words}|>`, `<|${plain}|>`] as const
}

/** Around what tools answered, where a model writes that itself. */
export const DEEPSEEK_OUTPUTS = [
  'tool▁outputs▁begin',
  'tool▁output▁begin',
  'tool▁output▁end',
  'tool▁outputs▁end',
].map((words) => wire`${deepseekToken(words)}`)
