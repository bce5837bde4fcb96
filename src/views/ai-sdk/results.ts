/** Answers of tools for a model without tools of its own: text that can never open a call, and files beside it. */

import { resultsText } from '../../prompt/turn-text.ts'
import type { RenderOptions } from '../../render.ts'
import type { PartLike } from './parts.ts'

export interface ResultOptions extends RenderOptions {
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

export interface ResultPart extends PartLike {
  readonly toolCallId: string
  readonly toolName: string
  readonly output: { readonly type: string; readonly value?: unknown; readonly reason?: string }
}

export function writeResults(results: readonly ResultPart[], options: ResultOptions): PartLike[] {
  const files: PartLike[] = []
  const told = results.map(({ toolCallId, toolName, output }): ResultToFormat => {
    const content = contentOf(output, (file) => {
      if (options.media === 'forward') files.push(file)
    })
    return { toolCallId, toolName, content, isError: output.type.startsWith('error') }
  })
  const { formatResult } = options
  const text =
    formatResult === undefined
      ? resultsText(
          told.map(({ toolCallId: id, ...result }) => ({ id, ...result })),
          options,
        )
      : told.map((result) => formatResult(result)).join('\n')
  return [{ type: 'text', text } as PartLike, ...files]
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
  // Other schemes would be read by the one who runs the request, not by the tool that named them.
  if (url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url))
    return { ...common, data: new URL(url) } as FilePart
  return undefined
}
