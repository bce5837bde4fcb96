/** Runs the command in this process, with streams that tests can read. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { run } from '../../src/cli/run.ts'
import type { Clock } from '../../src/recording/index.ts'

type Stdin = string | readonly (string | Uint8Array)[] | (() => AsyncGenerator<string>)

export interface Surroundings {
  readonly stdin?: Stdin
  readonly isTTY?: boolean
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
  const { stdin = '', isTTY = false, ...rest } = surroundings
  const out = stdout ?? new Written(isTTY)
  const err = new Written(isTTY)
  const code = await run(argv, { stdin: streamOf(stdin), stdout: out, stderr: err, ...rest })
  return { code, stdout: out.text, stderr: err.text }
}

async function* streamOf(stdin: Stdin): AsyncGenerator<string | Uint8Array> {
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
