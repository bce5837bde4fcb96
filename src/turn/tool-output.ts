/** What a tool returned, as the content of its result. */

import { messageOf } from '../base/errors.ts'
import { isFields } from '../base/fields.ts'
import type { TextPart } from '../base/part.ts'
import type { AnswerPart, FilePart } from '../requests/conversation/model-request.ts'

export interface ToolOutput {
  readonly content: AnswerPart['content']
  readonly isError: boolean
}

/**
 * Text as it is, a list of texts and images as parts, `{ content, isError }` as what it says, an error as a failure,
 * anything else as JSON.
 * What JSON cannot carry is an error that the model is told about.
 */
export function toolOutput(value: unknown): ToolOutput {
  // In JSON nothing would be left of it.
  if (value instanceof Error) return { content: messageOf(value), isError: true }
  try {
    if (
      isFields(value) &&
      'content' in value &&
      Object.keys(value).every((field) => OUTPUT_FIELDS.has(field))
    )
      return { content: contentOf(value.content), isError: value.isError === true }
    return { content: contentOf(value), isError: false }
  } catch (error) {
    const content = `The tool ran, but its result cannot be written as JSON: ${messageOf(error)}`
    return { content, isError: true }
  }
}

/** Also those of the Model Context Protocol. */
const OUTPUT_FIELDS: ReadonlySet<string> = new Set(['content', 'isError', '_meta'])

function contentOf(value: unknown): AnswerPart['content'] {
  if (typeof value === 'string') return value
  if (value === undefined) return ''
  const content = partsOf(value) ?? JSON.stringify(value, carried)
  if (content === undefined) throw new TypeError(`${typeof value} is not JSON`)
  return content
}

const CARRIED = /^\[object (?:Object|Array|String|Number|Boolean)\]$/

/** Of a `Map`, a `Set` or `NaN`, JSON would keep nothing and not say so. */
function carried(_key: string, value: unknown): unknown {
  const isNothing =
    typeof value === 'object' && value !== null
      ? Object.keys(value).length === 0 && !CARRIED.test(Object.prototype.toString.call(value))
      : typeof value === 'number' && !Number.isFinite(value)
  if (isNothing) throw new TypeError(`${String(value)} is not JSON`)
  return value
}

function partsOf(value: unknown): readonly (TextPart | FilePart)[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const parts = value.map(partOf)
  return parts.every((part) => part !== undefined) ? parts : undefined
}

/**
 *     { type: 'text', text }
 *     { type: 'file', mediaType, content }
 *     { type: 'image', data, mimeType }                                the Model Context Protocol
 *     { type: 'image', source: { type: 'base64', data, media_type } }  Anthropic and Membrane
 */
function partOf(value: unknown): TextPart | FilePart | undefined {
  if (!isFields(value)) return undefined
  const { type, text, mediaType, content, name } = value
  if (type === 'text' && typeof text === 'string') return { type, text }
  if (type === 'file' && typeof mediaType === 'string' && isFields(content))
    return {
      type,
      mediaType,
      content: content as unknown as FilePart['content'],
      ...(typeof name === 'string' && { name }),
    }
  if (type !== 'image') return undefined
  const source = isFields(value.source) ? value.source : value
  const image = source.media_type ?? source.mediaType ?? source.mimeType
  if (typeof source.data !== 'string' || typeof image !== 'string') return undefined
  return { type: 'file', mediaType: image, content: { base64: source.data } }
}

/** The content as text, for those who show it: a file is named. */
export function textOfContent(content: AnswerPart['content']): string {
  if (typeof content === 'string') return content
  return content
    .map((part) => {
      if (part.type === 'text') return part.text
      return part.type === 'file' ? `[${part.name ?? part.mediaType}]` : ''
    })
    .join('\n')
}
