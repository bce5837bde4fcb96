/**
 * How the chat templates of some families write what tools answered, by the name of the dialect. The content is harmless
 * already. Families whose templates only change the role get the usual form: a role is not for us to open.
 */

import type { PromptResult } from './turn-text.ts'

export interface ResultForm {
  readonly one: (result: PromptResult) => string
  /** What stands between two results of one message. Default a line break. */
  readonly between?: string
  /** What stands around all results of one message. */
  readonly around?: readonly [before: string, after: string]
}

/** Between two markers, on lines of its own or not. */
const between =
  (before: string, after: string): ResultForm['one'] =>
  ({ content }) =>
    before + content + after

const json = JSON.stringify

/** `<tool_response>` as Hermes has it, and all that learned from it. */
export const USUAL_FORM: ResultForm = { one: between('<tool_response>', '</tool_response>') }

const ON_LINES: ResultForm = { one: between('<tool_response>\n', '\n</tool_response>') }

const DEEPSEEK_OUTPUT = between('<｜tool▁output▁begin｜>', '<｜tool▁output▁end｜>')

/** A response in the literals of Gemma, whose quote is a token. */
const gemma =
  (before: string, quote: string, after: string): ResultForm['one'] =>
  ({ toolName, content }) =>
    `${before}response:${toolName}{value:${quote}${content}${quote}}${after}`

export const RESULT_FORMS: Readonly<Record<string, ResultForm>> = {
  'cohere-action': {
    one: ({ id, content, isError }) =>
      json({ tool_call_id: id, results: { 0: content }, is_error: isError || null }),
    between: ',\n',
    around: ['<|START_TOOL_RESULT|>[\n', '\n]<|END_TOOL_RESULT|>'],
  },
  'deepseek-dsml': {
    one: between('<result>', '</result>'),
    around: ['<function_results>\n', '\n</function_results>'],
  },
  'deepseek-v3': {
    one: DEEPSEEK_OUTPUT,
    around: ['<｜tool▁outputs▁begin｜>', '<｜tool▁outputs▁end｜>'],
  },
  'deepseek-v31': { one: DEEPSEEK_OUTPUT, between: '' },
  functiongemma: {
    one: gemma('<start_function_response>', '<escape>', '<end_function_response>'),
    between: '',
  },
  gemma4: { one: gemma('<|tool_response>', '<|"|>', '<tool_response|>'), between: '' },
  glm: ON_LINES,
  lfm2: { one: between('<|tool_response_start|>', '<|tool_response_end|>') },
  'minimax-m2': { one: between('<response>', '</response>') },
  'mistral-array': {
    one: ({ id, content }) => `[TOOL_RESULTS]${json({ content, call_id: id })}[/TOOL_RESULTS]`,
    between: '',
  },
  'mistral-v11': {
    one: ({ id, content }) => `[TOOL_RESULTS]${id}[TOOL_CONTENT]${content}[/TOOL_RESULTS]`,
    between: '',
  },
  'nemotron-v2': {
    one: ({ content }) => json(content),
    between: ', ',
    around: ['<TOOL_RESPONSE>[', ']</TOOL_RESPONSE>'],
  },
  'qwen3-coder': ON_LINES,
}
