/**
 * A Chat Completions request.
 *
 * Reasoning goes back only to the server it came from, in the field it came in. Files stand in messages of the user: those
 * of results follow the results.
 */

import { type Fields, isFields } from '../../base/fields.ts'
import type { CallPart, CustomPart, ReasoningPart, TextPart } from '../../base/part.ts'
import type {
  AnswerPart,
  ConversationMessage,
  ConversationPart,
  FilePart,
} from '../../requests/conversation/model-request.ts'
import type { CheckedRequest, Report } from '../../requests/conversation/request-format.ts'
import { isFunctionTool, refusePrevious } from '../../requests/conversation/write-request.ts'
import { filesMessage, fileText, reportCustom, reportErrors, resultText } from '../answer-files.ts'
import { writeFunctionTool } from '../function-tools.ts'
import { isRefusal, ofProvider } from '../metadata.ts'
import { contentOf, fieldsIn, fieldsOf, textOf, wordOf } from '../payload-fields.ts'
import {
  argumentsText,
  given,
  kindOf,
  readArguments,
  someGiven,
  urlOf,
  wireFields,
} from '../request-fields.ts'
import { isSame, type Spelling, writeSettings } from '../setting-fields.ts'
import { SETTINGS } from './chat-settings.ts'
import { readTools, SOUNDS } from './read-body.ts'
import { isReasoningField } from './reasoning-fields.ts'

const NAME = 'openai-chat'

/** Tools whose input is free text; undefined for a tool that is not among those of the request. */
type IsText = (toolName: string) => boolean | undefined

/** What the messages of one request share. */
interface Context {
  readonly isText: IsText
  readonly model: string | undefined
  readonly report: Report
}

export function writeBody(request: CheckedRequest, report: Report): Fields {
  refusePrevious(request, NAME)
  const { model, messages, tools, toolChoice, settings, stream, options } = request
  const isText: IsText = (name) => {
    const tool = tools.filter(isFunctionTool).find((one) => one.name === name)
    return tool && tool.type === 'custom'
  }
  const spelling: Spelling = {
    model,
    isStream: stream === true,
    hasTools: tools.length > 0,
    isTextTool: (name) => isText(name) === true,
    options,
    report,
  }
  const { functions, ...rest } = writeSettings(SETTINGS, given({ ...settings, toolChoice }), spelling)
  const isLegacy = functions !== undefined && isSame(readTools({ functions }), tools)
  reportErrors(messages, NAME, report)
  const context: Context = { isText, model, report }
  const written = given({
    model,
    messages: messages.flatMap((message) => writeMessage(message, context)),
    tools: tools.length === 0 || isLegacy ? undefined : tools.map(writeTool),
    functions: isLegacy ? functions : undefined,
    stream,
  })
  return { ...rest, ...written }
}

function writeTool(tool: CheckedRequest['tools'][number]): Fields {
  if (!isFunctionTool(tool)) return tool.definition
  if (tool.type !== 'custom') return writeFunctionTool(NAME, tool)
  const { name, description, metadata } = tool
  const { custom, ...rest } = wireFields(metadata, NAME)
  return { ...rest, type: 'custom', custom: { ...fieldsOf(custom), ...given({ name, description }) } }
}

// ── messages ─────────────────────────────────────────────────────────────────────────────────────

function writeMessage(message: ConversationMessage, context: Context): Fields[] {
  const { role, parts, metadata } = message
  const { report } = context
  if (role === 'assistant') return writeAssistant(message, context)
  if (role === 'tool') return writeResults(parts.filter(isResult), report)
  const { contentParts, role: ownRole, ...rest } = wireFields(metadata, NAME, NOT_OF_USERS)
  // A system's message has two names, and nothing else may become one.
  const name = role === 'system' && ownRole === 'developer' ? ownRole : role
  const takes = { files: role === 'user', custom: contentParts === true }
  const content = parts.flatMap((part) => writePart(part, takes, report))
  if (content.length === 0) return []
  return [{ ...rest, role: name, content: contentParts === true ? content : asContent(content) }]
}

