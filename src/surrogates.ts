/** Characters that are two units long: nothing may be said between the first and the second. */

/** The first half of a character whose second half comes next. */
export function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800
}
