/**
 * Runs every measurement and writes RESULTS.md. Each row is a ratio of two things that ran side by side, and each
 * table has a process of its own, so that no table is measured with code that was compiled for another.
 *
 *     npm run bench               all of it
 *     npm run bench -- prose      only rows whose name holds `prose`, and nothing is written
 */

import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { report } from './report.mjs'

const SUITES = ['text', 'arguments', 'json', 'hostile', 'memory', 'providers', 'streams', 'views', 'terminal']

const only = process.argv[2]
const started = Date.now()
const child = fileURLToPath(new URL('suite.mjs', import.meta.url))
const sections = []
for (const name of SUITES) sections.push(await run(name))
if (only === undefined)
  writeFileSync(new URL('RESULTS.md', import.meta.url), report(sections, (Date.now() - started) / 1000))

/** The table of one suite. */
function run(name) {
  return new Promise((resolve, reject) => {
    const suite = fork(child, only === undefined ? [name] : [name, only])
    let section
    suite.on('message', (message) => {
      section = message
    })
    suite.on('exit', (code) =>
      code === 0 && section !== undefined ? resolve(section) : reject(new Error(`measuring ${name} failed`)),
    )
  })
}
