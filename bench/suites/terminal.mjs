/** What the screen costs while a model writes: the processor's time beside the time on the wall. */

import { createTerminal } from '../../dist/terminal/index.js'

const SECONDS = 4
const DELTAS_A_SECOND = 1000
/** Events that are due at once: timers are not finer. */
const EVERY = 4

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

/** Percent of a core that it takes to be given so many deltas a second. */
async function shareOf(add) {
  const cpu = process.cpuUsage()
  const start = performance.now()
  for (let given = 0; given < SECONDS * DELTAS_A_SECOND; ) {
    const due = Math.floor(((performance.now() - start) / 1000) * DELTAS_A_SECOND)
    for (; given < due; given++) add(given)
    await new Promise((resolve) => setTimeout(resolve, EVERY))
  }
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / 10 / (performance.now() - start)
}

/** The screen's own share: without what the timers take. */
const shareRow = (work, start, delta) => ({
  work,
  target: `≤ ${TARGET} % of a core`,
  async run() {
    const drawn = async () => {
      const stderr = output()
      const terminal = createTerminal({
        stdout: stderr,
        stderr,
        tools: [{ name: 'write_file', streams: 'content', headlines: ['path'] }],
      })
      for (const event of start) terminal.add(event)
      const share = await shareOf((index) => terminal.add(delta(index)))
      terminal.end()
      return share
    }
    // Once to have everything compiled.
    await drawn()
    const [idle, share] = [await shareOf(() => {}), await drawn()]
    const own = Math.max(0, share - idle)
    return { shown: `${own.toFixed(1)} % of a core`, met: own <= TARGET }
  },
})

const TOKENS = ['const ', 'total', ' = ', 'items', '.reduce', '((sum, ', 'one) ', '=> sum', ' + one', ', 0)\n']
const token = (index) => TOKENS[index % TOKENS.length]

export const suite = {
  title: 'The terminal',
  about: `${DELTAS_A_SECOND.toLocaleString('en')} deltas a second for ${SECONDS} seconds, on a screen of 120 columns and 40 rows.`,
  rows: [
    shareRow('a file that grows', [
      { type: 'tool-input-start', id: '1', toolName: 'write_file' },
      { type: 'argument-start', id: '1', path: ['path'], kind: 'string' },
      { type: 'argument-end', id: '1', path: ['path'], value: 'src/total.ts' },
      { type: 'argument-start', id: '1', path: ['content'], kind: 'string' },
    ], (index) => ({ type: 'argument-delta', id: '1', path: ['content'], delta: token(index) })),
    shareRow('text', [{ type: 'text-start', id: 't' }], (index) => ({ type: 'text-delta', id: 't', delta: token(index) })),
    shareRow(
      'four calls at once',
      [1, 2, 3, 4].flatMap((id) => [
        { type: 'tool-input-start', id: `${id}`, toolName: 'write_file' },
        { type: 'argument-start', id: `${id}`, path: ['content'], kind: 'string' },
      ]),
      (index) => ({ type: 'argument-delta', id: `${1 + (index % 4)}`, path: ['content'], delta: token(index >> 2) }),
    ),
  ],
}
