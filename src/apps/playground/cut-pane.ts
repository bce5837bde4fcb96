/** "Cut differently": the text in other chunks, and whether the events are the same, which is checked each time. */

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type CutComparison, compareCuts } from './compare-cuts.ts'
import type { Cut, SampleChunk, Settings } from './settings.ts'
import type { Timeline } from './timeline.ts'

export interface CutPaneProps {
  readonly settings: Settings
  readonly timeline: Timeline
  readonly chunks: readonly SampleChunk[]
  readonly cut: Cut
  onCut(cut: Cut): void
}

const CUTS: readonly [title: string, cut: Cut][] = [
  ['as it came', { by: 'recorded' }],
  ['1 character', { by: 'characters', size: 1 }],
  ['7 characters', { by: 'characters', size: 7 }],
  ['64 characters', { by: 'characters', size: 64 }],
  ['1 byte', { by: 'bytes', size: 1 }],
  ['3 bytes', { by: 'bytes', size: 3 }],
]

export function CutPane({ settings, timeline, chunks, cut, onCut }: CutPaneProps): VNode {
  const [result, setResult] = useState<CutComparison | null>(null)
  useEffect(() => {
    setResult(null)
    // The page is drawn first: a long stream takes a moment to read again.
    const timer = setTimeout(() => timeline.isEnded && setResult(compareCuts(settings, timeline, chunks)), 0)
    return () => clearTimeout(timer)
  }, [settings, timeline, chunks])
  const isSame = (one: Cut): boolean => JSON.stringify(one) === JSON.stringify(cut)
  return html`<div class="cuts">
    <div class="buttons" role="group" aria-label="Cut the stream differently">
      <span class="faint">Cut it</span>
      ${CUTS.map(([title, one]) => html`<button type="button" class="chip" key=${title} aria-pressed=${isSame(one)} onClick=${() => onCut(one)}>${title}</button>`)}
      <button type="button" class="chip" aria-pressed=${cut.by === 'random'}
        onClick=${() => onCut({ by: 'random', seed: cut.by === 'random' ? cut.seed + 1 : 1 })}>at random</button>
    </div>
    <p class="checked ${result?.isEqual === false ? 'bad' : 'good'}" role="status">${result === null ? 'Checking …' : inWords(result)}</p>
  </div>`
}

function inWords({ isEqual, chunks, events, firstDifference }: CutComparison): string {
  const what = `${chunks.toLocaleString('en')} chunk${chunks === 1 ? '' : 's'}`
  return isEqual
    ? `✓ Read again in ${what}: the same ${events.toLocaleString('en')} events.`
    : `✕ Read again in ${what}: event ${(firstDifference ?? 0) + 1} differs.`
}
