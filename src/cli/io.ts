/** What a command may touch. `process` itself has this shape; tests bring their own. */

import type { Clock } from '../recording/index.ts'

export interface Io {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env?: Readonly<Record<string, string | undefined>>
  /** For the commands that take their time. */
  readonly clock?: Clock
}

export type Input = AsyncIterable<string | Uint8Array> & { readonly isTTY?: boolean }

export interface Output {
  readonly isTTY?: boolean
  /** False: it is full, and says `drain` when there is room again. */
  write(text: string): boolean
  once?(event: 'drain', listener: () => void): unknown
}

/** Writes, and waits where the reader is slower. */
export async function write(output: Output, text: string): Promise<void> {
  if (text === '' || output.write(text) || output.once === undefined) return
  await new Promise<void>((resolve) => output.once?.('drain', resolve))
}

/** Whether a person looks at the output, and wants it in colour (https://no-color.org). */
export function wantsColour({ stdout, env = {} }: Io): boolean {
  return stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
}
