/**
 * Draws docs/terminal.svg, the moving picture in the README: `sluice watch` on a recorded stream, as a terminal emulator
 * shows it. `npm run docs` writes it.
 */

import xterm from '@xterm/headless'
import { createTerminal } from '../src/apps/terminal/index.ts'
import { findDialect } from '../src/dialects/index.ts'
import { createSinkParser } from '../src/engine/parser.ts'
import type { TextRecording } from '../src/runs/recording/index.ts'

const COLUMNS = 76
const ROWS = 24
/** Milliseconds between two pictures. */
const STEP = 120
/** How long the last picture stays. */
const REST = 4000
const CELL = 8.4
const LINE = 19
const MARGIN = 16

const COLOURS: Readonly<Record<number, string>> = {
  1: '#ff7b72',
  2: '#7ee787',
  3: '#e3b341',
  5: '#d2a8ff',
  6: '#79c0ff',
}
const FOREGROUND = '#e6edf3'
const BACKGROUND = '#0d1117'
const DIM = '#8b949e'

type Terminal = InstanceType<typeof xterm.Terminal>

/** The picture of a recording in which tools stream. */
export async function drawTerminal(
  recording: TextRecording,
  tools: Parameters<typeof createTerminal>[0]['tools'],
): Promise<string> {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true, convertEol: true })
  const frames = await framesOf(recording, tools, terminal)
  terminal.dispose()
  return draw(frames)
}

/** A frame is its rows, each as the SVG of its text. */
interface Frame {
  readonly at: number
  readonly rows: readonly string[]
}

async function framesOf(
  recording: TextRecording,
  tools: Parameters<typeof createTerminal>[0]['tools'],
  terminal: Terminal,
): Promise<Frame[]> {
  let now = 0
  let written = ''
  const output = {
    isTTY: true,
    columns: COLUMNS,
    rows: ROWS,
    write: (text: string) => {
      written += text
    },
  }
  // Frames are drawn when this script wants them.
  const clock = { now: () => now, wait: () => new Promise<void>(() => {}) }
  const screen = createTerminal({
    stdout: output,
    stderr: output,
    clock,
    windowLines: 8,
    ...(tools !== undefined && { tools }),
  })
  const parser = createSinkParser((event) => screen.add(event), {
    dialect: findDialect(String(recording.header.dialect)),
    ...(tools !== undefined && { tools }),
    emit: { json: false, arguments: true },
  })
  const frames: Frame[] = []
  const take = async (): Promise<void> => {
    screen.flush()
    const text = written
    written = ''
    await new Promise<void>((resolve) => terminal.write(text, resolve))
    const rows = rowsOf(terminal)
    if (frames.at(-1)?.rows.join('\n') !== rows.join('\n')) frames.push({ at: now, rows })
  }
  const end = recording.chunks.at(-1)?.at ?? 0
  let next = 0
  for (; now < end + STEP; now += STEP) {
    for (; next < recording.chunks.length && recording.chunks[next]!.at <= now; next++)
      parser.push(recording.chunks[next]!.chunk)
    await take()
  }
  parser.end()
  screen.end()
  await take()
  return frames
}

function rowsOf(terminal: Terminal): string[] {
  const { active } = terminal.buffer
  return Array.from({ length: ROWS }, (_, row) => {
    const line = active.getLine(active.baseY + row)!
    const spans: { style: string; text: string }[] = []
    for (let column = 0; column < COLUMNS; column++) {
      const cell = line.getCell(column)!
      if (cell.getWidth() === 0) continue
      const style = styleOf(cell)
      const text = cell.getChars() || ' '
      const last = spans.at(-1)
      if (last?.style === style || (last !== undefined && text === ' ')) last!.text += text
      else spans.push({ style, text })
    }
    const all = spans.map(({ style, text }) => ({ style, text: escaped(text) }))
    while (all.at(-1)?.text.trim() === '') all.pop()
    const last = all.at(-1)
    if (last !== undefined) last.text = last.text.trimEnd()
    return all.map(({ style, text }) => (style === '' ? text : `<tspan${style}>${text}</tspan>`)).join('')
  })
}

function styleOf(cell: {
  getFgColor(): number
  isFgDefault(): boolean
  isBold(): number
  isDim(): number
}): string {
  const colour = cell.isDim() ? DIM : cell.isFgDefault() ? undefined : COLOURS[cell.getFgColor()]
  return `${colour === undefined ? '' : ` fill="${colour}"`}${cell.isBold() ? ' font-weight="700"' : ''}`
}

/** Each row that is ever shown stands in the picture once; a frame says which of them are where. */
function draw(frames: readonly Frame[]): string {
  const duration = (frames.at(-1)?.at ?? 0) + REST
  const width = Math.round(COLUMNS * CELL + 2 * MARGIN)
  const height = ROWS * LINE + 2 * MARGIN + 8
  const texts: string[] = []
  // A row at a place is visible during some spans of time.
  for (let row = 0; row < ROWS; row++) {
    const shown = new Map<string, [from: number, to: number][]>()
    for (const [index, frame] of frames.entries()) {
      const text = frame.rows[row]!
      if (text === '') continue
      const to = frames[index + 1]?.at ?? duration
      const spans = shown.get(text) ?? []
      const last = spans.at(-1)
      if (last?.[1] === frame.at) last[1] = to
      else spans.push([frame.at, to])
      shown.set(text, spans)
    }
    const y = MARGIN + 8 + (row + 1) * LINE - 5
    for (const [text, spans] of shown)
      texts.push(`<text x="${MARGIN}" y="${y}">${text}${blinking(spans, duration)}</text>`)
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>A response as sluice watch shows it</title>
<rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="${FOREGROUND}">
${texts.join('\n')}
</g>
</svg>
`
}

/** Visible during these spans of time, over and over. */
function blinking(spans: readonly (readonly [number, number])[], duration: number): string {
  const times: number[] = []
  const values: string[] = []
  const set = (at: number, value: string): void => {
    const time = Math.round((at / duration) * 10_000) / 10_000
    if (times.at(-1) === time) values[values.length - 1] = value
    else {
      times.push(time)
      values.push(value)
    }
  }
  if (spans[0]![0] > 0) set(0, 'hidden')
  for (const [from, to] of spans) {
    set(from, 'visible')
    if (to < duration) set(to, 'hidden')
  }
  if (times.length === 1) return ''
  return `<animate attributeName="visibility" calcMode="discrete" dur="${duration / 1000}s" repeatCount="indefinite" keyTimes="${times.join(';')}" values="${values.join(';')}"/>`
}

/** Spaces that no browser joins. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(' ', '\u00a0')
}
