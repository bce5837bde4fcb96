/** A picture of a recording: one lane for what arrived, one for each text, and one for each call with its arguments. */

import { counted } from '../terminal/growing-lines.ts'
import { sanitise } from '../terminal/sanitise.ts'
import type { Inspection } from './inspection.ts'

const WIDTH = 960
const LEFT = 190
const RIGHT = 24
const LANE = 26
const TOP = 64

interface Bar {
  readonly label: string
  readonly from: number
  readonly to: number
  readonly colour: string
  readonly words: string
  readonly isInner?: boolean
}

const COLOURS = {
  text: '#2f6feb',
  reasoning: '#8b949e',
  complete: '#2da44e',
  repaired: '#bf8700',
  truncated: '#cf222e',
  invalid: '#cf222e',
  argument: '#a371f7',
} as const

export function drawTimeline(inspection: Inspection, name: string): string {
  const bars = barsOf(inspection)
  const duration = Math.max(1, inspection.duration)
  const x = (at: number): number => round(LEFT + (at / duration) * (WIDTH - LEFT - RIGHT))
  const height = TOP + (bars.length + 1) * LANE + 56
  const lanes = bars.map((bar, index) => drawBar(bar, TOP + (index + 1) * LANE, x))
  const ticks = inspection.chunks
    .map(
      (at) => `<rect x="${x(at)}" y="${TOP + 5}" width="1" height="14" fill="#57606a" fill-opacity="0.6"/>`,
    )
    .join('')
  const { heldBack, first } = inspection
  const figures = [
    first.text === undefined ? '' : `first text after ${inWords(first.text)}`,
    first.name === undefined ? '' : `first name after ${inWords(first.name)}`,
    heldBack.times === 0
      ? 'nothing held back'
      : `held back: at most ${counted(heldBack.mostCharacters, 'character')}, ${inWords(heldBack.longestMs)}`,
  ].filter((words) => words !== '')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="ui-sans-serif, system-ui, sans-serif" font-size="12">
<title>${escaped(name)}</title>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="16" y="26" font-size="15" font-weight="600" fill="#1f2328">${escaped(shortened(name, 90))}</text>
<text x="16" y="46" fill="#57606a">${escaped(figures.join(' · '))}</text>
${grid(duration, x, height)}
<text x="16" y="${TOP + 16}" fill="#57606a">${inspection.chunks.length} chunks</text>
${ticks}
${lanes.join('\n')}
</svg>
`
}

function barsOf({ spans, calls }: Inspection): Bar[] {
  const texts = spans.map(
    ({ kind, from, to, characters }): Bar => ({
      label: kind,
      from,
      to,
      colour: COLOURS[kind],
      words: `${characters} characters`,
    }),
  )
  const groups = [
    ...texts.map((bar) => [bar]),
    ...calls.map((call): Bar[] => [
      {
        label: call.toolName,
        from: call.from,
        to: call.to,
        colour: COLOURS[(call.status || 'truncated') as keyof typeof COLOURS],
        words: call.status || 'no verdict',
      },
      ...call.arguments.map(
        ({ key, from, to, characters }): Bar => ({
          label: key,
          from,
          to,
          colour: COLOURS.argument,
          words: `${characters} characters`,
          isInner: true,
        }),
      ),
    ]),
  ]
  return groups.sort(([one], [other]) => one!.from - other!.from).flat()
}

function drawBar(
  { label, from, to, colour, words, isInner = false }: Bar,
  y: number,
  x: (at: number) => number,
): string {
  const width = Math.max(3, round(x(to) - x(from)))
  const title = `${label}: ${inWords(from)} to ${inWords(to)}, ${words}`
  // Beside the bar, or before it where there is no room behind it.
  const isLeft = x(to) + 8 + words.length * 6.2 > WIDTH - 8
  const [at, anchor] = isLeft ? [x(from) - 6, 'end'] : [x(from) + width + 6, 'start']
  return `<g><title>${escaped(title)}</title><text x="${isInner ? 32 : 16}" y="${y + 16}" fill="${isInner ? '#57606a' : '#1f2328'}">${escaped(shortened(label, isInner ? 22 : 24))}</text><rect x="${x(from)}" y="${y + (isInner ? 8 : 5)}" width="${width}" height="${isInner ? 8 : 14}" rx="3" fill="${colour}"/><text x="${at}" y="${y + 16}" fill="#57606a" font-size="11" text-anchor="${anchor}">${escaped(words)}</text></g>`
}

function grid(duration: number, x: (at: number) => number, height: number): string {
  const step = stepOf(duration)
  const lines: string[] = []
  for (let at = 0; at <= duration; at += step)
    lines.push(
      `<line x1="${x(at)}" y1="${TOP}" x2="${x(at)}" y2="${height - 36}" stroke="#d0d7de"/><text x="${x(at)}" y="${height - 20}" fill="#57606a" text-anchor="middle">${inWords(at)}</text>`,
    )
  return lines.join('\n')
}

/** 1, 2 or 5 times a power of ten, for at most ten lines. */
function stepOf(duration: number): number {
  const power = 10 ** Math.floor(Math.log10(duration / 5))
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => duration / step <= 10) ?? duration
}

const inWords = (milliseconds: number): string =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${round(milliseconds / 1000)} s`

const round = (value: number): number => Math.round(value * 100) / 100

function shortened(text: string, length: number): string {
  const characters = [...sanitise(text, 'visualise').replaceAll('\n', '␊')]
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`
}

function escaped(text: string): string {
  return sanitise(text, 'visualise')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
