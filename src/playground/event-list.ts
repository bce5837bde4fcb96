/** The events up to a moment, adjacent deltas joined. Pointing at one lights up what it was made of. */

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { inWords, type Lit } from './lit.ts'
import { RowList } from './row-list.ts'
import type { Timeline } from './timeline.ts'
import { visible } from './visible-text.ts'

export interface EventListProps {
  readonly timeline: Timeline
  readonly moment: number
  readonly lit: Lit | null
  onLight(lit: Lit | null): void
  onMoment(moment: number): void
}

const ROW_HEIGHT = 26

export function EventList({ timeline, moment, lit, onLight, onMoment }: EventListProps): VNode {
  const { log } = timeline
  const count = log.countAt(moment)
  const row = (index: number): unknown => {
    const entry = log.entries[index]!
    const event = log.eventAt(entry, moment)
    const kind = event.type.replace(/-(start|delta|end)$/, '')
    const isLit = lit?.entry === index || (lit?.id !== undefined && 'id' in event && event.id === lit.id)
    return html`<button type="button" tabindex="-1" class="event e-${kind}${isLit ? ' lit' : ''}" key=${index}
      onMouseEnter=${() => onLight({ entry: index })} onClick=${() => onMoment(entry.at)}
      ><span class="at">${Math.min(entry.at, timeline.length)}</span><span class="type">${event.type}</span
      ><span class="what">${visible(inWords(event))}</span></button>`
  }
  return html`<${RowList} name="events" role="log" label="Events" count=${count} rowHeight=${ROW_HEIGHT} row=${row}
    follow=${count - 1} onPoint=${(event: Event) => event.type === 'mouseleave' && onLight(null)} />`
}