/** Fields that make a message one of the model or of a tool. */
const NOT_OF_USERS = ['tool_calls', 'function_call', 'tool_call_id']

const isResult = (part: ConversationPart): part is AnswerPart => part.type === 'result'

/** A single text is a string, which every server takes. */
function asContent(content: readonly Fields[]): unknown {
  return content.length === 1 ? (joined(content) ?? content) : content
}

/** The text of parts that are nothing but text. */
function joined(content: readonly Fields[]): string | undefined {
  const isPlain = content.every((part) => part.type === 'text' && Object.keys(part).length === 2)
  return isPlain ? content.map(({ text }) => textOf(text)).join('') : undefined
}

function writeResults(results: readonly AnswerPart[], report: Report): Fields[] {
  const moved = results.filter(({ metadata }) => ofProvider(metadata, NAME).contentParts !== true)
  reportCustom(moved, NAME, report)
  const files = filesMessage(moved, NAME, report)
  return [
    ...results.map((result) => writeResult(result, report)),
    ...(files === undefined ? [] : [{ role: 'user', content: writeParts(files.parts, report) }]),
  ]
}

const writeParts = (parts: readonly ConversationPart[], report: Report): Fields[] =>
  parts.flatMap((part) => writePart(part, { files: true, custom: true }, report))

function writeResult(result: AnswerPart, report: Report): Fields {
  const { id: tool_call_id, toolName: name, content: parts, metadata } = result
  const { contentParts, legacy, ...rest } = ofProvider(metadata, NAME)
  const isList = contentParts === true && typeof parts !== 'string'
  const content = isList ? writeParts(parts, report) : resultText(result)
  return legacy === true
    ? { ...rest, role: 'function', name, content }
    : { ...rest, role: 'tool', tool_call_id, content }
}

function writeAssistant(message: ConversationMessage, context: Context): Fields[] {
  const { parts, provider, metadata } = message
  const { isText, report } = context
  const isOwn = provider === NAME
  const { contentParts, ...rest } = ofProvider(metadata, NAME)
  const texts = parts.filter((part) => part.type === 'text')
  // A refusal has a field of its own, or is a part in a list.
  const spoken = contentParts === true ? texts : texts.filter(({ metadata }) => !isRefusal(metadata))
  const refusals = texts.filter((part) => !spoken.includes(part))
  const content = spoken.map((part) => writeText(part, ['extra_content'])).filter(({ text }) => text !== '')
  const calls = parts.filter((part) => part.type === 'call' && part.providerExecuted !== true) as CallPart[]
  const legacy = calls.find(({ metadata }) => ofProvider(metadata, NAME).legacy === true)
  reportUnsaid(parts, isOwn, report)
  const fields = given({
    ...rest,
    ...(isOwn && writeCustom(parts)),
    ...writeReasoning(message, context),
    // What Google's compatible server signs of a text.
    extra_content: texts.map(({ metadata }) => ofProvider(metadata, NAME).extra_content).find(isFields),
    refusal: refusals.length === 0 ? undefined : refusals.map(({ text }) => text).join(''),
    tool_calls: someOf(calls.filter((call) => call !== legacy).map((call) => writeCall(call, isOwn, isText))),
    function_call: legacy && writeFunction(legacy, isOwn),
  })
  if (content.length > 0) {
    const isList = contentParts === true
    return [{ ...fields, role: 'assistant', content: isList ? content : (joined(content) ?? content) }]
  }
  // A call may stand without text; what is only attached to a message may not.
  const isCarried = ['tool_calls', 'function_call', 'refusal', 'audio'].some((key) => key in fields)
  const isEmpty = isOwn && (spoken.length > 0 || (!isCarried && Object.keys(fields).length > 0))
  if (isEmpty) return [{ ...fields, role: 'assistant', content: '' }]
  return isCarried ? [{ ...fields, role: 'assistant', content: null }] : []
}

function someOf<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}

