/** Characters of two UTF-16 units: a surrogate pair, which no output may split. */

/** The first half of a pair. */
export function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800
}

/** The second half of a pair. */
export function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00
}

/** The text from an index on, or from the pair on that the index stands in. */
export function sliceFromPair(text: string, from: number): string {
  const isInside = isLowSurrogate(text.charCodeAt(from)) && isHighSurrogate(text.charCodeAt(from - 1))
  return text.slice(isInside ? from - 1 : from)
}

/** Buffers the first half of a pair until the second half comes, in whichever piece it does. */
export interface PairBuffer {
  /** The half that is held back, or nothing. */
  half: string
}

/** The text of a piece that can be emitted now. */
export function joinPairs(buffer: PairBuffer, piece: string): string {
  const text = buffer.half + piece
  const isHalf = isHighSurrogate(text.charCodeAt(text.length - 1))
  buffer.half = isHalf ? text.slice(-1) : ''
  return isHalf ? text.slice(0, -1) : text
}

/** No second half comes: the half that was held back. */
export function flushPair(buffer: PairBuffer): string {
  const { half } = buffer
  buffer.half = ''
  return half
}
