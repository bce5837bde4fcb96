/** The paths of the gateway. */

import { type Context, Hono } from 'hono'
import { messageOf } from '../base/errors.ts'
import type { Log } from '../runs/log/log.ts'
import { LogError } from '../runs/log/log-error.ts'
import { checkOrigin } from './access.ts'
import type { Gateway } from './gateway.ts'
import { GatewayError } from './gateway-error.ts'
import { type ClientProtocol, PROTOCOLS } from './protocols.ts'
import { readJson } from './request-body.ts'
import { refuse } from './respond.ts'
import { runIdOf } from './run-about.ts'
import {
  findRun,
  positionOf,
  protocolNamed,
  readableRun,
  resumeRun,
  START,
  sequenceOf,
  wholeRun,
} from './runs.ts'
import { modelNames, passThrough } from './upstream-routes.ts'

const protocol = (name: string): ClientProtocol => PROTOCOLS.find((one) => one.name === name)!

/** Gives the file of a page for a path; nothing for any other path. */
export type PageFiles = (path: string) => Promise<Response | undefined>

export function createApp(gateway: Gateway, page: PageFiles = async () => undefined): Hono {
  const app = new Hono()
  const [chat, responses, anthropic, ollama, ui] = [
    protocol('openai-chat'),
    protocol('openai-responses'),
    protocol('anthropic'),
    protocol('ollama'),
    protocol('ai-sdk-ui'),
  ]
  /** The protocol in which a client expects an error, for a path that belongs to none. */
  const clientOf = ({ req }: Context): ClientProtocol => {
    if (req.path.startsWith('/api/')) return ollama
    return req.header('anthropic-version') === undefined ? chat : anthropic
  }
  app.onError((error, c) => gateway.refused(clientOf(c), error))
  app.use('*', async (c, next) => {
    checkOrigin(gateway.config, c.req.raw.headers)
    gateway.connections.add(c.req.raw, c.env)
    await next()
  })
  app.notFound(async (c) => {
    const { path, method } = c.req
    if (PROTOCOLS.some(({ paths }) => paths.includes(path)))
      return refuse(
        clientOf(c),
        new GatewayError(405, 'invalid-request', `${path} takes POST, not ${method}.`),
      )
    const file = method === 'GET' ? await page(path) : undefined
    const message = `${method} ${path} is not a path of this gateway; clients use /v1/chat/completions, /v1/responses, /v1/messages, /api/chat or /v1/ui.`
    return file ?? refuse(clientOf(c), new GatewayError(404, 'not-found', message))
  })

  for (const one of PROTOCOLS)
    for (const path of one.paths) app.post(path, (c) => gateway.handle(one, c.req.raw))

  // ── what goes through to an upstream ──
  const passed = (path: string, client: ClientProtocol): void => {
    app.post(path, async (c) => {
      try {
        return await passThrough(gateway, c.req.raw, path)
      } catch (error) {
        return gateway.refused(client, error)
      }
    })
  }
  passed('/v1/completions', chat)
  passed('/v1/embeddings', chat)
  passed('/v1/messages/count_tokens', anthropic)
  passed('/api/embed', ollama)

  app.get('/v1/models', async (c) => {
    const names = await modelNames(gateway, c.req.raw)
    // Anthropic's clients know the same path by another form.
    const isAnthropic = c.req.header('anthropic-version') !== undefined
    const data = names.map((id) =>
      isAnthropic
        ? { type: 'model', id, display_name: id, created_at: '1970-01-01T00:00:00Z' }
        : { id, object: 'model', created: 0, owned_by: 'sluice' },
    )
    return c.json(isAnthropic ? { data, has_more: false } : { object: 'list', data })
  })
  app.get('/api/tags', async (c) => {
    const names = await modelNames(gateway, c.req.raw)
    const about = { modified_at: '1970-01-01T00:00:00Z', size: 0, digest: '', details: {} }
    return c.json({ models: names.map((name) => ({ name, model: name, ...about })) })
  })
  app.post('/api/show', async (c) => {
    try {
      const names = await modelNames(gateway, c.req.raw)
      const { model, name } = await readJson(c.req.raw, gateway.config.maxBodyBytes)
      if (!names.includes(String(model ?? name)))
        return c.json({ error: `model '${String(model ?? name)}' not found` }, 404)
      return c.json({
        modelfile: '',
        parameters: '',
        template: '',
        details: {},
        capabilities: ['completion', 'tools'],
      })
    } catch (error) {
      return gateway.refused(ollama, error)
    }
  })

  // ── runs ──
  app.get('/v1/runs/:id', async (c) => {
    const { about, state } = await readableRun(gateway, c.req.raw, runIdOf(c.req.param('id')))
    const client = protocolNamed(c.req.query('as'), about)
    if (c.req.query('stream') === 'false') return wholeRun(gateway, client, about, state)
    const position = positionOf(c.req.query('after') ?? c.req.header('last-event-id'), state)
    return resumeRun(gateway, c.req.raw, client, about, position)
  })
  /** A stop is a request of its own; `?forget=1` also deletes what is kept. */
  app.delete('/v1/runs/:id', async (c) => {
    const { about } = await findRun(gateway, c.req.raw, runIdOf(c.req.param('id')))
    const isStopped = await gateway.log!.stop(about.id)
    const isForgotten = c.req.query('forget') === '1'
    // The producer has to notice the stop, and readers get the end of the run.
    if (isForgotten && isStopped) await untilClosed(gateway.log!, about.id)
    const isDeleted = isForgotten && (await gateway.log!.remove(about.id))
    return c.json({ id: about.id, stopped: isStopped, deleted: isDeleted })
  })
  app.get('/v1/responses/:id', async (c) => {
    try {
      const { about, state } = await readableRun(gateway, c.req.raw, runIdOf(c.req.param('id')))
      if (c.req.query('stream') !== 'true') return await wholeRun(gateway, responses, about, state)
      const position = sequenceOf(c.req.query('starting_after'))
      return resumeRun(gateway, c.req.raw, responses, about, position)
    } catch (error) {
      return gateway.refused(responses, error)
    }
  })
  app.post('/v1/responses/:id/cancel', async (c) => {
    try {
      const { about } = await findRun(gateway, c.req.raw, runIdOf(c.req.param('id')))
      await gateway.log!.stop(about.id)
      // It is over when its producer has closed it.
      for await (const _ of gateway.log!.read(about.id, { from: 1, signal: c.req.raw.signal }));
      const { state } = await findRun(gateway, c.req.raw, about.id)
      return await wholeRun(gateway, responses, about, state)
    } catch (error) {
      return gateway.refused(responses, error)
    }
  })
  app.get('/v1/ui/:chat/stream', async (c) => {
    const id = await gateway.runOfChat(gateway.ownerOf(c.req.raw), c.req.param('chat'))
    if (id === undefined) return c.body(null, 204)
    try {
      const { about, state } = await findRun(gateway, c.req.raw, id)
      return state.isClosed ? c.body(null, 204) : resumeRun(gateway, c.req.raw, ui, about, START)
    } catch (error) {
      if (error instanceof LogError && error.code === 'unknown-run') return c.body(null, 204)
      throw error
    }
  })

  // ── for those who run it ──
  app.get('/health', (c) => c.json({ status: 'ok' }))
  app.get('/ready', async (c) => {
    if (gateway.isDraining) return c.json({ status: 'draining' }, 503)
    try {
      await gateway.log?.check()
      return c.json({ status: 'ready' })
    } catch (error) {
      return c.json({ status: 'log unavailable', message: messageOf(error) }, 503)
    }
  })
  app.get('/metrics', async () => {
    const { registry } = gateway.metrics
    return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } })
  })
  return app
}

/** The run of a lost producer is closed within this time after its lease has expired. */
const CLOSING_MS = 2_000

/** Waits until a run is closed, for a limited time. */
async function untilClosed(log: Log, id: string): Promise<void> {
  const signal = AbortSignal.timeout(log.leaseMs + CLOSING_MS)
  try {
    for await (const _ of log.read(id, { from: 1, signal }));
  } catch {
    // The run is deleted anyway.
  }
}
