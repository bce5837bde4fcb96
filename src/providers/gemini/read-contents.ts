/**
 * The `contents` of a request to Gemini: turns of the user and of the model, made of parts.
 *
 *     {"role":"model","parts":[{"functionCall":{"name":"ls","args":{}},"thoughtSignature":"…"}]}
 *     {"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"output":"a.txt"}}}]}
 */

import type { JsonValue, Metadata } from '../../base/event.ts'
import { type Fields, isFields } from '../../base/fields.ts'
import type { CallPart, TextPart } from '../../base/part.ts'
import type {
  AnswerPart,
  ConversationMessage,
  ConversationPart,
  FilePart,
} from '../../requests/conversation/model-request.ts'
import { under } from '../metadata.ts'
import { contentOf, fieldsIn, fieldsOf, textOf, wordOf } from '../payload-fields.ts'
import { invalidRequest, readArgumentsValue, unknownFields, withoutFields } from '../request-fields.ts'
import { camelFields } from './field-names.ts'

const NAME = 'gemini'

/** What is known while the contents are read, in order. */
interface Reading {
  /** Calls that have no response yet. */
  open: { readonly id: string; readonly toolName: string }[]
  /** How many calls there were. */
  calls: number
  /** The program that ran last. */
  codeId: string
}

export function readContents(contents: readonly Fields[]): ConversationMessage[] {
  const reading: Reading = { open: [], calls: 0, codeId: '' }
  return contents.flatMap((content) => readContent(content, reading))
}

/** The instructions may be a content, or only its text. */
export function readSystem(instruction: unknown): ConversationMessage[] {
  if (instruction === undefined || instruction === null) return []
  const content = typeof instruction === 'string' ? { parts: [{ text: instruction }] } : fieldsOf(instruction)
  const parts = partsOf(content).map((part) => readPart(part, { open: [], calls: 0, codeId: '' }))
  return parts.length === 0 ? [] : [{ role: 'system', parts, ...unknownFields(NAME, content, ['parts']) }]
}

function partsOf({ parts }: Fields): readonly Fields[] {
  return isFields(parts) ? [parts] : fieldsIn(parts)
}

const ROLES: ReadonlySet<unknown> = new Set([undefined, 'user', 'model', 'function', 'tool'])

/** Responses of functions are a message of their own. */
function readContent(content: Fields, reading: Reading): ConversationMessage[] {
  const { role } = content
  if (!ROLES.has(role))
    throw invalidRequest(`'role' of a content is user or model, not ${JSON.stringify(role)}.`)
  if (role === 'model') reading.open = []
  const parts = partsOf(content).map((part) => readPart(part, reading))
  const rest = unknownFields(NAME, content, ['role', 'parts'])
  if (role === 'model') return [{ role: 'assistant', parts, provider: NAME, ...rest }]
  const results = parts.filter((part) => part.type === 'result')
  const others = parts.filter((part) => part.type !== 'result')
  const isOwn = others.some(({ type }) => type === 'custom')
  return [
    ...(results.length > 0 ? [{ role: 'tool', parts: results } as const] : []),
    ...(others.length > 0
      ? [{ role: 'user', parts: others, ...(isOwn && { provider: NAME }), ...rest } as const]
      : []),
  ]
}

function readPart(given: Fields, reading: Reading): ConversationPart {
  const part = camelFields(given)
  const { functionCall, functionResponse, text, executableCode, codeExecutionResult } = part
  if (isFields(functionCall)) return readCall(part, camelFields(functionCall), reading)
  if (isFields(functionResponse)) return readResponse(part, camelFields(functionResponse), reading)
  if (typeof text === 'string') return readText(part, text)
  const file = readFile(part)
  if (file !== undefined) return file
  if (isFields(executableCode)) return readCode(part, executableCode, reading)
  if (isFields(codeExecutionResult)) return readCodeResult(part, codeExecutionResult, reading)
  const [kind = 'part'] = Object.keys(part).filter((key) => key !== 'thoughtSignature' && key !== 'thought')
  return { type: 'custom', kind, value: part }
}

function readText(part: Fields, text: string): ConversationPart {
  const isThought = part.thought === true
  const rest = unknownFields(NAME, part, ['text', ...(isThought ? ['thought'] : [])])
  return { type: isThought ? 'reasoning' : 'text', text, ...rest }
}