/** Reports what an assistant's message cannot hold. */
function reportUnsaid(parts: readonly ConversationPart[], isOwn: boolean, report: Report): void {
  for (const part of parts)
    if (part.type === 'file')
      report(
        'part-left-out',
        `A file of the type '${part.mediaType}' is left out: '${NAME}' takes files from the user only.`,
      )
    else if (part.type === 'call' && part.providerExecuted === true)
      report('part-left-out', `The call of '${part.toolName}', which another provider ran, is left out.`)
    else if (part.type === 'result')
      report('part-left-out', `A result of a tool that another provider ran is left out.`)
    else if (part.type === 'custom' && !(isOwn && CUSTOM.has(part.kind))) reportKind(part, report)
}

function reportKind({ kind }: CustomPart, report: Report): void {
  report('part-left-out', `A part of the kind '${kind}' is left out: '${NAME}' has no place for it.`)
}

/** What servers attach to a response, and take back: spoken answers by their id, images, files that they have read. */
const CUSTOM = new Set(['audio', 'images', 'annotations'])

function writeCustom(parts: readonly ConversationPart[]): Fields {
  const all = parts.filter((part): part is CustomPart => part.type === 'custom')
  const listed = (wanted: string): unknown[] | undefined =>
    someOf(
      all.flatMap(({ kind, value }) => (kind === wanted && Array.isArray(value) ? value : [])),
    ) as unknown[]
  const spoken = all.find(({ kind, value }) => kind === 'audio' && wordOf(fieldsOf(value).id) !== undefined)
  return given({
    audio: spoken && { id: fieldsOf(spoken.value).id },
    images: listed('images'),
    annotations: listed('annotations'),
  })
}

/**
 * A model at OpenAI's own server: a router would name its maker before it. That server gives out no reasoning, and refuses
 * a request with fields that it does not know, such as the reasoning of another server's model.
 */
const isOpenaiModel = (model: string | undefined): boolean =>
  /^(?:o\d|gpt-(?!oss)|chatgpt-)/.test(model ?? '')

/** Details one by one, as they must go back; other text in the field that it came in. */
function writeReasoning(message: ConversationMessage, { model, report }: Context): Fields {
  const { parts, provider } = message
  const isOwn = provider === NAME
  const isElsewhere = isOpenaiModel(model) && message.model !== undefined && !isOpenaiModel(message.model)
  const details: Fields[] = []
  const fields: Record<string, string> = {}
  let isLeftOut = false
  for (const part of parts) {
    if (part.type !== 'reasoning') continue
    const { reasoning_details, reasoning_opaque, field } = ofProvider(part.metadata, NAME)
    if (isElsewhere) {
      isLeftOut = true
      continue
    }
    const withText = detailsOf(fieldsIn(reasoning_details), part)
    details.push(...withText)
    if (typeof reasoning_opaque === 'string') fields.reasoning_opaque = reasoning_opaque
    if (part.text === '' || withText.some((detail) => 'text' in detail || 'summary' in detail)) continue
    const isFromHere = isOwn || withText.length > 0 || reasoning_opaque !== undefined || field !== undefined
    if (!isFromHere) isLeftOut = true
    else {
      const name = isReasoningField(field)
        ? field
        : reasoning_opaque !== undefined
          ? 'reasoning_text'
          : 'reasoning_content'
      fields[name] = (fields[name] ?? '') + part.text
    }
  }
  if (isLeftOut)
    report('part-left-out', `Reasoning is left out: '${NAME}' takes only what the same server wrote.`)
  return given({ ...fields, reasoning_details: someOf(details) })
}

/** The details of a part, the first of those that can have text with the text. */
function detailsOf(details: readonly Fields[], { text }: ReasoningPart): readonly Fields[] {
  const place = details.findIndex(({ type }) => type === 'reasoning.text' || type === 'reasoning.summary')
  return details.map((detail, index) => {
    if (index !== place) return detail
    return detail.type === 'reasoning.summary'
      ? { ...detail, summary: text }
      : text === ''
        ? detail
        : { ...detail, text }
  })
}

// ── calls ────────────────────────────────────────────────────────────────────────────────────────

