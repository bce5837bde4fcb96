/** What a command may touch. `process` itself has this shape; tests bring their own. */

import type { Clock } from '../../runs/recording/clock.ts'
import { sanitise } from '../terminal/sanitise.ts'

export interface Io {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env?: Readonly<Record<string, string | undefined>>
  /** For the commands that take their time. */
  readonly clock?: Clock
  /** Standard error as it is, for the one that owns the screen: what it writes is harmless already. */
  readonly screen?: Output
  /** Ctrl-C. */
  on?(signal: 'SIGINT', listener: () => void): unknown
  off?(signal: 'SIGINT', listener: () => void): unknown
}

export type Input = AsyncIterable<string | Uint8Array> & {
  readonly isTTY?: boolean
  /** Of a terminal: each key comes as it is pressed. */
  setRawMode?(isRaw: boolean): unknown
  on?(event: 'data', listener: (data: string | Uint8Array) => void): unknown
  off?(event: 'data', listener: (data: string | Uint8Array) => void): unknown
  resume?(): unknown
  pause?(): unknown
  destroy?(): unknown
}

export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number | undefined
  readonly rows?: number | undefined
  /** False: its buffer is full, and `drain` follows when it is empty. */
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

/**
 * The same with messages that are harmless for a terminal, whatever names and texts they quote. What is written to
 * stdout may be meant for another program, so that each command decides about it.
 */
export function withSafeMessages(io: Io): Io {
  const { stderr, env, clock } = io
  return {
    screen: stderr,
    on: (signal, listener) => io.on?.(signal, listener),
    off: (signal, listener) => io.off?.(signal, listener),
    get stdin() {
      return io.stdin
    },
    stdout: io.stdout,
    stderr: {
      isTTY: stderr.isTTY === true,
      write: (text) => stderr.write(sanitise(text, 'visualise')),
      once: (event, listener) => stderr.once?.(event, listener),
    },
    ...(env !== undefined && { env }),
    ...(clock !== undefined && { clock }),
  }
}

/** Characters that JSON leaves as they are, and a terminal or a reader takes for commands. */
const CONTROLS = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** JSON text that says the same and is harmless for a terminal. Outside of its strings it has no such characters. */
export function harmlessJson(json: string): string {
  return json.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
