/** Markers of calls with no call between them, which models write when they change their mind. */

import { expect, test } from 'vitest'
import { findDialect } from '../../src/dialects/find.ts'
import { outline } from '../engine/wire/outline.ts'
import { TOOLS } from './tools.ts'

test.each([
  ['hermes', '<tool_call>\n', '</tool_call>'],
  ['longcat', '<longcat_tool_call>', '</longcat_tool_call>'],
  ['qwen3-coder', '<tool_call>\n', '</tool_call>'],
  ['seed-oss', '<seed:tool_call>', '</seed:tool_call>'],
  ['glm', '<tool_call>', '</tool_call>'],
  ['hy-v3', '<tool_calls>', '</tool_calls>'],
  ['hy-v3', '<tool_call>', '</tool_call>'],
  ['kimi-k2', '<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
  ['kimi-k3', '<|open|>tools<|sep|>', '<|close|>tools<|sep|>'],
  ['deepseek-v3', '<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
  ['deepseek-v31', '<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
  ['deepseek-dsml', '<｜DSML｜function_calls>\n', '</｜DSML｜function_calls>'],
  ['minimax-m2', '<minimax:tool_call>\n', '</minimax:tool_call>'],
  ['minimax-m3', ']<]minimax[>[<tool_call>\n', ']<]minimax[>[</tool_call>'],
  ['gemma4', '<|tool_call>', '<tool_call|>'],
  ['gemma4', '<|tool_call><eos>', '<tool_call|>'],
  ['functiongemma', '<start_function_call>', '<end_function_call>'],
  ['tool-calls-array', '<tool_calls>[]', '</tool_calls>'],
  ['mistral-array', '[TOOL_CALLS] [', ']'],
  ['mistral-v11', '[TOOL_CALLS][', ']'],
  ['granite3', '<|tool_call|>[', ']'],
  ['functools', 'functools[', ']'],
  ['nemotron-v2', '<TOOLCALL>[]', '</TOOLCALL>'],
  ['apertus', '<|tools_prefix|>[]', '<|tools_suffix|>'],
  ['cohere-action', '<|START_ACTION|>[]', '<|END_ACTION|>'],
  ['lfm2', '<|tool_call_start|>[]', '<|tool_call_end|>'],
  ['olmo3', '<function_calls>\n', '</function_calls>'],
  ['internlm2', '<|action_start|><|plugin|>\n', '<|action_end|>'],
  ['dots', '<dots_function_call>\n', '</dots_function_call>'],
  ['step3', '<｜tool_calls_begin｜>', '<｜tool_calls_end｜>'],
])('%s drops %s', (name, opener, closer) => {
  const options = { dialect: findDialect(name), tools: TOOLS }
  expect(outline(`So. ${opener}${closer} Or not.`, options)).toEqual(['text So.  Or not.', 'note empty-call'])
})
