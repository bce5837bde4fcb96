/** The `input` of a request to OpenAI's Responses API: messages, and the items of earlier responses as they came. */

import { toBase64 } from '../../base/base64.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import type { CallPart, CustomPart, ReasoningPart, TextPart } from '../../base/part.ts'
import type {
  AnswerPart,
  ConversationMessage,
  ConversationPart,
  FilePart,
} from '../../requests/conversation/model-request.ts'
import type { CheckedRequest, Report } from '../../requests/conversation/request-format.ts'
import { isRefusal, ofProvider } from '../metadata.ts'
import { answerOf, contentOf, fieldsOf, jsonOf, listOf, textOf, wordOf } from '../payload-fields.ts'
import {
  answerFiles,
  answerText,
  argumentsText,
  given,
  inputObject,
  kindOf,
  readArguments,
  urlOf,
  wireFields,
  withoutFields,
} from '../request-fields.ts'
import { DESCRIBED, HOSTED, isUnlinked, OUTPUTS, REQUIRED } from './item-types.ts'
import { keptIn, keptOf } from './kept-fields.ts'
import { CONTENT } from './read-input.ts'

const NAME = 'openai-responses'

/** What the items of one request share. */
interface Context {
  readonly report: Report
  readonly request: CheckedRequest
  /** The calls up to now, which their answers follow. */
  readonly calls: Map<string, CallPart>
  /** Calls whose answer cannot be written. The API refuses a call without one. */
  readonly unanswered: Set<unknown>
  /** An answer is an error, and has no place to say so. */
  hasLostError: boolean
}

/** An item, and whether it is the model's. */
interface Item {
  readonly fields: Fields
  readonly isOutput: boolean
}

export function writeInput(
  messages: readonly ConversationMessage[],
  request: CheckedRequest,
  report: Report,
): readonly Fields[] {
  const context: Context = { report, request, calls: new Map(), unanswered: new Set(), hasLostError: false }
  const items = messages.flatMap((message): readonly Item[] => {
    const isOutput = message.role === 'assistant'
    const written = isOutput ? writeResponse(message, context) : writeMessage(message, context)
    return written.map((fields) => ({ fields, isOutput }))
  })
  if (context.hasLostError)
    report('part-left-out', `'${NAME}' has no mark for results that are errors: only their text is sent.`)
  const answered = items.filter(({ fields }) => !context.unanswered.has(fields.call_id))
  return withoutLoneReasoning(answered, report)
}

/** Reasoning is refused unless another item of the model follows it. */
function withoutLoneReasoning(items: readonly Item[], report: Report): readonly Fields[] {
  const kept: Fields[] = []
  let isFollowed = false
  for (const { fields, isOutput } of [...items].reverse()) {
    const isReasoning = fields.type === 'reasoning'
    if (!isReasoning) isFollowed = isOutput
    if (isReasoning && !isFollowed)
      report('part-left-out', `Reasoning that nothing follows is left out: '${NAME}' refuses it.`)
    else kept.push(fields)
  }
  return kept.reverse()
}

// ── what an item has beside its content ──────────────────────────────────────────────────────────

/** Keys of metadata that are no fields of an item. */
const RESERVED = ['itemId', 'type', 'content', 'refusal', 'arguments', 'encryptedContent']

/** The fields of an item that go back as they came. */
function ownFields(about: Fields): Fields {
  const kept = keptIn(about)
  return { ...withoutFields(about, [...RESERVED, ...Object.keys(keptOf(kept))]), ...kept }
}

const PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg_',
  reasoning: 'rs_',
  function_call: 'fc_',
  custom_tool_call: 'ctc_',
}

/** The id of an item. One that another server made up is refused where the API looks at how it begins. */
function itemId(type: string, { itemId: id }: Fields): string | undefined {
  return textOf(id).startsWith(PREFIXES[type] ?? '') ? wordOf(id) : undefined
}

// ── messages of the application ──────────────────────────────────────────────────────────────────

