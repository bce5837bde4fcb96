/**
 * Where code or a link inside a line ends. Zero if it may still end behind what is there, and less where it is
 * none: it does not end in its line, or not soon enough.
 */

/** So far is looked for the end. */
export const MOST_SPAN = 200

const NONE = -1

/** The place behind code that begins at `at`, with as many backticks as it has. */
export function codeEnd(text: string, at: number): number {
  const opener = runOf(text, at)
  if (at + opener === text.length) return 0
  const limit = Math.min(text.length, at + MOST_SPAN)
  for (let to = at + opener; to < limit; to++) {
    if (text[to] === '\n') return NONE
    if (text[to] !== '`') continue
    const closer = runOf(text, to)
    if (to + closer === text.length) return 0
    if (closer === opener) return to + closer
    to += closer - 1
  }
  return 0
}

function runOf(text: string, at: number): number {
  let to = at
  while (to < text.length && to - at < MOST_SPAN && text[to] === '`') to++
  return to - at
}

/** The place behind a link that begins at `at`, or behind its brackets where no address follows. */
export function linkEnd(text: string, at: number): number {
  const label = find(text, at, ']', at)
  if (label <= 0) return label
  if (label === text.length) return 0
  return text[label] === '(' ? find(text, label, ')', at) : label
}

function find(text: string, from: number, closer: string, at: number): number {
  const limit = Math.min(text.length, at + MOST_SPAN)
  for (let to = from + 1; to < limit; to++) {
    if (text[to] === '\n') return NONE
    if (text[to] === closer) return to + 1
  }
  return 0
}
