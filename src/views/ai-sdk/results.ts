/** Answers of tools for a model without tools of its own: text that can never open a call, and files beside it. */

import { isFields } from '../../base/fields.ts'
import type { AnswerReading } from '../../requests/prompt/harmless.ts'
import { resultsText } from '../../requests/prompt/turn-text.ts'
import type { PartLike } from './parts.ts'

export interface ResultOptions extends AnswerReading {
  /** Files in results: given to the model beside the text, or only mentioned in it. Default `forward`. */
  readonly media: 'forward' | 'placeholder'
  readonly formatResult?: FormatResult | undefined
}

/** What `formatResult` gets. */
export interface ResultToFormat {
  readonly toolCallId: string
  readonly toolName: string
  /** The answer as text; files are mentioned in it. */
  readonly content: string
  readonly isError: boolean
  /** The answer as the AI SDK has it: `{ type: 'json', value: … }` and the like. */
  readonly output: ResultOutput
}

/** A tool's answer as the AI SDK has it. */
export interface ResultOutput {
  readonly type: string
  readonly value?: unknown
  readonly reason?: string | undefined
}

/**
 * Writes a tool's answer: as text, or as parts of a user's message. What comes from the tool must not be able to open a
 * call; that is up to the writer.
 */
export type FormatResult = (result: ResultToFormat) => string | readonly PartLike[]

export interface ResultPart extends PartLike {
  readonly toolCallId: string
  readonly toolName: string
  /** A history that was not written by the AI SDK may have anything here. */
  readonly output: unknown
}

export function writeResults(results: readonly ResultPart[], options: ResultOptions): PartLike[] {
  const files: PartLike[] = []
  const told = results.map(({ toolCallId, toolName, output: given }): ResultToFormat => {
    const output = outputOf(given)
    const content = contentOf(output, (file) => {
      if (options.media === 'forward') files.push(file)
    })
    return { toolCallId, toolName, content, isError: output.type.startsWith('error'), output }
  })
  const { formatResult } = options
  if (formatResult !== undefined) return [...joined(told.map((result) => formatResult(result))), ...files]
  const text = resultsText(
    told.map(({ toolCallId: id, toolName, content, isError }) => ({ id, toolName, content, isError })),
    options,
  )
  return [textPart(text), ...files]
}

/** Texts that follow each other are one. */
function joined(written: readonly (string | readonly PartLike[])[]): PartLike[] {
  const parts: PartLike[] = []
  let lines: string[] = []
  for (const one of written)
    if (typeof one === 'string') lines.push(one)
    else {
      if (lines.length > 0) parts.push(textPart(lines.join('\n')))
      lines = []
      parts.push(...one)
    }
  return lines.length > 0 ? [...parts, textPart(lines.join('\n'))] : parts
}

const textPart = (text: string): PartLike => ({ type: 'text', text }) as PartLike

const TYPES: readonly unknown[] = ['text', 'json', 'error-text', 'error-json', 'content', 'execution-denied']

/** What was given without one of the AI SDK's types is a text, or any other value. */
export function outputOf(output: unknown): ResultOutput {
  if (isFields(output) && TYPES.includes(output.type)) return output as unknown as ResultOutput
  return { type: typeof output === 'string' ? 'text' : 'json', value: output }
}

/** The answer as text, without its files. */
export const textOfOutput = (output: unknown): string => contentOf(outputOf(output), () => {})

function contentOf(output: ResultOutput, forward: (file: PartLike) => void): string {
  const { type, value, reason } = output
  if (type === 'execution-denied') return `The call was not run: ${reason ?? 'it was not allowed'}.`
  if (type !== 'content' || !Array.isArray(value)) return written(value)
  return value.map((item: unknown) => (isMediaItem(item) ? textOf(item, forward) : written(item))).join('\n')
}

function written(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    // Numbers without end and values that hold themselves are no JSON.
    return String(value)
  }
}

const isMediaItem = (item: unknown): item is MediaItem => isFields(item) && typeof item.type === 'string'

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
  // Other schemes would be read by the one who runs the request, not by the tool that named them.
  if (url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url))
    return { ...common, data: new URL(url) } as FilePart
  return undefined
}
