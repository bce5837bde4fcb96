/** A text that may be very long: drawn as it is while it is short, and by rows once it is not. */

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { RowList } from './row-list.ts'
import { TextRows } from './text-rows.ts'
import { visible } from './visible-text.ts'

/** Characters that a page draws without effort. */
const SHORT = 6_000
const ROW_HEIGHT = 20
/** Pixels that a character of the code font is wide, at the size at which rows are drawn. */
export const CHARACTER_WIDTH = 7.83

export interface LongTextProps {
  readonly text: string
  readonly label: string
  /** More of it may come: the end is to be seen. */
  readonly isGrowing: boolean
}

export function LongText({ text, label, isGrowing }: LongTextProps): VNode {
  const [width, setWidth] = useState(600)
  const isShort = text.length <= SHORT
  const columns = Math.floor((width - 24) / CHARACTER_WIDTH)
  const rows = useMemo(() => new TextRows(columns), [columns])
  if (isShort)
    return html`<pre class="value-text">${visible(text)}${isGrowing ? html`<span class="caret"></span>` : null}</pre>`
  rows.layOut(text)
  const count = rows.countUpTo(text.length)
  const row = (index: number): unknown =>
    html`<div class="row" key=${index}>${visible(text.slice(...rows.rangeOf(index)))}</div>`
  return html`<${RowList} name="long" label=${label} count=${count} rowHeight=${ROW_HEIGHT} row=${row}
    follow=${isGrowing ? count - 1 : undefined} onWidth=${setWidth} />`
}