function writeMessage(message: ConversationMessage, context: Context): readonly Fields[] {
  const { role: ownRole, type, ...others } = wireFields(message.metadata, NAME)
  const rest = type === 'message' ? { type, ...others } : others
  const role = message.role === 'system' ? (ownRole ?? 'system') : 'user'
  const items: Fields[] = []
  const contents: Fields[] = []
  for (const part of message.parts)
    if (part.type === 'result') items.push(...writeAnswer(part, context))
    else if (part.type !== 'custom') contents.push(...writeContent(part, context))
    else if (isOwn(part, message)) (isContent(part) ? contents : items).push(part.value as Fields)
    else reportCustom(part, context)
  if (contents.length === 0) return items
  return [...items, { ...rest, role, content: plainContent(contents) ?? contents }]
}

/** Text without anything attached is written as a string. */
function plainContent(contents: readonly Fields[]): unknown {
  const [content] = contents
  const isPlain = contents.length === 1 && content?.type === 'input_text' && Object.keys(content).length === 2
  return isPlain ? content.text : undefined
}

/** Whether a part is one of this API: a client sent it, the response held it, or the application wrote it down. */
function isOwn({ kind, value }: CustomPart, { role, provider }: ConversationMessage): boolean {
  if (!isFields(value) || (value.type !== kind && kind !== CONTENT)) return false
  return provider === NAME || (provider === undefined && role !== 'assistant' && APPLIED.test(kind))
}

/** Whether a part is content of a message, and no item of its own. */
const isContent = ({ kind }: CustomPart): boolean => kind === CONTENT || kind.startsWith('input_')

const APPLIED = /^(input_|mcp_approval_response$|item_reference$|compaction)/

function reportCustom({ kind }: CustomPart, { report }: Context): void {
  report('part-left-out', `A part of the kind '${kind}' is left out: '${NAME}' has no place for it.`)
}

function writeContent(part: ConversationPart, context: Context): readonly Fields[] {
  if (part.type === 'text') {
    const rest = wireFields(part.metadata, NAME, RESERVED)
    return part.text === '' ? [] : [{ ...rest, type: 'input_text', text: part.text }]
  }
  if (part.type === 'file') return writeFile(part, context)
  context.report(
    'part-left-out',
    `A part of the type '${part.type}' is left out: it is no part of a message of the user.`,
  )
  return []
}

/** Where the content of a file may be. */
const SOURCES = ['file_id', 'file_data', 'file_url', 'image_url', 'input_audio']

function writeFile(file: FilePart, { report }: Context): readonly Fields[] {
  const { mediaType, content, metadata } = file
  const rest = wireFields(metadata, NAME, SOURCES)
  const kind = kindOf(file)
  const isElsewhere = 'id' in content && content.provider !== NAME
  if (!isElsewhere && kind === 'image')
    return [{ detail: 'auto', ...rest, type: 'input_image', ...imageSource(file) }]
  if (kind === 'audio' && 'base64' in content) {
    const format = mediaType === 'audio/mpeg' ? 'mp3' : mediaType.slice('audio/'.length)
    return [{ ...rest, type: 'input_audio', input_audio: { data: content.base64, format } }]
  }
  if (!isElsewhere && kind !== 'audio' && kind !== 'video')
    return [{ ...rest, type: 'input_file', ...fileSource(file) }]
  report('part-left-out', `A file of the type '${mediaType}' is left out: '${NAME}' does not take it.`)
  return []
}

function imageSource(file: FilePart): Fields {
  return 'id' in file.content ? { file_id: file.content.id } : { image_url: urlOf(file) }
}

/** The content of a file stands there with a name. */
function fileSource({ mediaType, content, name }: FilePart): Fields {
  if ('id' in content) return given({ file_id: content.id, filename: name })
  if ('url' in content) return given({ file_url: content.url, filename: name })
  const ending = mediaType === 'application/pdf' ? '.pdf' : mediaType.startsWith('text/') ? '.txt' : ''
  const base64 = 'text' in content ? toBase64(new TextEncoder().encode(content.text)) : content.base64
  return { filename: name ?? `file${ending}`, file_data: `data:${mediaType};base64,${base64}` }
}

// ── items of the model ───────────────────────────────────────────────────────────────────────────

