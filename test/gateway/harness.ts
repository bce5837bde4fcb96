/**
 * A gateway in this process, in front of a model server that answers as a script says.
 *
 * @reads nothing
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type GatewayConfig, readConfig } from '../../src/gateway/gateway-config.ts'
import { type GatewayServer, startGateway } from '../../src/gateway/server.ts'
import type { Tracing } from '../../src/gateway/tracing.ts'
import type { Log } from '../../src/runs/log/index.ts'
import { LogError, type NewRun, openFileLog } from '../../src/runs/log/index.ts'

export interface Reported {
  readonly level: string
  readonly what: string
  readonly more: Readonly<Record<string, unknown>>
}

export interface Served extends GatewayServer {
  readonly reports: Reported[]
  readonly log: Log | undefined
  post(path: string, body: object, headers?: Record<string, string>, signal?: AbortSignal): Promise<Response>
}

export interface ServeOptions {
  readonly hasLog?: boolean
  readonly changed?: (log: Log) => Log
  readonly ttlMs?: number
  readonly tracing?: Tracing
}

export const serve = (config: Record<string, unknown> = {}, options: ServeOptions = {}): Promise<Served> =>
  serveWith(
    readConfig({ port: 0, drainMs: 200, ...(options.hasLog && { log: 'file:.' }), ...config }, {}),
    options,
  )

export async function serveWith(
  config: GatewayConfig,
  { hasLog = false, changed = (log) => log, ttlMs, tracing }: ServeOptions = {},
): Promise<Served> {
  const reports: Reported[] = []
  let log: Log | undefined
  if (hasLog) {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-gateway-'))
    log = changed(await openFileLog(folder, { ...(ttlMs !== undefined && { ttlMs }) }))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  }
  const server = await startGateway({
    config,
    log,
    tracing,
    report: (level, what, more = {}) => reports.push({ level, what, more }),
  })
  onTestFinished(() => server.stop())
  const post: Served['post'] = (path, body, headers = {}, signal) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
  return { ...server, reports, log, post }
}

/** A log that fails: when a run is created (0), or when one is appended to for so many times. */
export const failingLog = (log: Log, steps: number): Log =>
  Object.create(log, {
    create: {
      value: async (fields: NewRun) => {
        if (steps === 0) throw new LogError('unavailable', 'It is down.')
        const writer = await log.create(fields)
        const append = writer.append.bind(writer)
        let count = 0
        const fail = async (): Promise<never> => {
          throw new LogError('unavailable', 'It is down.')
        }
        writer.append = async (step) => (++count < steps ? append(step) : fail())
        writer.close = fail
        return writer
      },
    },
  })

/** A log in which somebody else takes a run over, and closes it, before a record of its producer is stored. */
export const takingLog = (log: Log, steps: number): Log =>
  Object.create(log, {
    create: {
      value: async (fields: NewRun) => {
        const writer = await log.create(fields)
        const append = writer.append.bind(writer)
        const close = writer.close.bind(writer)
        let count = 0
        writer.append = async (step) => {
          if (++count < steps) return append(step)
          if (count === steps)
            await close({
              at: step.at,
              events: [
                { type: 'text-end', id: 'text-1' },
                {
                  type: 'error',
                  error: { name: 'LogError', message: 'It was lost.', code: 'producer-lost' },
                },
                { type: 'finish', reason: 'error' },
              ],
              end: 'failed',
            })
          throw new LogError('fenced', 'The run was taken over by another writer.')
        }
        return writer
      },
    },
  })

export const TOOL = {
  type: 'function',
  function: {
    name: 'ls',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
}

export const CHAT = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], tools: [TOOL] }

/** A chat chunk as a server sends it. */
export const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

/** Text in small pieces, and the end. */
export const textReply = (text: string, finish = 'stop'): { chunks: string[] } => ({
  chunks: [
    ...(text.match(/[\s\S]{1,5}/g) ?? []).map((content) => chunk({ content })),
    chunk({}, finish),
    'data: [DONE]\n\n',
  ],
})

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
