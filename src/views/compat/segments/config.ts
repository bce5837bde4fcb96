/** How a response is read: which strategies, which tools, when segments start. */

import { SluiceError } from '../../../base/errors.ts'
import type { Limits } from '../../../base/limits.ts'
import { checkOption, checkOptions, type KnownOptions, shown } from '../../../base/options.ts'
import type { Shown } from '../../../engine/calls/shown-text.ts'
import { type SegmentTools, ToolSyntaxRegistry } from './tool-syntax.ts'
import { JSON_PROFILES, type JsonProfileName } from './wire/json-call.ts'
import { ANY_CALL, type JsonPatterns, type JsonToolParser } from './wire/json-pattern.ts'
import { DETECTION_STRATEGIES, type DetectionStrategy } from './wire/strategies.ts'

/** Options of `ParserConfig`. */
export interface ParserConfigOptions {
  /** False: nothing is a call. Default true. */
  readonly parseToolCalls?: boolean
  /** False: markers of reasoning are text. Default true. */
  readonly parseReasoning?: boolean
  /** Which ways of writing a call are looked for. The earliest marker wins, ties go by this order. */
  readonly strategyOrder?: readonly DetectionStrategy[]
  readonly segmentIdPrefix?: string
  /** The tools: for their schemas, and for those that are shown by their content. */
  readonly tools?: SegmentTools | ToolSyntaxRegistry
  /** The shapes of JSON that are calls: those of a provider's profile, or any. */
  readonly jsonProfile?: JsonProfileName
  /** What a call in JSON begins with, in the place of a profile: `['{"cmd":']`. Whitespace means nothing. */
  readonly jsonToolPatterns?: readonly string[]
  /** Reads a call that begins like one of the patterns; without it, those of any profile are read. */
  readonly jsonToolParser?: JsonToolParser
  /** When the segment of a tool with a content starts; without it each strategy does as it always did. */
  readonly segmentStart?: 'immediate' | 'deferred'
  /** Says metadata that comes late as `SEGMENT_METADATA_UPDATED`. Default false. */
  readonly metadataUpdates?: boolean
  /** Takes the markers around a content out of decoded JSON, too. Default false. */
  readonly stripMarkers?: boolean
  /** False: native calls of any tool are `tool_call`s. Default true. */
  readonly streamFiles?: boolean
  /** Calls that are not complete become invocations, too. Default false. */
  readonly invokeIncomplete?: boolean
  /** Markup inside code spans and fenced code is text. Default false. */
  readonly protectCode?: boolean
  /** What the prompt holds that others wrote. A call that only repeats it becomes no invocation. */
  readonly shown?: Shown
  readonly limits?: Partial<Limits>
}

export const CONFIG_OPTIONS: KnownOptions<ParserConfigOptions> = {
  parseToolCalls: 'boolean',
  parseReasoning: 'boolean',
  strategyOrder: 'list',
  segmentIdPrefix: 'string',
  tools: 'any',
  jsonProfile: JSON_PROFILES,
  jsonToolPatterns: 'list',
  jsonToolParser: 'object',
  segmentStart: ['immediate', 'deferred'],
  metadataUpdates: 'boolean',
  stripMarkers: 'boolean',
  streamFiles: 'boolean',
  invokeIncomplete: 'boolean',
  protectCode: 'boolean',
  shown: 'object',
  limits: 'object',
}

const NO_TOOLS = new ToolSyntaxRegistry()

/**
 *     new ParserConfig({ strategyOrder: ['xml_tag', 'json_tool'], segmentIdPrefix: 'turn_7:' })
 */
export class ParserConfig {
  readonly parseToolCalls: boolean
  readonly parseReasoning: boolean
  readonly strategyOrder: readonly DetectionStrategy[]
  readonly segmentIdPrefix: string
  readonly tools: ToolSyntaxRegistry
  readonly jsonProfile: JsonProfileName
  readonly jsonToolPatterns: readonly string[] | undefined
  readonly jsonToolParser: JsonToolParser | undefined
  /** What the strategy `json_tool` looks for. */
  readonly json: JsonProfileName | JsonPatterns
  readonly segmentStart: 'immediate' | 'deferred' | undefined
  readonly metadataUpdates: boolean
  readonly stripMarkers: boolean
  readonly streamFiles: boolean
  readonly invokeIncomplete: boolean
  readonly protectCode: boolean
  readonly shown: Shown | undefined
  readonly limits: Partial<Limits> | undefined