function writeResponse(message: ConversationMessage, context: Context): readonly Fields[] {
  const { parts, provider } = message
  const items: Fields[] = []
  const results = new Map(parts.flatMap((part) => (part.type === 'result' ? [[part.id ?? '', part]] : [])))
  const written = new Set<unknown>()
  /** An item that its reasoning belongs to is known by its id, and refused without the reasoning. */
  let isDetached = false
  const add = ({ id, ...fields }: Fields): void => {
    const isKept = id !== undefined && !(isDetached && Object.hasOwn(PREFIXES, textOf(fields.type)))
    items.push(isKept ? { ...fields, id } : fields)
    written.add(id)
  }

  for (let at = 0; at < parts.length; ) {
    const part = parts[at++]!
    if (part.type === 'text') {
      const run: TextRun[] = [{ part, annotations: [] }]
      for (let next = parts[at]; next !== undefined; next = parts[++at])
        if (next.type === 'custom' && next.kind === 'annotation') run.at(-1)!.annotations.push(next.value)
        else if (next.type === 'text' && idOf(next) === idOf(part)) run.push({ part: next, annotations: [] })
        else break
      writeText(run).forEach(add)
    } else if (part.type === 'reasoning') {
      const sections = [part]
      for (let next = parts[at]; isSection(next, sections.at(-1)!); next = parts[++at]) sections.push(next)
      const item = writeReasoning(sections, message, context)
      isDetached = item === undefined
      if (item !== undefined) add(item)
    } else if (part.type === 'call' && part.providerExecuted) {
      const result = results.get(part.id ?? '')
      results.delete(part.id ?? '')
      writeHosted(part, result, provider, context).forEach(add)
    } else if (part.type === 'call') add(writeCall(part, context))
    else if (part.type === 'result') {
      if (results.has(part.id ?? '')) writeLoneResult(part, provider, context).forEach(add)
    } else if (part.type === 'file')
      context.report(
        'part-left-out',
        `A file of the type '${part.mediaType}' is left out: '${NAME}' takes none in a response.`,
      )
    else if (!isOwn(part, message)) reportCustom(part, context)
    else if (!written.has(fieldsOf(part.value).id ?? part)) add(part.value as Fields)
  }
  return items
}

const aboutOf = (part: TextPart | ReasoningPart | CallPart | AnswerPart): Fields =>
  ofProvider(part.metadata, NAME)
const idOf = (part: TextPart | ReasoningPart): unknown => aboutOf(part).itemId

/** A text, and what came behind it about it. */
interface TextRun {
  readonly part: TextPart
  readonly annotations: unknown[]
}

/** The texts of one message. */
function writeText(run: readonly TextRun[]): readonly Fields[] {
  const about: Fields = Object.assign({}, ...run.map(({ part }) => aboutOf(part)))
  const rest = ownFields(about)
  const id = itemId('message', about)
  const isPlain = run.every(
    ({ part, annotations }) =>
      !isRefusal(part.metadata) && aboutOf(part).content === undefined && annotations.length === 0,
  )
  if (id === undefined && about.type === undefined && isPlain) {
    const content = run.map(({ part }) => part.text).join('')
    return content === '' ? [] : [{ ...rest, role: 'assistant', content }]
  }
  const content = run.map(({ part, annotations }): Fields => {
    const own = fieldsOf(aboutOf(part).content)
    if (isRefusal(part.metadata)) return { ...own, type: 'refusal', refusal: part.text }
    const all = [...listOf(own.annotations), ...annotations]
    return { ...own, type: 'output_text', text: part.text, annotations: all }
  })
  const status = id === undefined ? {} : { status: 'completed' }
  return [{ ...status, ...rest, id, type: 'message', role: 'assistant', content }]
}

/** Whether a part is the next section of the same reasoning. */
function isSection(part: ConversationPart | undefined, last: ReasoningPart): part is ReasoningPart {
  return (
    part?.type === 'reasoning' && idOf(part) === idOf(last) && aboutOf(last).encryptedContent === undefined
  )
}

