/** A Chat Completions request as plain data. */

import type { Metadata } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import { mergeMetadata } from '../../base/merge-metadata.ts'
import type { CallPart, CustomPart, ReasoningPart, TextPart } from '../../base/part.ts'
import type {
  AnswerPart,
  ConversationMessage,
  ConversationPart,
  FilePart,
  ModelRequest,
  RequestTool,
} from '../../requests/conversation/model-request.ts'
import { readFunctionTool } from '../function-tools.ts'
import { ofProvider, under } from '../metadata.ts'
import { fieldsIn, fieldsOf, textOf, wordOf } from '../payload-fields.ts'
import {
  argumentsText,
  contentAt,
  given,
  invalidRequest,
  joinResults,
  readArguments,
  requiredList,
  someGiven,
  unknownFields,
  withoutFields,
} from '../request-fields.ts'
import { readSettings } from '../setting-fields.ts'
import { SETTINGS } from './chat-settings.ts'
import { REASONING_FIELDS } from './reasoning-fields.ts'

const NAME = 'openai-chat'

const KNOWN_FIELDS = [
  ...['model', 'messages', 'tools', 'functions', 'stream'],
  ...SETTINGS.flatMap(({ fields }) => fields),
]

export function readBody(body: Fields): ModelRequest<readonly RequestTool[]> {
  const tools = readTools(body)
  const { chosen, kept } = readSettings(SETTINGS, body, {
    model: wordOf(body.model),
    isStream: body.stream === true,
    hasTools: (tools ?? []).length > 0,
    isTextTool: (name) => tools?.some((tool) => tool.type === 'custom' && tool.name === name) ?? false,
  })
  const { toolChoice, ...settings } = chosen
  const options = someGiven({
    ...withoutFields(body, KNOWN_FIELDS),
    ...kept,
    functions: Array.isArray(body.functions) ? body.functions : undefined,
  })
  const functionCalls = { count: 0 }
  return given({
    model: wordOf(body.model),
    messages: joinResults(
      requiredList(body, 'messages').map((message) => readMessage(message, functionCalls)),
    ),
    tools,
    toolChoice,
    settings: someGiven(settings),
    stream: typeof body.stream === 'boolean' ? body.stream : undefined,
    providerOptions: options && { [NAME]: options },
  }) as ModelRequest<readonly RequestTool[]>
}

/** `functions` is what there was before tools. */
export function readTools({ tools, functions }: Fields): readonly RequestTool[] | undefined {
  if (!Array.isArray(tools) && !Array.isArray(functions)) return undefined
  const declared = [...fieldsIn(functions).map((named) => ({ function: named })), ...fieldsIn(tools)]
  return declared.map((tool) => readFunctionTool(NAME, tool))
}

// ── messages ─────────────────────────────────────────────────────────────────────────────────────

function readMessage(message: Fields, functionCalls: { count: number }): ConversationMessage {
  const { role, content } = message
  switch (role) {
    case 'system':
    case 'developer':
    case 'user': {
      const parts = readContent(content)
      const isList =
        Array.isArray(content) &&
        ((parts.length === 1 && parts.every(isPlain)) || parts.some(({ type }) => type === 'custom'))
      const own = withoutFields(message, role === 'developer' ? ['content'] : ['role', 'content'])
      const metadata = under(NAME, { ...own, ...(isList && AS_LIST) })
      return { role: role === 'user' ? role : 'system', parts, ...(metadata && { metadata }) }
    }
    case 'assistant':
      return readAssistant(message, functionCalls)
    case 'tool': {
      const own = { ...withoutFields(message, ['role', 'content', 'tool_call_id']) }
      return { role, parts: [readAnswer(textOf(message.tool_call_id), content, own)] }
    }
    case 'function': {
      const own = { ...withoutFields(message, ['role', 'content']), legacy: true }
      return { role: 'tool', parts: [readAnswer(functionId(functionCalls), content, own)] }
    }
  }
  throw invalidRequest(
    `'role' of a message is system, developer, user, assistant or tool, not ${JSON.stringify(role)}.`,
  )
}

/** Calls had no ids before there were tools: one call, and then its result. */
const functionId = ({ count }: { count: number }): string => `function_call_${count}`

/** The content came as a list, and is written as one, with all that stands in it. */
const AS_LIST = { contentParts: true }

