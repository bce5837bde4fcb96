/** What the Responses API takes, and the errors with which it refuses everything else. */

import { type Fields, isFields } from '../../../../src/base/fields.ts'
import {
  checkChoiceWord,
  checkFields,
  checkImage,
  checkLength,
  checkName,
  checkSampling,
  checkSchema,
  checkStrict,
  entries,
  isReasoningModel,
  refuse,
  textOf,
} from './openai.ts'
import { sign } from './refusal.ts'

/** Reasoning that only the server can read, for the item of this id. */
export const encrypt = (id: string): string =>
  `gAAAAA${Buffer.from(JSON.stringify([id, sign('encrypted', id)])).toString('base64url')}`

function isEncrypted(id: unknown, content: string): boolean {
  return content === encrypt(textOf(id))
}

/** Ids of items, and of the reasoning that each of them goes with: what the server gave out. */
export class Issued {
  readonly reasoningOf = new Map<string, string>()
}

const FIELDS = new Set([
  ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'stream', 'store'],
  ...[
    'max_output_tokens',
    'temperature',
    'top_p',
    'top_logprobs',
    'text',
    'reasoning',
    'include',
    'metadata',
  ],
  ...['previous_response_id', 'conversation', 'prompt', 'truncation', 'user', 'service_tier', 'background'],
])

export function checkOpenaiResponses(body: Fields, issued: Issued): void {
  checkFields(body, FIELDS)
  if (textOf(body.model) === '')
    refuse("Missing required parameter: 'model'.", 'model', 'missing_required_parameter')
  checkTools(body)
  checkSampling(body, isReasoningModel(body.model), ['temperature', 'top_p', 'top_logprobs'])
  const { format } = isFields(body.text) ? body.text : {}
  if (isFields(format) && format.type === 'json_schema') {
    checkName(format.name, 'text.format.name')
    if (format.strict === true) checkStrict(textOf(format.name), format.schema, 'text.format.schema')
  }
  const items = entries(body.input).map(([, item]) => item)
  items.forEach((item, place) => {
    checkItem(`input[${place}]`, item)
  })
  checkIds(items)
  checkCalls(items)
  checkReasoning(items, issued, body)
}

// ── tools ────────────────────────────────────────────────────────────────────────────────────────

function checkTools({ tools, tool_choice }: Fields): void {
  const names = new Set<string>()
  for (const [place, tool] of entries(tools)) {
    const { type, name, parameters, strict } = tool
    if (type !== 'function' && type !== 'custom') continue
    checkName(name, `tools[${place}].name`)
    names.add(textOf(name))
    if (type === 'custom') continue
    checkSchema(textOf(name), parameters, `tools[${place}].parameters`)
    // Here a tool is strict unless it says that it is not.
    if (strict !== false) checkStrict(textOf(name), parameters, `tools[${place}].parameters`)
  }
  checkChoiceWord(tool_choice)
  if (tool_choice === 'required' && names.size === 0)
    refuse("Tool choice 'required' must be specified with 'tools' parameter.", 'tool_choice')
  if (!isFields(tool_choice)) return
  const chosen = Array.isArray(tool_choice.tools)
    ? entries(tool_choice.tools).map(([, one]) => one)
    : [tool_choice]
  for (const { name } of chosen)
    if (!names.has(textOf(name)))
      refuse(`Tool choice '${textOf(name)}' not found in 'tools' parameter.`, 'tool_choice')
}

// ── items ────────────────────────────────────────────────────────────────────────────────────────

const PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
}

const CONTENT: Readonly<Record<string, readonly string[]>> = {
  input: ['input_text', 'input_image', 'input_file', 'input_audio'],
  output: ['output_text', 'refusal'],
}

