/**
 * The events up to a moment, adjacent deltas joined. Pointing at one, or going to it with the arrow keys, lights up what it
 * was made of.
 */

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
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
  const lighted = lit?.entry !== undefined && lit.entry < count ? lit.entry : undefined
  const [isByKey, setByKey] = useState(false)
  const onKey = (event: KeyboardEvent): void => {
    const to = { ArrowDown: (lighted ?? -1) + 1, ArrowUp: (lighted ?? count) - 1 }[event.key]
    if (event.key === 'Enter' && lighted !== undefined) onMoment(log.entries[lighted]!.at)
    else if (event.key === 'Escape') onLight(null)
    else if (to === undefined) return
    else onLight({ entry: Math.max(0, Math.min(to, count - 1)) })
    setByKey(true)
    event.preventDefault()
  }
  const onPoint = (event: Event): void => {
    setByKey(false)
    if (event.type === 'mouseleave') onLight(null)
  }
  // What the mouse points at stays where it is.
  const follow = isByKey && lighted !== undefined ? lighted : count - 1
  return html`<${RowList} name="events" role="log" label="Events" count=${count} rowHeight=${ROW_HEIGHT} row=${row}
    follow=${follow} onKey=${onKey} onPoint=${onPoint} />`
}