const isPlain = (part: ConversationPart): boolean => part.type === 'text' && part.metadata === undefined

const ASSISTANT_FIELDS = [
  ...['role', 'content', 'refusal', 'tool_calls', 'function_call'],
  ...['reasoning_details', 'reasoning_opaque'],
]

function readAssistant(message: Fields, functionCalls: { count: number }): ConversationMessage {
  const { content, refusal, tool_calls, function_call } = message
  const { reasoning, fields } = readReasoning(message)
  const texts = readContent(content)
  const isList = Array.isArray(content) && texts.every(({ type }) => type === 'text')
  const metadata = under(NAME, {
    ...withoutFields(message, [...ASSISTANT_FIELDS, ...fields]),
    ...(isList && AS_LIST),
  })
  const parts: ConversationPart[] = [
    ...reasoning,
    ...texts,
    ...(wordOf(refusal) ? [refusalPart(textOf(refusal))] : []),
    ...fieldsIn(tool_calls).map(readCall),
  ]
  if (isFields(function_call)) {
    functionCalls.count++
    const call = readFunction(function_call, functionId(functionCalls))
    parts.push({ ...call, metadata: { [NAME]: { legacy: true } } })
  }
  return { role: 'assistant', parts, provider: NAME, ...(metadata && { metadata }) }
}

/** The reasoning, and the fields it is read from. Text that the details repeat stays as it is, for its server. */
function readReasoning(message: Fields): { reasoning: ReasoningPart[]; fields: readonly string[] } {
  const details = fieldsIn(message.reasoning_details).map(readDetail)
  const hasText = details.some(({ text }) => text !== '')
  const fields = hasText ? [] : REASONING_FIELDS.filter((field) => wordOf(message[field]) !== undefined)
  const opaque = wordOf(message.reasoning_opaque)
  const plain = fields.map((field): ReasoningPart => {
    const metadata = under(NAME, { field: field === 'reasoning_content' ? undefined : field })
    return { type: 'reasoning', text: textOf(message[field]), ...(metadata && { metadata }) }
  })
  const sealed: ReasoningPart[] =
    opaque === undefined
      ? []
      : [{ type: 'reasoning', text: '', metadata: { [NAME]: { reasoning_opaque: opaque } } }]
  const [text, ...others] = plain
  const unsaid = details.filter(({ metadata }) => ofProvider(metadata, 'anthropic').signature !== undefined)
  // A stream has the signature behind the text that it signs, and not with it.
  if (text !== undefined && others.length === 0 && unsaid.length === 1)
    return {
      reasoning: [
        ...sealed,
        ...details.map((one) => (one === unsaid[0] ? { ...one, text: text.text } : one)),
      ],
      fields,
    }
  return { reasoning: [...plain, ...sealed, ...details], fields }
}

/** A block of reasoning as OpenRouter has it, with what the provider behind it signed. */
function readDetail(detail: Fields): ReasoningPart {
  const { text, summary, ...rest } = detail
  const { signature, data, id } = rest
  const signed =
    rest.format === 'anthropic-claude-v1'
      ? under('anthropic', { signature: wordOf(signature), redactedData: wordOf(data) })
      : rest.format === 'openai-responses-v1' && wordOf(data) !== undefined
        ? under('openai-responses', { encryptedContent: data, itemId: wordOf(id) })
        : undefined
  return {
    type: 'reasoning',
    text: textOf(text) || textOf(summary),
    metadata: { [NAME]: { reasoning_details: [rest] }, ...signed },
  }
}

function refusalPart(text: string): TextPart {
  return { type: 'text', text, metadata: { [NAME]: { refusal: true } } }
}

function readCall(call: Fields): CallPart {
  const { id, custom, extra_content } = call
  const kind = isFields(custom) ? 'custom' : 'function'
  const called = fieldsOf(call[kind])
  const own = under(NAME, {
    ...withoutFields(call, ['id', 'type', kind]),
    [kind]: withoutFields(called, kind === 'custom' ? ['name', 'input'] : ['name', 'arguments']),
  })
  // What Google's compatible server signs, Gemini itself takes.
  const { thought_signature } = fieldsOf(fieldsOf(extra_content).google)
  const metadata = mergeMetadata(
    own ?? null,
    under('gemini', { thoughtSignature: wordOf(thought_signature) }),
  )
  return { ...readFunction(called, textOf(id)), ...(metadata && { metadata }) }
}

