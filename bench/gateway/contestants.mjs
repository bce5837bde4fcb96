/** The gateways, each in a process of its own, and the model server without any. */

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url))

export const PORTKEY = '@portkey-ai/gateway'

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function untilAnswers(url) {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Nothing answers at ${url}.`)
}

async function portkey(upstream) {
  const port = await freePort()
  const script = pathOf('../node_modules/@portkey-ai/gateway/build/start-server.js')
  const child = spawn(process.execPath, [script, `--port=${port}`, '--headless'], {
    stdio: 'ignore',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(url)
  const headers = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream}/v1` }
  return { child, url, headers }
}

const sluice = (config) => async (upstream) => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const file = join(folder, 'config.json')
  const { upstream: more, ...rest } = config(folder)
  writeFileSync(
    file,
    JSON.stringify({ upstreams: { one: { url: upstream, protocol: 'openai-chat', ...more } }, ...rest }),
  )
  const args = [pathOf('../../dist/cli/main.js'), 'serve', '--port', '0', '--config', file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = await new Promise((resolve) => {
    createInterface({ input: child.stdout }).once('line', (first) => resolve([first]))
  })
  return {
    child,
    url: line.replace('sluice serve: ', ''),
    headers: {},
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const CONTESTANTS = [
  { name: 'no gateway', start: async (upstream) => ({ url: upstream, headers: {} }) },
  { name: PORTKEY, start: portkey },
  { name: 'Sluice, no log', start: sluice(() => ({ log: 'none' })) },
  {
    name: 'Sluice, every run in a file',
    start: sluice((folder) => ({ log: `file:${folder}/runs`, resumable: 'always' })),
  },
  {
    name: 'Sluice, calls read from the text',
    start: sluice(() => ({ log: 'none', upstream: { mode: 'template', dialect: 'hermes' } })),
  },
]

export async function startAll(upstream) {
  const started = []
  for (const { name, start } of CONTESTANTS) started.push({ name, ...(await start(upstream)) })
  return started
}

export async function stop({ child, remove }) {
  if (child === undefined) return
  const over = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await over
  remove?.()
}

const TICKS = 100

/** What a process has used so far: CPU in milliseconds, and memory in megabytes. */
export function usageOf({ child }) {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return {
    cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS,
    megabytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)[1]) / 1024,
  }
}
