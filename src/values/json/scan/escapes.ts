/** Escapes of one character. */

const ASCII = 128
const UNESCAPED = new Uint8Array(ASCII)
for (let at = 0; at < 8; at++) UNESCAPED['"\\/bfnrt'.charCodeAt(at)] = '"\\/\b\f\n\r\t'.charCodeAt(at)

/** What the character after a backslash stands for, where that is all of the escape; 0 where it is not. */
export function unescaped(code: number): number {
  return code < ASCII ? UNESCAPED[code]! : 0
}

/** Longer text is decoded by the platform, which makes one string of it and not a tree of slices. */
const LONG = 128

/** Text whose escapes are all of one character. */
export function withoutEscapes(text: string): string {
  let at = text.indexOf('\\')
  if (at === -1) return text
  if (text.length > LONG) return JSON.parse(`"${text}"`) as string
  let decoded = text.slice(0, at)
  while (at !== -1) {
    const next = text.indexOf('\\', at + 2)
    decoded += String.fromCharCode(unescaped(text.charCodeAt(at + 1)))
    decoded += text.slice(at + 2, next === -1 ? text.length : next)
    at = next
  }
  return decoded
}
