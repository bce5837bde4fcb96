/**
 * The same texts through Sluice and its peers, cut at every place, and what comes out; writes bench/HONESTY.md.
 *
 *     npm run bench:honesty            all of it
 *     npm run bench:honesty -- json    one table (json, text or providers), printed and not written
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { countJson, countProvider, countText } from './count.mjs'
import { JSON_PEERS } from './json-peers.mjs'
import { honestyPage } from './page.mjs'
import { PROVIDER_PEERS } from './provider-peers.mjs'
import { PROTOCOLS } from './text-peers.mjs'
import { ARGUMENTS, DOCUMENTS } from './texts.mjs'

const TABLES = {
  async json() {
    const rows = []
    for (const peer of JSON_PEERS) rows.push({ ...peer, ...(await countJson(peer, DOCUMENTS)) })
    return rows
  },
  async text() {
    const rows = []
    for (const { name: protocol, messages, peers } of PROTOCOLS)
      for (const peer of peers) rows.push({ protocol, ...peer, ...(await countText(peer, messages)) })
    return rows
  },
  async providers() {
    const rows = []
    for (const { format, peers } of PROVIDER_PEERS)
      for (const peer of peers) rows.push({ format, ...peer, ...(await countProvider(peer, ARGUMENTS)) })
    return rows
  },
}

const only = process.argv[2]
if (only !== undefined && TABLES[only] === undefined) {
  console.error(`There is no table ${only}; there are ${Object.keys(TABLES).join(', ')}.`)
  process.exit(2)
}
const tables = {}
for (const [name, count] of Object.entries(TABLES)) {
  if (only !== undefined && only !== name) continue
  const start = Date.now()
  tables[name] = await count()
  console.log(`${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`)
  if (only !== undefined) console.table(tables[name].map(({ claims, read, ...row }) => row))
}
if (only === undefined) {
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  writeFileSync(new URL('../HONESTY.md', import.meta.url), honestyPage(tables, dependencies))
}
