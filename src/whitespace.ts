/** The white space of JSON, and of most formats: a space, a tab, or the end of a line. */
export function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r'
}
