/** A request of Anthropic's Messages API as plain data. */

import { type Fields, isFields } from '../../base/fields.ts'
import type { CustomPart, TextPart } from '../../base/part.ts'
import type {
  AnswerPart,
  ConversationMessage,
  ConversationPart,
  FileContent,
  FilePart,
  ModelRequest,
  RequestTool,
  Settings,
  ToolChoice,
} from '../../requests/conversation/model-request.ts'
import { under } from '../metadata.ts'
import { contentOf, fieldsIn, fieldsOf, numberOf, textOf, textsOf, wordOf } from '../payload-fields.ts'
import {
  given,
  invalidRequest,
  readArgumentsValue,
  requiredList,
  someGiven,
  unknownFields,
  wireFields,
  withoutFields,
} from '../request-fields.ts'

const NAME = 'anthropic'

const KNOWN_FIELDS = [
  ...['model', 'messages', 'system', 'tools', 'tool_choice', 'stream', 'max_tokens', 'temperature', 'top_p'],
  ...['top_k', 'stop_sequences', 'thinking', 'output_config', 'output_format'],
]

export function readBody(body: Fields): ModelRequest<readonly RequestTool[]> {
  const options = someGiven({ ...withoutFields(body, KNOWN_FIELDS), ...readOptions(body) })
  const choice = fieldsOf(body.tool_choice)
  const settings = someGiven({ ...readSettings(body), ...readParallel(choice) })
  return given({
    model: wordOf(body.model),
    messages: [...readSystem(body.system), ...requiredList(body, 'messages').flatMap(readMessage)],
    tools: Array.isArray(body.tools) ? fieldsIn(body.tools).map(readTool) : undefined,
    toolChoice: readChoice(choice),
    settings,
    stream: typeof body.stream === 'boolean' ? body.stream : undefined,
    providerOptions: options && { [NAME]: options },
  }) as ModelRequest<readonly RequestTool[]>
}

/** What of thinking and output has no name here. */
function readOptions(body: Fields): Fields {
  const thinking = fieldsOf(body.thinking)
  const isEnabled = thinking.type === 'enabled' && hasOnly(thinking, ['type', 'budget_tokens'])
  const isDisabled = thinking.type === 'disabled' && hasOnly(thinking, ['type'])
  return {
    thinking: isEnabled || isDisabled || isAdaptive(body) ? undefined : body.thinking,
    output_config: withoutFields(
      fieldsOf(body.output_config),
      isAdaptive(body) ? ['effort', 'format'] : ['format'],
    ),
  }
}

/** The model thinks as much as an effort says. An effort without thinking is about something else: how much is written. */
function isAdaptive({ thinking, output_config }: Fields): boolean {
  const { type } = fieldsOf(thinking)
  return (
    type === 'adaptive' &&
    hasOnly(fieldsOf(thinking), ['type']) &&
    wordOf(fieldsOf(output_config).effort) !== undefined
  )
}

const hasOnly = (fields: Fields, known: readonly string[]): boolean =>
  withoutFields(fields, known) === undefined

function readSettings(body: Fields): Settings {
  const { effort, format = body.output_format } = fieldsOf(body.output_config)
  const { schema } = fieldsOf(format)
  const thinking = fieldsOf(body.thinking)
  const reasoning = someGiven({
    effort: thinking.type === 'disabled' ? 'none' : isAdaptive(body) ? effort : undefined,
    budgetTokens: numberOf(thinking.budget_tokens),
  })
  return {
    maxOutputTokens: numberOf(body.max_tokens),
    temperature: numberOf(body.temperature),
    topP: numberOf(body.top_p),
    topK: numberOf(body.top_k),
    stopSequences: textsOf(body.stop_sequences),
    reasoning,
    output: isFields(schema) ? { schema } : undefined,
  } as Settings
}

function readParallel({ disable_parallel_tool_use: isOff }: Fields): Settings {
  return typeof isOff === 'boolean' ? { parallelToolCalls: !isOff } : {}
}

function readChoice({ type, name }: Fields): ToolChoice | undefined {
  if (type === 'tool') return { toolName: textOf(name) }
  return type === 'any' ? 'required' : type === 'auto' || type === 'none' ? type : undefined
}

function readTool(tool: Fields): RequestTool {
  const { type, name, description, input_schema, strict } = tool
  if (type !== undefined && type !== 'custom') return { type: 'provider', provider: NAME, definition: tool }
  return given({
    name: textOf(name),
    description: wordOf(description),
    inputSchema: isFields(input_schema) ? input_schema : undefined,
    strict: typeof strict === 'boolean' ? strict : undefined,
    ...unknownFields(NAME, tool, ['type', 'name', 'description', 'input_schema', 'strict']),
  }) as RequestTool
}

function readSystem(system: unknown): ConversationMessage[] {
  const parts = blocksOf(system).map(readBlock)
  return parts.length === 0 ? [] : [{ role: 'system', parts }]
}

