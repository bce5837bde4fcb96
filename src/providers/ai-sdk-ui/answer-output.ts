/**
 * What a tool gave, which is any value, as the content of a result, and back.
 *
 * Text and files are the content of a result of the Model Context Protocol:
 *
 *     { "content": [{ "type": "text", "text": "A cat:" }, { "type": "image", "data": "…", "mimeType": "image/png" }] }
 */

import type { Fields } from '../../base/fields.ts'
import type { TextPart } from '../../base/part.ts'
import type { AnswerPart, FilePart } from '../../requests/conversation/model-request.ts'
import { contentOf, fieldsIn, fieldsOf, jsonOf, textOf } from '../payload-fields.ts'
import { kindOf, withoutFields } from '../request-fields.ts'
import { isSame } from '../setting-fields.ts'

type Content = AnswerPart['content']

export function readOutput(output: unknown): Content {
  const { content } = fieldsOf(output)
  const isContent = Array.isArray(content) && content.length > 0 && hasOnlyContent(fieldsOf(output))
  const parts = isContent ? fieldsIn(content).map(readItem) : []
  return isContent && parts.every((part) => part !== undefined) ? (parts as Content) : contentOf(output)
}

const hasOnlyContent = (output: Fields): boolean =>
  withoutFields(output, ['content', 'isError']) === undefined && output.isError !== true

function readItem(item: Fields): TextPart | FilePart | undefined {
  const { type, text, data, mimeType } = item
  if (type === 'text') return { type, text: textOf(text) }
  if (type !== 'image' && type !== 'audio') return undefined
  return { type: 'file', mediaType: textOf(mimeType) || `${type}/*`, content: { base64: textOf(data) } }
}

/** `kept`: the output that was read, in a list, which is written again while it reads as the same. */
export function writeOutput(content: Content, kept?: unknown): unknown {
  if (Array.isArray(kept) && isSame(readOutput(kept[0]), content)) return kept[0]
  if (typeof content !== 'string') return { content: content.flatMap(writeItem) }
  try {
    const value: unknown = JSON.parse(content)
    // Only what is read as the same text again.
    return typeof value === 'object' && value !== null && jsonOf(value) === content ? value : content
  } catch {
    return content
  }
}

function writeItem(part: Exclude<Content, string>[number]): Fields[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type === 'custom') return []
  const { mediaType: mimeType, content, name = 'file' } = part
  if ('url' in content) return [{ type: 'resource_link', uri: content.url, name, mimeType }]
  if ('text' in content)
    return [{ type: 'resource', resource: { uri: `file:///${name}`, mimeType, text: content.text } }]
  if ('id' in content) return []
  const kind = kindOf(part)
  if (kind === 'image' || kind === 'audio') return [{ type: kind, data: content.base64, mimeType }]
  return [{ type: 'resource', resource: { uri: `file:///${name}`, mimeType, blob: content.base64 } }]
}
