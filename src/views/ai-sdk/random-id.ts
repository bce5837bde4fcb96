/** Ids of calls, unlike any other in the conversation. */

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return `call_${Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('')}`
}
