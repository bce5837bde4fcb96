/**
 * What becomes of a run when something happens to its client, its upstream or its log: the table in docs/gateway.md. Run with
 * `SLUICE_MATRIX=write`, it writes the table.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { readConfig } from '../../src/gateway/gateway-config.ts'
import { type GatewayServer, startGateway } from '../../src/gateway/server.ts'
import { type Log, LogError, type NewRun, openFileLog } from '../../src/runs/log/index.ts'
import { ModelServer, type Reply, refusal } from '../turn/model-server.ts'
import { CHAT, chunk, pause, textReply } from './harness.ts'

const SILENT: Reply = { chunks: [chunk({ content: 'I lo' })], end: 'silent' }

interface Scene {
  readonly model: ModelServer
  readonly server: GatewayServer
  readonly log: Log
  /** Starts the run; `early`: without waiting for an answer. */
  ask(): Promise<Response>
  readonly controller: AbortController
  breakLog(): void
}

interface Accident {
  readonly name: string
  readonly reply: Reply
  readonly config?: object
  /** Makes it happen, and answers what the client saw. */
  run(scene: Scene): Promise<string>
  readonly onlyKept?: true
  /** A run that is kept is not touched by it. */
  readonly keptGoesOn?: true
}

/** What a client knows at the end. */
async function seen(response: Response): Promise<string> {
  const text = await response.text().catch(() => '')
  if (response.status !== 200) return `status ${response.status}`
  if (text.includes('"error"')) return 'an error in the stream'
  return text.includes('[DONE]') ? 'the whole response' : 'a broken connection'
}

async function left(response: Response, { controller }: Scene): Promise<string> {
  await response.body!.getReader().read()
  controller.abort()
  return '–'
}

const ACCIDENTS: readonly Accident[] = [
  {
    name: 'the client disconnects before the first token',
    keptGoesOn: true,
    reply: { chunks: [], end: 'silent' },
    async run({ ask, model, controller }) {
      const asked = ask().catch(() => undefined)
      while (model.requests.length === 0) await pause(2)
      controller.abort()
      await asked
      return '–'
    },
  },
  {
    name: 'the client disconnects in the middle',
    keptGoesOn: true,
    reply: SILENT,
    run: async (scene) => left(await scene.ask(), scene),
  },
  {
    name: 'the client disconnects after the end',
    reply: textReply('Hello'),
    async run({ ask, controller }) {
      const result = await seen(await ask())
      controller.abort()
      return result
    },
  },
  {
    name: '`DELETE /v1/runs/{id}`',
    reply: SILENT,
    onlyKept: true,
    async run({ ask, server }) {
      const response = await ask()
      await fetch(`${server.url}/v1/runs/${response.headers.get('sluice-run')}`, { method: 'DELETE' })
      return seen(response)
    },
  },
  {
    name: 'the upstream answers 500 before the first byte',
    reply: refusal(500),
    run: async ({ ask }) => seen(await ask()),
  },
  {
    name: 'the upstream answers 429 before the first byte',
    reply: refusal(429),
    run: async ({ ask }) => seen(await ask()),
  },
  {
    name: 'the upstream dies in the middle',
    reply: { chunks: [chunk({ content: 'I lo' })], end: 'dropped' },
    run: async ({ ask }) => seen(await ask()),
  },
  {
    name: 'the upstream sends an error in the middle',
    reply: {
      chunks: [
        chunk({ content: 'I lo' }),
        'data: {"error":{"message":"Overloaded","type":"overloaded_error"}}\n\n',
      ],
    },
    run: async ({ ask }) => seen(await ask()),
  },
  {
    name: 'the upstream stalls',
    reply: SILENT,
    config: { idleTimeoutMs: 80 },
    run: async ({ ask }) => seen(await ask()),
  },
  {
    name: 'the log fails in the middle',
    reply: {
      chunks: [chunk({ content: 'I lo' }), chunk({ content: 'ok' }), chunk({ content: '.' })],
      end: 'silent',
    },
    onlyKept: true,
    async run({ ask, breakLog }) {
      breakLog()
      return seen(await ask())
    },
  },
  {
    name: 'the log fails in the middle, and `durability` is `best-effort`',
    reply: textReply('I look.'),
    config: { durability: 'best-effort' },
    onlyKept: true,
    async run({ ask, breakLog }) {
      breakLog()
      return seen(await ask())
    },
  },
]