function checkItem(at: string, item: Fields): void {
  const type = item.type === undefined && item.role !== undefined ? 'message' : textOf(item.type)
  const prefix = PREFIXES[type]
  const { id, call_id } = item
  if (id !== undefined && prefix !== undefined && !textOf(id).startsWith(prefix))
    refuse(
      `Invalid '${at}.id': '${textOf(id)}'. Expected an ID that begins with '${prefix}'.`,
      `${at}.id`,
      'invalid_value',
    )
  switch (type) {
    case 'message':
      checkMessage(at, item)
      return
    case 'reasoning':
      checkThought(at, item)
      return
    case 'function_call':
    case 'custom_tool_call': {
      checkLength(call_id, `${at}.call_id`, 64)
      checkName(item.name, `${at}.name`)
      const text = type === 'function_call' ? 'arguments' : 'input'
      if (typeof item[text] !== 'string')
        refuse(`Missing required parameter: '${at}.${text}'.`, `${at}.${text}`, 'missing_required_parameter')
      return
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      checkLength(call_id, `${at}.call_id`, 64)
      if (item.output === undefined)
        refuse(`Missing required parameter: '${at}.output'.`, `${at}.output`, 'missing_required_parameter')
      checkContent(`${at}.output`, item.output, 'input')
      return
    default:
      refuse(
        `Invalid value: '${type}'. Supported values are: 'message', 'reasoning', 'function_call', 'function_call_output', 'custom_tool_call', and 'custom_tool_call_output'.`,
        at,
        'invalid_value',
      )
  }
}

function checkMessage(at: string, { role, content }: Fields): void {
  if (!['user', 'assistant', 'system', 'developer'].includes(textOf(role)))
    refuse(
      `Invalid value: '${textOf(role)}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`,
      `${at}.role`,
      'invalid_value',
    )
  if (content === undefined || content === null)
    refuse(`Missing required parameter: '${at}.content'.`, `${at}.content`, 'missing_required_parameter')
  checkContent(`${at}.content`, content, role === 'assistant' ? 'output' : 'input')
}

function checkContent(at: string, content: unknown, side: 'input' | 'output'): void {
  const known = CONTENT[side]!
  for (const [place, part] of entries(content)) {
    const type = textOf(part.type)
    if (!known.includes(type))
      refuse(
        `Invalid value: '${type}'. Supported values are: ${known.map((one) => `'${one}'`).join(', ')}.`,
        `${at}[${place}]`,
        'invalid_value',
      )
    if (type.endsWith('_text') && typeof part.text !== 'string')
      refuse(
        `Missing required parameter: '${at}[${place}].text'.`,
        `${at}[${place}].text`,
        'missing_required_parameter',
      )
    if (type === 'input_image' && part.file_id === undefined)
      checkImage(part.image_url, `${at}[${place}].image_url`)
  }
}

function checkThought(at: string, item: Fields): void {
  const { id, summary, encrypted_content } = item
  if (id === undefined)
    refuse(`Missing required parameter: '${at}.id'.`, `${at}.id`, 'missing_required_parameter')
  if (!Array.isArray(summary))
    refuse(`Missing required parameter: '${at}.summary'.`, `${at}.summary`, 'missing_required_parameter')
  if (typeof encrypted_content === 'string' && !isEncrypted(id, encrypted_content))
    refuse(
      `The encrypted content for item ${textOf(id)} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
      null,
      'invalid_encrypted_content',
    )
}

// ── what belongs together ────────────────────────────────────────────────────────────────────────

function checkIds(items: readonly Fields[]): void {
  const seen = new Set<unknown>()
  for (const { id } of items) {
    if (id !== undefined && seen.has(id))
      refuse(
        `Duplicate item found with id ${textOf(id)}. Remove duplicate items from your input and try again.`,
        'input',
      )
    seen.add(id)
  }
}

const isCall = ({ type }: Fields): boolean => type === 'function_call' || type === 'custom_tool_call'
const isOutput = ({ type }: Fields): boolean =>
  type === 'function_call_output' || type === 'custom_tool_call_output'

function checkCalls(items: readonly Fields[]): void {
  const open = new Map<unknown, Fields>()
  const calls = new Set<unknown>()
  for (const item of items) {
    const { call_id } = item
    if (isCall(item)) {
      if (calls.has(call_id)) refuse(`Duplicate function call with call_id ${textOf(call_id)}.`, 'input')
      calls.add(call_id)
      open.set(call_id, item)
    }
    if (!isOutput(item)) continue
    const call = open.get(call_id)
    if (call === undefined || item.type !== `${textOf(call.type)}_output`)
      refuse(
        item.type === 'custom_tool_call_output'
          ? `No tool call found for custom tool call output with call_id ${textOf(call_id)}.`
          : `No tool call found for function call output with call_id ${textOf(call_id)}.`,
        'input',
      )
    open.delete(call_id)
  }
  for (const { type, call_id } of open.values())
    refuse(
      `No tool output found for ${type === 'custom_tool_call' ? 'custom tool' : 'function'} call ${textOf(call_id)}.`,
      'input',
    )
}

function checkReasoning(items: readonly Fields[], { reasoningOf }: Issued, { store }: Fields): void {
  const given = new Set(items.filter(({ type }) => type === 'reasoning').map(({ id }) => textOf(id)))
  items.forEach((item, place) => {
    const id = textOf(item.id)
    if (item.type === 'reasoning') {
      const next = items[place + 1]
      const isFollowed =
        next !== undefined && (isCall(next) || next.type === 'reasoning' || next.role === 'assistant')
      if (!isFollowed)
        refuse(`Item '${id}' of type 'reasoning' was provided without its required following item.`, 'input')
      if (store === false && item.encrypted_content === undefined)
        refuse(
          `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
          'input',
          null,
          404,
        )
      return
    }
    const needed = reasoningOf.get(id)
    if (needed !== undefined && !given.has(needed))
      refuse(
        `Item '${id}' of type '${textOf(item.type) || 'message'}' was provided without its required 'reasoning' item: '${needed}'.`,
        'input',
      )
  })
}
