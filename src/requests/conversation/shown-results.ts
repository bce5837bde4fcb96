/** What the tools of a conversation answered, as text: a call that only repeats it must not run. */

import { fromBase64 } from '../../base/base64.ts'
import type { AnswerPart, ConversationMessage, FilePart } from './model-request.ts'

/** The text of all results, as the tools gave it. */
export function shownResults(messages: readonly ConversationMessage[]): string[] {
  return messages
    .flatMap(({ parts }) => parts)
    .filter((part) => part.type === 'result')
    .map(({ content }) => shownText(content))
    .filter((text) => text !== '')
}

function shownText(content: AnswerPart['content']): string {
  if (typeof content === 'string') return content
  return content
    .flatMap((part) =>
      part.type === 'text' ? part.text : part.type === 'file' ? (textOfFile(part) ?? '') : [],
    )
    .join('\n')
}

/** A file that is text, whichever way it is carried. */
export function textOfFile({ mediaType, content }: FilePart): string | undefined {
  if ('text' in content) return content.text
  const bytes = 'base64' in content && mediaType.startsWith('text/') ? fromBase64(content.base64) : undefined
  return bytes && new TextDecoder().decode(bytes)
}
