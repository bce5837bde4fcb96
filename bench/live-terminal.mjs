// Feeds 1,000 deltas a second of real time to a terminal, and prints the processor's time that a second takes, in
// milliseconds. `node live-terminal.mjs NUMBER idle` does the same without a terminal: what Node's timers cost by themselves.
import { createTerminal } from '../dist/terminal/index.js'
import { DELTAS_A_SECOND, nowhere, TERMINAL_WORK, TOOLS } from './terminal-work.mjs'

/** Until everything is compiled, as it is after the first lines of a response. */
const WARM_SECONDS = 2
const SECONDS = 4

const [number, mode] = process.argv.slice(2)
const { start, delta } = TERMINAL_WORK[Number(number)]
const output = nowhere()
const terminal = createTerminal({ stdout: output, stderr: output, tools: TOOLS })
const add = mode === 'idle' ? () => {} : (event) => terminal.add(event)

for (const event of start) add(event)
const begun = performance.now()
let sent = 0
/** Sends what is due, until so many seconds are over. */
const run = (seconds) =>
  new Promise((resolve) => {
    const send = () => {
      const elapsed = (performance.now() - begun) / 1000
      while (sent < Math.min(elapsed, seconds) * DELTAS_A_SECOND) add(delta(sent++))
      if (elapsed < seconds) setTimeout(send, 1)
      else resolve()
    }
    send()
  })
await run(WARM_SECONDS)
const before = process.cpuUsage()
const from = performance.now()
await run(WARM_SECONDS + SECONDS)
const { user, system } = process.cpuUsage(before)
console.log((user + system) / (performance.now() - from))
terminal.end()
