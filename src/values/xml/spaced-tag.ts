/**
 * White space before the `>` of a tag, which XML allows.
 *
 *     </city >     </city
 *                  >
 */

import { isSpace } from '../../base/whitespace.ts'

/** So much of it may stand in a tag: a line break and an indentation. It is held back, so it must end. */
export const MOST_SPACE = 8

/** A tag as it is written without it. */
export function withoutSpace(tag: string): string {
  return tag.endsWith('>') ? `${withoutSpaceBehind(tag.slice(0, -1))}>` : tag
}

/** Whether a text is a tag, which is written without white space, or the beginning of it. */
export function beginsTag(text: string, tag: string): boolean {
  if (tag.startsWith(text)) return true
  if (text.length > tag.length + MOST_SPACE || !tag.endsWith('>')) return false
  const written = withoutSpace(text)
  return written === tag || withoutSpaceBehind(written) === tag.slice(0, -1)
}

function withoutSpaceBehind(text: string): string {
  let end = text.length
  while (end > 0 && isSpace(text[end - 1]!)) end--
  return text.slice(0, end)
}
