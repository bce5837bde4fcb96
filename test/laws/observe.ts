/** Runs an engine over text cut in every way, and brings its events into a form that can be compared. */

import type { SluiceEvent, ToolCall } from '../../src/base/event.ts'
import { ChunkDecoder } from '../../src/base/source.ts'
import type { Parser, ParserOptions, ParserSnapshot } from '../../src/engine/parser.ts'

/** What the laws are run against: the engine itself, or a mutant of it. */
export interface Engine {
  createParser(options?: ParserOptions): Parser
  restoreParser(snapshot: ParserSnapshot, options?: ParserOptions): Parser
}

export function run(engine: Engine, options: ParserOptions, chunks: readonly string[]): SluiceEvent[] {
  const parser = engine.createParser(options)
  const events = chunks.flatMap((chunk) => parser.push(chunk))
  events.push(...parser.end())
  return events
}

/** Adjacent deltas of one thing joined: what must not depend on where the text was cut. */
export function merged(events: readonly SluiceEvent[]): SluiceEvent[] {
  const result: SluiceEvent[] = []
  for (const event of events) {
    const last = result.at(-1)
    if (
      'delta' in event &&
      last !== undefined &&
      'delta' in last &&
      last.type === event.type &&
      last.id === event.id &&
      pathOf(last) === pathOf(event)
    )
      result[result.length - 1] = { ...last, delta: last.delta + event.delta } as SluiceEvent
    else result.push(event)
  }
  return result
}

function pathOf(event: SluiceEvent): string {
  return 'path' in event && event.path instanceof Object ? String(event.path) : ''
}

/** Merged events as text. */
export function comparable(events: readonly SluiceEvent[]): string {
  return JSON.stringify(merged(events))
}

/** `text` as one piece per character. */
export function characters(text: string): string[] {
  return text.split('')
}

/** `text` as it is decoded when its UTF-8 comes one byte at a time; null where UTF-8 cannot hold it. */
export function bytes(text: string): string[] | null {
  const encoded = new TextEncoder().encode(text)
  if (new TextDecoder('utf-8', { ignoreBOM: true }).decode(encoded) !== text) return null
  const decoder = new ChunkDecoder()
  return [...Array.from(encoded, (byte) => decoder.text(Uint8Array.of(byte))), decoder.end()]
}

export function inPieces(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
}

export function twoWaySplits(text: string): [string, string][] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => [
    text.slice(0, index + 1),
    text.slice(index + 1),
  ])
}

export const callsOf = (events: readonly SluiceEvent[]): ToolCall[] =>
  events.filter((event): event is ToolCall => event.type === 'tool-call')

/** Everything that was said in a channel. */
export function said(
  events: readonly SluiceEvent[],
  type: 'text-delta' | 'reasoning-delta' | 'tool-result-delta',
): string {
  return events.map((event) => (event.type === type ? event.delta : '')).join('')
}
