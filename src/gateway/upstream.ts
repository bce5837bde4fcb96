/** From a request to the model that answers it: where it is sent, in which mode, and how its answer is read. */

import type { Fields } from '../base/fields.ts'
import { detect } from '../dialects/detect.ts'
import { dialectFor } from '../dialects/dialect-for.ts'
import type { ToolDefinitions } from '../engine/calls/tools.ts'
import type { ParserOptions } from '../engine/parser.ts'
import { type Dialect, define } from '../engine/wire/dialect.ts'
import type { FilePart, ModelRequest } from '../requests/conversation/model-request.ts'
import { contentOf } from '../requests/prompt/prompt-request.ts'
import { resultContent } from '../requests/prompt/turn-text.ts'
import type { EndpointOptions } from '../turn/endpoint.ts'
import type { Model } from '../turn/model.ts'
import { promptedModel } from '../turn/prompted-model.ts'
import {
  anthropicModel,
  geminiModel,
  ollamaModel,
  openaiChatModel,
  openaiResponsesModel,
} from '../turn/ready-models.ts'
import type {
  GatewayConfig,
  ModelConfig,
  TextServer,
  UpstreamConfig,
  UpstreamProtocol,
} from './gateway-config.ts'
import { GatewayError } from './gateway-error.ts'
import { SCRIPTED, scriptedModel } from './scripted-model.ts'
import { bodyWithoutKey } from './without-key.ts'

const MODELS: Readonly<Record<UpstreamProtocol, (options: EndpointOptions) => Model>> = {
  'openai-chat': openaiChatModel,
  'openai-responses': openaiResponsesModel,
  anthropic: anthropicModel,
  gemini: geminiModel,
  ollama: ollamaModel,
}

/** Where a request goes. */
export interface Route {
  /** Undefined: the scripted model. */
  readonly upstream: UpstreamConfig | undefined
  readonly settings: ModelConfig
  /** The name that the upstream knows; undefined where the client named none. */
  readonly model: string | undefined
}

/** Finds the upstream of a model: by its name in the configuration, by `upstream/model`, or the first one. */
export function routeOf({ upstreams }: GatewayConfig, model: string | undefined): Route {
  const [usual] = upstreams
  if (usual === undefined)
    return { upstream: undefined, settings: { mode: 'prompt', dialect: undefined }, model: model ?? SCRIPTED }
  const listed = upstreams.find(({ models }) => model !== undefined && Object.hasOwn(models, model))
  if (listed !== undefined) return routed(listed, model)
  const slash = model?.indexOf('/') ?? -1
  const named = upstreams.find(({ name }) => slash > 0 && model?.slice(0, slash) === name)
  return named === undefined ? routed(usual, model) : routed(named, model?.slice(slash + 1))
}

function routed(upstream: UpstreamConfig, model: string | undefined): Route {
  const settings =
    model !== undefined && Object.hasOwn(upstream.models, model) ? upstream.models[model]! : upstream
  return { upstream, settings, model: settings.model ?? model }
}

/** How the text of a model is read. */
export type Reading = Pick<ParserOptions, 'dialect' | 'start' | 'protectCode'>

/** The dialect of a route and where the response begins; nothing where calls are not in the text. */
export function readingOf({ settings: { mode, dialect, start, protectCode }, model }: Route): Reading {
  if (dialect === undefined) return {}
  const reading = protectCode ? { protectCode } : {}
  if (dialect !== 'auto') return { ...reading, dialect, ...(start && mode === 'template' && { start }) }
  try {
    const format = dialectFor(model ?? '')
    return { ...reading, dialect: format.dialect, ...(mode === 'template' && { start: format.start }) }
  } catch (error) {
    // What is written into a prompt has to be known. What is only read can be found out.
    if (mode !== 'prompt') return { ...reading, dialect: detect() }
    throw new GatewayError(
      400,
      'invalid-request',
      `The dialect of '${model ?? ''}' is not known by its name; set "dialect" for it in the configuration. ${String((error as Error).message)}`,
    )
  }
}

