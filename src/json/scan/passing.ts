/** The short way through a long string: what it says is what there is to copy, chunk by chunk. */

import { LONG, unescaped } from '../../run.ts'
import { isHighSurrogate } from '../../surrogates.ts'
import { ScannerBase } from './base.ts'
import { BACKSLASH, QUOTE, SPACE, STRING } from './grammar.ts'

/** Passes on chunks that are nothing but more of a string. */
export abstract class PassingScanner extends ScannerBase {
  /**
   * The usual chunk of a long string: plain text and escapes of one character from end to end. It is most of what
   * a model writes, so it goes the short way. Answers what there is to copy of it: a backslash at its end waits
   * for the next one. Null, and nothing was done, when there is anything else in it. What was taken is not counted.
   *
   *     src/ma     in.rs\n     mod a;\|     n
   */
  passOn(chunk: string): string | null {
    const { length } = chunk
    const wasInEscape = this.held !== ''
    if (wasInEscape && unescaped(chunk.charCodeAt(0)) === 0) return null
    const from = wasInEscape ? 1 : 0
    const end = length < LONG ? endOfRun(chunk, from) : endOfLongRun(chunk, from)
    const isInEscape = end === length - 1 && chunk.charCodeAt(end) === BACKSLASH
    if (end < length && !isInEscape) return null
    if (isHighSurrogate(chunk.charCodeAt(end - 1))) return null
    if (!isInEscape && !wasInEscape) return chunk
    this.held = isInEscape ? '\\' : ''
    const passed = isInEscape ? chunk.slice(0, end) : chunk
    return wasInEscape ? `\\${passed}` : passed
  }

  /**
   * Whether `passOn` may be tried: inside a string value that is as it should be, with nothing else half read.
   */
  get mayPassOn(): boolean {
    return (
      this.state === STRING &&
      this.status === 'open' &&
      this.quote === QUOTE &&
      (this.held === '' || this.held === '\\') &&
      !this.uncertain
    )
  }
}

/** For long chunks: a compiled pattern is faster than looking at each character. It never sees more than a chunk. */
const RUN = /[ !#-[\]-\uffff]*(?:\\["\\/bfnrt][ !#-[\]-\uffff]*)*/y

/** Where plain text and escapes of one character end. */
function endOfRun(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const c = text.charCodeAt(at)
    if (c === BACKSLASH) {
      if (at + 1 === text.length || unescaped(text.charCodeAt(at + 1)) === 0) return at
      at++
    } else if (c < SPACE || c === QUOTE) return at
  }
  return at
}

function endOfLongRun(text: string, from: number): number {
  RUN.lastIndex = from
  RUN.test(text)
  return RUN.lastIndex
}

/** Text whose escapes are all of one character. */
export function withoutEscapes(text: string): string {
  let decoded = ''
  let from = 0
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', from)) {
    decoded += text.slice(from, at) + String.fromCharCode(unescaped(text.charCodeAt(at + 1)))
    from = at + 2
  }
  return decoded + text.slice(from)
}
