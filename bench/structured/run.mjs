/**
 * Answers with slips through Sluice and its peers: which are read right, refused or read wrong, what is shown and taken back,
 * and how long it takes; writes bench/STRUCTURED.md.
 *
 *     npm run bench:structured              all of it
 *     npm run bench:structured -- Sluice    one reader, printed with every answer that is not right
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { canonical, contradicts } from '../honesty/judge.mjs'
import { BAML_VERSION } from './baml.mjs'
import { structuredPage } from './page.mjs'
import { PEERS } from './peers.mjs'
import { listOf, SLIPS } from './slips.mjs'

/** `right`, `refused` or `wrong`. An answer that has to be refused is right if it is. */
async function judge(peer, { text, want }) {
  let value
  try {
    value = await peer.read(text)
  } catch {
    return want === null ? 'right' : 'refused'
  }
  return want !== null && canonical(value) === canonical(want) ? 'right' : 'wrong'
}

/** How many snapshots of an answer, read character by character, the next one contradicts. */
async function retractionsIn(peer, { text }) {
  const shown = (await peer.grow(text.split(''))).filter((value) => value !== undefined)
  return shown.filter((value, at) => at + 1 < shown.length && contradicts(value, shown[at + 1])).length
}

async function count(peer, isTold) {
  const counts = {
    readable: 0,
    right: 0,
    refused: 0,
    wrong: 0,
    rightlyRefused: 0,
    unreadable: 0,
    taken: 0,
    retracted: 0,
  }
  const kinds = new Map()
  for (const slip of SLIPS) {
    const verdict = await judge(peer, slip)
    const retractions = await retractionsIn(peer, slip)
    if (slip.want === null) counts.unreadable++
    else counts.readable++
    if (verdict === 'wrong') counts.wrong++
    else if (slip.want === null) counts.rightlyRefused++
    else counts[verdict]++
    counts.taken += retractions
    if (retractions > 0) counts.retracted++
    kinds.set(slip.kind, [...(kinds.get(slip.kind) ?? []), verdict])
    if (isTold && (verdict !== 'right' || retractions > 0))
      console.log(`${verdict}, ${retractions} taken back: ${slip.kind}, ${slip.layout}: ${slip.text}`)
  }
  return { name: peer.name, ...counts, kinds }
}

const CHUNK = 64

/** Seconds for a list of so many characters, whole and in chunks; undefined where that takes too long. */
async function timesOf(peer, length, budget) {
  const text = listOf(length)
  const chunks = Array.from({ length: Math.ceil(text.length / CHUNK) }, (_, at) =>
    text.slice(at * CHUNK, (at + 1) * CHUNK),
  )
  return {
    once: await seconds(() => peer.once?.(text), budget.once),
    growing: await seconds(() => peer.grow(chunks, true), budget.growing),
  }
}

async function seconds(work, isWithin) {
  if (!isWithin) return undefined
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** Seconds that a reader may take for ten times as much as it has read. */
const LONGEST = 90

const only = process.argv[2]
const peers = PEERS.filter(({ name }) => only === undefined || name === only)
const rows = []
for (const peer of peers) {
  const row = await count(peer, only !== undefined)
  const times = []
  if (peer.once !== undefined) {
    const budget = { once: true, growing: true }
    for (const length of [10_000, 100_000, 1_000_000]) {
      const time = await timesOf(peer, length, budget)
      times.push(time)
      // Time that grows with the square of the length is a hundred times as much for ten times the length.
      for (const how of ['once', 'growing'])
        budget[how] &&= time[how] !== undefined && time[how] * 100 <= LONGEST
    }
  }
  rows.push({ ...row, times })
  const { kinds, ...printed } = row
  console.log(printed, times)
}
if (only === undefined) {
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const versions = { '@boundaryml/baml': BAML_VERSION, ...dependencies }
  writeFileSync(new URL('../STRUCTURED.md', import.meta.url), structuredPage(rows, SLIPS, versions))
}