/** The text of the arguments is kept where it would be written otherwise. */
function readFunction({ name, arguments: text, input }: Fields, id: string): CallPart {
  const call = { type: 'call', id, toolName: textOf(name) } as const
  if (typeof input === 'string') return { ...call, input }
  const read = readArguments(text)
  const isAsWritten = typeof text !== 'string' || text === '' || argumentsText(read) === text
  return { ...call, ...read, ...(!isAsWritten && { raw: text }) }
}

function readAnswer(id: string, content: unknown, own: Fields): AnswerPart {
  const isList = Array.isArray(content)
  const metadata: Metadata | undefined = under(NAME, { ...own, ...(isList && AS_LIST) })
  return {
    type: 'result',
    id,
    content: isList ? readContent(content) : textOf(content),
    ...(metadata && { metadata }),
  }
}

// ── content ──────────────────────────────────────────────────────────────────────────────────────

function readContent(content: unknown): (TextPart | FilePart | CustomPart)[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return fieldsIn(content).map(readPart)
}

function readPart(part: Fields): TextPart | FilePart | CustomPart {
  const { type } = part
  switch (type) {
    case 'text':
      return { type, text: textOf(part.text), ...unknownFields(NAME, part, ['type', 'text']) }
    case 'refusal':
      return refusalPart(textOf(part.refusal))
    case 'image_url':
    case 'video_url':
    case 'audio_url':
      return readUrl(part, type)
    case 'input_audio':
      return readAudio(part)
    case 'file':
      return readFile(part)
  }
  return { type: 'custom', kind: textOf(type), value: part }
}

/** OpenAI has images; compatible servers also have videos and sounds in this form. */
function readUrl(part: Fields, type: 'image_url' | 'video_url' | 'audio_url'): FilePart {
  const place = part[type]
  const { url = place, ...own } = fieldsOf(place)
  const { mediaType = `${type.slice(0, -'_url'.length)}/*`, content } = contentAt(textOf(url))
  const metadata = under(NAME, {
    ...withoutFields(part, ['type', type]),
    [type]: someGiven(own),
    type: type === 'image_url' ? undefined : type,
  })
  return { type: 'file', mediaType, content, ...(metadata && { metadata }) }
}

/** The formats that OpenAI takes. */
export const SOUNDS: Readonly<Record<string, string>> = { wav: 'audio/wav', mp3: 'audio/mpeg' }

function readAudio(part: Fields): FilePart {
  const { data, format, ...own } = fieldsOf(part.input_audio)
  const mediaType = SOUNDS[textOf(format)]
  const metadata = under(NAME, {
    ...withoutFields(part, ['type', 'input_audio']),
    input_audio: someGiven({ ...own, format: mediaType === undefined ? format : undefined }),
  })
  return {
    type: 'file',
    mediaType: mediaType ?? `audio/${textOf(format) || '*'}`,
    content: { base64: textOf(data) },
    ...(metadata && { metadata }),
  }
}

const IS_ADDRESS = /^https?:/

/** The data is a `data:` URL, plain base64, or, for OpenRouter, an address. */
function readFile(part: Fields): FilePart {
  const { file_data, file_id, filename, ...own } = fieldsOf(part.file)
  const data = textOf(file_data)
  const isUrl = data.startsWith('data:') || IS_ADDRESS.test(data)
  const { mediaType = mediaTypeOf(textOf(filename)), content } = isUrl
    ? contentAt(data)
    : { content: { base64: data } }
  const metadata = under(NAME, {
    ...withoutFields(part, ['type', 'file']),
    file: someGiven(own),
    type: IS_ADDRESS.test(data) || mediaType.startsWith('image/') ? 'file' : undefined,
  })
  return {
    type: 'file',
    mediaType,
    content: wordOf(file_id) === undefined ? content : { id: textOf(file_id), provider: NAME },
    ...(wordOf(filename) && { name: textOf(filename) }),
    ...(metadata && { metadata }),
  }
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
}

/** What OpenAI is given as a file is a PDF, as long as its name does not tell otherwise. */
function mediaTypeOf(filename: string): string {
  return EXTENSIONS[filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/pdf'
}
