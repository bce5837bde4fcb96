// Feeds 1,000 deltas a second of real time to a terminal, and prints the share of a core that the process takes, in percent:
// in the first seconds, with what Node compiles meanwhile, and in those after them. It also prints how many frames a second
// were drawn. `node live-terminal.mjs NUMBER idle` makes the same deltas in the same time and gives them to nobody: what the
// feeder and its timers cost by themselves.
import { createTerminal } from '../dist/apps/terminal/index.js'
import {
  DELTAS_A_SECOND,
  LIVE_SECONDS,
  nowhere,
  START_SECONDS,
  TERMINAL_WORK,
  TOOLS,
} from './terminal-work.mjs'

const [number, mode] = process.argv.slice(2)
const { start, delta } = TERMINAL_WORK[Number(number)]
const output = nowhere()
const terminal = createTerminal({ stdout: output, stderr: output, tools: TOOLS })
const add = mode === 'idle' ? () => {} : (event) => terminal.add(event)

const begun = performance.now()
const elapsed = () => (performance.now() - begun) / 1000
let last = { cpu: process.cpuUsage(), at: 0 }
/** The share of a core since the last time it was asked for. */
const share = () => {
  const { user, system } = process.cpuUsage(last.cpu)
  const seconds = elapsed() - last.at
  last = { cpu: process.cpuUsage(), at: elapsed() }
  return (user + system) / 10_000 / seconds
}

for (const event of start) add(event)
let sent = 0
/** Sends what is due, until so many seconds are over. */
const sendUntil = (seconds) =>
  new Promise((resolve) => {
    const send = () => {
      const due = Math.min(elapsed(), seconds) * DELTAS_A_SECOND
      while (sent < due) add(delta(sent++))
      if (elapsed() < seconds) setTimeout(send, 1)
      else resolve()
    }
    send()
  })

await sendUntil(START_SECONDS)
const first = share()
await sendUntil(LIVE_SECONDS)
const frames = output.writes / elapsed()
terminal.end()
console.log(JSON.stringify({ first, after: share(), frames }))
