/** A request of OpenAI's Responses API as plain data. */

import { type Fields, isFields } from '../../base/fields.ts'
import type {
  ConversationMessage,
  ModelRequest,
  RequestTool,
  Settings,
  ToolChoice,
} from '../../requests/conversation/model-request.ts'
import { fieldsIn, fieldsOf, listOf, numberOf, textOf, wordOf } from '../payload-fields.ts'
import { given, invalidRequest, someGiven, unknownFields, withoutFields } from '../request-fields.ts'
import { readInput } from './read-input.ts'

const NAME = 'openai-responses'

const KNOWN_FIELDS = [
  ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'stream', 'text'],
  ...['previous_response_id', 'max_output_tokens', 'temperature', 'top_p', 'top_logprobs', 'reasoning'],
]

export function readBody(body: Fields): ModelRequest<readonly RequestTool[]> {
  const toolChoice = readChoice(body.tool_choice)
  const options = someGiven({
    ...withoutFields(body, KNOWN_FIELDS),
    ...readOptions(body),
    tool_choice: toolChoice === undefined ? body.tool_choice : undefined,
  })
  return given({
    model: wordOf(body.model),
    messages: [...readInstructions(body.instructions), ...readMessages(body.input)],
    tools: Array.isArray(body.tools) ? fieldsIn(body.tools).map(readTool) : undefined,
    toolChoice,
    settings: someGiven(readSettings(body)),
    stream: booleanOf(body.stream),
    previousResponseId: wordOf(body.previous_response_id) ?? conversationOf(body),
    providerOptions: options && { [NAME]: options },
  }) as ModelRequest<readonly RequestTool[]>
}

const booleanOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

/** A conversation that the server keeps is known to other protocols as something that they do not have. */
export function conversationOf({ conversation }: Fields): string | undefined {
  return wordOf(conversation) ?? wordOf(fieldsOf(conversation).id)
}

function readInstructions(instructions: unknown): ConversationMessage[] {
  const text = textOf(instructions)
  return text === '' ? [] : [{ role: 'system', parts: [{ type: 'text', text }] }]
}

function readMessages(input: unknown): ConversationMessage[] {
  // A prompt that the server keeps, or a conversation, needs no more.
  if (input === undefined || input === null || input === '') return []
  if (typeof input === 'string') return [{ role: 'user', parts: [{ type: 'text', text: input }] }]
  if (!Array.isArray(input)) throw invalidRequest("'input' must be a string or a list.")
  const wrong = input.findIndex((item) => !isFields(item))
  if (wrong !== -1) throw invalidRequest(`'input[${wrong}]' must be an object.`)
  return readInput(input as Fields[])
}

// ── settings ─────────────────────────────────────────────────────────────────────────────────────

const LOGPROBS = 'message.output_text.logprobs'
const FORMAT_FIELDS = ['type', 'name', 'schema', 'strict', 'description']

function readSettings(body: Fields): Settings {
  const { effort } = fieldsOf(body.reasoning)
  const hasLogprobs = listOf(body.include).includes(LOGPROBS)
  return {
    maxOutputTokens: numberOf(body.max_output_tokens),
    temperature: numberOf(body.temperature),
    topP: numberOf(body.top_p),
    reasoning: someGiven({ effort: wordOf(effort) }),
    output: readFormat(fieldsOf(fieldsOf(body.text).format)),
    parallelToolCalls: booleanOf(body.parallel_tool_calls),
    logprobs: hasLogprobs ? (numberOf(body.top_logprobs) ?? true) : undefined,
  } as Settings
}

function readFormat({ type, name, schema, strict, description }: Fields): Settings['output'] {
  if (type === 'json_object') return {}
  if (type !== 'json_schema') return undefined
  return given({
    schema: isFields(schema) ? schema : undefined,
    name: wordOf(name),
    description: wordOf(description),
    strict: booleanOf(strict),
  }) as Settings['output']
}

/** What of the fields that are read has no name here. */
function readOptions(body: Fields): Fields {
  const text = fieldsOf(body.text)
  const format = fieldsOf(text.format)
  const isRead = readFormat(format) !== undefined
  return {
    reasoning: withoutFields(fieldsOf(body.reasoning), ['effort']),
    text: someGiven({ ...text, format: isRead ? withoutFields(format, FORMAT_FIELDS) : text.format }),
    top_logprobs: listOf(body.include).includes(LOGPROBS) ? undefined : body.top_logprobs,
  }
}

// ── tools ────────────────────────────────────────────────────────────────────────────────────────

function readChoice(choice: unknown): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  const fields = fieldsOf(choice)
  const toolName = chosenName(fields)
  if (toolName !== undefined) return { toolName }
  if (fields.type !== 'allowed_tools') return undefined
  const { mode, tools } = isFields(fields.allowed_tools) ? fields.allowed_tools : fields
  const toolNames = fieldsIn(tools).map(chosenName)
  // A list with a tool that the provider runs stays as it is.
  const isPlain = toolNames.every((name) => name !== undefined)
  return isPlain ? { toolNames, mode: mode === 'required' ? 'required' : 'auto' } : undefined
}

/** The tool that is meant, if the application runs it. Some clients write it as for Chat Completions. */
function chosenName({ type, name, ...more }: Fields): string | undefined {
  if (type !== 'function' && type !== 'custom') return undefined
  return wordOf(name) ?? wordOf(fieldsOf(more[type]).name)
}

function readTool(tool: Fields): RequestTool {
  const { type = 'function', name, description, parameters, strict } = tool
  if (type !== 'function' && type !== 'custom') return { type: 'provider', provider: NAME, definition: tool }
  const known = ['type', 'name', 'description', ...(type === 'custom' ? [] : ['parameters', 'strict'])]
  const rest = withoutFields(tool, known)
  return given({
    type: type === 'custom' ? type : undefined,
    name: textOf(name),
    description: wordOf(description),
    inputSchema: type === 'function' && isFields(parameters) ? parameters : undefined,
    // What other protocols do without a word has to be said here; what is not said, the API decides.
    strict: strict === true ? strict : undefined,
    ...(type === 'function' && typeof strict !== 'boolean'
      ? { metadata: { [NAME]: { ...rest, strict: null } } }
      : unknownFields(NAME, tool, known)),
  }) as RequestTool
}
