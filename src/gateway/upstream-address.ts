/** Where a path of an upstream is, and what it is asked with, beside the requests that a model writes. */

import { keyOf } from './access.ts'
import type { UpstreamConfig } from './gateway-config.ts'

/** `request`: the client's, whose key and wishes may be passed on. */
export function upstreamHeaders(
  { protocol, key }: UpstreamConfig,
  request: Request | undefined,
): Record<string, string> {
  const own = key === 'client' ? request && keyOf(request.headers) : key?.own
  const version = { 'anthropic-version': request?.headers.get('anthropic-version') ?? '2023-06-01' }
  const beta = request?.headers.get('anthropic-beta') ?? undefined
  if (protocol === 'anthropic')
    return {
      ...version,
      ...(beta !== undefined && { 'anthropic-beta': beta }),
      ...(own && { 'x-api-key': own }),
    }
  if (protocol === 'gemini') return own === undefined ? {} : { 'x-goog-api-key': own }
  return own === undefined ? {} : { authorization: `Bearer ${own}` }
}

/** Asks an upstream to stop a response. Its answer is ignored, and awaited for a short time only. */
export async function tellToStop(
  upstream: UpstreamConfig,
  method: 'POST' | 'DELETE',
  path: string,
  client?: Request,
): Promise<void> {
  const headers = upstreamHeaders(upstream, client)
  const signal = AbortSignal.timeout(PATIENCE_MS)
  await fetch(addressOf(upstream, path), { method, headers, signal, redirect: 'error' }).then(
    (response) => response.body?.cancel(),
    () => {},
  )
}

const PATIENCE_MS = 5_000

export function addressOf({ url }: UpstreamConfig, path: string): string {
  const base = url.replace(/\/+$/, '')
  return base + (base.endsWith('/v1') && path.startsWith('/v1/') ? path.slice(3) : path)
}
