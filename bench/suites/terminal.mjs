/** What the screen costs while a model writes: the processor's time beside the time on the wall. */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTerminal } from '../../dist/apps/terminal/index.js'
import { median } from '../measure.mjs'
import {
  DELTAS_A_SECOND,
  LIVE_SECONDS,
  nowhere,
  START_SECONDS,
  TERMINAL_WORK,
  TOOLS,
} from '../terminal-work.mjs'

/** Seconds that are measured, after some in which everything is compiled. */
const SECONDS = 60
const WARM_SECONDS = 10

const TARGET = 2
/** One more than 30, because the first frame is drawn at once. */
const MOST_FRAMES = (30 * LIVE_SECONDS + 1) / LIVE_SECONDS

/** Processes with a terminal and without one that are run in turns. */
const PAIRS = 3

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

const simulatedRow = ({ work, start, delta }) => ({
  work,
  target: `≤ ${TARGET} % of a core`,
  async run() {
    const output = nowhere()
    const clock = new SimulatedClock()
    const terminal = createTerminal({ stdout: output, stderr: output, clock, tools: TOOLS })
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

const PROGRAM = fileURLToPath(new URL('../live-terminal.mjs', import.meta.url))

/** In real time, with Node's own timers: what a process with a terminal takes more than one that gives its deltas to nobody. */
const realRow = ({ work }, number) => ({
  work: `${work}, in real time`,
  target: `≤ ${TARGET} % of a core`,
  async run() {
    const live = async (mode) => {
      const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, `${number}`, mode])
      return JSON.parse(stdout)
    }
    const pairs = []
    // One after the other: two that run at once disturb each other.
    for (let pair = 0; pair < PAIRS; pair++) pairs.push([await live('idle'), await live('terminal')])
    const share = (phase) => median(pairs.map(([idle, terminal]) => terminal[phase] - idle[phase]))
    const first = share('first')
    const after = share('after')
    const frames = Math.max(...pairs.map(([, terminal]) => terminal.frames))
    return {
      shown: `${first.toFixed(2)} %, then ${after.toFixed(2)} % of a core`,
      met: first <= TARGET && after <= TARGET && frames <= MOST_FRAMES,
    }
  },
})

export const suite = {
  title: 'The terminal',
  about: `${DELTAS_A_SECOND.toLocaleString('en')} deltas a second on a screen of 120 columns and 40 rows that is drawn at most 30 times a second: for a minute of simulated time after everything is compiled, and in real time for the first ${START_SECONDS} seconds, compiling included, and the ${LIVE_SECONDS - START_SECONDS} seconds after them. In real time, a process that makes the same deltas and gives them to nobody takes its own share, which is subtracted; the median of ${PAIRS} such pairs is shown, and more than 30 frames a second miss the target, too.`,
  rows: [...TERMINAL_WORK.map(simulatedRow), ...TERMINAL_WORK.map(realRow)],
}
