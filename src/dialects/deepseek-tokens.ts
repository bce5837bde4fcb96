/**
 * The tokens of DeepSeek V3 and V3.1. Models that were trained on their text, and not on the tokens, write plain bars and
 * underscores.
 *
 *     <｜tool▁calls▁begin｜>    <|tool_calls_begin|>
 */

import { literal, wire } from '../wire/index.ts'

export function deepseekToken(words: string) {
  const plain = words.replaceAll('▁', '_')
  return literal(`<｜${words}｜>`, `<｜${plain}｜>`, `<|${words}|>`, `<|${plain}|>`)
}

/** Around what tools answered, where a model writes that itself. */
export const DEEPSEEK_OUTPUTS = [
  'tool▁outputs▁begin',
  'tool▁output▁begin',
  'tool▁output▁end',
  'tool▁outputs▁end',
].map((words) => wire`${deepseekToken(words)}`)
