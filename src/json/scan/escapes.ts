/** Escapes of one character. */

const ASCII = 128
const UNESCAPED = new Uint8Array(ASCII)
for (let at = 0; at < 8; at++) UNESCAPED['"\\/bfnrt'.charCodeAt(at)] = '"\\/\b\f\n\r\t'.charCodeAt(at)

/** What the character after a backslash stands for, where that is all of the escape; 0 where it is not. */
export function unescaped(code: number): number {
  return code < ASCII ? UNESCAPED[code]! : 0
}

/** Text whose escapes are all of one character. */
export function withoutEscapes(text: string): string {
  let decoded = ''
  let from = 0
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', from)) {
    decoded += text.slice(from, at) + String.fromCharCode(unescaped(text.charCodeAt(at + 1)))
    from = at + 2
  }
  return from === 0 ? text : decoded + text.slice(from)
}
