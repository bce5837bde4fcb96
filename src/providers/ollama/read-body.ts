/** A request of Ollama's chat as plain data. */

import type { Fields } from '../../base/fields.ts'
import type { CallPart } from '../../base/part.ts'
import type {
  AnswerPart,
  ConversationMessage,
  ConversationPart,
  FilePart,
  ModelRequest,
  RequestTool,
} from '../../requests/conversation/model-request.ts'
import { readFunctionTool } from '../function-tools.ts'
import { under } from '../metadata.ts'
import { fieldsIn, fieldsOf, listOf, textOf, wordOf } from '../payload-fields.ts'
import {
  given,
  invalidRequest,
  joinResults,
  readArguments,
  requiredList,
  someGiven,
  withoutFields,
} from '../request-fields.ts'
import { readSettings } from '../setting-fields.ts'
import { MODEL_OPTIONS, SETTINGS } from './ollama-settings.ts'

const NAME = 'ollama'

const fieldsOfRows = (rows: typeof SETTINGS): readonly string[] => rows.flatMap(({ fields }) => fields)

export function readBody(body: Fields): ModelRequest<readonly RequestTool[]> {
  const spelling = {
    model: wordOf(body.model),
    isStream: body.stream !== false,
    hasTools: false,
    isTextTool: () => false,
  }
  const modelOptions = fieldsOf(body.options)
  const beside = readSettings(SETTINGS, body, spelling)
  const inside = readSettings(MODEL_OPTIONS, modelOptions, spelling)
  const options = someGiven({
    ...withoutFields(body, ['model', 'messages', 'tools', 'stream', 'options', ...fieldsOfRows(SETTINGS)]),
    ...beside.kept,
    options: someGiven({ ...withoutFields(modelOptions, fieldsOfRows(MODEL_OPTIONS)), ...inside.kept }),
  })
  const calls = new UnnamedCalls()
  return given({
    model: wordOf(body.model),
    messages: joinResults(requiredList(body, 'messages').map((message) => readMessage(message, calls))),
    tools: Array.isArray(body.tools)
      ? fieldsIn(body.tools).map((tool) => readFunctionTool(NAME, tool))
      : undefined,
    settings: someGiven({ ...inside.chosen, ...beside.chosen }),
    // The server streams as long as it is not told otherwise.
    stream: body.stream !== false,
    providerOptions: options && { [NAME]: options },
  }) as ModelRequest<readonly RequestTool[]>
}

/** Gives ids to calls that have none, and finds the calls of results that have none: by the tool, or the next one. */
class UnnamedCalls {
  private count = 0
  private open: { readonly id: string; readonly toolName: string }[] = []

  add(id: string | undefined, toolName: string): string {
    const given = id ?? `call_${++this.count}`
    this.open.push({ id: given, toolName })
    return given
  }

  take(id: string | undefined, toolName: string | undefined): string {
    const found =
      this.open.find((call) => call.id === id) ??
      this.open.find((call) => call.toolName === toolName) ??
      (toolName === undefined ? this.open[0] : undefined)
    this.open = this.open.filter((call) => call !== found)
    return id ?? found?.id ?? ''
  }
}

const MESSAGE_FIELDS = ['role', 'content', 'images', 'thinking', 'tool_calls']

function readMessage(message: Fields, calls: UnnamedCalls): ConversationMessage {
  const { role, content, thinking, tool_calls } = message
  if (role === 'tool') return { role, parts: [readAnswer(message, calls)] }
  if (role !== 'system' && role !== 'user' && role !== 'assistant')
    throw invalidRequest(
      `'role' of a message is system, user, assistant or tool, not ${JSON.stringify(role)}.`,
    )
  const isSpoken = textOf(content) !== '' || role !== 'assistant'
  const parts: ConversationPart[] = [
    ...(wordOf(thinking) ? [{ type: 'reasoning', text: textOf(thinking) } as const] : []),
    ...(isSpoken ? [{ type: 'text', text: textOf(content) } as const] : []),
    ...readImages(message),
    ...fieldsIn(tool_calls).map((call) => readCall(call, calls)),
  ]
  const metadata = under(NAME, { ...withoutFields(message, MESSAGE_FIELDS) })
  return { role, parts, ...(role === 'assistant' && { provider: NAME }), ...(metadata && { metadata }) }
}

function readCall(call: Fields, calls: UnnamedCalls): CallPart {
  const called = fieldsOf(call.function)
  const toolName = textOf(called.name)
  const id = wordOf(call.id)
  const metadata = under(NAME, {
    ...withoutFields(call, ['id', 'function']),
    function: withoutFields(called, ['name', 'arguments']),
    hasNoId: id === undefined ? true : undefined,
  })
  return {
    type: 'call',
    id: calls.add(id, toolName),
    toolName,
    ...readArguments(called.arguments),
    ...(metadata && { metadata }),
  }
}

/** `images`: they stand in the result itself, and go back there. */
function readAnswer(message: Fields, calls: UnnamedCalls): AnswerPart {
  const { content, tool_name, tool_call_id } = message
  const images = readImages(message)
  const metadata = under(NAME, {
    ...withoutFields(message, ['role', 'content', 'images', 'tool_name', 'tool_call_id']),
    images: images.length > 0 ? true : undefined,
  })
  const text = textOf(content)
  return {
    type: 'result',
    id: calls.take(wordOf(tool_call_id), wordOf(tool_name)),
    ...(wordOf(tool_name) && { toolName: textOf(tool_name) }),
    content: images.length === 0 ? text : [{ type: 'text', text }, ...images],
    ...(metadata && { metadata }),
  }
}

function readImages({ images }: Fields): readonly FilePart[] {
  return listOf(images).flatMap((image) =>
    typeof image === 'string'
      ? [{ type: 'file', mediaType: imageType(image), content: { base64: image } } as const]
      : [],
  )
}

/** How the bytes of images begin, as base64. */
const BEGINNINGS: readonly (readonly [beginning: string, mediaType: string])[] = [
  ['iVBORw0', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

const imageType = (base64: string): string =>
  BEGINNINGS.find(([beginning]) => base64.startsWith(beginning))?.[1] ?? 'image/*'
