/** The wire: the characters that have arrived, markup greyed, and what is held back underlined. */

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { type Lit, litRange } from './lit.ts'
import { CHARACTER_WIDTH } from './long-text.ts'
import { RowList } from './row-list.ts'
import { TextRows } from './text-rows.ts'
import type { Timeline } from './timeline.ts'
import { visible } from './visible-text.ts'
import type { WirePiece } from './wire-map.ts'

const ROW_HEIGHT = 21

export interface WirePaneProps {
  readonly timeline: Timeline
  readonly moment: number
  readonly lit: Lit | null
  onLight(lit: Lit | null): void
}

export function WirePane({ timeline, moment, lit, onLight }: WirePaneProps): VNode {
  const [width, setWidth] = useState(600)
  const columns = Math.floor((width - 32) / CHARACTER_WIDTH)
  const rows = useMemo(() => new TextRows(columns), [columns]).layOut(timeline.wire)
  const position = Math.min(moment, timeline.length)
  const count = rows.countUpTo(position)
  const range = litRange(timeline, lit)

  const row = (index: number): unknown => {
    const [from, to] = rows.rangeOf(index)
    const pieces = timeline.map.piecesAt(moment, from, Math.min(to, position))
    return html`<div class="row" key=${index}>${pieces.map(
      (piece) => html`<span
      key=${piece.from} class=${classOf(timeline, piece, lit, range)} data-entry=${piece.entry}
      >${visible(timeline.wire.slice(piece.from, piece.to)).replace('\n', '')}</span>`,
    )}${
      index === count - 1 && moment <= timeline.length ? html`<span class="caret" key="caret"></span>` : null
    }</div>`
  }

  const onPoint = (event: Event): void => {
    const entry = (event.target as HTMLElement).dataset.entry
    const index = event.type === 'mouseleave' || entry === undefined ? -1 : Number(entry)
    onLight(index < 0 ? null : { entry: index })
  }

  return html`<${RowList} name="wire" label="What has arrived" count=${count} rowHeight=${ROW_HEIGHT} row=${row}
    follow=${count - 1} onWidth=${setWidth} onPoint=${onPoint} />`
}

function classOf(
  timeline: Timeline,
  piece: WirePiece,
  lit: Lit | null,
  range: [number, number] | null,
): string {
  const isIn = range !== null && piece.from < range[1] && piece.to > range[0]
  const isOf = lit !== null && (piece.entry === lit.entry || isOfCall(timeline, piece, lit))
  return `w-${piece.kind}${isIn || isOf ? ' lit' : ''}`
}

function isOfCall({ log }: Timeline, { entry }: WirePiece, { id }: Lit): boolean {
  const event = log.entries[entry]?.event
  return id !== undefined && event !== undefined && 'id' in event && event.id === id
}