/** A tool that is not declared takes free text if the call has free text, and not arguments that cannot be read. */
function writeCall(call: CallPart, isOwn: boolean, isText: IsText): Fields {
  const { id, toolName: name, input, raw, metadata } = call
  const { function: own, custom, ...rest } = wireFields(metadata, NAME)
  return (isText(name) ?? (typeof input === 'string' && raw !== input))
    ? { ...rest, id, type: 'custom', custom: { ...fieldsOf(custom), name, input: freeText(call) } }
    : { ...rest, id, type: 'function', function: { ...fieldsOf(own), ...writeFunction(call, isOwn) } }
}

function freeText({ input }: CallPart): string {
  const { input: inner, ...others } = fieldsOf(input)
  return contentOf(typeof inner === 'string' && someGiven(others) === undefined ? inner : input)
}

function writeFunction(call: CallPart, isOwn: boolean): Fields {
  const { toolName: name, input, raw } = call
  const isAsWritten = isOwn && raw !== undefined && isSame(readArguments(raw).input, input)
  return { name, arguments: isAsWritten ? raw : argumentsText(call) }
}

// ── content ──────────────────────────────────────────────────────────────────────────────────────

/** What a message may hold besides text. Parts without a name here go back to where they came from. */
interface Takes {
  readonly files: boolean
  readonly custom: boolean
}

function writePart(part: ConversationPart, takes: Takes, report: Report): Fields[] {
  switch (part.type) {
    case 'text':
      return [writeText(part)]
    case 'file':
      return writeFile(part, takes.files, report)
    case 'custom':
      if (takes.custom && isFields(part.value)) return [part.value]
      reportKind(part, report)
      return []
    default:
      report('part-left-out', `A part of the type '${part.type}' is left out: only an assistant has such.`)
      return []
  }
}

function writeText({ text, metadata }: TextPart, reserved: readonly string[] = []): Fields {
  if (isRefusal(metadata)) return { type: 'refusal', refusal: text }
  return { ...wireFields(metadata, NAME, reserved), type: 'text', text }
}

function writeFile(file: FilePart, takesFiles: boolean, report: Report): Fields[] {
  const { mediaType, content, metadata } = file
  const text = fileText(file)
  if (text !== undefined) return [{ type: 'text', text }]
  const written = takesFiles ? writeContent(file) : undefined
  if (written === undefined) {
    const whose = 'id' in content ? `, which '${content.provider}' has,` : ''
    report(
      'part-left-out',
      `A file of the type '${mediaType}'${whose} is left out: '${NAME}' does not take it.`,
    )
    return []
  }
  const [type, fields] = written
  const own = wireFields(metadata, NAME, ['type'])
  return [{ ...own, type, [type]: { ...fieldsOf(own[type]), ...fields } }]
}

function writeContent(file: FilePart): readonly [type: string, fields: Fields] | undefined {
  const { mediaType, content, name: filename, metadata } = file
  const { type, input_audio } = ofProvider(metadata, NAME)
  const url = urlOf(file)
  if ('id' in content)
    return content.provider === NAME ? ['file', given({ file_id: content.id, filename })] : undefined
  if (type === 'video_url' || type === 'audio_url') return [type, { url }]
  if (type !== 'file' && kindOf(file) === 'image') return ['image_url', { url }]
  if (kindOf(file) === 'audio') {
    const format = Object.keys(SOUNDS).find(
      (one) => SOUNDS[one] === mediaType || `audio/${one}` === mediaType,
    )
    const isTaken = format !== undefined || fieldsOf(input_audio).format !== undefined
    return isTaken && 'base64' in content
      ? ['input_audio', given({ data: content.base64, format })]
      : undefined
  }
  // OpenRouter's servers fetch a file themselves; OpenAI does not.
  if ('url' in content && type !== 'file') return undefined
  if (kindOf(file) === 'video') return undefined
  return [
    'file',
    { filename: filename ?? `file.${mediaType.slice(mediaType.lastIndexOf('/') + 1)}`, file_data: url },
  ]
}
