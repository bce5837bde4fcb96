/**
 * Measures the gateway beside another one, in one run, against the same model server; writes bench/GATEWAY.md.
 *
 *     npm run bench:gateway               all of it, in about four minutes; wants a quiet machine with two cores
 *     npm run bench:gateway -- --quick    a quick look: fewer rounds, nothing is written
 */

import { fork } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ask } from './client.mjs'
import { PORTKEY, startAll, stop, usageOf } from './contestants.mjs'
import { gatewayPage } from './page.mjs'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const size = values.quick
  ? { rounds: 60, streams: 4, chunks: 200, held: 100, seconds: 4 }
  : { rounds: 600, streams: 10, chunks: 1_000, held: 1_000, seconds: 20 }

const started = Date.now()
const server = fork(fileURLToPath(new URL('upstream.mjs', import.meta.url)))
const port = await new Promise((resolve) => server.once('message', resolve))
const contestants = await startAll(`http://127.0.0.1:${port}`)
const gateways = contestants.filter(({ child }) => child !== undefined)

const quantile = (numbers, part) =>
  [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) * part)]

/** One request at a time, the contestants in turn, so that whatever else the machine does hits all of them. */
async function latencies(model, field) {
  const times = new Map(contestants.map(({ name }) => [name, []]))
  for (let round = -size.rounds / 5; round < size.rounds; round++)
    for (const one of contestants) {
      const { [field]: time } = await ask(one, model)
      if (round >= 0) times.get(one.name).push(time)
    }
  const [direct] = contestants
  const base = { p50: quantile(times.get(direct.name), 0.5), p99: quantile(times.get(direct.name), 0.99) }
  return contestants.map(({ name }) => {
    const [p50, p99] = [0.5, 0.99].map((part) => quantile(times.get(name), part))
    return { name, p50, p99, added: p50 - base.p50 }
  })
}

async function cpuPerChunk() {
  const rows = []
  for (const one of gateways) {
    await ask(one, `${size.chunks}-0`)
    const before = usageOf(one).cpuMs
    let chunks = 0
    for (let stream = 0; stream < size.streams; stream++)
      chunks += (await ask(one, `${size.chunks}-0`)).chunks
    rows.push({ name: one.name, microseconds: ((usageOf(one).cpuMs - before) * 1000) / chunks })
  }
  return rows
}

const PAUSE_MS = 250
/** Streams that take so much longer than they should are given up, so that a run ends. */
const MOST_LATE_MS = 40_000

/** Many streams at once, each with a chunk four times a second. */
async function heldStreams() {
  const rows = []
  for (const one of gateways) {
    const count = (size.seconds * 1000) / PAUSE_MS
    const samples = []
    const before = usageOf(one)
    const timer = setInterval(() => samples.push(usageOf(one).megabytes), 500)
    const start = performance.now()
    const tooLate = new Promise((_, reject) =>
      setTimeout(reject, size.seconds * 1000 + MOST_LATE_MS, new Error('too late')).unref(),
    )
    tooLate.catch(() => {})
    // As clients come: all in one moment would measure how fast connections are accepted.
    const come = (at) => new Promise((resolve) => setTimeout(resolve, at * 2))
    const answers = await Promise.allSettled(
      Array.from({ length: size.held }, (_, at) =>
        Promise.race([come(at).then(() => ask(one, `${count}-${PAUSE_MS}`)), tooLate]),
      ),
    )
    const seconds = (performance.now() - start) / 1000
    clearInterval(timer)
    const whole = answers.filter(({ status, value }) => status === 'fulfilled' && value.chunks === count)
    const quarter = Math.ceil(samples.length / 4)
    rows.push({
      name: one.name,
      whole: whole.length,
      seconds,
      cores: (usageOf(one).cpuMs - before.cpuMs) / 1000 / seconds,
      idle: before.megabytes,
      early: Math.max(...samples.slice(quarter, 2 * quarter)),
      late: Math.max(...samples.slice(-quarter)),
    })
  }
  return rows
}

try {
  const results = {
    size,
    whole: await latencies('whole', 'total'),
    first: await latencies('3-0', 'first'),
    chunks: await cpuPerChunk(),
    held: await heldStreams(),
  }
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const seconds = (Date.now() - started) / 1000
  const page = gatewayPage({ ...results, peer: PORTKEY, version: dependencies[PORTKEY], seconds })
  console.log(page)
  if (!values.quick) writeFileSync(new URL('../GATEWAY.md', import.meta.url), page)
} finally {
  await Promise.all(contestants.map(stop))
  server.kill()
}
process.exit()
