/** A piece of text in words for the ear: links and code inside a line without what only the eye needs. */

import type { SpeechSettings } from './speech-options.ts'

// These read one piece at a time, which is never long. The space before what is left out goes with it.
// An address may have brackets in it, if they are closed.
const LINK = /( ?)(!?)\[([^[\]\n]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"\n]*")?\)/g
const ADDRESS =
  /( ?)<?(\bhttps?:\/\/(?:[^\s<>()[\]"'`]|\([^\s<>()[\]"'`]*\))*(?:[^\s<>()[\]"'`.,;:!?。，！？]|\([^\s<>()[\]"'`]*\)))>?/g
const INLINE_CODE = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g

export function wording(piece: string, { code, links, summarise }: SpeechSettings): string {
  let text = piece
  if (links === 'skip')
    text = text
      .replace(LINK, (_, space: string, image: string, label: string) => (image === '' ? space + label : ''))
      .replace(ADDRESS, '')
  else if (links === 'summarise')
    text = text
      .replace(LINK, '$1$3')
      .replace(ADDRESS, (_, space: string, url: string) => space + summarise({ kind: 'link', url }))
  return code === 'say' ? text : text.replace(INLINE_CODE, '$2')
}
