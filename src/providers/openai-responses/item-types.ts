/** The items of a response that are calls and results: which fields are the input, and which the result. */

import type { Metadata } from '../../base/event.ts'
import type { Fields } from '../../base/fields.ts'
import { ofProvider } from '../metadata.ts'

/**
 * Tools that the provider runs, by the type of their items: which fields are input, and which are the result. The
 * input may be in `arguments`, too, as JSON. A call of an MCP server that waits for an approval runs there, too.
 */
export const HOSTED: Readonly<
  Record<string, { readonly input: readonly string[]; readonly result: readonly string[] }>
> = {
  web_search_call: { input: ['action'], result: ['results'] },
  file_search_call: { input: ['queries'], result: ['results'] },
  code_interpreter_call: { input: ['code'], result: ['outputs'] },
  image_generation_call: { input: ['revised_prompt', 'size', 'quality'], result: ['result'] },
  mcp_call: { input: [], result: ['output'] },
  mcp_approval_request: { input: [], result: [] },
  program: { input: ['code'], result: [] },
}

/** Tools that OpenAI defines and the application runs, unless the item names another runner: the field of the input. */
export const DESCRIBED: Readonly<Record<string, string>> = {
  local_shell_call: 'action',
  shell_call: 'action',
  computer_call: 'action',
  apply_patch_call: 'operation',
  tool_search_call: 'arguments',
}

/** Items that answer a call, by its `call_id`: the field that is the answer. */
export const OUTPUTS: Readonly<Record<string, string>> = {
  function_call_output: 'output',
  custom_tool_call_output: 'output',
  local_shell_call_output: 'output',
  shell_call_output: 'output',
  computer_call_output: 'output',
  apply_patch_call_output: 'output',
  tool_search_output: 'tools',
  program_output: 'result',
}

/** Fields that an item of the type has even where there is nothing to say. Clients and the API refuse one without them. */
export const REQUIRED: Readonly<Record<string, Fields>> = {
  web_search_call: { status: 'completed' },
  file_search_call: { status: 'completed', queries: [] },
  code_interpreter_call: { status: 'completed', code: null, outputs: null },
  image_generation_call: { status: 'completed', result: null },
  local_shell_call: { status: 'completed' },
  computer_call: { status: 'completed', pending_safety_checks: [] },
  apply_patch_call: { status: 'completed' },
}

/**
 * Whether a call that is written names no id of a call: that of a search for tools which OpenAI ran may be the id of its
 * item, and its output then names none either.
 */
export const isUnlinked = (type: string, metadata: Metadata | undefined): boolean =>
  type === 'tool_search_call' && ofProvider(metadata, 'openai-responses').itemId === undefined
