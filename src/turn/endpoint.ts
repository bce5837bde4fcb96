/** A model behind a provider's API, over plain `fetch`. */

import { messageOfFetch } from '../base/errors.ts'
import type { SluiceEvent } from '../base/event.ts'
import type { Fields } from '../base/fields.ts'
import { checkOptions, type KnownOptions, shown, wrongOption } from '../base/options.ts'
import { createToolTable, type ToolDefinitions } from '../engine/calls/tools.ts'
import type { Provider } from '../providers/provider.ts'
import { readProvider } from '../providers/read-provider.ts'
import type { ModelRequest, Settings } from '../requests/conversation/model-request.ts'
import type { RequestFormat } from '../requests/conversation/request-format.ts'
import { writeRequest } from '../requests/conversation/write-request.ts'
import { writeJson } from '../values/numbers/written.ts'
import type { Model, ModelContext } from './model.ts'
import { TurnError } from './turn-error.ts'

/** Options of the models that send requests, such as `openaiChatModel`. */
export interface EndpointOptions {
  /** The name of the model. Default: the one in the conversation. */
  readonly model?: string
  /** The server, with or without the version: `https://api.openai.com` or `https://api.openai.com/v1`. */
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Query parameters: `{ 'api-version': '2025-01-01' }`. */
  readonly query?: Readonly<Record<string, string>>
  /** Fields that override those of the body, or a function that changes the body. */
  readonly body?: Fields | ((body: Fields) => Fields)
  /** Default settings; those of the conversation override them. */
  readonly settings?: Settings
  /** False: the response is not streamed. */
  readonly stream?: boolean
  readonly fetch?: typeof fetch
}

const OPTIONS: KnownOptions<EndpointOptions> = {
  model: 'string',
  baseUrl: 'string',
  apiKey: 'string',
  headers: 'object',
  query: 'object',
  body: 'any',
  settings: 'object',
  stream: 'boolean',
  fetch: 'function',
}

/** What the endpoints of one protocol have in common. */
export interface Protocol {
  readonly format: RequestFormat
  readonly provider: Provider
  readonly baseUrl: string
  authorise(apiKey: string): Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly settings?: Settings
}

export function endpointModel(protocol: Protocol, options: EndpointOptions): Model {
  checkOptions(options, OPTIONS)
  if (!/^https?:\/\/[^/]/i.test(options.baseUrl ?? protocol.baseUrl))
    throw wrongOption(`'baseUrl' is an address such as http://127.0.0.1:8000, not ${shown(options.baseUrl)}.`)
  return async (given, context) => {
    const { reading } = context
    const request = withDefaults(given, protocol, options)
    const { body: written, path, toolNames, diagnostics } = writeRequest(protocol.format, request)
    const body = typeof options.body === 'function' ? options.body(written) : { ...written, ...options.body }
    const url = addressOf(options.baseUrl ?? protocol.baseUrl, path, options.query)
    await context.onRequest({ url, body, diagnostics })
    const response = await send(url, body, protocol, options, context)
    await context.onResponse(response)
    const source = response.ok && response.body !== null ? watched(response.body, context) : response
    const hasNewNames = Object.keys(toolNames).length > 0
    const tools = hasNewNames ? { tools: renamedTools(reading.tools, toolNames) } : {}
    const events = readProvider(source, { provider: protocol.provider, ...reading, ...tools })
    return hasNewNames ? renamedBack(events, toolNames) : events
  }
}

function withDefaults(request: ModelRequest, protocol: Protocol, options: EndpointOptions): ModelRequest {
  const model = options.model ?? request.model
  const stream = options.stream ?? true
  const settings = { ...(stream && protocol.settings), ...options.settings, ...request.settings }
  return { ...request, ...(model !== undefined && { model }), stream, settings }
}

/** `baseUrl` may end with the version with which the path begins. */
function addressOf(baseUrl: string, path: string, query: EndpointOptions['query']): string {
  const base = baseUrl.replace(/\/+$/, '')
  const version = /^\/v\d\w*(?=\/)/.exec(path)?.[0]
  const isNamed = version !== undefined && base.endsWith(version)
  const url = new URL(base + (isNamed ? path.slice(version.length) : path))
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
  return url.href
}

async function send(
  url: string,
  body: Fields,
  protocol: Protocol,
  { apiKey, headers, fetch: send = fetch }: EndpointOptions,
  { signal }: ModelContext,
): Promise<Response> {
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...protocol.headers,
      ...(apiKey !== undefined && protocol.authorise(apiKey)),
      ...headers,
    },
    body: writeJson(body),
    signal,
  }
  try {
    return await send(url, request)
  } catch (error) {
    throw networkError(error)
  }
}

function networkError(error: unknown): TurnError {
  return new TurnError('network', `The connection failed: ${messageOfFetch(error)}`, { cause: error })
}

/** The bytes as they come, read only when asked for. Leaving the loop cancels the request. */
async function* watched(
  body: ReadableStream<Uint8Array>,
  { onActivity }: ModelContext,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader()
  let isOver = false
  try {
    for (;;) {
      const step = await reader.read()
      if (step.done) break
      onActivity()
      yield step.value
    }
    isOver = true
  } catch (error) {
    isOver = true
    throw networkError(error)
  } finally {
    if (!isOver) await reader.cancel().catch(() => {})
    reader.releaseLock()
  }
}

// ── names that the provider does not take ────────────────────────────────────────────────────────

type Names = Readonly<Record<string, string>>

/** The tools under the names that the response will use. */
function renamedTools(tools: ToolDefinitions | undefined, names: Names): ToolDefinitions {
  const wireNames = new Map(Object.entries(names).map(([wire, own]) => [own, wire]))
  return Array.from(createToolTable(tools), ({ name, schema, description, ...shown }) => ({
    ...shown,
    name: wireNames.get(name) ?? name,
    description,
    inputSchema: schema,
  }))
}

async function* renamedBack(
  events: AsyncIterable<SluiceEvent>,
  names: Names,
): AsyncGenerator<SluiceEvent, void, undefined> {
  for await (const event of events) {
    const own = 'toolName' in event && event.toolName !== undefined ? event.toolName : ''
    yield Object.hasOwn(names, own) ? ({ ...event, toolName: names[own] } as SluiceEvent) : event
  }
}
