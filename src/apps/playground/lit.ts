/** What is lit up because the pointer is on it, here or elsewhere on the page, and what to say about it. */

import type { SluiceEvent } from '../../base/event.ts'
import { pointer } from '../../base/path.ts'
import type { Timeline } from './timeline.ts'

/** An entry of the log, or everything of a call. */
export interface Lit {
  readonly entry?: number
  readonly id?: string
}

/** The part of the wire that an event says it is about. */
export function litRange({ log }: Timeline, lit: Lit | null): [from: number, to: number] | null {
  const event = lit?.entry === undefined ? undefined : log.entries[lit.entry]?.event
  if (event === undefined || !('span' in event) || event.span === undefined) return null
  return [event.span.start, event.span.end]
}

/** Whether a card is about what is lit. */
export function isLitCall({ log }: Timeline, lit: Lit | null, id: string | undefined): boolean {
  if (lit === null || id === undefined) return false
  const event = lit.entry === undefined ? undefined : log.entries[lit.entry]?.event
  return lit.id === id || (event !== undefined && 'id' in event && event.id === id)
}

/** An event in one line: what it is, and what it carries. */
export function inWords(event: SluiceEvent): string {
  switch (event.type) {
    case 'tool-input-start':
      return `${event.toolName}${event.tentative ? ' (tentative)' : ''}`
    case 'argument-start':
      return `${pointer(event.path)} ${event.kind}`
    case 'argument-delta':
      return `${pointer(event.path)} ${quoted(event.delta)}`
    case 'argument-end':
      return `${pointer(event.path)} = ${shortened(JSON.stringify(event.value) ?? '')}`
    case 'tool-call':
      return `${event.toolName} ${event.status}${event.error ? `: ${event.error.message}` : ''}`
    case 'diagnostic':
      return `${event.code}: ${event.message}`
    case 'finish':
      return event.reason
    case 'error':
      return event.error.message
    case 'custom':
      return `${event.kind} ${shortened(JSON.stringify(event.value) ?? '')}`
    default:
      return 'delta' in event ? quoted(event.delta) : 'id' in event ? event.id : ''
  }
}

const quoted = (text: string): string => shortened(JSON.stringify(text))

/** Longer texts end in the middle of a row anyway. */
const LONGEST = 200

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST / 2)} … ${text.slice(-LONGEST / 2)}`
}