/** How a run is closed, by its producer or for it. */
async function closingOf(log: Log, id: string): Promise<string> {
  const events: SluiceEvent[] = []
  for await (const record of log.read(id)) if ('events' in record) events.push(...record.events)
  const last = events.at(-1)
  const isLost = events.some((event) => event.type === 'error' && event.error.code === 'producer-lost')
  return `\`${last?.type === 'finish' ? last.reason : 'nothing'}\`${isLost ? ', `producer-lost`' : ''}`
}

async function play({ reply, config, run, keptGoesOn }: Accident, isKept: boolean): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-matrix-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const model = await ModelServer.start([reply])
  const log = await openFileLog(folder)
  const ids: string[] = []
  let isBroken = false
  const watched: Log = Object.create(log, {
    create: {
      value: async (fields: NewRun) => {
        const writer = await log.create(fields)
        ids.push(writer.id)
        const append = writer.append.bind(writer)
        let count = 0
        writer.append = async (step) => {
          if (!isBroken || count++ === 0) return append(step)
          // So late that the client has seen the first record.
          await pause(100)
          throw new LogError('unavailable', 'It is down.')
        }
        const close = writer.close.bind(writer)
        writer.close = async (end) => {
          if (isBroken) throw new LogError('unavailable', 'It is down.')
          return close(end)
        }
        return writer
      },
    },
  })
  const upstreams = { one: { url: model.url, protocol: 'openai-chat' } }
  const server = await startGateway({
    config: readConfig({ upstreams, port: 0, drainMs: 0, retries: 0, ...config }, {}),
    log: watched,
  })
  const controller = new AbortController()
  const ask = (): Promise<Response> =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: isKept ? { 'sluice-resumable': '1' } : {},
      body: JSON.stringify({ ...CHAT, stream: true }),
      signal: controller.signal,
    })
  const client = await run({ model, server, log, ask, controller, breakLog: () => (isBroken = true) })
  const { limits } = server.gateway
  const isOver = !(isKept && keptGoesOn)
  if (isOver) while (limits.running > 0) await pause(5)
  else {
    // Behind another request, the gateway has noticed that the client left.
    await fetch(`${server.url}/health`)
    expect(limits.running).toBe(1)
  }
  if (isOver && reply.end === 'silent') await model.untilLeft()
  const isAborted = !isOver ? 'continues' : model.left > 0 ? 'aborted' : 'had ended'
  const [id] = ids
  const closing = id === undefined ? '–' : isOver ? await closingOf(log, id) : 'open'
  await server.stop()
  return [isAborted, closing, client]
}

test('the table in docs/gateway.md is what happens', async () => {
  const rows = [
    '| what happens | the run | the upstream | the run is closed with | the client sees |',
    '| --- | --- | --- | --- | --- |',
  ]
  const played = ACCIDENTS.flatMap((accident) =>
    (accident.onlyKept ? [true] : [false, true]).map(async (isKept) => {
      const [upstream, closing, client] = await play(accident, isKept)
      return `| ${accident.name} | ${isKept ? 'kept' : 'not kept'} | ${upstream} | ${closing} | ${client} |`
    }),
  )
  rows.push(...(await Promise.all(played)))
  const table = rows.join('\n')
  const path = fileURLToPath(new URL('../../docs/gateway.md', import.meta.url))
  const page = readFileSync(path, 'utf8')
  if (process.env.SLUICE_MATRIX === 'write')
    writeFileSync(
      path,
      page.replace(/^\| what happens [\s\S]*?\|\n(?!\|)/m, () => `${table}\n`),
    )
  else expect(page).toContain(`${table}\n`)
})
