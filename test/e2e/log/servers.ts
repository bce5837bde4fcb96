/** Real servers of Redis and NATS, which can be killed and started again with what they have stored. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface StoreServer {
  readonly url: string
  /** As `kill -9` does it. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Kills it, and deletes what it stored. */
  remove(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`Nothing listens on port ${port}.`)
}

class Server implements StoreServer {
  readonly url: string
  private readonly port: number
  private readonly folder = mkdtempSync(join(tmpdir(), 'sluice-store-'))
  private readonly command: string
  private readonly argsOf: (port: number, folder: string) => string[]
  private child: ChildProcess | undefined

  constructor(scheme: string, command: string, port: number, argsOf: Server['argsOf']) {
    this.url = `${scheme}://127.0.0.1:${port}`
    this.command = command
    this.port = port
    this.argsOf = argsOf
  }

  async start(): Promise<void> {
    this.child = spawn(this.command, this.argsOf(this.port, this.folder), { stdio: 'ignore' })
    await untilListening(this.port)
  }

  async kill(): Promise<void> {
    const { child } = this
    this.child = undefined
    if (child === undefined || child.exitCode !== null) return
    const isOver = once(child, 'exit')
    child.kill('SIGKILL')
    await isOver
  }

  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export async function startRedis(): Promise<StoreServer> {
  const server = new Server('redis', 'redis-server', await freePort(), (port, folder) => [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
    // With `everysec`, what Redis has acknowledged may not even be in the file while the disk is busy.
    ...['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''],
  ])
  await server.start()
  return server
}

export async function startNats(): Promise<StoreServer> {
  const server = new Server('nats', 'nats-server', await freePort(), (port, folder) => [
    ...['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder],
  ])
  await server.start()
  return server
}
