/** What the gateway passes through to an upstream: lists of models, embeddings, counts of tokens. */

import { isFields } from '../base/fields.ts'
import { linkedController } from '../turn/abort.ts'
import { TurnError } from '../turn/turn-error.ts'
import { writeJson } from '../values/numbers/written.ts'
import { keyOf } from './access.ts'
import type { Gateway } from './gateway.ts'
import type { GatewayConfig, UpstreamConfig } from './gateway-config.ts'
import { GatewayError } from './gateway-error.ts'
import { readJson } from './request-body.ts'
import { SCRIPTED } from './scripted-model.ts'
import { LONGEST_MS, streamBody } from './stream-body.ts'
import { routeOf } from './upstream.ts'
import { addressOf, upstreamHeaders } from './upstream-address.ts'
import { bodyWithoutKey } from './without-key.ts'

/** Sends a body on as it is, with the model under the name that the upstream knows. */
export async function passThrough(gateway: Gateway, request: Request, path: string): Promise<Response> {
  const owner = gateway.admit(request)
  const sent = await readJson(request, gateway.config.maxBodyBytes)
  const { upstream, model } = routeOf(gateway.config, typeof sent.model === 'string' ? sent.model : undefined)
  if (upstream === undefined)
    throw new GatewayError(
      404,
      'not-found',
      `The scripted model has no ${path}; start the gateway with --upstream.`,
    )
  const leave = gateway.limits.enter(owner)
  const { firstTokenTimeoutMs, keepAliveMs, slowClientMs } = gateway.config
  const controller = linkedController(request.signal)
  const late = new TurnError('timeout', 'The upstream did not answer in time.')
  const timer = setTimeout(() => controller.abort(late), Math.min(firstTokenTimeoutMs, LONGEST_MS))
  const over = (): void => {
    controller.release()
    leave()
  }
  const response = await fetch(addressOf(upstream, path), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...upstreamHeaders(upstream, request) },
    body: writeJson({ ...sent, ...(model !== undefined && { model }) }),
    signal: controller.signal,
    redirect: 'error',
  })
    .catch((error: unknown) => {
      over()
      throw error
    })
    .finally(() => clearTimeout(timer))
  const { status } = response
  if (!response.ok) gateway.report('warn', 'the upstream failed', { upstream: upstream.name, path, status })
  const headers = new Headers()
  for (const name of ['content-type', 'retry-after', 'cache-control']) {
    const value = response.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  if (response.body === null) over()
  const key = upstream.key === 'client' ? keyOf(request.headers) : upstream.key?.own
  const body =
    response.body &&
    streamBody(bodyWithoutKey(response.body, key, { onEnd: over })[Symbol.asyncIterator](), {
      keepAlive: '',
      keepAliveMs,
      slowClientMs,
      onLeave: () => controller.abort(),
      breakOff: (error) => gateway.breakOff(request, error),
    })
  return new Response(body, { status, headers })
}

const LIST_PATHS = { ollama: '/api/tags', gemini: '/v1beta/models' } as const

/** The names of all models: those of the configuration, and those that upstreams list. */
export async function modelNames(gateway: Gateway, request: Request): Promise<string[]> {
  gateway.ownerOf(request)
  const { upstreams } = gateway.config
  if (upstreams.length === 0) return [SCRIPTED]
  const lists = await Promise.all(
    upstreams.map(async (upstream) => {
      const listed = await listModels(upstream, request, gateway.config).catch(() => [])
      const isFirst = upstream === upstreams[0]
      return [
        ...Object.keys(upstream.models),
        ...listed.map((name) => (isFirst ? name : `${upstream.name}/${name}`)),
      ]
    }),
  )
  return [...new Set(lists.flat())]
}

async function listModels(
  upstream: UpstreamConfig,
  request: Request,
  { connectTimeoutMs }: GatewayConfig,
): Promise<string[]> {
  const path = upstream.protocol in LIST_PATHS ? LIST_PATHS[upstream.protocol as 'ollama'] : '/v1/models'
  const response = await fetch(addressOf(upstream, path), {
    headers: upstreamHeaders(upstream, request),
    signal: AbortSignal.timeout(Math.min(connectTimeoutMs, 10_000)),
    redirect: 'error',
  })
  const body: unknown = await response.json()
  const { data, models } = isFields(body) ? body : {}
  const list = Array.isArray(data) ? data : Array.isArray(models) ? models : []
  return (list as unknown[]).flatMap((one) => {
    const { id, name } = isFields(one) ? one : {}
    const found = id ?? name
    return typeof found === 'string' ? [found.replace(/^models\//, '')] : []
  })
}