  constructor(options: ParserConfigOptions = {}) {
    checkOptions(options, CONFIG_OPTIONS)
    const { tools, strategyOrder = ['xml_tag'], segmentStart } = options
    for (const strategy of strategyOrder)
      if (!DETECTION_STRATEGIES.includes(strategy))
        throw new SluiceError(
          'invalid-option',
          `There is no strategy '${String(strategy)}'; use one of ${DETECTION_STRATEGIES.join(', ')}.`,
        )
    this.parseToolCalls = options.parseToolCalls ?? true
    this.parseReasoning = options.parseReasoning ?? true
    this.strategyOrder = [...new Set(strategyOrder)]
    this.segmentIdPrefix = options.segmentIdPrefix ?? ''
    this.tools =
      tools === undefined ? NO_TOOLS : tools instanceof ToolSyntaxRegistry ? tools : registryFor(tools)
    this.jsonProfile = options.jsonProfile ?? 'any'
    this.jsonToolPatterns = options.jsonToolPatterns
    this.jsonToolParser = options.jsonToolParser
    this.json =
      this.jsonToolPatterns === undefined
        ? this.jsonProfile
        : patternsFor(this.jsonToolPatterns, this.jsonToolParser)
    this.segmentStart = segmentStart
    this.metadataUpdates = options.metadataUpdates ?? false
    this.stripMarkers = options.stripMarkers ?? false
    this.streamFiles = options.streamFiles ?? true
    this.invokeIncomplete = options.invokeIncomplete ?? false
    this.protectCode = options.protectCode ?? false
    this.shown = options.shown
    this.limits = options.limits
  }

  /** The same with some things changed. */
  with(changes: ParserConfigOptions): ParserConfig {
    const { segmentStart, limits, shown, jsonToolPatterns, jsonToolParser, json: _, ...rest } = this
    const given = {
      ...rest,
      ...(jsonToolPatterns !== undefined && { jsonToolPatterns }),
      ...(jsonToolParser !== undefined && { jsonToolParser }),
      ...(segmentStart !== undefined && { segmentStart }),
      ...(limits !== undefined && { limits }),
      ...(shown !== undefined && { shown }),
    }
    return new ParserConfig({ ...given, ...changes })
  }
}

function patternsFor(patterns: readonly string[], parser: JsonToolParser = ANY_CALL): JsonPatterns {
  for (const pattern of patterns)
    if (typeof pattern !== 'string' || !/^\s*(\{|\[\s*\S)/.test(pattern))
      throw new SluiceError(
        'invalid-option',
        `'jsonToolPatterns' takes what a call begins with, such as '{"cmd":' or '[{"cmd":', not ${shown(pattern)}.`,
      )
  checkOption('jsonToolParser.parse', parser.parse, 'function')
  return { patterns, parser }
}

/** Throws for what is none, such as the options that one is made of. */
export function checkConfig(config: unknown): void {
  if (config instanceof ParserConfig) return
  throw new SluiceError(
    'invalid-option',
    "'config' takes a ParserConfig; make one with new ParserConfig({ … }).",
  )
}

/** Registries by the list they were made of, because dialects are made per registry and kept. */
const registries = new WeakMap<
  SegmentTools,
  { readonly parts: SegmentTools; readonly registry: ToolSyntaxRegistry }
>()

function registryFor(tools: SegmentTools): ToolSyntaxRegistry {
  const known = registries.get(tools)
  const isSame =
    known !== undefined &&
    known.parts.length === tools.length &&
    known.parts.every((part, index) => part === tools[index])
  if (isSame) return known.registry
  const registry = new ToolSyntaxRegistry(tools)
  registries.set(tools, { parts: [...tools], registry })
  return registry
}
