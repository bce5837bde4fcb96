/** A long list of rows of one height, of which only those are drawn that can be seen. */

import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface RowListProps {
  readonly count: number
  readonly rowHeight: number
  row(index: number): ComponentChildren
  /** The row that is to be seen; absent: wherever the user scrolled to. */
  readonly follow?: number | undefined
  readonly label: string
  readonly name: string
  readonly role?: string
  onWidth?(width: number): void
  onPoint?(event: Event): void
  onKey?(event: KeyboardEvent): void
}

/** Rows that are drawn above and below what can be seen. */
const MARGIN = 8

export function RowList(props: RowListProps): VNode {
  const { count, rowHeight, row, follow, label, name, role = 'region', onWidth, onPoint, onKey } = props
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 400 })

  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks once, and whenever the size changes
  useEffect(() => {
    const element = box.current!
    const look = (): void => {
      setView({ top: element.scrollTop, height: element.clientHeight })
      onWidth?.(element.clientWidth)
    }
    const observer = new ResizeObserver(look)
    observer.observe(element)
    look()
    return () => observer.disconnect()
  }, [])

  useLayoutEffect(() => {
    const element = box.current!
    if (follow === undefined) return
    const [from, to] = [follow * rowHeight, (follow + 1) * rowHeight]
    // The padding of the box belongs to what is scrolled.
    const room = element.clientHeight - rowHeight * 2
    if (to > element.scrollTop + room) element.scrollTop = to - room
    else if (from < element.scrollTop) element.scrollTop = Math.max(0, from - rowHeight)
    setView((known) => (known.top === element.scrollTop ? known : { ...known, top: element.scrollTop }))
  }, [follow, rowHeight])

  const first = Math.max(0, Math.floor(view.top / rowHeight) - MARGIN)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + MARGIN)
  const rows: ComponentChildren[] = []
  for (let index = first; index < last; index++) rows.push(row(index))
  // It may come when the list is gone already.
  const onScroll = (event: Event): void => {
    const { scrollTop } = event.target as HTMLElement
    setView((known) => ({ ...known, top: scrollTop }))
  }
  return html`<div
    class="rows ${name}" ref=${box} tabindex="0" role=${role} aria-label=${label} aria-live="off"
    onScroll=${onScroll} onMouseOver=${onPoint} onMouseLeave=${onPoint} onKeyDown=${onKey}
  ><div class="rows-all" style=${{ height: `${count * rowHeight}px` }}>
    <div class="rows-seen" style=${{ transform: `translateY(${first * rowHeight}px)` }}>${rows}</div>
  </div></div>`
}
