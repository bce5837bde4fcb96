/** `sluice serve` as people start it: the built command, in a process of its own. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

export class ServedGateway {
  readonly url: string
  readonly child: ChildProcessWithoutNullStreams

  private constructor(url: string, child: ChildProcessWithoutNullStreams) {
    this.url = url
    this.child = child
  }

  /** With options as they are typed, or with a configuration. */
  static async start(
    options: readonly string[],
    config?: object,
    state = mkdtempSync(join(tmpdir(), 'sluice-state-')),
  ): Promise<ServedGateway> {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-serve-'))
    const file = join(folder, 'config.json')
    if (config !== undefined) writeFileSync(file, JSON.stringify(config))
    const more = config === undefined ? [] : ['--config', file]
    const env = { ...process.env, XDG_STATE_HOME: state }
    const child = spawn(process.execPath, [COMMAND, 'serve', '--port', '0', ...more, ...options], { env })
    child.once('exit', () => rmSync(state, { recursive: true, force: true }))
    let errors = ''
    child.stderr.on('data', (data) => (errors += data))
    try {
      const [line] = (await Promise.race([
        once(createInterface({ input: child.stdout }), 'line'),
        once(child, 'close').then(() => ['']),
      ])) as [string]
      const url = /^sluice serve: (http:\/\/\S+)$/.exec(line)?.[1]
      if (url === undefined) throw new Error(`It did not start: ${errors}`)
      return new ServedGateway(url, child)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode
    const over = once(this.child, 'exit')
    this.child.kill(signal)
    await over
    return this.child.exitCode
  }
}
