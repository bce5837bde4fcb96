/** The timeline: a slider over all moments, and under it chunks as ticks and a lane for each thing that was said. */

import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { type Lane, lanesOf, ticksOf } from './lanes.ts'
import { isLitCall, type Lit } from './lit.ts'
import type { StepKind, Timeline } from './timeline.ts'

export interface TimelinePaneProps {
  readonly timeline: Timeline
  /** Changes when the timeline grew, or was cut in another way. */
  readonly version: number
  readonly moment: number
  readonly isPlaying: boolean
  readonly speed: number
  readonly lit: Lit | null
  onMoment(moment: number): void
  onStep(by: StepKind, direction: 1 | -1): void
  onPlay(): void
  onSpeed(speed: number): void
  onLight(lit: Lit | null): void
}

/** Columns of the picture. */
const COLUMNS = 1_000
const SPEEDS = [0.25, 0.5, 1, 2, 8]

export function TimelinePane(props: TimelinePaneProps): VNode {
  const { timeline, moment, version, lit, onMoment, onLight } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: the timeline grows, and its version says so
  const lanes = useMemo(() => lanesOf(timeline, COLUMNS), [timeline, version])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const ticks = useMemo(() => ticksOf(timeline, COLUMNS), [timeline, version])
  const share = `${(100 * moment) / Math.max(1, timeline.end)}%`
  const scrub = (event: PointerEvent): void => {
    if (event.buttons === 0) return
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect()
    onMoment(Math.round(((event.clientX - left) / width) * timeline.end))
  }
  return html`<section class="timeline" aria-label="Timeline">
    <${Transport} ...${props} />
    <div class="tracks">
      <span class="lane-name" id="moment-label">moment</span>
      <input class="slider" type="range" min="0" max=${timeline.end} step="1" value=${moment}
        aria-labelledby="moment-label" aria-valuetext=${momentInWords(timeline, moment)}
        onInput=${(event: Event) => onMoment(Number((event.target as HTMLInputElement).value))} />
      <span class="lane-name">${timeline.chunks.length.toLocaleString('en')} chunks</span>
      <div class="track" onPointerDown=${scrub} onPointerMove=${scrub}>
        <svg viewBox="0 0 ${COLUMNS} 10" preserveAspectRatio="none" aria-hidden="true">
          <path class="ticks" d=${ticks.map((x) => `M${x + 0.5} 1v8`).join('')} />
        </svg>
        <span class="playhead" style=${{ left: share }}></span>
      </div>
      ${lanes.map(
        (lane, index) => html`<${LaneView} key=${index} lane=${lane} share=${share} scrub=${scrub}
        isLit=${isLitCall(timeline, lit, lane.id)} onLight=${onLight} />`,
      )}
    </div>
  </section>`
}

function momentInWords(timeline: Timeline, moment: number): string {
  if (moment > timeline.length) return 'after the end'
  return `character ${moment} of ${timeline.length}, chunk ${timeline.chunkAt(moment)} of ${timeline.chunks.length}`
}

interface LaneProps {
  readonly lane: Lane
  readonly share: string
  readonly isLit: boolean
  scrub(event: PointerEvent): void
  onLight(lit: Lit | null): void
}

function LaneView({ lane, share, isLit, scrub, onLight }: LaneProps): VNode {
  const light = (): void => onLight(lane.id === undefined ? null : { id: lane.id })
  return html`<span class="lane-name k-${lane.kind}" title=${lane.title}>${lane.title}</span>
    <div class="track lane k-${lane.kind}${isLit ? ' lit-lane' : ''}" onPointerDown=${scrub} onPointerMove=${scrub}
      onMouseEnter=${light} onMouseLeave=${() => onLight(null)}>
      <svg viewBox="0 0 ${COLUMNS} 10" preserveAspectRatio="none" aria-hidden="true">
        ${lane.bars.map(
          ({
            from,
            to,
            mark,
          }) => html`<rect key="${from}${mark}" class="bar-${mark}" x=${from} width=${to - from}
          y=${mark === 'held' ? 4 : 1} height=${mark === 'held' ? 2 : 8} />`,
        )}
      </svg>
      <span class="future" style=${{ left: share }}></span>
      <span class="playhead" style=${{ left: share }}></span>
    </div>`
}

// ── buttons ──────────────────────────────────────────────────────────────────────────────────────

const STEPS: readonly StepKind[] = ['event', 'chunk', 'character']

function Transport(props: TimelinePaneProps): VNode {
  const { timeline, moment, isPlaying, speed, onStep, onPlay, onSpeed, onMoment } = props
  const step = (kind: StepKind, direction: 1 | -1): unknown => html`<button type="button" key=${kind}
    aria-label="${direction > 0 ? 'Next' : 'Previous'} ${kind}" onClick=${() => onStep(kind, direction)}
    >${direction < 0 ? '‹ ' : ''}${kind}${direction > 0 ? ' ›' : ''}</button>`
  return html`<div class="transport">
    <div class="buttons" role="group" aria-label="Playback">
      <button type="button" class="quiet" aria-label="To the start" onClick=${() => onMoment(0)}>|‹</button>
      ${STEPS.map((kind) => step(kind, -1))}
      <button type="button" class="play" onClick=${onPlay} aria-keyshortcuts="Space">${isPlaying ? 'Pause' : 'Play'}</button>
      ${[...STEPS].reverse().map((kind) => step(kind, 1))}
      <button type="button" class="quiet" aria-label="To the end" onClick=${() => onMoment(timeline.end)}>›|</button>
    </div>
    <label class="inline">Speed
      <select value=${speed} onChange=${(event: Event) => onSpeed(Number((event.target as HTMLSelectElement).value))}>
        ${SPEEDS.map((one) => html`<option value=${one} selected=${one === speed}>${one}×</option>`)}
      </select>
    </label>
    <output class="where">${Math.min(moment, timeline.length).toLocaleString('en')} <span class="faint">of ${timeline.length.toLocaleString('en')} characters${
      moment > timeline.length ? ', ended' : ''
    }</span></output>
  </div>`
}
