/**
 * A request for Ollama's chat. The content of a message is one string, with images beside it; arguments are objects.
 */

import type { Fields } from '../../base/fields.ts'
import type { CallPart, CustomPart } from '../../base/part.ts'
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
import { ofProvider } from '../metadata.ts'
import { fieldsOf, listOf } from '../payload-fields.ts'
import { given, inputObject, kindOf, reportUnsupported, someGiven, wireFields } from '../request-fields.ts'
import { writeSettings } from '../setting-fields.ts'
import { MODEL_OPTIONS, SETTINGS } from './ollama-settings.ts'

const NAME = 'ollama'

export function writeBody(request: CheckedRequest, report: Report): Fields {
  refusePrevious(request, NAME)
  const { model, messages, settings, stream, options } = request
  reportUnsupported(settings, ['candidates'], NAME, report)
  if (settings.parallelToolCalls === false)
    report('setting-left-out', `'parallelToolCalls' is left out: '${NAME}' does not have it.`)
  reportErrors(messages, NAME, report)
  const spelling = { model, isStream: stream === true, hasTools: false, isTextTool: () => false, report }
  const modelOptions = writeSettings(MODEL_OPTIONS, settings, {
    ...spelling,
    options: fieldsOf(options.options),
  })
  const tools = writeTools(request, report)
  const unnamed = callsWithoutId(messages)
  return {
    ...writeSettings(SETTINGS, settings, { ...spelling, options }),
    ...given({
      model,
      messages: messages.flatMap((message) => writeMessage(message, unnamed, report)),
      tools: tools.length === 0 ? undefined : tools,
      options: someGiven(modelOptions),
      // The server streams as long as it is not told otherwise.
      stream: stream === true,
    }),
  }
}

/** Nothing forces a tool; what may not be called is not offered. */
function writeTools({ tools, toolChoice }: CheckedRequest, report: Report): readonly Fields[] {
  if (tools.length === 0 || toolChoice === 'none') return []
  const mode = typeof toolChoice === 'object' && 'mode' in toolChoice ? toolChoice.mode : toolChoice
  if (mode !== undefined && mode !== 'auto')
    report('setting-left-out', `The choice of a tool is left to the model: '${NAME}' forces none.`)
  const allowed =
    typeof toolChoice !== 'object'
      ? undefined
      : new Set('toolName' in toolChoice ? [toolChoice.toolName] : toolChoice.toolNames)
  const offered = tools.filter(isFunctionTool).filter(({ name }) => allowed?.has(name) !== false)
  if (offered.some(({ strict }) => strict === true))
    report('setting-left-out', `'strict' of tools is left out: '${NAME}' does not have it.`)
  return offered.map(({ strict: _, ...tool }) => writeFunctionTool(NAME, tool))
}

// ── messages ─────────────────────────────────────────────────────────────────────────────────────

/** Calls that came without an id, and go back without one. */
function callsWithoutId(messages: readonly ConversationMessage[]): ReadonlySet<unknown> {
  const calls = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'call'))
  return new Set(calls.filter(({ metadata }) => ofProvider(metadata, NAME).hasNoId).map(({ id }) => id))
}

function writeMessage(message: ConversationMessage, unnamed: ReadonlySet<unknown>, report: Report): Fields[] {
  const { role, parts, metadata } = message
  if (role === 'assistant') return writeAssistant(message, unnamed, report)
  if (role === 'tool') return writeResults(parts.filter(isResult), unnamed, report)
  const written = { ...wireFields(metadata, NAME, NOT_OF_USERS), role, ...writeContent(parts, '\n', report) }
  return [written]
}

/** Fields that make a message one of the model or of a tool. */
const NOT_OF_USERS = ['tool_calls', 'thinking', 'tool_name', 'tool_call_id']

const isResult = (part: ConversationPart): part is AnswerPart => part.type === 'result'

