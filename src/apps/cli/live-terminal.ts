/** The screen of the commands that show a stream. */

import { createTerminal, type Terminal, type TerminalOptions } from '../terminal/screen.ts'
import type { Displays } from '../terminal/tool-display.ts'
import { UsageError } from './command.ts'
import type { Io, Output } from './io.ts'

/** An output that remembers that its reader is slower. */
class PatientOutput implements Output {
  private readonly output: Output
  /** Null: it takes more. */
  drained: Promise<void> | null = null

  constructor(output: Output) {
    this.output = output
  }

  get isTTY(): boolean {
    return this.output.isTTY === true
  }

  get columns(): number | undefined {
    return this.output.columns
  }

  get rows(): number | undefined {
    return this.output.rows
  }

  write(text: string): boolean {
    if (this.output.write(text) || this.output.once === undefined) return true
    this.drained ??= new Promise((resolve) => {
      this.output.once?.('drain', () => {
        this.drained = null
        resolve()
      })
    })
    return false
  }
}

export interface LiveTerminal {
  readonly terminal: Terminal
  /** Waits where the reader of the output is slower. */
  drained(): Promise<unknown>
}

export function openTerminal(
  io: Io,
  options: Omit<TerminalOptions, 'stdout' | 'stderr' | 'env'>,
): LiveTerminal {
  const stdout = new PatientOutput(io.stdout)
  const screen = io.screen ?? io.stderr
  const stderr = screen === io.stdout ? stdout : new PatientOutput(screen)
  const terminal = createTerminal({
    stdout,
    stderr,
    ...(io.env && { env: io.env }),
    ...(io.clock && { clock: io.clock }),
    ...options,
  })
  return { terminal, drained: async () => Promise.all([stdout.drained, stderr.drained]) }
}

// ── the options that say how it is shown ─────────────────────────────────────────────────────────

export const SHOWING_OPTIONS = { lines: { type: 'string' }, fold: { type: 'boolean' } } as const

export const SHOWING_HELP = `  --lines N|all           lines of a finished argument or result that are shown (20)
  --fold                  shows finished reasoning as one row
`

export function readShowing(values: { readonly lines?: string; readonly fold?: boolean }): {
  display: Displays
  foldReasoning: boolean
} {
  const lines = values.lines ?? '20'
  if (lines !== 'all' && !/^\d{1,6}$/.test(lines))
    throw new UsageError(`'--lines' is a number of lines or 'all', not '${lines}'.`)
  const display =
    lines === 'all' ? {} : ({ argumentLines: Number(lines), results: Number(lines) } satisfies Displays)
  return { display, foldReasoning: values.fold === true }
}
