/**
 * Past turns for a model without tools of its own: calls and results become text, written as the model itself
 * would write them.
 */

import type { JsonValue } from '../../event.ts'
import { type RenderOptions, type RenderPart, renderUnchecked } from '../../render.ts'
import type { Dialect } from '../../wire/dialect.ts'
import { markerPairs } from './markers.ts'
import type { MessageLike, PartLike } from './parts.ts'

export interface HistoryOptions extends RenderOptions {
  /** Files in results: given to the model beside the text, or only mentioned in it. Default `forward`. */
  readonly media: 'forward' | 'placeholder'
  readonly formatResult?: FormatResult | undefined
}

export interface ResultToFormat {
  readonly toolCallId: string
  readonly toolName: string
  readonly content: string
  readonly isError: boolean
}

/** Writes a tool's answer. What comes from the tool must not be able to open a call; that is up to the writer. */
export type FormatResult = (result: ResultToFormat) => string

interface CallPart extends PartLike {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
  readonly providerExecuted?: boolean
}

interface TextPart extends PartLike {
  readonly text: string
  readonly providerOptions?: unknown
}

interface ResultPart extends PartLike {
  readonly toolCallId: string
  readonly toolName: string
  readonly output: { readonly type: string; readonly value?: unknown; readonly reason?: string }
}

/** The prompt without calls and results, but for those of tools that the provider runs. */
export function renderHistory(prompt: readonly MessageLike[], options: HistoryOptions): MessageLike[] {
  const rendered: MessageLike[] = []
  let order: readonly string[] = []
  for (let at = 0; at < prompt.length; at++) {
    const message = prompt[at]!
    if (message.role === 'assistant') {
      order = callsOf(message).map(({ toolCallId }) => toolCallId)
      rendered.push(renderCalls(message, options))
    } else if (message.role !== 'tool') rendered.push(message)
    else {
      const content = [...message.content] as PartLike[]
      while (prompt[at + 1]?.role === 'tool') content.push(...(prompt[++at]!.content as readonly PartLike[]))
      const results = content.filter(isResult)
      // What is no result, such as the answer to a question for approval, is not ours.
      const others = content.filter((part) => !isResult(part))
      if (others.length > 0) rendered.push({ ...message, content: others })
      if (results.length > 0)
        rendered.push({ role: 'user', content: renderResults(inOrder(results, order), options) })
    }
  }
  return rendered
}

/** Ids that calls of the conversation have already. */
export function pastIds(prompt: readonly MessageLike[]): ReadonlySet<string> {
  return new Set(prompt.flatMap((message) => callsOf(message).map(({ toolCallId }) => toolCallId)))
}

const isResult = (part: PartLike): part is ResultPart => part.type === 'tool-result'
const isCall = (part: PartLike): part is CallPart =>
  part.type === 'tool-call' && (part as CallPart).providerExecuted !== true

const isPlainText = (part: PartLike): part is TextPart =>
  part.type === 'text' && (part as TextPart).providerOptions === undefined

function callsOf({ content }: MessageLike): CallPart[] {
  return typeof content === 'string' ? [] : content.filter(isCall)
}

/** Answers come as the tools finish, and the model knows them only by the order of its calls. */
function inOrder(results: readonly ResultPart[], order: readonly string[]): ResultPart[] {
  const place = new Map(order.map((id, index) => [id, index]))
  const placeOf = ({ toolCallId }: ResultPart): number => place.get(toolCallId) ?? order.length
  return [...results].sort((a, b) => placeOf(a) - placeOf(b))
}

// ── calls ────────────────────────────────────────────────────────────────────────────────────────

function renderCalls(message: MessageLike, options: HistoryOptions): MessageLike {
  if (callsOf(message).length === 0) return message
  const content: PartLike[] = []
  let written = ''
  const flush = (): void => {
    if (written !== '') content.push({ type: 'text', text: written } as PartLike)
    written = ''
  }
  const parts = message.content as readonly PartLike[]
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!
    if (isCall(part)) {
      const group = [part]
      for (let next = parts[at + 1]; next !== undefined && isCall(next); next = parts[++at + 1])
        group.push(next)
      written += (written === '' || /\s$/.test(written) ? '' : '\n') + writeCalls(group, options)
    } else if (isPlainText(part)) written += (written === '' ? '' : '\n') + part.text
    else {
      flush()
      content.push(part)
    }
  }
  flush()
  return { ...message, content }
}