/** Results are a message of their own. */
function readMessage(message: Fields): ConversationMessage[] {
  const { role, content } = message
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    throw invalidRequest(`'role' of a message is user or assistant, not ${JSON.stringify(role)}.`)
  const parts = blocksOf(content).map(readBlock)
  const rest = unknownFields(NAME, message, ['role', 'content'])
  if (role !== 'user') return [{ role, parts, ...(role === 'assistant' && { provider: NAME }), ...rest }]
  const results = parts.filter((part) => part.type === 'result')
  const others = parts.filter((part) => part.type !== 'result')
  // Blocks that have no name here go back only to the provider that knows them.
  const own = others.some((part) => part.type === 'custom') ? { provider: NAME } : {}
  return [
    ...(results.length > 0 ? [{ role: 'tool', parts: results } as const] : []),
    ...(others.length > 0 || results.length === 0 ? [{ role, parts: others, ...own, ...rest } as const] : []),
  ]
}

function blocksOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return fieldsIn(content)
}

function readBlock(block: Fields): ConversationPart {
  const { type } = block
  switch (type) {
    case 'thinking': {
      const metadata = under(NAME, { signature: wordOf(block.signature) })
      return { type: 'reasoning', text: textOf(block.thinking), ...(metadata && { metadata }) }
    }
    case 'redacted_thinking':
      return { type: 'reasoning', text: '', metadata: { [NAME]: { redactedData: textOf(block.data) } } }
    case 'tool_result':
      return readResult(block)
    case 'tool_use':
      return {
        type: 'call',
        id: textOf(block.id),
        toolName: textOf(block.name),
        ...readArgumentsValue(block.input),
        ...unknownFields(NAME, block, ['type', 'id', 'name', 'input']),
      }
    case 'server_tool_use':
    case 'mcp_tool_use': {
      const rest = wireFields({ [NAME]: block }, NAME, ['type', 'id', 'name', 'input', 'server_name'])
      const metadata = under(NAME, { ...rest, serverName: block.server_name })
      const { id, name, input } = block
      return {
        type: 'call',
        id: textOf(id),
        toolName: textOf(name),
        ...readArgumentsValue(input),
        providerExecuted: true,
        ...(metadata && { metadata }),
      }
    }
  }
  return textOf(type).endsWith('_tool_result') ? readServerResult(block) : readContentBlock(block)
}

/** A block that may stand anywhere. Inside a result, a call or a thought is none. */
function readContentBlock(block: Fields): TextPart | FilePart | CustomPart {
  const { type } = block
  switch (type) {
    case 'text':
      return { type, text: textOf(block.text), ...unknownFields(NAME, block, ['type', 'text']) }
    case 'image':
    case 'document':
      // A document made of blocks, or from a source that is not known, goes back as it is.
      if (SOURCES.has(fieldsOf(block.source).type)) return readFile(block)
  }
  return { type: 'custom', kind: textOf(type), value: block }
}

/** `contentParts`: blocks that only this API has, or that it alone was to be given, go back to it as they are. */
function readResult(block: Fields): AnswerPart {
  const { tool_use_id, content, is_error } = block
  const isPlain = content === undefined || typeof content === 'string'
  const blocks = fieldsIn(content).map(readContentBlock)
  const metadata = under(NAME, {
    ...withoutFields(block, ['type', 'tool_use_id', 'content', 'is_error']),
    contentParts: blocks.some(({ type }) => type === 'custom' || (is_error && type !== 'text')) || undefined,
  })
  return {
    type: 'result',
    id: textOf(tool_use_id),
    content: isPlain ? textOf(content) : blocks,
    ...(is_error === true && { isError: true }),
    ...(metadata && { metadata }),
  }
}

function readServerResult(block: Fields): AnswerPart {
  const { type, tool_use_id, content, is_error, ...rest } = block
  return {
    type: 'result',
    id: textOf(tool_use_id),
    content: contentOf(content),
    ...((is_error === true || textOf(fieldsOf(content).type).endsWith('_error')) && { isError: true }),
    metadata: { [NAME]: { type, ...rest } },
  }
}

const SOURCES: ReadonlySet<unknown> = new Set(['base64', 'text', 'url', 'file'])
const FILE_FIELDS = ['type', 'source', 'title']

function readFile(block: Fields): FilePart {
  const source = fieldsOf(block.source)
  const kind = block.type === 'image' ? 'image/*' : source.type === 'text' ? 'text/plain' : 'application/pdf'
  return {
    type: 'file',
    mediaType: wordOf(source.media_type) ?? kind,
    content: contentIn(source),
    ...(wordOf(block.title) && { name: textOf(block.title) }),
    ...unknownFields(NAME, block, FILE_FIELDS),
  }
}

function contentIn({ type, data, url, file_id }: Fields): FileContent {
  if (type === 'url') return { url: textOf(url) }
  if (type === 'file') return { id: textOf(file_id), provider: NAME }
  return type === 'text' ? { text: textOf(data) } : { base64: textOf(data) }
}
