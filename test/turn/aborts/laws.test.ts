/**
 * A turn can come to its end in every state, on every kind of wire, in every way, and leaves nothing behind.
 *
 * @reads test/turn/aborts/all-endings.ts
 */

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { isFull } from '../../effort.ts'
import { MODES, WIRES } from '../wires.ts'
import { abortIn, MEANS } from './abort-in.ts'
import { ENDINGS } from './endings.ts'
import { STATES } from './states.ts'

describe.each(MODES)('%s', (mode) => {
  // In a sample each state is left in another way on each of the wires.
  const rows = STATES.flatMap((state, nth) =>
    MEANS.flatMap((means, at) =>
      isFull || at === (nth + MODES.indexOf(mode)) % MEANS.length
        ? [[state.name, means, state] as const]
        : [],
    ),
  )
  test.each(rows)('an abort %s, by %s', async (_, means, state) => {
    expect(await abortIn(WIRES[mode]!, state, means)).toEqual([])
  })
})

describe('a process that comes to every end', () => {
  const program = build({
    entryPoints: [fileURLToPath(new URL('all-endings.ts', import.meta.url))],
    ...{ bundle: true, write: false, platform: 'node', format: 'esm', logLevel: 'error' },
  })

  const perWire = STATES.length * (isFull ? MEANS.length : 1) + ENDINGS.length
  const processes = isFull ? MODES.map((mode) => [mode]) : [MODES]
  test.each(processes.map((modes) => [modes.join(', '), modes] as const))(
    'of %s has no timer, no socket and no rejection left, and ends by itself',
    async (_, modes) => {
      const { outputFiles } = await program
      const child = spawn(process.execPath, ['--input-type=module', '-', ...modes], { stdio: 'pipe' })
      child.stdin.end(outputFiles[0]!.text)
      let written = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (data: Buffer) => {
          written += data.toString()
        })
      const code = await new Promise((resolve) => child.on('close', resolve))
      expect([written, code]).toEqual([`${perWire * modes.length} endings, 0 timers\n`, 0])
    },
  )
})
