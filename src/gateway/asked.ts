/** What a client asks for, read from its request and checked before anything is begun. */

import type { Fields } from '../base/fields.ts'
import { ALL } from '../dialects/all.ts'
import { recordedModel } from '../dialects/recorded-dialect.ts'
import type { ToolDefinitions } from '../engine/calls/tools.ts'
import type { Dialect } from '../engine/wire/dialect.ts'
import type { ModelRequest } from '../requests/conversation/model-request.ts'
import { type ReadRequest, readRequest } from '../requests/conversation/read-request.ts'
import type { GatewayConfig, Mode, UpstreamConfig } from './gateway-config.ts'
import { GatewayError } from './gateway-error.ts'
import { offeredTools } from './offered-tools.ts'
import type { ClientProtocol } from './protocols.ts'
import type { AboutFields } from './run-about.ts'
import { type Route, readingOf, routeOf } from './upstream.ts'

export interface Asked {
  readonly protocol: ClientProtocol
  readonly incoming: Request
  readonly request: ModelRequest
  readonly diagnostics: ReadRequest['diagnostics']
  readonly route: Route
  readonly owner: string
  readonly about: AboutFields
  readonly isStreamed: boolean
  /** The client does not wait for the answer at all. */
  readonly isBackground: boolean
  readonly hasExtensions: boolean
  /** `content`: the client can come back to it; `outcome`: only how it ended is kept. */
  readonly keeps: 'content' | 'outcome' | 'nothing'
  /** How many answers there are to be. */
  readonly choices: number
  /** The chat of the AI SDK that it belongs to. */
  readonly chat?: string
}

const MOST_CHOICES = 128

export function readAsked(
  config: GatewayConfig,
  hasLog: boolean,
  protocol: ClientProtocol,
  incoming: Request,
  body: Fields,
  owner: string,
): Asked {
  const { request: read, diagnostics } = readRequest(protocol.format, body)
  // Pages have no tools of their own in this protocol; an application sends them along.
  const isPage = protocol.name === 'ai-sdk-ui'
  const { candidates: choices = 1, ...settings } = read.settings ?? {}
  const request: ModelRequest = {
    ...read,
    ...(read.settings && { settings }),
    ...(isPage && Array.isArray(body.tools) && { tools: body.tools as ToolDefinitions }),
  }
  if (!(Number.isInteger(choices) && choices >= 1 && choices <= MOST_CHOICES))
    throw wrong(`'n' is a number from 1 to ${MOST_CHOICES}, not ${choices}.`)
  if (request.messages.length === 0 && request.previousResponseId === undefined)
    throw wrong('The request has no messages.')
  const route = routeOf(config, request.model)
  const isBackground = protocol.name === 'openai-responses' && body.background === true
  const isResumed = isBackground || incoming.headers.get('sluice-resumable') === '1'
  return {
    protocol,
    incoming,
    request,
    diagnostics,
    route,
    owner,
    about: aboutRun(config, protocol, request, route, owner),
    isStreamed: protocol.isStreamed(body),
    isBackground,
    hasExtensions: hasExtensions(config, incoming),
    keeps: keptOf(config, hasLog, isResumed, choices),
    choices,
    ...(isPage && typeof body.id === 'string' && { chat: body.id }),
  }
}

export const hasExtensions = ({ extensions }: GatewayConfig, { headers }: Request): boolean =>
  extensions === 'always' || headers.get('sluice-extensions') === '1'

const wrong = (message: string): GatewayError => new GatewayError(400, 'invalid-request', message)

function keptOf(
  { resumable, keep }: GatewayConfig,
  hasLog: boolean,
  isResumed: boolean,
  choices: number,
): Asked['keeps'] {
  const canKeep = hasLog && resumable !== 'never'
  if (isResumed && !canKeep)
    throw wrong('This gateway keeps no runs, so the response cannot be resumed; start it with --log.')
  if (isResumed && keep === 'outcome')
    throw wrong('This gateway keeps runs without their content, so the response cannot be resumed.')
  if (isResumed && choices > 1) throw wrong("A response with 'n' above 1 cannot be resumed.")
  if (!canKeep || choices > 1) return 'nothing'
  if (keep === 'outcome') return 'outcome'
  return resumable === 'always' || isResumed ? 'content' : 'nothing'
}

/**
 * The name under which whoever closes a lost run finds its dialect again; one that came with the name of a model is found
 * by that name. One that was made from a chat template is not found: then nothing more of the run is read.
 */
function storedName(dialect: Dialect): string {
  return ALL.includes(dialect) ? dialect.name : `template:${dialect.name}`
}

/** Whether a run of the upstream can be gone on with: its text has to be kept, and read again as its producer read it. */
function isReplayed(
  { repair, keep }: GatewayConfig,
  { protocol, server, key }: UpstreamConfig,
  mode: Mode,
): boolean {
  const canReplay = protocol === 'openai-chat' && server === 'llama.cpp'
  return canReplay && key !== 'client' && mode !== 'prompt' && repair === 'off' && keep === 'content'
}

function aboutRun(
  config: GatewayConfig,
  protocol: ClientProtocol,
  request: ModelRequest,
  route: Route,
  owner: string,
): AboutFields {
  const { upstream, settings, model } = route
  const { dialect, start, protectCode } = readingOf(route)
  return {
    model: request.model ?? model ?? 'unknown',
    client: protocol.name,
    owner,
    includesUsage: request.settings?.includeUsage === true,
    allow: config.allow,
    verify: config.verify,
    tools: offeredTools(request, upstream?.protocol),
    ...(upstream && { provider: upstream.protocol, upstream: upstream.name }),
    ...(upstream && isReplayed(config, upstream, settings.mode) && { isReplayed: true }),
    ...(upstream === undefined && { dialect: 'hermes' }),
    ...(dialect !== undefined && {
      dialect: settings.dialect === 'auto' ? recordedModel(model) : storedName(dialect as Dialect),
    }),
    ...(start === 'reasoning' && { start }),
    ...(protectCode && { protectCode }),
  }
}