/** Undefined if the API has no use for it: it is another provider's, or only a summary of what the server did not keep. */
function writeReasoning(
  sections: readonly ReasoningPart[],
  { provider }: ConversationMessage,
  { report, request }: Context,
): Fields | undefined {
  const about: Fields = Object.assign({}, ...sections.map(aboutOf))
  const { encryptedContent } = about
  const id = itemId('reasoning', about)
  const texts = sections.filter(({ text }) => text !== '')
  const isContent = (part: ReasoningPart): boolean => aboutOf(part).type === 'reasoning_text'
  const isOurs = provider === NAME || sections.some(({ metadata }) => metadata?.[NAME] !== undefined)
  const isKept = id !== undefined && request.options.store !== false
  if (!isOurs || (encryptedContent === undefined && !isKept && !texts.some(isContent))) {
    const why = isOurs ? 'it is not encrypted, and the server has not kept it' : `it is not of '${NAME}'`
    report('part-left-out', `Reasoning is left out: ${why}.`)
    return undefined
  }
  const content = texts.filter(isContent).map(({ text }) => ({ type: 'reasoning_text', text }))
  return given({
    ...ownFields(about),
    id,
    type: 'reasoning',
    summary: texts.filter((part) => !isContent(part)).map(({ text }) => ({ type: 'summary_text', text })),
    content: content.length === 0 ? undefined : content,
    encrypted_content: encryptedContent,
  })
}

// ── calls ────────────────────────────────────────────────────────────────────────────────────────

/** The type of item that a call of the application is. */
function callType(call: CallPart, { request }: Context): string {
  const { type, arguments: text } = aboutOf(call)
  if (Object.hasOwn(DESCRIBED, textOf(type))) return textOf(type)
  const tool = request.tools.find((tool) => tool.type !== 'provider' && tool.name === call.toolName)
  const isFree =
    tool === undefined ? typeof call.input === 'string' && text === undefined : tool.type === 'custom'
  return isFree ? 'custom_tool_call' : 'function_call'
}

function writeCall(part: CallPart, context: Context): Fields {
  const { id: call_id = '', toolName: name, input } = part
  const about = aboutOf(part)
  const type = callType(part, context)
  context.calls.set(call_id, part)
  const item = { ...REQUIRED[type], ...ownFields(about), id: itemId(type, about), type, call_id }
  if (type === 'function_call') return { ...item, name, arguments: textOfArguments(part) }
  if (type === 'custom_tool_call') return { ...item, name, input: freeText(input) }
  return { ...item, ...describedFields(type, input) }
}

/** The text that the model wrote, unless the application changed the arguments. */
function textOfArguments(call: CallPart): string {
  const text = wordOf(ofProvider(call.metadata, NAME).arguments)
  const isSame = text !== undefined && jsonOf(readArguments(text).input) === jsonOf(call.input)
  return isSame ? text : argumentsText(call)
}

/** A provider without tools of this kind writes their input as an object. */
function freeText(input: CallPart['input']): string {
  return contentOf(isFields(input) && typeof input.input === 'string' ? input.input : input)
}

function describedFields(type: string, input: CallPart['input']): Fields {
  if (isFields(input) && Array.isArray(input.actions)) return { actions: input.actions }
  return { [DESCRIBED[type]!]: input ?? {} }
}

/** Hosted tools whose result is text. The others have lists. */
const WITH_TEXT: ReadonlySet<string> = new Set(['mcp_call', 'image_generation_call'])

/** A call that the provider ran, and its result, which is a part of the same item or one of its own. */
function writeHosted(
  part: CallPart,
  result: AnswerPart | undefined,
  provider: string | undefined,
  context: Context,
): readonly Fields[] {
  const { id: callId = '', toolName: name, input, metadata } = part
  if (provider !== NAME && metadata?.[NAME] === undefined) {
    context.report('part-left-out', `The call of '${name}', which another provider ran, is left out.`)
    return []
  }
  const about = aboutOf(part)
  // xAI sends what it runs as calls of custom tools.
  const type = wordOf(about.type) ?? 'custom_tool_call'
  const ids =
    about.itemId === undefined && type !== 'custom_tool_call'
      ? { id: callId }
      : { id: about.itemId, call_id: callId }
  const item = { ...REQUIRED[type], ...ownFields(about), ...ids, type }
  const {
    input: inputs,
    result: [field],
  } = HOSTED[type] ?? { input: [], result: [] }
  const text = textOfArguments(part)
  if (type === 'custom_tool_call') return [{ ...item, name, input: text }]
  if (Object.hasOwn(DESCRIBED, type)) {
    const unlinked = isUnlinked(type, metadata) ? { call_id: null } : {}
    const call = { ...item, ...unlinked, ...describedFields(type, input) }
    return result === undefined
      ? [call]
      : [call, { ...answerItem(result, `${stem(type)}_output`, {}), ...unlinked }]
  }
  const call = inputs.length === 0 ? { ...item, name, arguments: text } : { ...item, ...inputObject(part) }
  if (result === undefined) return [call]
  if (field === undefined && !result.isError) return [call, answerItem(result, `${type}_output`, {})]
  const content = answerText(result)
  if (result.isError) return [{ ...call, error: answerOf(content) }]
  return [{ ...call, [field!]: WITH_TEXT.has(type) ? content : answerOf(content) }]
}

