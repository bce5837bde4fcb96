/** What the screen costs while a model writes: the processor's time beside the time on the wall. */

import { createTerminal } from '../../dist/terminal/index.js'

const DELTAS_A_SECOND = 1000
/** Seconds that are measured, after some in which everything is compiled. */
const SECONDS = 60
const WARM_SECONDS = 10

const TARGET = 2

/** A terminal that nobody looks at. */
const output = () => ({
  isTTY: true,
  columns: 120,
  rows: 40,
  written: 0,
  write(text) {
    this.written += text.length
  },
})

/** Time that goes on when it is told to, so that the machine's own timers are not in the figure. */
class SimulatedClock {
  time = 0
  waiting = null

  now = () => this.time

  wait = (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      this.waiting = { at: this.time + milliseconds, resolve }
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    })

  async advance(milliseconds) {
    this.time += milliseconds
    if (this.waiting === null || this.waiting.at > this.time) return
    const { resolve } = this.waiting
    this.waiting = null
    resolve()
    await null
    await null
  }
}

const shareRow = (work, start, delta) => ({
  work,
  target: `≤ ${TARGET} % of a core`,
  async run() {
    const stderr = output()
    const clock = new SimulatedClock()
    const terminal = createTerminal({
      stdout: stderr,
      stderr,
      clock,
      tools: [{ name: 'write_file', streams: 'content', headlines: ['path'] }],
    })
    for (const event of start) terminal.add(event)
    let index = 0
    const run = async (seconds) => {
      for (const end = index + seconds * DELTAS_A_SECOND; index < end; index++) {
        terminal.add(delta(index))
        await clock.advance(1000 / DELTAS_A_SECOND)
      }
    }
    await run(WARM_SECONDS)
    const cpu = process.cpuUsage()
    await run(SECONDS)
    const { user, system } = process.cpuUsage(cpu)
    terminal.end()
    const share = (user + system) / 10_000 / SECONDS
    return { shown: `${share.toFixed(2)} % of a core`, met: share <= TARGET }
  },
})

const TOKENS = [
  'const ',
  'total',
  ' = ',
  'items',
  '.reduce',
  '((sum, ',
  'one) ',
  '=> sum',
  ' + one',
  ', 0)\n',
]
const token = (index) => TOKENS[index % TOKENS.length]

export const suite = {
  title: 'The terminal',
  about: `${DELTAS_A_SECOND.toLocaleString('en')} deltas a second for a minute of simulated time, on a screen of 120 columns and 40 rows that is drawn at most 30 times a second.`,
  rows: [
    shareRow(
      'a file that grows',
      [
        { type: 'tool-input-start', id: '1', toolName: 'write_file' },
        { type: 'argument-start', id: '1', path: ['path'], kind: 'string' },
        { type: 'argument-end', id: '1', path: ['path'], value: 'src/total.ts' },
        { type: 'argument-start', id: '1', path: ['content'], kind: 'string' },
      ],
      (index) => ({ type: 'argument-delta', id: '1', path: ['content'], delta: token(index) }),
    ),
    shareRow('text', [{ type: 'text-start', id: 't' }], (index) => ({
      type: 'text-delta',
      id: 't',
      delta: token(index),
    })),
    shareRow(
      'four calls at once',
      [1, 2, 3, 4].flatMap((id) => [
        { type: 'tool-input-start', id: `${id}`, toolName: 'write_file' },
        { type: 'argument-start', id: `${id}`, path: ['content'], kind: 'string' },
      ]),
      (index) => ({
        type: 'argument-delta',
        id: `${1 + (index % 4)}`,
        path: ['content'],
        delta: token(index >> 2),
      }),
    ),
  ],
}
