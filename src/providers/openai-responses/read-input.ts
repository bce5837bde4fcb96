/**
 * The `input` of a request to OpenAI's Responses API: messages, and the items of earlier responses. They become the
 * parts that the response itself was read into, with everything in `metadata` that has to go back as it came.
 *
 *     {"role":"user","content":"Weather in Paris?"}
 *     {"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"…"}
 *     {"type":"function_call","id":"fc_1","call_id":"call_1","name":"weather","arguments":"{\"city\":\"Paris\"}"}
 *     {"type":"function_call_output","call_id":"call_1","output":"Sunny"}
 */

import type { JsonValue, Metadata } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import type { CallPart, CustomPart, ReasoningPart, TextPart } from '../../base/part.ts'
import type {
  AnswerPart,
  ConversationMessage,
  ConversationPart,
  FilePart,
} from '../../requests/conversation/model-request.ts'
import { under } from '../metadata.ts'
import { contentOf, fieldsIn, fieldsOf, present, textOf, wordOf } from '../payload-fields.ts'
import {
  argumentsText,
  contentAt,
  invalidRequest,
  readArguments,
  unknownFields,
  withoutFields,
} from '../request-fields.ts'
import { DESCRIBED, HOSTED, OUTPUTS } from './item-types.ts'
import { keptIn, keptOf } from './kept-fields.ts'
import { callIdOf, isHosted, isOutput, isUnlinkedSearch, linkedOutput, toolNameOf } from './read-item.ts'

const NAME = 'openai-responses'

/** Items that the application adds, which are no answers to calls. */
const OF_APPLICATION: ReadonlySet<string> = new Set([
  'mcp_approval_response',
  'additional_tools',
  'compaction_trigger',
])

export function readInput(items: readonly Fields[]): ConversationMessage[] {
  const messages: { role: ConversationMessage['role']; parts: ConversationPart[]; provider?: string }[] = []
  /** Calls that the provider ran. */
  const hosted = new Set<string>()
  const searches = new Set<string>()

  const add = (role: 'assistant' | 'tool', parts: readonly ConversationPart[], isApart = false): void => {
    const last = messages.at(-1)
    if (last?.role === role && !isApart) last.parts.push(...parts)
    else if (parts.length > 0)
      messages.push({ role, parts: [...parts], ...(role === 'assistant' && { provider: NAME }) })
  }

  for (const item of items) {
    const type = typeOf(item)
    if (type === 'message' && item.role !== 'assistant') messages.push(readMessage(item))
    else if (type === 'message') {
      // Without ids, only their places tell two messages apart.
      const isApart = item.id === undefined && endsInText(messages.at(-1)?.parts ?? [])
      add('assistant', readAnswer(item), isApart)
    } else if (OF_APPLICATION.has(type))
      messages.push({ role: 'user', parts: [{ type: 'custom', kind: type, value: item }], provider: NAME })
    else if (isOutput(item)) {
      const isOurs = !hosted.has(textOf(item.call_id)) && item.execution !== 'server'
      add(isOurs ? 'tool' : 'assistant', [readOutput(linkedOutput(item, searches), type)])
    } else {
      if (isHosted(item, false)) hosted.add(callIdOf(item) ?? '')
      if (isUnlinkedSearch(item)) searches.add(textOf(item.id))
      add('assistant', readItem(item, type))
    }
  }
  return messages
}

/** Custom parts do not count: those that the API does not know are not written again. */
function endsInText(parts: readonly ConversationPart[]): boolean {
  let last = parts.length - 1
  while (parts[last]?.type === 'custom') last--
  return parts[last]?.type === 'text'
}

/** The type may be left out of two items. */
function typeOf({ type, role, id }: Fields): string {
  return wordOf(type) ?? (role === undefined ? (id === undefined ? 'item' : 'item_reference') : 'message')
}

/** What goes back with an item: its id, what the API wants, and what has no name here. */
function aboutItem(item: Fields, known: readonly string[]): Fields {
  const kept = keptOf(item)
  const rest = withoutFields(item, ['id', ...known, ...Object.keys(keptIn(kept))])
  return { itemId: item.id, ...kept, ...rest }
}

const withMetadata = (fields: Fields): { readonly metadata?: Metadata } => {
  const metadata = under(NAME, fields)
  return metadata === undefined ? {} : { metadata }
}

// ── messages ─────────────────────────────────────────────────────────────────────────────────────

/** A message of the input that gives instructions is not the same as the field of this name, and has two roles. */
function readMessage(item: Fields): ConversationMessage & { parts: ConversationPart[] } {
  const { role, content } = item
  if (role !== 'user' && role !== 'system' && role !== 'developer')
    throw invalidRequest(
      `'role' of a message is user, assistant, system or developer, not ${JSON.stringify(role)}.`,
    )
  const parts = contentsOf(content).map(readContent)
  const isOwn = parts.some(({ type }) => type === 'custom')
  return {
    role: role === 'user' ? role : 'system',
    parts,
    ...(isOwn && { provider: NAME }),
    ...withMetadata({ ...withoutFields(item, ['role', 'content']), ...(role !== 'user' && { role }) }),
  }
}

function contentsOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'input_text', text: content }]
  return fieldsIn(content)
}

/** A message of the model. */
function readAnswer(item: Fields): readonly (TextPart | CustomPart)[] {
  const about = aboutItem(item, ['role', 'content', ...(item.id === undefined ? [] : ['type'])])
  const contents = contentsOf(item.content)
  if (contents.some(({ type }) => !TEXTS.has(type) && type !== 'refusal'))
    return [{ type: 'custom', kind: 'message', value: { type: 'message', ...item } }]
  const parts = contents.map((content): TextPart => {
    const isRefusal = content.type === 'refusal'
    const { annotations } = content
    const isBare = Array.isArray(annotations) && annotations.length === 0
    const rest = withoutFields(content, ['type', 'text', 'refusal', ...(isBare ? ['annotations'] : [])])
    const text = textOf(isRefusal ? content.refusal : content.text)
    return {
      type: 'text',
      text,
      ...withMetadata({ ...about, content: rest, refusal: isRefusal || undefined }),
    }
  })
  return parts.length > 0 || item.id === undefined
    ? parts
    : [{ type: 'text', text: '', ...withMetadata(about) }]
}

/** The kind of what a message holds and has no name here. */
export const CONTENT = 'content'

const TEXTS: ReadonlySet<unknown> = new Set(['output_text', 'input_text', 'text'])

function readContent(content: Fields): TextPart | FilePart | CustomPart {
  const { type } = content
  if (TEXTS.has(type))
    return { type: 'text', text: textOf(content.text), ...unknownFields(NAME, content, ['type', 'text']) }
  if (type === 'input_image') return readImage(content)
  if (type === 'input_file') return readFile(content)
  if (type === 'input_audio') return readAudio(content)
  // Any other name is that of an item.
  const kind = textOf(type).startsWith('input_') ? textOf(type) : CONTENT
  return { type: 'custom', kind, value: content }
}

function readImage(content: Fields): FilePart {
  const { image_url, file_id, detail } = content
  const id = wordOf(file_id)
  const address = wordOf(image_url) ?? textOf(fieldsOf(image_url).url)
  const known = ['type', 'image_url', 'file_id', ...(detail === 'auto' ? ['detail'] : [])]
  return {
    type: 'file',
    mediaType: 'image/*',
    ...(id === undefined ? contentAt(address) : { content: { id, provider: NAME } }),
    ...unknownFields(NAME, content, known),
  }
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  md: 'text/markdown',
  txt: 'text/plain',
}

function readFile(content: Fields): FilePart {
  const { file_id, file_data, file_url, filename } = content
  const [, ending = ''] = /\.(\w+)$/.exec(wordOf(filename) ?? textOf(file_url)) ?? []
  const id = wordOf(file_id)
  const data = wordOf(file_data)
  return {
    type: 'file',
    mediaType: MEDIA_TYPES[ending.toLowerCase()] ?? 'application/pdf',
    ...(id !== undefined
      ? { content: { id, provider: NAME } }
      : data !== undefined && !data.startsWith('data:')
        ? { content: { base64: data } }
        : contentAt(data ?? textOf(file_url))),
    ...(wordOf(filename) && { name: textOf(filename) }),
    ...unknownFields(NAME, content, ['type', 'file_id', 'file_data', 'file_url', 'filename']),
  }
}

function readAudio(content: Fields): FilePart {
  const { data, format } = fieldsOf(content.input_audio)
  return {
    type: 'file',
    mediaType: format === 'mp3' ? 'audio/mpeg' : `audio/${wordOf(format) ?? 'wav'}`,
    content: { base64: textOf(data) },
    ...unknownFields(NAME, content, ['type', 'input_audio']),
  }
}

// ── items of a response ──────────────────────────────────────────────────────────────────────────

function readItem(item: Fields, type: string): readonly ConversationPart[] {
  if (type === 'reasoning') return readReasoning(item)
  if (isHosted(item, false)) return readHosted(item, type)
  if (type === 'function_call') {
    const { call_id, name } = item
    const about = aboutItem(item, ['type', 'call_id', 'name', 'arguments'])
    return [
      { type: 'call', id: textOf(call_id), toolName: textOf(name), ...readInputText(item.arguments, about) },
    ]
  }
  if (type === 'custom_tool_call')
    return [
      {
        type: 'call',
        id: textOf(item.call_id),
        toolName: textOf(item.name),
        input: textOf(item.input),
        ...withMetadata(aboutItem(item, ['type', 'call_id', 'name', 'input'])),
      },
    ]
  if (Object.hasOwn(DESCRIBED, type)) return [readDescribed(item, type)]
  return [{ type: 'custom', kind: type, value: { type, ...item } }]
}

