/** The white space of JSON, and of most formats: a space, a tab, or the end of a line. */
export function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r'
}

/** How many characters of it a text begins with. */
export function leadingSpace(text: string): number {
  let at = 0
  while (at < text.length && isSpace(text[at]!)) at++
  return at
}
