/**
 * Measures Sluice beside the libraries that people use today; writes bench/PEERS.md and bench/charts.
 *
 *     npm run bench:peers                       all of it, in some minutes
 *     npm run bench:peers -- growing            only tables whose name holds `growing`: printed, not written
 *     npm run bench:peers -- --cap 500 --sizes 2   a quick look: slower runs are stopped earlier, fewer sizes
 */

import { fork } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { growthChart } from './chart.mjs'
import { peersPage, summaryOf, tableLines } from './page.mjs'
import { WORKS } from './works.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cap: { type: 'string', default: '1500' }, sizes: { type: 'string', default: '9' } },
})
const [only] = positionals
const isWhole = only === undefined && values.sizes === '9'
const started = Date.now()

/** What a child process sends. */
function ask(file, args, execArgv = []) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv })
    let answer
    child.on('message', (message) => {
      answer = message
    })
    child.on('exit', () =>
      answer === undefined ? reject(new Error(`${file} ${args.join(' ')} failed`)) : resolve(answer),
    )
  })
}

const tables = []
for (const work of WORKS) {
  if (only !== undefined && !work.name.includes(only)) continue
  const results = await ask('table-of.mjs', [work.name, values.cap, values.sizes])
  tables.push({ ...work, results })
  console.log(
    [`${work.title} (${Math.round((Date.now() - started) / 1000)} s)`, ...tableLines(tables.at(-1)), ''].join(
      '\n',
    ),
  )
}

const memory = []
if (only === undefined || 'memory'.includes(only))
  for (const name of await ask('memory-of.mjs', [])) {
    memory.push({ name, ...(await ask('memory-of.mjs', [name], ['--expose-gc'])) })
    console.log(memory.at(-1))
  }

if (isWhole) {
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const seconds = (Date.now() - started) / 1000
  mkdirSync(new URL('../charts/', import.meta.url), { recursive: true })
  for (const table of tables.filter(({ isOneSize }) => !isOneSize))
    writeFileSync(new URL(`../charts/${table.name}.svg`, import.meta.url), growthChart(table))
  writeFileSync(
    new URL('../PEERS.md', import.meta.url),
    peersPage({ tables, memory, versions: dependencies, seconds, cap: Number(values.cap) / 1000 }),
  )
}
for (const { work, ours, target, ahead, peer } of summaryOf(tables))
  console.log(
    `${ahead >= target ? '✓' : '✗'} ${work}: ${ours}, ${ahead.toFixed(1)}× as fast as ${peer} (≥ ${target})`,
  )
console.log(`${Math.round((Date.now() - started) / 1000)} s`)