/** Arguments, and their text where it would be written otherwise. */
function readInputText(text: unknown, about: Fields): Pick<CallPart, 'input' | 'inputText' | 'metadata'> {
  const read = readArguments(text)
  const isSame = argumentsText(read) === text || text === undefined
  return { ...read, ...withMetadata({ ...about, arguments: isSame ? undefined : text }) }
}

/** Each section is a part of its own. The encrypted form belongs to the last. */
function readReasoning(item: Fields): ReasoningPart[] {
  const about = aboutItem(item, ['type', 'summary', 'content', 'encrypted_content'])
  const sections = [
    ...fieldsIn(item.summary).map(({ text }) => ({ text: textOf(text), about })),
    ...fieldsIn(item.content).map(({ text }) => ({
      text: textOf(text),
      about: { ...about, type: 'reasoning_text' },
    })),
  ]
  if (sections.length === 0) sections.push({ text: '', about })
  return sections.map(({ text, about }, index) => {
    const encryptedContent = index === sections.length - 1 ? wordOf(item.encrypted_content) : undefined
    return { type: 'reasoning', text, ...withMetadata({ ...about, encryptedContent }) }
  })
}

/** A tool that OpenAI defines and the application runs. */
function readDescribed(item: Fields, type: string): CallPart {
  const field = Array.isArray(item.actions) ? 'actions' : DESCRIBED[type]!
  const value = (item[field] ?? {}) as JsonValue
  return {
    type: 'call',
    id: callIdOf(item) ?? '',
    toolName: toolNameOf(item) ?? '',
    input: field === 'actions' ? { actions: value } : value,
    ...withMetadata({ ...aboutItem(item, ['type', 'call_id', field, ...idOf(item)]), type }),
  }
}

/** The id of an item without a `call_id` is the id of the call. */
const idOf = (item: Fields): readonly string[] => (wordOf(item.call_id) === undefined ? ['id'] : [])

/** A call of a tool that the provider ran, and what came of it. */
function readHosted(item: Fields, type: string): readonly (CallPart | AnswerPart)[] {
  const id = callIdOf(item) ?? ''
  const toolName = toolNameOf(item) ?? ''
  const { input: inputs, result: results } = HOSTED[type] ?? {
    input: [DESCRIBED[type] ?? 'input'],
    result: [],
  }
  const hasError = contentOf(item.error) !== ''
  const [result = 'result'] = hasError ? ['error'] : results
  const text = type === 'custom_tool_call' ? item.input : item.arguments
  const isText = typeof text === 'string'
  const known = [
    'type',
    'call_id',
    ...(isText ? ['arguments'] : []),
    ...inputs,
    ...(toolName === item.name ? ['name'] : []),
  ]
  const about = {
    ...aboutItem(item, [...known, ...(results.length > 0 || hasError ? [result] : [])]),
    itemId: wordOf(item.call_id) === undefined ? undefined : item.id,
    type: type === 'custom_tool_call' ? undefined : type,
  }
  const described = DESCRIBED[type] === undefined ? undefined : item[DESCRIBED[type]]
  const value = isFields(described)
    ? described
    : (present(Object.fromEntries(inputs.map((field) => [field, item[field]]))) ?? {})
  const call: CallPart = {
    type: 'call',
    id,
    toolName,
    providerExecuted: true,
    ...(isText ? readInputText(text, about) : { input: value as JsonValue, ...withMetadata(about) }),
  }
  const content = results.length > 0 || hasError ? contentOf(item[result]) : ''
  if (content === '') return [call]
  return [call, { type: 'result', id, toolName, content, ...(hasError && { isError: true }) }]
}

/** What answers a call, as an item of its own. */
function readOutput(item: Fields, type: string): AnswerPart {
  const field = OUTPUTS[type]!
  const toolName = toolNameOf(item)
  const isPatch = type === 'apply_patch_call_output'
  const known = ['type', 'call_id', field, ...idOf(item), ...(isPatch ? ['status'] : [])]
  return {
    type: 'result',
    id: callIdOf(item) ?? '',
    ...(toolName !== undefined && { toolName }),
    content: readAnswerContent(item[field], type),
    ...(isPatch && item.status === 'failed' && { isError: true }),
    ...withMetadata({
      ...aboutItem(item, known),
      ...(idOf(item).length > 0 && { itemId: undefined }),
      ...(type !== 'function_call_output' && { type }),
    }),
  }
}

function readAnswerContent(output: unknown, type: string): AnswerPart['content'] {
  if (type === 'computer_call_output') return [readImage(fieldsOf(output))]
  const isList = type === 'function_call_output' || type === 'custom_tool_call_output'
  return isList && Array.isArray(output) ? fieldsIn(output).map(readContent) : contentOf(output)
}