/** What stands beside the content of a part, and what of the content has no name here. */
function aboutPart(part: Fields, field: string, rest: Fields): { readonly metadata?: Metadata } {
  const metadata = under(NAME, { ...withoutFields(part, [field]), ...rest })
  return metadata === undefined ? {} : { metadata }
}

// ── files ────────────────────────────────────────────────────────────────────────────────────────

/** Files that were given to Google before. */
const KEPT = /^(gs:|https:\/\/generativelanguage\.googleapis\.com\/)/

function readFile(part: Fields): FilePart | undefined {
  const field = ['inlineData', 'fileData'].find((field) => isFields(part[field]))
  if (field === undefined) return undefined
  const data = camelFields(fieldsOf(part[field]))
  const uri = textOf(data.fileUri)
  const name = wordOf(data.displayName)
  return {
    type: 'file',
    mediaType: wordOf(data.mimeType) ?? '*/*',
    content:
      field === 'inlineData'
        ? { base64: textOf(data.data) }
        : KEPT.test(uri)
          ? { id: uri, provider: NAME }
          : { url: uri },
    ...(name !== undefined && { name }),
    ...aboutPart(part, field, { [field]: withoutFields(data, ['mimeType', 'data', 'fileUri']) }),
  }
}

// ── calls and responses ──────────────────────────────────────────────────────────────────────────

/** A call without an id is known by its place. */
function readCall(part: Fields, call: Fields, reading: Reading): CallPart {
  const id = wordOf(call.id) ?? `gemini-call-${++reading.calls}`
  const toolName = textOf(call.name)
  reading.open.push({ id, toolName })
  return {
    type: 'call',
    id,
    toolName,
    ...readArgumentsValue(call.args),
    ...aboutPart(part, 'functionCall', {
      hasId: wordOf(call.id) === undefined ? false : undefined,
      functionCall: withoutFields(call, ['id', 'name', 'args']),
    }),
  }
}

function readResponse(part: Fields, response: Fields, reading: Reading): AnswerPart {
  const toolName = wordOf(response.name)
  const id = answeredCall(wordOf(response.id), toolName, reading)
  const value = fieldsOf(response.response)
  const [field] = Object.keys(value)
  const isText = (field === 'output' || field === 'error') && hasOnlyText(value, field)
  const text = isText ? textOf(value[field]) : contentOf(value)
  const files = fieldsIn(response.parts).flatMap((part) => readFile(camelFields(part)) ?? [])
  return {
    type: 'result',
    id,
    ...(toolName !== undefined && { toolName }),
    content: files.length === 0 ? text : [...(text === '' ? [] : [textPart(text)]), ...files],
    ...(field === 'error' && isText && { isError: true }),
    ...aboutPart(part, 'functionResponse', {
      functionResponse: withoutFields(response, ['id', 'name', 'response', 'parts']),
      response: isText ? undefined : value,
    }),
  }
}

const hasOnlyText = (value: Fields, field: string): boolean =>
  typeof value[field] === 'string' && Object.keys(value).length === 1

const textPart = (text: string): TextPart => ({ type: 'text', text })

/** The call that a response answers. Without an id of a call it is the first of its name, or the first. */
function answeredCall(id: string | undefined, toolName: string | undefined, reading: Reading): string {
  const { open } = reading
  const call =
    open.find((call) => call.id === id) ??
    open.find((call) => call.toolName === toolName) ??
    (id === undefined ? open[0] : undefined)
  reading.open = open.filter((other) => other !== call)
  return call?.id ?? id ?? ''
}

// ── programs that Google runs ────────────────────────────────────────────────────────────────────

function readCode(part: Fields, code: Fields, reading: Reading): CallPart {
  reading.codeId = wordOf(code.id) ?? `code_execution-${reading.calls++}`
  return {
    type: 'call',
    id: reading.codeId,
    toolName: 'code_execution',
    input: (withoutFields(code, ['id']) ?? {}) as JsonValue,
    providerExecuted: true,
    ...aboutPart(part, 'executableCode', {}),
  }
}

function readCodeResult(part: Fields, result: Fields, reading: Reading): AnswerPart {
  const { outcome, output } = result
  const isError = outcome !== undefined && outcome !== 'OUTCOME_OK'
  return {
    type: 'result',
    id: wordOf(result.id) ?? reading.codeId,
    toolName: 'code_execution',
    content: textOf(output),
    ...(isError && { isError }),
    ...aboutPart(part, 'codeExecutionResult', {
      codeExecutionResult: withoutFields(result, ['output', ...(isError ? [] : ['outcome'])]),
    }),
  }
}
