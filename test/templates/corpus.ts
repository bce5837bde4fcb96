/** Chat templates, written after the descriptions of the formats, and what is to be found in each. */

import { readFileSync } from 'node:fs'

export interface ChatTemplateRow {
  readonly file: string
  readonly dialect: string
  readonly start: 'text' | 'reasoning'
}

const row = (file: string, dialect = file, start: 'text' | 'reasoning' = 'text'): ChatTemplateRow => ({
  file,
  dialect,
  start,
})

/** The templates of formats that the library has a dialect for. */
export const KNOWN: readonly ChatTemplateRow[] = [
  row('apertus'),
  row('cohere-action'),
  row('command-r-plus'),
  row('deepseek-dsml'),
  row('deepseek-v3'),
  row('deepseek-v31'),
  row('dots'),
  row('function-calls'),
  row('functionary-v31'),
  row('functionary-v32'),
  row('functiongemma'),
  row('functools'),
  row('gemma4'),
  row('gigachat3'),
  row('glm'),
  row('granite3'),
  row('harmony'),
  row('hermes'),
  row('hy-v3'),
  row('inkling'),
  row('internlm2'),
  row('kimi-k2'),
  row('kimi-k3', 'kimi-k3', 'reasoning'),
  row('lfm2'),
  row('llama3-json'),
  row('longcat'),
  row('magistral', 'mistral-v11'),
  row('minicpm5', 'minicpm5', 'reasoning'),
  row('minimax-m2', 'minimax-m2', 'reasoning'),
  row('minimax-m3'),
  row('mistral-array'),
  row('mistral-v11'),
  row('nemotron-v2'),
  row('olmo3'),
  row('pythonic'),
  row('qwen3-coder'),
  row('qwen3-hybrid', 'hermes'),
  row('qwen3-thinking', 'hermes', 'reasoning'),
  row('qwen3.5', 'qwen3-coder', 'reasoning'),
  row('seed-oss'),
  row('tool-calls-array'),
  // Its calls are a bare list, which other dialects read as well; xlam is among the alternatives.
  row('xlam', 'generic-json'),
]

/** Of these, no dialect can be derived: the probe that fails. */
export const UNDERIVED: readonly (readonly [file: string, problem: string])[] = [
  // The type of a value is an attribute with many words.
  ['kimi-k3', 'stand in no order'],
  // The name stands alone behind what the prompt has begun.
  ['functionary-v32', 'stand in no order'],
  // Text, reasoning and calls are messages of their own.
  ['harmony', 'its text would be "<|channel|>"'],
  // The name stands in the header once more.
  ['inkling', 'its text would be "note_medlar'],
]

export function chatTemplate(file: string): string {
  return readFileSync(new URL(`chat-templates/${file}.jinja`, import.meta.url), 'utf8')
}
