/** Runs the gateway of `app.ts` in another runtime, bundled as it would be for a deployment. */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export interface Runtime {
  readonly name: string
  /** The variable that holds the path of its program. */
  readonly variable: 'SLUICE_DENO' | 'SLUICE_WORKERD'
  /** What serves requests, beside the import of `handle`. */
  readonly entry: string
  /** Writes what it needs beside the bundle, and gives the arguments of its program. */
  prepare(folder: string): string[]
  /** Which of its streams says the port, in JSON: `{ "port": 8080 }`. */
  readonly says: 'stdout' | 'control'
}

export const RUNTIMES: readonly Runtime[] = [
  {
    name: 'Deno',
    variable: 'SLUICE_DENO',
    entry: `const onListen = ({ port }) => console.log(JSON.stringify({ port }))
Deno.serve({ port: 0, hostname: '127.0.0.1', onListen }, handle)`,
    prepare: (folder) => ['run', '--no-config', '--allow-net=127.0.0.1', join(folder, 'app.mjs')],
    says: 'stdout',
  },
  {
    name: 'workerd',
    variable: 'SLUICE_WORKERD',
    entry: 'export default { fetch: handle }',
    prepare(folder) {
      writeFileSync(join(folder, 'config.capnp'), WORKERD_CONFIG)
      return ['serve', '--control-fd=3', join(folder, 'config.capnp')]
    },
    says: 'control',
  },
]

/** The server upstream is on this machine, which a worker reaches only if it is allowed to. */
const WORKERD_CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "app.mjs", esModule = embed "app.mjs")],
      compatibilityDate = "2026-01-01",
      compatibilityFlags = ["enable_request_signal"],
    )),
    (name = "internet", network = (allow = ["private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`

export interface RunningServer {
  readonly origin: string
  close(): void
}

export async function start(runtime: Runtime): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-runtime-'))
  const here = fileURLToPath(new URL('.', import.meta.url))
  await build({
    stdin: {
      contents: `import { handle } from './app.ts'\n${runtime.entry}`,
      resolveDir: here,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    outfile: join(folder, 'app.mjs'),
  })
  const child = spawn(process.env[runtime.variable]!, runtime.prepare(folder), {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, DENO_DIR: join(folder, 'deno'), NO_COLOR: '1' },
  })
  const close = (): void => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    return { origin: `http://127.0.0.1:${await portOf(child, runtime)}`, close }
  } catch (error) {
    close()
    throw error
  }
}

function portOf(child: ChildProcess, { name, says }: Runtime): Promise<number> {
  const [, stdout, stderr, control] = child.stdio as Readable[]
  let errors = ''
  stderr!.on('data', (data) => {
    errors += data
  })
  return new Promise((resolve, reject) => {
    createInterface({ input: says === 'stdout' ? stdout! : control! }).on('line', (line) => {
      const { port } = JSON.parse(line) as { port?: number }
      if (port !== undefined) resolve(port)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${errors}`)))
  })
}
