/** A piece of text in words for the ear: links and code inside a line without what only the eye needs. */

import type { SpeechSettings } from './options.ts'

// These read one piece at a time, which is never longer than the longest piece that is spoken.
const LINK = /(!?)\[([^[\]\n]*)\]\(([^()\s]*)(?:\s+"[^"\n]*")?\)/g
const ADDRESS = /<?\bhttps?:\/\/[^\s<>()[\]"'`]*[^\s<>()[\]"'`.,;:!?。，！？]>?/g
const INLINE_CODE = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g

export function wording(piece: string, { code, links, summarise }: SpeechSettings): string {
  let text = piece
  if (links !== 'say') {
    text = text.replace(LINK, (_, image: string, label: string) =>
      image !== '' && links === 'skip' ? '' : label,
    )
    text = text.replace(ADDRESS, (url) =>
      links === 'skip' ? '' : summarise({ kind: 'link', url: url.replace(/^<|>$/g, '') }),
    )
  }
  return code === 'say' ? text : text.replace(INLINE_CODE, '$2')
}
