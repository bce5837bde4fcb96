/** The known word that a mistyped one was probably meant to be. */

/**
 * The word with the smallest edit distance, if at most a third of its letters differ. Case and the characters between
 * words (`-`, `_`, space) do not count.
 *
 *     nearest('antropic', ['anthropic', 'ollama'])    // 'anthropic'
 *     nearest('openaiChat', ['openai-chat'])          // 'openai-chat'
 *     nearest('parrot', ['anthropic', 'ollama'])      // undefined
 */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const wanted = letters(word)
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of words) {
    const known = letters(candidate)
    const distance = editDistance(wanted, known)
    if (distance < least && distance <= Math.max(wanted.length, known.length) / 3)
      [best, least] = [candidate, distance]
  }
  return best
}

/** No name is longer; what is cut off would not match anyway. */
const LONGEST = 100

const letters = (word: string): string =>
  word
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[-_\s]/g, '')

/** Levenshtein's distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let at = 0; at < from.length; at++) {
    const next = [at + 1]
    for (let other = 0; other < to.length; other++) {
      const changed = row[other]! + (from[at] === to[other] ? 0 : 1)
      next.push(Math.min(changed, row[other + 1]! + 1, next[other]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
