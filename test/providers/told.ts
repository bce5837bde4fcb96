/** What a provider's stream says, in short lines that a person can write down. */

import type { SluiceEvent } from '../../src/base/event.ts'
import { anyProvider, findProvider } from '../../src/providers/any.ts'
import type { Provider } from '../../src/providers/provider.ts'
import {
  createProviderParser,
  type ProviderChunk,
  type ProviderOptions,
  type ProviderSnapshot,
  restoreProviderParser,
} from '../../src/providers/provider-parser.ts'

/** Options whose provider may be a name, or none: then the first payload decides. */
export type NamedOptions = Omit<ProviderOptions, 'provider'> & { readonly provider?: string | Provider }

export function reading({ provider = anyProvider, ...options }: NamedOptions = {}): ProviderOptions {
  return { ...options, provider: typeof provider === 'string' ? findProvider(provider) : provider }
}

/** The events of payloads, or of text and bytes. */
export function eventsOf(
  chunks: readonly (string | Uint8Array | object)[],
  options: NamedOptions = {},
): SluiceEvent[] {
  const events: SluiceEvent[] = []
  const parser = createProviderParser((event) => events.push(event), reading(options))
  for (const chunk of chunks) parser.push(chunk)
  parser.end()
  return events
}

/** A snapshot on its way to another process. */
export const sent = (snapshot: ProviderSnapshot): ProviderSnapshot => JSON.parse(JSON.stringify(snapshot))

/** The events that a new parser for every chunk reads. */
export function inTurns(chunks: readonly ProviderChunk[], named: NamedOptions = {}): SluiceEvent[] {
  const options = reading(named)
  const events: SluiceEvent[] = []
  const sink = (event: SluiceEvent): void => void events.push(event)
  let parser = createProviderParser(sink, options)
  for (const chunk of chunks) {
    parser.push(chunk)
    parser = restoreProviderParser(sent(parser.snapshot()), sink, options)
  }
  parser.end()
  return events
}

/** Payloads as server-sent events. */
export function sse(...payloads: readonly unknown[]): string {
  return payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join('')
}

/**
 * One line per span, call and the rest; deltas of one span are joined with `|` where they came apart.
 *
 *     text Hello| world
 *     call ls#call_1 complete {"path":"."}
 *     finish tool-calls (tool_calls)
 */
export function told(events: readonly SluiceEvent[]): string[] {
  const lines: string[] = []
  const spans = new Map<string, { line: number; deltas: string[]; metadata: object }>()
  for (const event of events) {
    const [, channel, phase] = /^(text|reasoning|tool-result)-(start|delta|end)$/.exec(event.type) ?? []
    if (channel !== undefined && 'id' in event) {
      const key = `${channel} ${event.id}`
      const span = spans.get(key) ?? { line: lines.length, deltas: [], metadata: {} }
      if (phase === 'start') lines.push('')
      if ('delta' in event) span.deltas.push(event.delta)
      if ('metadata' in event) Object.assign(span.metadata, event.metadata)
      spans.set(key, span)
      const id = channel === 'tool-result' ? ` ${event.id}${'isError' in event ? ' failed' : ''}` : ''
      const what = Object.keys(span.metadata).length > 0 ? ` ${JSON.stringify(span.metadata)}` : ''
      lines[span.line] = `${channel}${id} ${span.deltas.join('|')}${what}`
    } else if (event.type === 'tool-call') {
      const { toolName, id, status, input, metadata, wireId, providerExecuted } = event
      lines.push(
        `call ${toolName}#${id} ${status} ${JSON.stringify(input)}` +
          `${wireId === undefined ? '' : ` wire ${wireId}`}${providerExecuted ? ' theirs' : ''}` +
          `${metadata === undefined ? '' : ` ${JSON.stringify(metadata)}`}`,
      )
    } else if (event.type === 'custom') lines.push(`custom ${event.kind} ${JSON.stringify(event.value)}`)
    else if (event.type === 'diagnostic') lines.push(`diagnostic ${event.code}`)
    else if (event.type === 'error') lines.push(`error ${(event.error as Error).message}`)
    else if (event.type === 'finish') {
      const { reason, rawReason, usage } = event
      lines.push(
        `finish ${reason}${rawReason === undefined ? '' : ` (${rawReason})`}` +
          `${usage === undefined ? '' : ` ${JSON.stringify(usage)}`}`,
      )
    }
  }
  return lines
}
