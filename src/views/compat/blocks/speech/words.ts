/** Where a text can be cut between words. */

import { isHighSurrogate } from '../../../../base/surrogates.ts'
import { isCased, isDigit, isWordy } from './character-kinds.ts'

/** The one in `don't`, as long as it may still be that one. */
export function isApostrophe(text: string, at: number): boolean {
  return (text[at] === "'" || text[at] === '’') && at > 0 && isWordy(text[at - 1]!)
}

/** `U.S` or `z.B`; not a number, and not the name of a file. */
export function isDotted(word: string): boolean {
  return word.includes('.') && word.split('.').every((part) => part.length <= 2 && [...part].every(isCased))
}

/** `3` in "am 3. Mai". */
export function isShortNumber(word: string): boolean {
  return word.length > 0 && word.length <= 2 && [...word].every(isDigit)
}

export function isPair(text: string, at: number): boolean {
  return isHighSurrogate(text.charCodeAt(at)) && at + 1 < text.length
}

/** The beginning of the last word, where the platform knows words. Never half of a surrogate pair. */
export function lastWord(window: string): number {
  const half = window.length / 2
  if (typeof Intl.Segmenter === 'function') {
    let last = 0
    for (const { index } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(window))
      last = index
    if (last > half) return last
  }
  return isPair(`${window} `, window.length - 1) ? window.length - 1 : window.length
}
