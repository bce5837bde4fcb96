/**
 * Runs the command in this process, with streams that tests can read.
 *
 * @reads nothing
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Output } from '../../../src/apps/cli/io.ts'
import { run } from '../../../src/apps/cli/run.ts'
import type { Clock } from '../../../src/runs/recording/index.ts'

type Stdin = string | readonly (string | Uint8Array)[] | (() => AsyncGenerator<string>) | Keyboard

/** A terminal at which keys are pressed. */
export class Keyboard {
  readonly isTTY = true
  isRaw = false
  private listener: ((data: string) => void) | undefined

  setRawMode(isRaw: boolean): void {
    this.isRaw = isRaw
  }

  on(_event: 'data', listener: (data: string) => void): void {
    this.listener = listener
  }

  off(): void {
    this.listener = undefined
  }

  press(keys: string): void {
    this.listener?.(keys)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {}
}

export interface Surroundings {
  readonly stdin?: Stdin
  readonly isTTY?: boolean
  /** What is drawn on, in place of a stderr that is only read. */
  readonly screen?: Output
  /** Told who wants to know about Ctrl-C. */
  readonly on?: (signal: 'SIGINT', listener: () => void) => void
  readonly env?: Record<string, string>
  readonly clock?: Clock
}

/** What the command has written so far. */
export class Written {
  readonly pieces: string[] = []
  readonly isTTY: boolean

  constructor(isTTY = false) {
    this.isTTY = isTTY
  }

  write(text: string): boolean {
    this.pieces.push(text)
    return true
  }

  get text(): string {
    return this.pieces.join('')
  }
}

export async function sluice(argv: string[], surroundings: Surroundings = {}, stdout?: Written) {
  const { stdin = '', isTTY = false, screen, ...rest } = surroundings
  const out = stdout ?? new Written(isTTY)
  const err = new Written(isTTY)
  const io = { stdin: stdin instanceof Keyboard ? stdin : streamOf(stdin), stdout: out, stderr: err, ...rest }
  const code = await run(argv, screen === undefined ? io : { ...io, stdout: screen, stderr: screen })
  return { code, stdout: out.text, stderr: err.text }
}

async function* streamOf(stdin: Exclude<Stdin, Keyboard>): AsyncGenerator<string | Uint8Array> {
  if (typeof stdin === 'function') yield* stdin()
  else yield* [stdin].flat()
}

/** A file that is there until the test is over. */
export function fileWith(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'file')
  writeFileSync(path, content)
  return path
}

/** A server that is there until the test is over. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