/** What of the client's own request goes along. */
export interface Passed {
  readonly key: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly stream: boolean
}

export interface PreparedModel {
  readonly model: Model
  readonly request: ModelRequest
}

/** Called with each piece of an upstream's body before it is parsed, and with the offset of the next piece in the body. */
export type OnInput = (input: string | Uint8Array, next?: number) => void

export function modelOf(route: Route, given: ModelRequest, passed: Passed, onInput: OnInput): PreparedModel {
  const { upstream, settings, model } = route
  if (upstream === undefined) return { model: scriptedModel(onInput), request: given }
  // There, the name is a part of the path: it must not lead to another one.
  if (upstream.protocol === 'gemini' && !/^[\w@:-][\w.@:-]*(\/[\w@:-][\w.@:-]*)*$/.test(model ?? ''))
    throw new GatewayError(400, 'invalid-request', `'${model ?? ''}' is not a valid model name.`)
  const request: ModelRequest = { ...given, ...(model !== undefined && { model }) }
  const key = upstream.key === 'client' ? passed.key : upstream.key?.own
  const options: EndpointOptions = {
    baseUrl: upstream.url,
    headers: passed.headers,
    fetch: watchedFetch(onInput, key),
    ...(key !== undefined && { apiKey: key }),
    ...(settings.mode === 'template' && { body: withRawText(upstream.server) }),
  }
  const endpoint = MODELS[upstream.protocol](options)
  const reading = readingOf(route)
  if (settings.mode === 'prompt') {
    const { protectCode = false } = reading
    const dialect = reading.dialect as Dialect
    return { model: promptedModel(endpoint, { dialect, protectCode }), request }
  }
  const isRaw = settings.mode === 'template'
  const { toolChoice: _, ...rest } = request
  return {
    model: (asked, context) =>
      endpoint(asked, {
        ...context,
        reading: { ...context.reading, ...reading },
      }),
    request: isRaw ? withHarmlessResults(rest, reading) : request,
  }
}

/** The server's template writes results as they are, and its tokens and the markers of calls can stand in them. */
function withHarmlessResults(request: ModelRequest, { dialect, protectCode = false }: Reading): ModelRequest {
  const known = Array.isArray((dialect as Partial<Dialect> | undefined)?.calls) ? (dialect as Dialect) : PLAIN
  const options = { dialect: known, tools: (request.tools ?? []) as ToolDefinitions, protectCode }
  const messages = request.messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if (part.type !== 'result') return part
      const files: FilePart[] = []
      // As one text: a template may put several together, and a marker may begin in one and end in the next.
      const text = resultContent(contentOf(part, files), options)
      return { ...part, content: files.length === 0 ? text : [{ type: 'text' as const, text }, ...files] }
    }),
  }))
  return { ...request, messages }
}

/** Where the dialect is found out, only tokens of templates are known. */
const PLAIN = define('plain', {})

/**
 * Asks a server to leave the text of the model alone. vLLM refuses tools without a parser, and llama.cpp parses, unless no
 * call may be made; the tools are in the prompt all the same. SGLang would leave them out of it, and parses nothing unless
 * it was started with a parser. Without special tokens, markers would vanish.
 */
const withRawText =
  (server: TextServer) =>
  (body: Fields): Fields => {
    const hasTools = Array.isArray(body.tools) && (body.tools as unknown[]).length > 0
    return {
      ...body,
      ...(hasTools && server !== 'sglang' && { tool_choice: 'none' }),
      skip_special_tokens: false,
      reasoning_format: 'none',
    }
  }

/** `fetch` that shows each piece of a body when it is asked for, and follows no redirect: its target is on no list. */
function watchedFetch(onInput: OnInput, key: string | undefined): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' })
    if (response.body === null) return response
    const { ok, status, statusText, headers } = response
    const body = bodyWithoutKey(response.body, key, ok ? { onPiece: onInput } : {})
    return new Response(body, { status, statusText, headers })
  }
}
