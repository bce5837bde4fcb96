/** Bytes as text: what JSON has for them. */

/** Bytes per call of `fromCharCode`, whose arguments lie on the stack. */
const SLICE = 0x2000

export function toBase64(bytes: Uint8Array): string {
  let characters = ''
  for (let at = 0; at < bytes.length; at += SLICE)
    characters += String.fromCharCode(...bytes.subarray(at, at + SLICE))
  return btoa(characters)
}

/** Undefined for a text that is not base64. */
export function fromBase64(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
