/**
 * What Ollama's chat takes, and the errors with which it refuses everything else. It knows no order of messages: what
 * it checks are the types of fields, as Go reads them, what the model can do, and files.
 */

import { type Fields, isFields } from '../../../../src/base/fields.ts'
import { entries, imageType, Refusal, textOf } from './refusal.ts'

function refuse(message: string, status = 400): never {
  throw new Refusal(status, { error: message }, message)
}

/** What Go calls the type of a value. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return value === null ? 'null' : typeof value === 'boolean' ? 'bool' : typeof value
}

function checkType(
  value: unknown,
  kind: 'string' | 'array' | 'object' | 'bool',
  field: string,
  type: string,
): void {
  if (value !== undefined && value !== null && kindOf(value) !== kind)
    refuse(
      `json: cannot unmarshal ${kindOf(value)} into Go struct field ChatRequest.${field} of type ${type}`,
    )
}

export function checkOllama(body: Fields): void {
  const { model, messages, tools, format, think, options, stream } = body
  checkType(model, 'string', 'model', 'string')
  if (textOf(model) === '') refuse('model is required')
  checkType(messages, 'array', 'messages', '[]api.Message')
  checkType(tools, 'array', 'tools', 'api.Tools')
  checkType(options, 'object', 'options', 'map[string]interface {}')
  checkType(stream, 'bool', 'stream', 'bool')
  for (const [, message] of entries(messages)) checkMessage(message)
  for (const [, tool] of entries(tools)) checkTool(tool)
  if (think !== undefined && !['high', 'medium', 'low', true, false].includes(think as string | boolean))
    refuse(`invalid think value: ${JSON.stringify(think)} (must be "high", "medium", "low", true, or false)`)
  if (format !== undefined && format !== 'json' && !isFields(format))
    refuse(`invalid format: ${JSON.stringify(format)}; expected "json" or a valid JSON Schema object`)
  for (const [name, kind] of Object.entries(OPTIONS))
    if (isFields(options) && options[name] !== undefined && kindOf(options[name]) !== kind)
      refuse(`option "${name}" must be of type ${kind === 'number' ? 'float32' : kind}`)
}

const OPTIONS: Readonly<Record<string, string>> = {
  num_predict: 'number',
  temperature: 'number',
  top_p: 'number',
  top_k: 'number',
  min_p: 'number',
  seed: 'number',
  stop: 'array',
}

function checkMessage(message: Fields): void {
  const { role, content, images, tool_calls, thinking, tool_name, tool_call_id } = message
  for (const [name, value] of Object.entries({ role, content, thinking, tool_name, tool_call_id }))
    checkType(value, 'string', `messages.${name}`, 'string')
  if (!['system', 'user', 'assistant', 'tool'].includes(textOf(role)))
    refuse(`invalid role: ${textOf(role)}, must be one of [system user assistant tool]`)
  checkType(images, 'array', 'messages.images', '[]api.ImageData')
  for (const image of Array.isArray(images) ? images : []) checkImage(image)
  checkType(tool_calls, 'array', 'messages.tool_calls', '[]api.ToolCall')
  for (const [, call] of entries(tool_calls)) {
    checkType(call.id, 'string', 'messages.tool_calls.id', 'string')
    checkType(call.function, 'object', 'messages.tool_calls.function', 'api.ToolCallFunction')
    const { name, arguments: given } = isFields(call.function) ? call.function : {}
    checkType(name, 'string', 'messages.tool_calls.function.name', 'string')
    checkType(given, 'object', 'messages.tool_calls.function.arguments', 'api.ToolCallFunctionArguments')
  }
}

/** Go decodes base64 strictly, and the model's own reader knows few images. */
function checkImage(image: unknown): void {
  if (typeof image !== 'string')
    refuse(
      `json: cannot unmarshal ${kindOf(image)} into Go struct field ChatRequest.messages.images of type api.ImageData`,
    )
  const wrong = /[^A-Za-z0-9+/]/.exec(image.replace(/={0,2}$/, ''))
  if (wrong !== null || image.length % 4 !== 0)
    refuse(`illegal base64 data at input byte ${wrong?.index ?? image.length - (image.length % 4)}`)
  if (!/^image\/(png|jpeg|webp)$/.test(imageType(image) ?? '')) refuse('image: unknown format', 500)
}

function checkTool({ type, function: called }: Fields): void {
  checkType(type, 'string', 'tools.type', 'string')
  checkType(called, 'object', 'tools.function', 'api.ToolFunction')
  const { name, description, parameters } = isFields(called) ? called : {}
  checkType(name, 'string', 'tools.function.name', 'string')
  checkType(description, 'string', 'tools.function.description', 'string')
  checkType(parameters, 'object', 'tools.function.parameters', 'api.ToolFunctionParameters')
  const { type: kind, required, properties } = isFields(parameters) ? parameters : {}
  checkType(kind, 'string', 'tools.function.parameters.type', 'string')
  checkType(required, 'array', 'tools.function.parameters.required', '[]string')
  checkType(properties, 'object', 'tools.function.parameters.properties', 'map[string]api.ToolProperty')
}
