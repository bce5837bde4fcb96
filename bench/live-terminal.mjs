// Feeds 1,000 deltas a second of real time to a terminal, and prints the processor's time that a second takes, in
// milliseconds: all of it, from the first delta on, with what Node compiles meanwhile. `node live-terminal.mjs NUMBER idle`
// makes the same deltas in the same time and gives them to nobody: what the feeder and its timers cost by themselves.
import { createTerminal } from '../dist/terminal/index.js'
import { DELTAS_A_SECOND, LIVE_SECONDS, nowhere, TERMINAL_WORK, TOOLS } from './terminal-work.mjs'

const [number, mode] = process.argv.slice(2)
const { start, delta } = TERMINAL_WORK[Number(number)]
const output = nowhere()
const terminal = createTerminal({ stdout: output, stderr: output, tools: TOOLS })
const add = mode === 'idle' ? () => {} : (event) => terminal.add(event)

const before = process.cpuUsage()
const begun = performance.now()
for (const event of start) add(event)
let sent = 0
await new Promise((resolve) => {
  /** Sends what is due. */
  const send = () => {
    const elapsed = (performance.now() - begun) / 1000
    while (sent < Math.min(elapsed, LIVE_SECONDS) * DELTAS_A_SECOND) add(delta(sent++))
    if (elapsed < LIVE_SECONDS) setTimeout(send, 1)
    else resolve()
  }
  send()
})
terminal.end()
const { user, system } = process.cpuUsage(before)
console.log((user + system) / (performance.now() - begun))
