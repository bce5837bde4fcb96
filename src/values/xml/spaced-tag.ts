/**
 * White space before the `>` of a tag, which XML allows, and a space behind `</`, as some models write it.
 *
 *     </city >     </city     </ city>
 *                  >
 */

import { isSpace } from '../../base/whitespace.ts'

/** So much of it may stand in a tag: a line break and an indentation. It is held back, so it must end. */
export const MOST_SPACE = 8

/** A tag as it is written without it. */
export function withoutSpace(tag: string): string {
  const written = tag.replace(/^<\/ /, '</')
  return written.endsWith('>') ? `${withoutSpaceBehind(written.slice(0, -1))}>` : written
}

/** Whether a text is a tag, which is written without white space, or the beginning of it. */
export function beginsTag(text: string, tag: string): boolean {
  const written = withoutSpace(text)
  if (tag.startsWith(written)) return true
  if (text.length > tag.length + MOST_SPACE || !tag.endsWith('>')) return false
  return written === tag || withoutSpaceBehind(written) === tag.slice(0, -1)
}

function withoutSpaceBehind(text: string): string {
  let end = text.length
  while (end > 0 && isSpace(text[end - 1]!)) end--
  return text.slice(0, end)
}
