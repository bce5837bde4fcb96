/**
 * Chat templates, written after the descriptions of the formats, and what is to be found in each.
 *
 * @reads test/requests/templates/chat-templates/
 */

import { readFileSync } from 'node:fs'

export interface ChatTemplateRow {
  readonly file: string
  readonly dialect: string
  /** Reasoning as the template writes it, or as its prompt opens it; empty if it knows none. */
  readonly reasoning: string
  /** Where a response begins: as the template has it, and with reasoning switched on and off. */
  readonly starts: readonly [usual: Start, thinking: Start, notThinking: Start]
}

type Start = 'text' | 'reasoning'

const THINK = '<think>…</think>'

/** Prompts that end before the reasoning, that always open it, and that open it unless it is switched off. */
const IN_TEXT = ['text', 'text', 'text'] as const
const OPENED = ['reasoning', 'reasoning', 'reasoning'] as const
const SWITCHED_OFF = ['reasoning', 'reasoning', 'text'] as const
const SWITCHED_ON = ['text', 'reasoning', 'text'] as const

const row = (
  file: string,
  dialect: string,
  reasoning: string,
  starts: ChatTemplateRow['starts'] = IN_TEXT,
): ChatTemplateRow => ({ file, dialect, reasoning, starts })

/** The templates of formats that the library has a dialect for. Everything here is what the makers of the models say. */
export const KNOWN: readonly ChatTemplateRow[] = [
  row('apertus', 'apertus', '<|inner_prefix|>…<|inner_suffix|>'),
  row('cohere-action', 'cohere-action', '<|START_THINKING|>…<|END_THINKING|>', SWITCHED_OFF),
  row('command-r-plus', 'command-r-plus', ''),
  row('deepseek-dsml', 'deepseek-dsml', THINK, SWITCHED_ON),
  row('deepseek-r1', 'deepseek-v3', THINK, OPENED),
  row('deepseek-v3', 'deepseek-v3', ''),
  row('deepseek-v31', 'deepseek-v31', THINK, SWITCHED_ON),
  row('dots', 'dots', THINK),
  row('function-calls', 'function-calls', ''),
  row('functionary-v31', 'functionary-v31', ''),
  row('functionary-v32', 'functionary-v32', ''),
  row('functiongemma', 'functiongemma', ''),
  row('functools', 'functools', ''),
  row('gemma4', 'gemma4', '<|channel>thought\n…<channel|>'),
  row('gigachat3', 'gigachat3', ''),
  row('glm', 'glm', THINK),
  row('glm-4.7', 'glm', THINK, SWITCHED_OFF),
  row('granite3', 'granite3', ''),
  row('harmony', 'harmony', '<|channel|>analysis<|message|>…<|end|>'),
  row('hermes', 'hermes', ''),
  row('hy-v3', 'hy-v3', THINK),
  row('inkling', 'inkling', '<|content_thinking|>…<|end_message|>'),
  row('internlm2', 'internlm2', THINK),
  row('kimi-k2', 'kimi-k2', THINK),
  row('kimi-k3', 'kimi-k3', '<|open|>think<|sep|>…<|close|>think<|sep|>', OPENED),
  row('lfm2', 'lfm2', ''),
  row('llama3-json', 'llama3-json', ''),
  row('longcat', 'longcat', ''),
  row('magistral', 'mistral-v11', '[THINK]…[/THINK]'),
  row('minicpm5', 'minicpm5', THINK, SWITCHED_OFF),
  row('minimax-m2', 'minimax-m2', THINK, OPENED),
  row('minimax-m3', 'minimax-m3', '<mm:think>…</mm:think>', SWITCHED_ON),
  row('mistral-array', 'mistral-array', ''),
  row('mistral-v11', 'mistral-v11', ''),
  row('muse-glimmer', 'muse-glimmer', ' to=self<|message|>…<|eom|>'),
  row('nemotron-v2', 'nemotron-v2', THINK, SWITCHED_OFF),
  row('olmo3', 'olmo3', ''),
  row('olmo3-think', 'olmo3', THINK, OPENED),
  row('pythonic', 'pythonic', ''),
  row('qwen3-coder', 'qwen3-coder', ''),
  row('qwen3-hybrid', 'hermes', THINK),
  row('qwen3-thinking', 'hermes', THINK, OPENED),
  row('qwen3.5', 'qwen3-coder', THINK, SWITCHED_OFF),
  row('seed-oss', 'seed-oss', '<seed:think>…</seed:think>'),
  row('step3', 'step3', THINK, OPENED),
  row('tool-calls-array', 'tool-calls-array', ''),
  // Its calls are a bare list, which other dialects read as well; xlam is among the alternatives.
  row('xlam', 'generic-json', ''),
]

/** Of these, no dialect can be derived: the probe that fails. */
export const UNDERIVED: readonly (readonly [file: string, problem: string])[] = [
  // The type of a value is an attribute with many words.
  ['kimi-k3', 'stand in no order'],
  // The name stands alone behind what the prompt has begun.
  ['functionary-v32', 'stand in no order'],
  // Text, reasoning and calls are messages of their own.
  ['harmony', 'its text would be "<|channel|>"'],
  // The name stands in the header of a message of its own.
  ['inkling', 'its text would be "note_medlar'],
  ['muse-glimmer', 'stand in no order'],
]

export function chatTemplate(file: string): string {
  return readFileSync(new URL(`chat-templates/${file}.jinja`, import.meta.url), 'utf8')
}
