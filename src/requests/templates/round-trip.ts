/** Whether a dialect reads what a template wrote: the same calls, text and reasoning, however the text is cut. */

import type { JsonValue } from '../../base/event.ts'
import { isExecutable } from '../../engine/calls/verdict.ts'
import { foldEvents, type Message } from '../../engine/message.ts'
import { createParser } from '../../engine/parser.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'
import { coerceValue } from '../../values/schema/coerce-value.ts'
import { PROBE_TOOLS, type Probe } from './probes.ts'

export type Start = 'text' | 'reasoning'

/** What was read instead of what the probe says; undefined where it comes back. */
export function differenceOf(probe: Probe, text: string, dialect: Dialect, start: Start): string | undefined {
  const message = read([text], dialect, start)
  for (const [what, wanted, got] of [
    ['text', probe.text ?? '', message.text.trim()],
    ['reasoning', probe.reasoning ?? '', message.reasoning.trim()],
    ['calls', shownCalls(probe.calls ?? []), shownCalls(callsOf(message))],
  ] as const)
    if (wanted !== got)
      return `its ${what} would be ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`
  return undefined
}

/** The same, and at every split of the text, and character by character. */
export function differenceAtSplits(
  probe: Probe,
  text: string,
  dialect: Dialect,
  start: Start,
): string | undefined {
  const difference = differenceOf(probe, text, dialect, start)
  if (difference !== undefined) return difference
  const whole = shownParts(read([text], dialect, start))
  for (let at = 1; at < text.length; at++)
    if (shownParts(read([text.slice(0, at), text.slice(at)], dialect, start)) !== whole)
      return `it would be read differently if it came in two pieces, cut after ${JSON.stringify(text.slice(0, at))}`
  if (shownParts(read([...text], dialect, start)) !== whole)
    return 'it would be read differently if it came one character at a time'
  return undefined
}

/** How many diagnostics a text gives: the fewer, the more it is what the dialect expects. */
export function diagnosticsOf(text: string, dialect: Dialect, start: Start): number {
  return read([text], dialect, start).diagnostics.length
}

/** Where a response goes on behind this: in text, or inside reasoning. */
export function endsInside(prompt: string, dialect: Dialect): Start {
  const parser = createParser({ dialect, tools: PROBE_TOOLS })
  const events = parser.push(`${prompt}${AFTER}`)
  return events.some((event) => event.type === 'reasoning-delta' && event.delta.includes(AFTER))
    ? 'reasoning'
    : 'text'
}

const AFTER = 'Then it goes on.'

function read(pieces: readonly string[], dialect: Dialect, start: Start): Message {
  const parser = createParser({ dialect, tools: PROBE_TOOLS, start })
  return foldEvents([...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()])
}

/** Calls as they would run, with the types that their schemas want; one that may not run is not among them. */
function callsOf({ toolCalls }: Message): { toolName: string; input: JsonValue }[] {
  return toolCalls.flatMap((call) => {
    const tool = PROBE_TOOLS.find(({ name }) => name === call.toolName)
    if (tool === undefined || call.status !== 'complete' || !isExecutable(call)) return []
    return [{ toolName: call.toolName, input: coerceValue(call.input, tool.inputSchema).value }]
  })
}

function shownCalls(calls: readonly { toolName: string; input: JsonValue }[]): string {
  return calls.map(({ toolName, input }) => `${toolName}(${JSON.stringify(input)})`).join(', ')
}

function shownParts({ parts }: Message): string {
  return JSON.stringify(parts)
}
