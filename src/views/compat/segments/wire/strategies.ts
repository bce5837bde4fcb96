/** The strategies: which dialects read a response, for which names. */

import { SluiceError } from '../../../../base/errors.ts'
import { think } from '../../../../dialects/reasoning.ts'
import { type Dialect, define } from '../../../../engine/wire/dialect.ts'
import { shownByContent, type ToolSyntaxRegistry } from '../tool-syntax.ts'
import { IN_ITS_CONTENT, type JsonProfileName, jsonCalls } from './json-call.ts'
import { type JsonPatterns, patternCalls } from './json-pattern.ts'
import { sentinelSegment } from './sentinel-segment.ts'
import { toolElement } from './tool-element.ts'
import type { ToolStates } from './tool-inside.ts'

/** How calls are found in text. */
export type DetectionStrategy = 'xml_tag' | 'json_tool' | 'sentinel'

export const DETECTION_STRATEGIES: readonly DetectionStrategy[] = ['xml_tag', 'json_tool', 'sentinel']

/** Thinking in text. A closer that closes nothing is text, because nothing of a response may be lost. */
const THINKING = define('segments-reasoning', { reasoning: think, strayCloser: 'text' })

/** Dialects that were made already: compiling them anew for each response would cost more than reading it. */
const made = new WeakMap<ToolSyntaxRegistry, Map<string, Dialect>>()

/** The dialects for some strategies, in their order. */
export function dialectsFor(
  strategies: readonly DetectionStrategy[],
  registry: ToolSyntaxRegistry,
  json: JsonProfileName | JsonPatterns,
  states?: ToolStates,
): readonly Dialect[] {
  const known = made.get(registry) ?? new Map<string, Dialect>()
  made.set(registry, known)
  const dialects = strategies.map((strategy) => {
    // States belong to one response, and so does a dialect that knows of them.
    if (strategy === 'xml_tag' && states !== undefined) return xmlDialect(registry, states)
    if (strategy === 'json_tool' && typeof json !== 'string') return patternDialect(json)
    const profile = typeof json === 'string' ? json : 'any'
    const key = strategy === 'json_tool' ? `${strategy} ${profile}` : strategy
    const dialect = known.get(key) ?? make(strategy, registry, profile)
    known.set(key, dialect)
    return dialect
  })
  return [...dialects, THINKING]
}

const withPatterns = new WeakMap<JsonPatterns, Dialect>()

function patternDialect(patterns: JsonPatterns): Dialect {
  const dialect = withPatterns.get(patterns) ?? { ...patternCalls(patterns), annotation: IN_ITS_CONTENT }
  withPatterns.set(patterns, dialect)
  return dialect
}

function make(strategy: DetectionStrategy, registry: ToolSyntaxRegistry, profile: JsonProfileName): Dialect {
  switch (strategy) {
    case 'xml_tag':
      return xmlDialect(registry)
    case 'json_tool':
      return jsonCalls(profile, registry.table.size > 0)
    case 'sentinel':
      return define('segments-sentinel', { call: sentinelSegment(registry) })
    default:
      throw new SluiceError(
        'invalid-option',
        `There is no strategy '${strategy as string}'; use one of ${DETECTION_STRATEGIES.join(', ')}.`,
      )
  }
}

function xmlDialect(registry: ToolSyntaxRegistry, states?: ToolStates): Dialect {
  const shorthands = registry.all.filter(({ shorthand, streams }) => shorthand && streams !== undefined)
  const syntaxOf = (name: string) => shownByContent(registry.get(name))
  return define('segments-xml', {
    call: [
      toolElement({ name: 'tool', syntaxOf, states }),
      ...shorthands.map(({ name }) => toolElement({ name, syntaxOf })),
    ],
    ignoreCase: true,
    spacedTags: true,
  })
}
