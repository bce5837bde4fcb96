/** What the requests of all protocols have in common: fields that nobody knows, files, and answers of tools. */

import { SluiceError } from '../base/errors.ts'
import type { JsonValue, Metadata } from '../base/event.ts'
import { type Fields, isFields } from '../base/fields.ts'
import type { TextPart } from '../base/part.ts'
import { readInput, type WrittenInput, writtenInput } from '../engine/calls/written-input.ts'
import type {
  AnswerPart,
  ConversationMessage,
  FileContent,
  FilePart,
  FunctionTool,
  Settings,
} from '../requests/conversation/model-request.ts'
import type { Report } from '../requests/conversation/request-format.ts'
import { writeJson } from '../values/numbers/written.ts'
import { ofProvider } from './metadata.ts'
import { jsonOf, present } from './payload-fields.ts'

/** `{ metadata: { [name]: rest } }` with the fields that are not among the known ones; nothing if there are none. */
export function unknownFields(
  name: string,
  fields: Fields,
  known: Iterable<string>,
): { metadata?: Metadata } {
  const rest = withoutFields(fields, known)
  return rest === undefined ? {} : { metadata: { [name]: rest } }
}

/** The fields without the known ones; undefined if none is left. */
export function withoutFields(fields: Fields, known: Iterable<string>): Fields | undefined {
  const taken = new Set(known)
  return present(Object.fromEntries(Object.entries(fields).filter(([key]) => !taken.has(key))))
}

/** The fields that are written back as they came; `reserved` are those that have a place of their own. */
export function wireFields(
  metadata: Metadata | undefined,
  name: string,
  reserved: Iterable<string> = [],
): Fields {
  return withoutFields(ofProvider(metadata, name), reserved) ?? {}
}

/** The fields that are there: what is undefined or null is left out. */
export function given<T extends object>(fields: T): Given<T> {
  return (present(fields as Fields) ?? {}) as Given<T>
}

type Given<T> = { readonly [Field in keyof T]?: Exclude<T[Field], undefined | null> }

/** The same, and undefined if no field is there. */
export function someGiven<T extends object>(fields: T): Given<T> | undefined {
  return present(fields as Fields) as Given<T> | undefined
}

/** A list that a request must have. */
export function requiredList(body: Fields, field: string): readonly Fields[] {
  const list = body[field]
  if (!Array.isArray(list)) throw invalidRequest(`'${field}' must be a list.`)
  return list.map((item, index) => {
    if (!isFields(item)) throw invalidRequest(`'${field}[${index}]' must be an object.`)
    return item
  })
}

export function invalidRequest(message: string): SluiceError {
  return new SluiceError('invalid-request', message)
}

// ── files ────────────────────────────────────────────────────────────────────────────────────────

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*?(;base64)?,/

/** The content behind an address: a `data:` URL has it inside. */
export function contentAt(url: string): { readonly mediaType?: string; readonly content: FileContent } {
  const found = DATA_URL.exec(url)
  if (found === null) return { content: { url } }
  const data = url.slice(found[0].length)
  const mediaType = found[1] || 'text/plain'
  if (found[2] !== undefined) return { mediaType, content: { base64: data } }
  try {
    return { mediaType, content: { text: decodeURIComponent(data) } }
  } catch {
    return { mediaType, content: { url } }
  }
}

/** How files of each type begin. */
const BEGINNINGS = [
  ['iVBORw', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi', 'application/pdf'],
] as const

/** The type of a file. Where only its kind is known, as for `image/*`, its first bytes tell. */
export function mediaTypeOf({ mediaType, content }: FilePart): string {
  if (!mediaType.endsWith('/*') || !('base64' in content)) return mediaType
  const found = BEGINNINGS.find(([beginning]) => content.base64.startsWith(beginning))?.[1]
  return found ?? (mediaType === 'image/*' ? 'image/png' : mediaType)
}

/** A file as a URL; undefined if only another provider has it. */
export function urlOf(file: FilePart): string | undefined {
  const { content } = file
  if ('url' in content) return content.url
  const given = mediaTypeOf(file)
  // The first comma of a `data:` URL ends its type.
  const mediaType = given.includes(',') ? 'application/octet-stream' : given
  if ('base64' in content) return `data:${mediaType};base64,${content.base64}`
  return 'text' in content ? `data:${mediaType},${encodeURIComponent(content.text)}` : undefined
}

export const kindOf = ({ mediaType }: FilePart): string => mediaType.slice(0, mediaType.indexOf('/'))

// ── turns ────────────────────────────────────────────────────────────────────────────────────────

/** What stands for a first message of the user where there is none, for providers that want one. */
export const NOTHING_SAID = '…'

export function reportBeginning(provider: string, report: Report): void {
  report(
    'message-added',
    `The conversation begins with a message of the user, '${NOTHING_SAID}': '${provider}' takes none that begins with the model.`,
  )
}

// ── calls and answers ────────────────────────────────────────────────────────────────────────────

/** A call's input as an object: what no provider takes for arguments stands under `input`. */
export function inputObject(written: WrittenInput): Fields {
  const input = writtenInput(written)
  if (isFields(input)) return input
  return input === null ? {} : { input }
}

export function argumentsText(written: WrittenInput): string {
  return jsonOf(inputObject(written)) ?? '{}'
}

/** Arguments that a client sent back, as text or as a value. They may be anything. */
export function readArguments(given: unknown): WrittenInput {
  if (typeof given !== 'string' && !isFields(given)) return { input: {} }
  try {
    return given === '' ? { input: {} } : readInput(typeof given === 'string' ? given : writeJson(given))
  } catch {
    return { input: given as JsonValue }
  }
}

/** The same where a protocol has them as a value. */
export function readArgumentsValue(given: unknown): WrittenInput {
  return isFields(given) ? readArguments(given) : { input: (given ?? {}) as JsonValue }
}

/** The text of an answer, without its files. */
export function answerText({ content }: AnswerPart): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')
}

/** The files of an answer. */
export function answerFiles({ content }: AnswerPart): readonly FilePart[] {
  return typeof content === 'string' ? [] : content.filter((part) => part.type === 'file')
}

/** The results of one message's calls as one message, for protocols in which each is a message of its own. */
export function joinResults(messages: readonly ConversationMessage[]): ConversationMessage[] {
  const joined: ConversationMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (message.role === 'tool' && last?.role === 'tool')
      joined[joined.length - 1] = { role: 'tool', parts: [...last.parts, ...message.parts] }
    else joined.push(message)
  }
  return joined
}

/** The schema of a tool that has none: any object. */
export function schemaOf({ inputSchema }: FunctionTool): unknown {
  return inputSchema ?? { type: 'object', properties: {} }
}

/** The schema of a tool whose input is free text, for a provider without such tools. `inputObject` writes its calls. */
export const TEXT_INPUT = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
} as const

/** Reports the settings that a provider does not have. One answer is what every provider gives. */
export function reportUnsupported(
  settings: Settings,
  names: readonly (keyof Settings)[],
  provider: string,
  report: Report,
): void {
  for (const name of names)
    if (settings[name] !== undefined && !(name === 'candidates' && settings.candidates === 1))
      report('setting-left-out', `'${name}' is left out: '${provider}' does not have it.`)
}

/** Text without anything attached, which every protocol also writes as a plain string. */
export function plainTextOf(parts: readonly { readonly type: string }[]): string | undefined {
  const [part] = parts as readonly TextPart[]
  const isPlain = parts.length === 1 && part?.type === 'text' && part.metadata === undefined
  return isPlain ? part.text : undefined
}
