/**
 * What Chat Completions takes, and the errors with which it refuses everything else: OpenAI's own rules, and those of
 * servers that imitate it and want reasoning back.
 */

import { type Fields, isFields } from '../../../../src/base/fields.ts'
import {
  checkChoiceWord,
  checkFields,
  checkImage,
  checkLength,
  checkList,
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

export const signDetail = (text: string): string => sign('openrouter', text)

/** What a server wants back of reasoning: nothing, OpenRouter's signed details, or DeepSeek's text. */
export type ReasoningRule = 'none' | 'details' | 'text'

const FIELDS = new Set([
  ...['model', 'messages', 'tools', 'tool_choice', 'parallel_tool_calls', 'stream', 'stream_options', 'n'],
  ...['max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'seed', 'stop', 'presence_penalty'],
  ...['frequency_penalty', 'logprobs', 'top_logprobs', 'response_format', 'reasoning_effort', 'verbosity'],
  ...['store', 'metadata', 'user', 'service_tier', 'logit_bias', 'prediction', 'modalities', 'audio'],
])

/** What DeepSeek thought before each of its calls. */
export type Thoughts = Map<string, string>

export function checkOpenaiChat(
  body: Fields,
  reasoning: ReasoningRule,
  thoughts: Thoughts = new Map(),
): void {
  checkFields(body, reasoning === 'none' ? FIELDS : new Set([...FIELDS, 'reasoning', 'top_k', 'min_p']))
  if (textOf(body.model) === '') refuse('you must provide a model parameter', null)
  if (body.messages === undefined)
    refuse("Missing required parameter: 'messages'.", 'messages', 'missing_required_parameter')
  checkList(body.messages, 'messages', 2048)
  checkTools(body)
  checkSettings(body)
  for (const [place, message] of entries(body.messages)) checkMessage(place, message, reasoning)
  checkCalls(entries(body.messages).map(([, message]) => message))
  if (reasoning === 'text')
    checkThoughts(
      entries(body.messages).map(([, message]) => message),
      thoughts,
    )
}

// ── tools and settings ───────────────────────────────────────────────────────────────────────────

function checkTools({ tools, tool_choice, parallel_tool_calls }: Fields): void {
  checkList(tools, 'tools', 128)
  const names = new Set<string>()
  for (const [place, tool] of entries(tools)) {
    const kind = textOf(tool.type)
    if (kind !== 'function' && kind !== 'custom')
      refuse(
        `Invalid value: '${kind}'. Supported values are: 'function' and 'custom'.`,
        `tools[${place}].type`,
        'invalid_value',
      )
    const { name, parameters, strict } = isFields(tool[kind]) ? tool[kind] : {}
    checkName(name, `tools[${place}].${kind}.name`)
    names.add(textOf(name))
    checkSchema(textOf(name), parameters, `tools[${place}].function.parameters`)
    if (strict === true) checkStrict(textOf(name), parameters, `tools[${place}].function.parameters`)
  }
  for (const [field, value] of Object.entries({ tool_choice, parallel_tool_calls }))
    if (value !== undefined && names.size === 0)
      refuse(`Invalid value for '${field}': '${field}' is only allowed when 'tools' are specified.`, field)
  checkChoiceWord(tool_choice)
  if (!isFields(tool_choice)) return
  const { allowed_tools, function: called, custom } = tool_choice
  const chosen = isFields(allowed_tools)
    ? entries(allowed_tools.tools).map(([, tool]) => tool)
    : [{ function: called, custom }]
  for (const one of chosen) {
    const { name } = [one.function, one.custom].find(isFields) ?? {}
    if (!names.has(textOf(name)))
      refuse(
        `Invalid value for 'tool_choice': tool '${textOf(name)}' not found in 'tools' parameter.`,
        'tool_choice',
      )
  }
}

function checkSettings(body: Fields): void {
  const { model, max_tokens, stop, stream, stream_options, logprobs, top_logprobs, n } = body
  const isReasoning = isReasoningModel(model)
  if (isReasoning && max_tokens !== undefined)
    refuse(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      'unsupported_parameter',
    )
  checkSampling(body, isReasoning, [
    'temperature',
    'top_p',
    'presence_penalty',
    'frequency_penalty',
    'logprobs',
    'stop',
  ])
  checkList(stop, 'stop', 4)
  if (stream_options !== undefined && stream !== true)
    refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options')
  if (top_logprobs !== undefined && logprobs !== true)
    refuse("The 'logprobs' parameter must be set to true if 'top_logprobs' is used.", 'top_logprobs')
  if (n !== undefined && (typeof n !== 'number' || n < 1))
    refuse(
      "Invalid 'n': integer below minimum value. Expected a value >= 1, but got 0 instead.",
      'n',
      'integer_below_min_value',
    )
  const { type, json_schema } = isFields(body.response_format) ? body.response_format : {}
  if (type === 'json_schema') {
    const { name, schema, strict } = isFields(json_schema) ? json_schema : {}
    checkName(name, 'response_format.json_schema.name')
    if (strict === true) checkStrict(textOf(name), schema, 'response_format')
  }
}

// ── messages ─────────────────────────────────────────────────────────────────────────────────────

const ROLES = ['system', 'assistant', 'user', 'function', 'tool', 'developer']

const MESSAGE_FIELDS = new Set([
  ...[
    'role',
    'content',
    'name',
    'tool_calls',
    'tool_call_id',
    'refusal',
    'audio',
    'function_call',
    'annotations',
  ],
])

function checkMessage(place: number, message: Fields, reasoning: ReasoningRule): void {
  const { role, content, tool_calls, tool_call_id, function_call, refusal, audio } = message
  const at = `messages[${place}]`
  // Servers that imitate OpenAI's leave out what they do not know.
  if (reasoning === 'none') checkFields(message, MESSAGE_FIELDS, `${at}.`)
  if (!ROLES.includes(textOf(role)))
    refuse(
      `Invalid value: '${textOf(role)}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`,
      `${at}.role`,
      'invalid_value',
    )
  const mayBeEmpty =
    role === 'assistant' && [tool_calls, function_call, refusal, audio].some((one) => one !== undefined)
  if ((content === null || content === undefined) && !mayBeEmpty)
    refuse(`Invalid value for 'content': expected a string, got null.`, `messages.[${place}].content`)
  checkList(content, `${at}.content`, 2048)
  for (const [index, part] of entries(content))
    checkPart(`${at}.content[${index}]`, part, textOf(role), place)
  if (role === 'tool' && tool_call_id === undefined)
    refuse(
      `Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.`,
      `messages.[${place}].tool_call_id`,
    )
  if (tool_calls !== undefined && role !== 'assistant')
    refuse(`Unknown parameter: '${at}.tool_calls'.`, `${at}.tool_calls`, 'unknown_parameter')
  checkList(tool_calls, `${at}.tool_calls`, 128)
  for (const [index, call] of entries(tool_calls)) checkCall(`${at}.tool_calls[${index}]`, call)
  for (const [index, detail] of entries(message.reasoning_details))
    checkDetail(`${at}.reasoning_details[${index}]`, detail)
}

const PARTS: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
}

function checkPart(at: string, part: Fields, role: string, place: number): void {
  const type = textOf(part.type)
  if (type === 'image_url' && role !== 'user')
    refuse(
      `Invalid 'messages[${place}]'. Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`,
      `messages[${place}]`,
      'invalid_value',
    )
  const known = PARTS[role] ?? ['text']
  if (!known.includes(type))
    refuse(
      `Invalid value: '${type}'. Supported values are: ${known.map((one) => `'${one}'`).join(', ')}.`,
      `${at}.type`,
      'invalid_value',
    )
  if (type === 'text' && typeof part.text !== 'string')
    refuse(`Missing required parameter: '${at}.text'.`, `${at}.text`, 'missing_required_parameter')
  const { url } = isFields(part.image_url) ? part.image_url : {}
  if (type === 'image_url') checkImage(url, `${at}.image_url.url`)
}

function checkCall(at: string, call: Fields): void {
  const { id, type } = call
  checkLength(id, `${at}.id`, 40)
  if (type !== 'function' && type !== 'custom')
    refuse(`Missing required parameter: '${at}.type'.`, `${at}.type`, 'missing_required_parameter')
  const called = isFields(call[type]) ? call[type] : {}
  checkName(called.name, `${at}.${type}.name`)
  const text = type === 'function' ? 'arguments' : 'input'
  if (typeof called[text] !== 'string')
    refuse(
      `Invalid type for '${at}.${type}.${text}': expected a string, but got an object instead.`,
      `${at}.${type}.${text}`,
      'invalid_type',
    )
}

function checkDetail(at: string, { type, text, signature, data }: Fields): void {
  const isGood =
    type === 'reasoning.text'
      ? signature === signDetail(textOf(text))
      : type === 'reasoning.encrypted'
        ? data === signDetail('encrypted')
        : type === 'reasoning.summary'
  if (!isGood) refuse(`${at}: Invalid \`signature\` in \`thinking\` block`, null)
}

/** Behind calls come their results, all of them and nothing else. */
function checkCalls(messages: readonly Fields[]): void {
  let open: string[] = []
  let done: string[] = []
  let from = 0
  const checkOpen = (place: number): void => {
    if (open.length > 0)
      refuse(
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`,
        `messages.[${place}].role`,
      )
  }
  messages.forEach(({ role, tool_calls, tool_call_id }, place) => {
    const id = textOf(tool_call_id)
    if (role === 'tool') {
      if (done.includes(id))
        refuse(
          `Invalid parameter: Duplicate value for 'tool_call_id' of '${id}' in message[${from}].`,
          `messages.[${place}].tool_call_id`,
        )
      if (!open.includes(id))
        refuse(
          done.length + open.length === 0
            ? "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
            : `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
          done.length + open.length === 0 ? `messages.[${place}].role` : `messages.[${place}].tool_call_id`,
        )
      open = open.filter((one) => one !== id)
      done.push(id)
      return
    }
    checkOpen(place)
    open = entries(tool_calls).map(([, call]) => textOf(call.id))
    done = []
    from = place
    const twice = open.find((one, index) => open.indexOf(one) !== index)
    if (twice !== undefined)
      refuse(
        `Invalid parameter: Duplicate value for 'tool_call_id' of '${twice}' in message[${place}].`,
        `messages.[${place}].tool_calls`,
      )
  })
  checkOpen(messages.length)
}

/** DeepSeek, thinking: what it thought before the calls of the turn that goes on comes back with them. */
function checkThoughts(messages: readonly Fields[], thoughts: Thoughts): void {
  const asked = messages.map(({ role }) => role).lastIndexOf('user')
  for (const { tool_calls, reasoning_content } of messages.slice(asked + 1))
    for (const [, { id }] of entries(tool_calls))
      if (thoughts.has(textOf(id)) && thoughts.get(textOf(id)) !== reasoning_content)
        refuse(
          'The `reasoning_content` in the thinking mode must be passed back to the API.',
          null,
          'invalid_request_error',
        )
}