function writeCalls(calls: readonly CallPart[], options: RenderOptions): string {
  const parts = calls.map(
    ({ toolName, input }): RenderPart => ({ type: 'call', toolName, input: inputOf(input) }),
  )
  try {
    return renderUnchecked(parts, options)
  } catch {
    // A dialect that writes only the tools it was given, and a tool that is gone.
    return calls
      .map(
        ({ toolName, input }) =>
          `<tool_call>${JSON.stringify({ name: toolName, arguments: input })}</tool_call>`,
      )
      .join('\n')
  }
}

/** An input that the AI SDK could not read is kept as the text it was. */
function inputOf(input: unknown): JsonValue {
  if (typeof input !== 'string') return (input ?? {}) as JsonValue
  try {
    return JSON.parse(input) as JsonValue
  } catch {
    return { input }
  }
}

// ── results ──────────────────────────────────────────────────────────────────────────────────────

function renderResults(results: readonly ResultPart[], options: HistoryOptions): PartLike[] {
  const files: PartLike[] = []
  const written = results.map((result) => {
    const { toolCallId, toolName, output } = result
    const isError = output.type.startsWith('error')
    const content = contentOf(output, (file) => {
      if (options.media === 'forward') files.push(file)
    })
    if (options.formatResult !== undefined)
      return options.formatResult({ toolCallId, toolName, content, isError })
    return writeResult(toolName, toolCallId, isError ? `Error: ${content}` : content, options)
  })
  return [{ type: 'text', text: written.join('\n') } as PartLike, ...files]
}

function writeResult(toolName: string, id: string, content: string, options: RenderOptions): string {
  if (options.dialect.result !== undefined)
    return renderUnchecked([{ type: 'result', id, toolName, content }], options)
  return `<tool_response>${harmless(content, options.dialect)}</tool_response>`
}

/** A tool's output with everything in it that could open a call, or close the tag around it, made text. */
function harmless(content: string, dialect: Dialect): string {
  let result = content
  for (const [from, to] of Object.entries({ ...dialect.neutralise, '<': '&lt;' }))
    result = result.replaceAll(from, to)
  for (const { open } of markerPairs(dialect, []))
    if (!open.includes('<')) result = result.replaceAll(open, `${open[0]} ${open.slice(1)}`)
  return result
}

function contentOf(output: ResultPart['output'], forward: (file: PartLike) => void): string {
  const { type, value, reason } = output
  if (type === 'execution-denied') return `The call was not run: ${reason ?? 'it was not allowed'}.`
  if (type !== 'content' || !Array.isArray(value))
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return (value as readonly MediaItem[]).map((item) => textOf(item, forward)).join('\n')
}

/** All the forms in which the majors put text and files into a result. */
interface MediaItem {
  readonly type: string
  readonly text?: string
  readonly data?: unknown
  readonly url?: string
  readonly mediaType?: string
  readonly filename?: string
}

function textOf(item: MediaItem, forward: (file: PartLike) => void): string {
  if (item.type === 'text') return item.text ?? ''
  const data = item.data as { readonly type?: string; readonly text?: string } | undefined
  if (data?.type === 'text') return data.text ?? ''
  const file = fileOf(item)
  if (file === undefined) return `[${item.mediaType ?? item.type}: not shown]`
  forward(file)
  return `[${item.filename ?? file.mediaType}]`
}

interface FilePart extends PartLike {
  readonly mediaType: string
}

function fileOf({ type, data, url, mediaType, filename }: MediaItem): FilePart | undefined {
  const isImage = type.startsWith('image')
  const common = {
    type: 'file',
    mediaType: mediaType ?? (isImage ? 'image/*' : 'application/octet-stream'),
    ...(filename !== undefined && { filename }),
  }
  if (data !== undefined) return { ...common, data } as FilePart
  // Other schemes would be read by whoever runs the request, not by the tool that named them.
  if (url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url))
    return { ...common, data: new URL(url) } as FilePart
  return undefined
}
