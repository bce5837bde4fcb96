/**
 * What a lost producer had read and not said. What arrived is in the log, so it is read again: the events that are
 * already told are left out, and the rest ends what is open.
 */

import type { SluiceEvent, ToolCall } from '../base/event.ts'
import { OpenEvents } from '../base/open-events.ts'
import { recordedDialect } from '../dialects/recorded-dialect.ts'
import { inputJson } from '../engine/calls/written-input.ts'
import { createSinkParser, type ParserOptions } from '../engine/parser.ts'
import { findProvider } from '../providers/any.ts'
import { createProviderParser } from '../providers/provider-parser.ts'
import type { LostRun } from '../runs/log/take-over.ts'
import { aboutOf, idsOf, type RunAbout } from './run-about.ts'
import { createVerifier } from './verify.ts'

export function* endingOf(run: LostRun): Generator<SluiceEvent, void, undefined> {
  const told = run.steps.flatMap(({ events }) => events)
  const open = new OpenEvents()
  for (const event of told) open.add(event)
  for (const found of untold(run, told)) {
    const event = found.type === 'tool-call' ? unfinished(found) : found
    open.add(event)
    yield event
  }
  yield* open.end()
}

/** Nobody knows whether the model was done with a call whose verdict was never told: it may not run. */
function unfinished(call: ToolCall): ToolCall {
  const { toolName } = call
  const message = `The producer was lost before the call of '${toolName}' was judged.`
  const raw = call.raw ?? inputJson(call)
  return { ...call, status: 'truncated', raw, error: { code: 'producer-lost', message, offset: raw.length } }
}

/** Nothing where the run cannot be read again, or reads otherwise than it was told. */
function untold({ header, steps }: LostRun, told: readonly SluiceEvent[]): readonly SluiceEvent[] {
  const about = aboutOf(header)
  if (about === undefined || told.some(({ type }) => type === 'finish')) return []
  try {
    const read: SluiceEvent[] = []
    const parser = parserOf(about, (event) => read.push(event))
    for (const { input } of steps) if (input !== undefined && input.length > 0) parser.push(input as string)
    return behind(told, read) ?? []
  } catch {
    return []
  }
}

/** The parser of a run, and the judge of its calls. */
export function parserOf(
  about: RunAbout,
  onEvent: (event: SluiceEvent) => void,
): { push(input: string | Uint8Array): void; end(): void } {
  const verify = createVerifier(about)
  const sink = (event: SluiceEvent): void => verify(event).forEach(onEvent)
  const options = parserOptions(about)
  return about.provider === undefined
    ? (createSinkParser(sink, options) as ReturnType<typeof parserOf>)
    : createProviderParser(sink, { ...options, provider: findProvider(about.provider as string) })
}

function parserOptions({ id, dialect, start, protectCode, tools }: RunAbout): ParserOptions {
  return {
    tools,
    generateId: idsOf(id),
    ...(dialect !== undefined && { dialect: recordedDialect(dialect) }),
    ...(start !== undefined && { start }),
    ...(protectCode && { protectCode }),
  }
}

/** What follows in `read` behind everything that is in `told`; undefined where it reads otherwise. Deltas may be cut differently. */
export function behind(
  told: readonly SluiceEvent[],
  read: readonly SluiceEvent[],
): readonly SluiceEvent[] | undefined {
  const [before, all] = [merged(told), merged(read)]
  for (const [at, event] of before.entries()) {
    const again = all[at]
    if (again === undefined) return undefined
    if (JSON.stringify(again) === JSON.stringify(event)) continue
    const isGrown =
      at === before.length - 1 &&
      'delta' in event &&
      'delta' in again &&
      again.type === event.type &&
      again.id === event.id &&
      again.delta.startsWith(event.delta)
    if (!isGrown) return undefined
    const delta = again.delta.slice(event.delta.length)
    return [{ ...again, delta } as SluiceEvent, ...all.slice(at + 1)]
  }
  return all.slice(before.length)
}

function merged(events: readonly SluiceEvent[]): SluiceEvent[] {
  const result: SluiceEvent[] = []
  for (const event of events) {
    const last = result.at(-1)
    const isMore =
      last !== undefined &&
      'delta' in last &&
      'delta' in event &&
      last.type === event.type &&
      last.id === event.id
    if (isMore && event.type !== 'argument-delta')
      result[result.length - 1] = { ...last, delta: last.delta + event.delta } as SluiceEvent
    else result.push(event)
  }
  return result
}
