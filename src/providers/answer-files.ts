/** Results for protocols whose tools answer with text: their files follow in a message of the user. */

import type {
  AnswerPart,
  ConversationMessage,
  ConversationPart,
  FilePart,
} from '../requests/conversation/model-request.ts'
import type { Report } from '../requests/conversation/request-format.ts'
import { answerFiles } from './request-fields.ts'

/** A file whose content is text, as text. */
export function fileText({ name, content }: FilePart): string | undefined {
  if (!('text' in content)) return undefined
  return name === undefined ? content.text : `${name}:\n${content.text}`
}

/** The files of a result that are not text. */
function filesOf(result: AnswerPart): readonly FilePart[] {
  return answerFiles(result).filter(({ content }) => !('text' in content))
}

/** The text of a result, and of those of its files that are text. */
export function resultText(result: AnswerPart): string {
  const { content } = result
  if (typeof content === 'string') return content
  const texts = content.flatMap((part) =>
    part.type === 'text' ? part.text : part.type === 'file' ? (fileText(part) ?? []) : [],
  )
  const isMoved = texts.length === 0 && filesOf(result).length > 0
  return isMoved ? 'The files of this result are in the next message.' : texts.join('')
}

/**
 * The files of results, each under a sentence that says whose they are; undefined if there are none. `where`: what the
 * provider takes no files in.
 */
export function filesMessage(
  results: readonly AnswerPart[],
  provider: string,
  report: Report,
  where = 'results',
): ConversationMessage | undefined {
  const parts = results.flatMap((result): ConversationPart[] => {
    const files = filesOf(result)
    if (files.length === 0) return []
    const { id = '', toolName = '' } = result
    report(
      'message-moved',
      `The files in the result of the call '${id}' are moved to a message of the user: '${provider}' takes none in ${where}.`,
    )
    return [{ type: 'text', text: `The files in the result of the call '${id}' of '${toolName}':` }, ...files]
  })
  return parts.length === 0 ? undefined : { role: 'user', parts }
}

/** Reports, once, that results are errors, for protocols that cannot tell. */
export function reportErrors(
  messages: readonly ConversationMessage[],
  provider: string,
  report: Report,
): void {
  const isError = messages.some(({ role, parts }) =>
    parts.some((part) => role === 'tool' && part.type === 'result' && part.isError === true),
  )
  if (isError)
    report('part-left-out', `That results are errors is left out: '${provider}' has no place for it.`)
}

/** Reports parts of results that have no name here. */
export function reportCustom(results: readonly AnswerPart[], provider: string, report: Report): void {
  for (const { content } of results)
    for (const part of typeof content === 'string' ? [] : content)
      if (part.type === 'custom')
        report(
          'part-left-out',
          `A part of the kind '${part.kind}' is left out: '${provider}' has no place for it.`,
        )
}
