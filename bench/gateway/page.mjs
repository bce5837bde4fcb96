/** The measurements of the gateways as a page. */

import { cpus } from 'node:os'

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const ms = (number) => `${number.toFixed(2)} ms`

const latencyTable = (rows) =>
  table(
    ['', 'median', '99 %', 'added to the median'],
    rows.map(({ name, p50, p99, added }, at) => [name, ms(p50), ms(p99), at === 0 ? '–' : ms(added)]),
  )

export function gatewayPage({ size, whole, first, chunks, held, peer, version, seconds }) {
  return `# The gateway, measured

Written by \`npm run bench:gateway\` in ${Math.round(seconds)} seconds, on Node ${process.versions.node} and ${cpus().length} cores (${cpus()[0].model.trim()}).

\`sluice serve\` beside \`${peer}\` ${version}, in one run, against the same model server, which answers at once. Each gateway is one
process. All times include HTTP and JSON. Requests have a tool, so that Sluice judges calls. For a client and a server of the same
protocol, \`${peer}\` passes the chunks of a stream on; Sluice reads each one, judges calls and writes it again.

## A response that is not streamed

${size.rounds} requests each, one at a time, in turn.

${latencyTable(whole)}

## To the first token

${size.rounds} requests each, one at a time, in turn.

${latencyTable(first)}

## CPU for each chunk

${size.streams} streams of ${size.chunks.toLocaleString('en')} chunks, one at a time: the CPU time of the whole process of the gateway.

${table(
  ['', 'CPU for each chunk'],
  chunks.map(({ name, microseconds }) => [name, `${Math.round(microseconds)} µs`]),
)}

## ${size.held.toLocaleString('en')} streams at once

Held for ${size.seconds} seconds, each with four chunks a second; a new one comes every two milliseconds. Memory is resident memory of the process: before, the most in the second
quarter of the time, and the most in the last one.

${table(
  ['', 'whole', 'took', 'cores', 'memory before', 'second quarter', 'last quarter'],
  held.map(({ name, whole: count, seconds: took, cores, idle, early, late }) => [
    name,
    count.toLocaleString('en'),
    `${took.toFixed(1)} s`,
    cores.toFixed(2),
    ...[idle, early, late].map((megabytes) => `${Math.round(megabytes)} MB`),
  ]),
)}
`
}