const stem = (type: string): string => (type === 'tool_search_call' ? 'tool_search' : type)

/** A result of the provider that names no call. */
function writeLoneResult(
  result: AnswerPart,
  provider: string | undefined,
  { report }: Context,
): readonly Fields[] {
  const { id = '', toolName = '' } = result
  const type = [textOf(aboutOf(result).type), `${toolName}_call_output`, `${toolName}_output`].find((type) =>
    Object.hasOwn(OUTPUTS, type),
  )
  if (provider === NAME && type !== undefined) {
    const { call_id: _none, ...item } = answerItem(result, type, {})
    return [{ ...item, id }]
  }
  report('part-left-out', `A result of a tool that another provider ran is left out.`)
  return []
}

// ── answers ──────────────────────────────────────────────────────────────────────────────────────

/** What the application answers to a call. */
function writeAnswer(result: AnswerPart, context: Context): readonly Fields[] {
  const { id = '', isError } = result
  const call = context.calls.get(id)
  const { type: ownType, caller } = { ...(call && aboutOf(call)), ...aboutOf(result) }
  const type =
    call === undefined
      ? (wordOf(ownType) ?? 'function_call_output')
      : `${stem(callType(call, context))}_output`
  if (type === 'computer_call_output') {
    const [file] = answerFiles(result)
    if (file === undefined || ('id' in file.content && file.content.provider !== NAME)) {
      const why = 'its result has to be a screenshot'
      context.report('part-left-out', `The call '${id}' of a computer is left out: ${why}.`)
      context.unanswered.add(id)
      return []
    }
  }
  if (isError && !CARRIES_ERRORS.has(type)) context.hasLostError = true
  const isList = type === 'function_call_output' || type === 'custom_tool_call_output'
  const output =
    isList && typeof result.content !== 'string'
      ? { output: result.content.flatMap((part) => writeAnswerPart(part, context)) }
      : {}
  return [given({ ...answerItem(result, type, output), caller: caller as unknown })]
}

const CARRIES_ERRORS: ReadonlySet<string> = new Set(['apply_patch_call_output', 'shell_call_output'])

function writeAnswerPart(part: TextPart | FilePart | CustomPart, context: Context): readonly Fields[] {
  if (part.type !== 'custom') return writeContent(part, context)
  if (isFields(part.value) && part.value.type === part.kind && part.kind.startsWith('input_'))
    return [part.value]
  reportCustom(part, context)
  return []
}

/** An answer as an item of its own. `output`: what its content is, where that is not its text. */
function answerItem(result: AnswerPart, type: string, output: Fields): Fields {
  const about = aboutOf(result)
  const text = answerText(result)
  // This one item names the call by its own id.
  const ids =
    type === 'local_shell_call_output' ? { id: result.id } : { id: about.itemId, call_id: result.id }
  return given({ ...ownFields(about), ...ids, type, ...answerFields(result, type, text), ...output })
}

function answerFields(result: AnswerPart, type: string, text: string): Fields {
  switch (type) {
    case 'computer_call_output': {
      const [file] = answerFiles(result)
      return {
        output: file && {
          type: 'computer_screenshot',
          ...imageSource(file),
          ...wireFields(file.metadata, NAME),
        },
      }
    }
    case 'apply_patch_call_output':
      return { status: result.isError ? 'failed' : 'completed', output: text === '' ? undefined : text }
    case 'shell_call_output': {
      const answer = answerOf(text)
      const outcome = { type: 'exit', exit_code: result.isError ? 1 : 0 }
      return { output: Array.isArray(answer) ? answer : [{ stdout: text, stderr: '', outcome }] }
    }
    case 'tool_search_output':
      return { tools: listOf(answerOf(text)) }
    case 'program_output':
      return { result: text }
    default:
      return { output: text }
  }
}
