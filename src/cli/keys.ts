/** Keys, as they are pressed, where standard input is a terminal that nothing else reads. */

import type { Io } from './io.ts'

/** Calls `onKey` with each key. Answers what gives the terminal back; undefined where there is no keyboard. */
export function attendKeys({ stdin }: Io, onKey: (key: string) => void): (() => void) | undefined {
  if (stdin.isTTY !== true || stdin.setRawMode === undefined || stdin.on === undefined) return undefined
  const onData = (data: string | Uint8Array): void => {
    const text = typeof data === 'string' ? data : new TextDecoder().decode(data)
    for (const key of text.match(KEY) ?? []) onKey(key)
  }
  stdin.setRawMode(true)
  stdin.on('data', onData)
  stdin.resume?.()
  return () => {
    stdin.off?.('data', onData)
    stdin.setRawMode?.(false)
    stdin.pause?.()
  }
}

/** A key that sends several characters, such as an arrow, or one character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
const KEY = /\x1b\[[0-9;]*[A-Za-z~]|./gsu
