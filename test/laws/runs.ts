/** A response as a model wrote it, and the calls that the engine says may run. `view-runs.ts` asks every view. */

import type { JsonValue, SluiceEvent } from '../../src/base/event.ts'
import type { Limits } from '../../src/base/limits.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { createParser, type ParserOptions } from '../../src/engine/parser.ts'
import type { Dialect } from '../../src/engine/wire/dialect.ts'
import type { Engine } from './observe.ts'

/** A tool as the tests declare it: it fits the parser, the segments and the AI SDK. */
export interface Tool {
  readonly name: string
  readonly streams?: string
  readonly inputSchema: { readonly type: 'object'; readonly properties: { readonly [key: string]: object } }
}

/** A response, and how it is read. */
export interface Response {
  readonly text: string
  readonly dialect: Dialect
  readonly tools: readonly Tool[]
  readonly protectCode?: boolean
  readonly start?: 'reasoning'
  readonly limits?: Partial<Limits>
  /** How the model ended: by itself, or because it had said as much as it was allowed to. */
  readonly ending: 'stop' | 'length'
}

export interface Ran {
  readonly toolName: string
  readonly input: JsonValue
}

/** The options that are about the response, and not about its format. */
export const readingOf = ({ protectCode, start, limits }: Response) => ({
  ...(protectCode !== undefined && { protectCode }),
  ...(start !== undefined && { start }),
  ...(limits !== undefined && { limits }),
})

/** In pieces of this many characters. */
const PIECE = 7

export function pieces(text: string): string[] {
  return text.match(new RegExp(`[^]{1,${PIECE}}`, 'gu')) ?? []
}

/** The events of a response: all that there can be, in small pieces, or only those that say which calls there were. */
export function eventsOf(
  response: Response,
  emit: 'all' | 'calls' = 'all',
  engine: Pick<Engine, 'createParser'> = { createParser },
): SluiceEvent[] {
  const { text, dialect, tools, ending } = response
  const options: ParserOptions = { ...readingOf(response), dialect, tools, emit: EMITS[emit] }
  const parser = engine.createParser(options)
  const events = (emit === 'all' ? pieces(text) : [text]).flatMap((piece) => parser.push(piece))
  events.push(...parser.end(ending === 'stop' ? 'finished' : 'interrupted'))
  return events
}

const EMITS = {
  all: { json: true, arguments: true, source: true, raw: true },
  calls: { json: false },
} as const

/** The engine: a `tool-call` that `isExecutable` approves. */
export function engineRuns(events: readonly SluiceEvent[]): Ran[] {
  return events.flatMap((event) =>
    event.type === 'tool-call' && isExecutable(event)
      ? [{ toolName: event.toolName, input: event.input }]
      : [],
  )
}
