/**
 * Text as it can be shown: control characters by their pictures, and what nobody would see, or what would turn the text
 * around, by a mark. The length stays the same, so that offsets do.
 */

/** The pictures of U+0000 to U+001F begin here. */
const PICTURES = 0x2400
const PICTURE_OF_DELETE = '\u2421'
/** Stands for what has no picture. */
const MARK = '\u00a4'

const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

export function visible(text: string): string {
  return text.replace(HIDDEN, pictureOf)
}

function pictureOf(character: string): string {
  const code = character.charCodeAt(0)
  if (character === '\n' || character === '\t') return character
  if (code < 0x20) return String.fromCharCode(PICTURES + code)
  return code === 0x7f ? PICTURE_OF_DELETE : MARK.repeat(character.length)
}
