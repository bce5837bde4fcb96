/**
 * Runs every measurement and writes RESULTS.md. Each row is a ratio of two things that ran side by side.
 *
 *     npm run bench               all of it
 *     npm run bench -- prose      only rows whose name holds `prose`, and nothing is written
 */

import { writeFileSync } from 'node:fs'
import { report } from './report.mjs'
import { arguments_ } from './suites/arguments.mjs'
import { hostile } from './suites/hostile.mjs'
import { json } from './suites/json.mjs'
import { memory } from './suites/memory.mjs'
import { providers } from './suites/providers.mjs'
import { streams } from './suites/streams.mjs'
import { text } from './suites/text.mjs'
import { views } from './suites/views.mjs'

const only = process.argv[2]
const started = Date.now()
const sections = []
for (const suite of [text, arguments_, json, hostile, memory, providers, streams, views]) {
  const rows = []
  for (const row of suite.rows.filter(({ work }) => only === undefined || work.includes(only))) {
    const result = { ...row, ...(await row.run()) }
    rows.push(result)
    console.log(`${row.work.padEnd(64)} ${result.shown.padEnd(40)} ${result.target ?? ''}`)
  }
  sections.push({ title: suite.title, about: suite.about, rows })
}
if (only === undefined)
  writeFileSync(new URL('RESULTS.md', import.meta.url), report(sections, (Date.now() - started) / 1000))