/** Texts as one, and images. */
function writeContent(
  parts: readonly ConversationPart[],
  between: string,
  report: Report,
): { readonly content: string; readonly images?: readonly string[] } {
  const texts: string[] = []
  const images: string[] = []
  for (const part of parts)
    if (part.type === 'text') texts.push(part.text)
    else if (part.type === 'file') {
      const text = fileText(part)
      const image = imageOf(part)
      if (text !== undefined) texts.push(text)
      else if (image !== undefined) images.push(image)
      else reportFile(part, report)
    } else if (part.type === 'custom') reportKind(part, report)
  return { content: texts.join(between), ...(images.length > 0 && { images }) }
}

function imageOf(file: FilePart): string | undefined {
  return kindOf(file) === 'image' && 'base64' in file.content ? file.content.base64 : undefined
}

function reportFile(file: FilePart, report: Report): void {
  const why = kindOf(file) === 'image' ? 'takes images only as base64' : 'does not take it'
  report('part-left-out', `A file of the type '${file.mediaType}' is left out: '${NAME}' ${why}.`)
}

function reportKind({ kind }: CustomPart, report: Report): void {
  report('part-left-out', `A part of the kind '${kind}' is left out: '${NAME}' has no place for it.`)
}

function writeResults(
  results: readonly AnswerPart[],
  unnamed: ReadonlySet<unknown>,
  report: Report,
): Fields[] {
  const moved = results.filter(({ metadata }) => ofProvider(metadata, NAME).images !== true)
  reportCustom(moved, NAME, report)
  const files = filesMessage(moved, NAME, report)
  return [
    ...results.map((result) => writeResult(result, unnamed, report)),
    ...(files === undefined ? [] : [{ role: 'user', ...writeContent(files.parts, '\n', report) }]),
  ]
}

function writeResult(result: AnswerPart, unnamed: ReadonlySet<unknown>, report: Report): Fields {
  const { id, toolName: tool_name, content, metadata } = result
  const { images, ...rest } = ofProvider(metadata, NAME)
  const isInPlace = images === true && typeof content !== 'string'
  return {
    ...rest,
    role: 'tool',
    ...given({ tool_name, tool_call_id: unnamed.has(id) ? undefined : id }),
    ...(isInPlace ? writeContent(content, '', report) : { content: resultText(result) }),
  }
}

function writeAssistant(
  message: ConversationMessage,
  unnamed: ReadonlySet<unknown>,
  report: Report,
): Fields[] {
  const { parts, provider, metadata } = message
  const isOwn = provider === NAME
  const thoughts = parts.filter((part) => part.type === 'reasoning' && part.text !== '')
  if (!isOwn && thoughts.length > 0)
    report('part-left-out', `Reasoning is left out: '${NAME}' takes only what the same server wrote.`)
  const drawn = parts.flatMap((part) =>
    isOwn && part.type === 'custom' && part.kind === 'images' ? listOf(part.value) : [],
  )
  const others = parts.filter((part) => !(isOwn && part.type === 'custom' && part.kind === 'images'))
  const { content, images } = writeContent(others, '', report)
  const calls = parts.filter((part) => part.type === 'call' && isOurs(part, report)) as CallPart[]
  for (const part of parts)
    if (part.type === 'result')
      report('part-left-out', `A result of a tool that another provider ran is left out.`)
  const fields = given({
    ...wireFields(metadata, NAME),
    thinking:
      isOwn && thoughts.length > 0 ? thoughts.map((part) => 'text' in part && part.text).join('') : undefined,
    images: images ?? (drawn.length > 0 ? drawn : undefined),
    tool_calls: calls.length === 0 ? undefined : calls.map((call) => writeCall(call, unnamed)),
  })
  if (content === '' && Object.keys(fields).length === 0 && !isOwn) return []
  return [{ ...fields, role: 'assistant', content }]
}

function isOurs({ toolName, providerExecuted }: CallPart, report: Report): boolean {
  if (providerExecuted !== true) return true
  report('part-left-out', `The call of '${toolName}', which another provider ran, is left out.`)
  return false
}

function writeCall(call: CallPart, unnamed: ReadonlySet<unknown>): Fields {
  const { id, toolName: name, metadata } = call
  const { function: own, hasNoId: _, ...rest } = ofProvider(metadata, NAME)
  return {
    ...rest,
    ...(!unnamed.has(id) && { id }),
    function: { ...fieldsOf(own), name, arguments: inputObject(call) },
  }
}
