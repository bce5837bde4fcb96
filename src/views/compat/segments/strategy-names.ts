/** Strategies by name: as an option, or from the environment. */

import { SluiceError } from '../../../base/errors.ts'
import { checkOptions, type KnownOptions } from '../../../base/options.ts'
import { checkConfig, ParserConfig } from './config.ts'
import { StreamingParser } from './streaming-parser.ts'
import type { DetectionStrategy } from './wire/strategies.ts'

/** The names of the parsers. */
export type ParserName = 'xml' | 'json' | 'sentinel' | 'api_tool_call'

const STRATEGIES: Readonly<Record<ParserName, readonly DetectionStrategy[] | null>> = {
  api_tool_call: null,
  json: ['json_tool'],
  sentinel: ['sentinel'],
  xml: ['xml_tag'],
}

/** The first that is set counts. */
const VARIABLES = ['SLUICE_STREAM_PARSER', 'AUTOBYTEUS_STREAM_PARSER']

/**
 * The name of a strategy: the one given, or the environment's, or `fallback`.
 *
 *     resolveParserName(' JSON ')   // 'json'
 *     resolveParserName()           // 'xml', where no variable is set
 */
export function resolveParserName(name?: string | null, fallback: ParserName = 'xml'): ParserName {
  const given = name ?? fromEnvironment()
  if (given === undefined) return fallback
  const wanted = String(given).trim().toLowerCase()
  if (Object.hasOwn(STRATEGIES, wanted)) return wanted as ParserName
  throw new SluiceError(
    'invalid-option',
    `Unknown parser strategy '${given}'. Supported: ${Object.keys(STRATEGIES).join(', ')}.`,
  )
}

/** Not every platform has an environment; an empty variable is as good as none. */
function fromEnvironment(): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  for (const variable of VARIABLES) {
    const value = process?.env?.[variable]
    if (value !== undefined && value.trim() !== '') return value
  }
  return undefined
}

/** A configuration for a strategy: with `api_tool_call` nothing in the text is a call. */
export function configFor(name: ParserName, config: ParserConfig = new ParserConfig()): ParserConfig {
  checkConfig(config)
  const strategyOrder = STRATEGIES[name]
  return strategyOrder === null
    ? config.with({ parseToolCalls: false })
    : config.with({ parseToolCalls: true, strategyOrder })
}

/** Options of `createStreamingParser`. */
export interface CreateStreamingParserOptions {
  readonly config?: ParserConfig
  readonly parserName?: string
}

const OPTIONS: KnownOptions<CreateStreamingParserOptions> = { config: 'any', parserName: 'string' }

/** A parser for a strategy by its name. */
export function createStreamingParser(options: CreateStreamingParserOptions = {}): StreamingParser {
  checkOptions(options, OPTIONS)
  const { config, parserName } = options
  return new StreamingParser(configFor(resolveParserName(parserName), config))
}
