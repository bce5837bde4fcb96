/** Keys, as they are pressed, where an input is a terminal that nothing else reads. */

/** `process.stdin` has this shape. */
export interface KeyInput {
  readonly isTTY?: boolean | undefined
  setRawMode?(isRaw: boolean): unknown
  on?(event: 'data', listener: (data: string | Uint8Array) => void): unknown
  off?(event: 'data', listener: (data: string | Uint8Array) => void): unknown
  resume?(): unknown
  pause?(): unknown
}

/** Calls `onKey` with each key. Answers what gives the terminal back; undefined where there is no keyboard. */
export function attendKeys(input: KeyInput, onKey: (key: string) => void): (() => void) | undefined {
  if (input.isTTY !== true || input.setRawMode === undefined || input.on === undefined) return undefined
  const onData = (data: string | Uint8Array): void => {
    const text = typeof data === 'string' ? data : new TextDecoder().decode(data)
    for (const key of text.match(KEY) ?? []) onKey(key)
  }
  input.setRawMode(true)
  input.on('data', onData)
  input.resume?.()
  return () => {
    input.off?.('data', onData)
    input.setRawMode?.(false)
    input.pause?.()
  }
}

/** A key that sends several characters, such as an arrow, or one character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
const KEY = /\x1b\[[0-9;]*[A-Za-z~]|./gsu
