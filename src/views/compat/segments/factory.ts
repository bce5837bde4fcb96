/** Makes the handler that fits a provider and its tools. */

import { checkOption, checkOptions, type KnownOptions } from '../../../base/options.ts'
import { CONFIG_OPTIONS, ParserConfig, type ParserConfigOptions } from './config.ts'
import {
  ApiToolCallStreamingResponseHandler,
  CALLBACKS,
  type HandlerCallbacks,
  ParsingStreamingResponseHandler,
  PassThroughStreamingResponseHandler,
  type StreamingResponseHandler,
  uniquePrefix,
} from './handlers.ts'
import { configFor, type ParserName, resolveParserName } from './strategy-names.ts'
import { toolSchemasFor } from './tool-schemas.ts'
import { type SegmentToolDefinition, type SegmentTools, ToolSyntaxRegistry } from './tool-syntax.ts'
import type { JsonProfileName } from './wire/json-call.ts'

/** Options of `StreamingResponseHandlerFactory`. */
export interface FactoryOptions
  extends HandlerCallbacks,
    Omit<ParserConfigOptions, 'tools' | 'strategyOrder'> {
  /** The tools that can be called. None: all is text. */
  readonly toolNames?: readonly string[]
  /** What is known of some of them: schemas, and how they are shown. */
  readonly tools?: SegmentTools
  /** Such as `OPENAI` or `GEMINI`, in any case. */
  readonly provider?: string | null
  /** The strategy; without it the environment's, or `api_tool_call`. */
  readonly parserName?: string
  /** Whose response it is: the handler itself has no use for it. */
  readonly agentId?: string
}

const { strategyOrder: _, ...CONFIG } = CONFIG_OPTIONS
const OPTIONS: KnownOptions<FactoryOptions> = {
  ...CONFIG,
  toolNames: 'list',
  tools: 'list',
  provider: 'any',
  parserName: 'any',
  agentId: 'any',
  ...CALLBACKS,
}

/** A handler, and the tools to send with the request. */
export interface CreatedHandler {
  readonly handler: StreamingResponseHandler
  /** The tools as the provider's API wants them; null where calls are written in the text. */
  readonly toolSchemas: readonly object[] | null
}

/** The shapes of JSON that a provider's models write. */
const PROFILES: Readonly<Record<string, JsonProfileName>> = {
  OPENAI: 'openai',
  OPENAI_COMPATIBLE: 'openai',
  MISTRAL: 'openai',
  DEEPSEEK: 'openai',
  GROK: 'openai',
  GEMINI: 'gemini',
}

function jsonProfileFor(provider: string | null | undefined): JsonProfileName {
  return PROFILES[provider?.trim().toUpperCase() ?? ''] ?? 'default'
}

/**
 *     const { handler, toolSchemas } = StreamingResponseHandlerFactory.create({
 *       toolNames: ['write_file'], provider: 'OPENAI', onSegmentEvent: send, onToolInvocation: run,
 *     })
 */
export const StreamingResponseHandlerFactory = {
  create(options: FactoryOptions = {}): CreatedHandler {
    checkOptions(options, OPTIONS)
    const { toolNames = [], tools = NO_TOOLS, provider, parserName, agentId: _, ...given } = options
    if (provider != null) checkOption('provider', provider, 'string')
    const { onSegmentEvent, onToolInvocation, onCallbackError, keepEvents, ...rest } = given
    const callbacks = { onSegmentEvent, onToolInvocation, onCallbackError, keepEvents }
    const segmentIdPrefix = rest.segmentIdPrefix ?? uniquePrefix('turn')
    const strategy = resolveParserName(parserName, 'api_tool_call')
    const registry = registryOf(tools, toolNames)
    if (registry.table.size === 0)
      return {
        handler: new PassThroughStreamingResponseHandler({ ...callbacks, segmentIdPrefix }),
        toolSchemas: null,
      }
    const profile = { jsonProfile: jsonProfileFor(provider) }
    const config = new ParserConfig({ ...profile, ...rest, segmentIdPrefix, tools: registry })
    return strategy === 'api_tool_call'
      ? {
          handler: new ApiToolCallStreamingResponseHandler({ ...callbacks, config }),
          toolSchemas: toolSchemasFor(provider, registry),
        }
      : {
          handler: new ParsingStreamingResponseHandler({ ...callbacks, config: configFor(strategy, config) }),
          toolSchemas: null,
        }
  },

  /** The strategy for calls in text: the one that is wanted, or the one that a provider's models know best. */
  resolveParserName({ formatOverride, provider }: ParserNameWish = {}): ParserName {
    if (formatOverride != null) {
      const name = resolveParserName(formatOverride)
      if (name !== 'api_tool_call') return name
    }
    return provider?.trim().toUpperCase() === 'ANTHROPIC' ? 'xml' : 'json'
  },
} as const

export interface ParserNameWish {
  readonly formatOverride?: string | null
  readonly provider?: string | null
}

const NO_TOOLS: SegmentTools = []

/** Registries by what they were made of: an agent has the same tools turn after turn. */
const registries = new WeakMap<SegmentTools, Map<string, KnownRegistry>>()
const MAX_REGISTRIES = 64

interface KnownRegistry {
  readonly parts: SegmentTools
  readonly registry: ToolSyntaxRegistry
}

function registryOf(tools: SegmentTools, names: readonly string[]): ToolSyntaxRegistry {
  const known = registries.get(tools) ?? new Map<string, KnownRegistry>()
  registries.set(tools, known)
  const key = JSON.stringify([tools.length, names])
  const made = known.get(key)
  // A list may hold other tools by now.
  if (made?.parts.every((part, index) => part === tools[index])) return made.registry
  const registry = new ToolSyntaxRegistry(withNames(tools, names))
  if (known.size >= MAX_REGISTRIES) known.clear()
  known.set(key, { parts: [...tools], registry })
  return registry
}

/** The tools that were described, and those of which only the name is known. */
function withNames(tools: SegmentTools, names: readonly string[]): SegmentToolDefinition[] {
  const known = new ToolSyntaxRegistry(tools).table
  const others = names.filter((name, index) => !known.has(name) && names.indexOf(name) === index)
  return [...tools, ...others.map((name) => ({ name }))]
}
