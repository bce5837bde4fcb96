/** Finds the word that a misspelt one was meant to be. */

/**
 * The one of some words that comes nearest, if any comes near: at most a third of its letters differ. Case, hyphens and
 * underscores do not count.
 *
 *     nearest('inputSchem', ['inputSchema', 'name'])   // 'inputSchema'
 */
export function nearest<Word extends string>(word: string, words: Iterable<Word>): Word | undefined {
  const wanted = plain(word)
  let found: Word | undefined
  let least = Infinity
  for (const one of words) {
    const known = plain(one)
    const most = Math.max(1, Math.floor(Math.max(wanted.length, known.length) / 3))
    // Nothing that long is meant to be any of them, and the table below would be as large.
    const distance = Math.abs(wanted.length - known.length) > most ? Infinity : distanceOf(wanted, known)
    if (distance <= most && distance < least) {
      found = one
      least = distance
    }
  }
  return found
}

/** `; did you mean 'x'?` where one comes near, and nothing otherwise. */
export function didYouMean(word: string, words: Iterable<string>): string {
  const near = nearest(word, words)
  return near === undefined ? '' : `; did you mean '${near}'?`
}

/** A word as it is compared: in small letters, and without what joins its parts. */
export function plain(word: string): string {
  return word.toLowerCase().replace(/[-_ .]/g, '')
}

/** How many letters have to be inserted, dropped, replaced, or swapped with their neighbour. */
export function distanceOf(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1]
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      if (isSwapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1)
    }
    before = last
    last = row
  }
  return last[to.length]!
}
