/** The measurements as a page. */

import { cpus, totalmem } from 'node:os'
import { linesOf } from './chart.mjs'

const ROUNDED = (ratio) => (ratio >= 99.5 ? Math.round(ratio).toLocaleString('en') : ratio.toPrecision(2))

function cell({ ratio, state }) {
  if (state === 'failed') return 'throws'
  if (state === 'wrong') return `${ROUNDED(ratio)}×, wrong`
  return state === 'capped' ? `> ${ROUNDED(ratio)}×` : `${ROUNDED(ratio)}×`
}

/** How the time grows with the work, as an exponent, where the reference has 1. */
export function exponentOf(points) {
  const done = points.filter(({ state }) => state === 'done')
  const [first, last] = [done[0], done.at(-1)]
  if (done.length < 2) return undefined
  return 1 + Math.log(last.ratio / first.ratio) / Math.log(last.size / first.size)
}

export function tableLines(table) {
  const labels = table.results.map(({ label }) => label)
  const head = ['library', 'gives', ...labels, ...(table.isOneSize ? [] : ['growth'])]
  const rows = linesOf(table).map(({ name, gives, points }) => [
    name,
    gives,
    ...points.map(cell),
    ...(table.isOneSize ? [] : [exponentOf(points)?.toFixed(2) ?? '']),
  ])
  return [
    `| ${head.join(' | ')} |`,
    `| ${head.map(() => '---').join(' | ')} |`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ]
}

/**
 * For each work the peer that comes nearest to us, at the largest size that it does in time; for tables of different
 * works, at each of them.
 */
export function summaryOf(tables) {
  return tables.flatMap((table) =>
    table.rivals.flatMap(({ ours, peers, target }) => {
      const lines = linesOf(table)
      const own = lines.find(({ name }) => name === ours)
      const places = table.isOneSize ? own.points.map((_, at) => at) : [own.points.length - 1]
      return places.flatMap((place) => {
        const compared = lines
          .filter(({ name }) => peers.includes(name))
          .flatMap(({ name, points }) => {
            const point = points[place]
            const isFair = point.state === 'done' || point.state === 'capped'
            return isFair
              ? [
                  {
                    peer: name,
                    ahead: point.time / own.points[place].time,
                    isBound: point.state === 'capped',
                  },
                ]
              : []
          })
          .sort((one, other) => one.ahead - other.ahead)
        const [nearest] = compared
        if (nearest === undefined || own.points[place].state !== 'done') return []
        return [{ work: `${table.title}: ${own.points[place].label}`, ours, target, ...nearest }]
      })
    }),
  )
}

const growthRows = (tables) =>
  tables
    .filter(({ isOneSize }) => !isOneSize)
    .flatMap((table) =>
      linesOf(table)
        .filter(({ name }) => name.startsWith('Sluice'))
        .map(({ name, points }) => ({ work: table.title, name, exponent: exponentOf(points) })),
    )

/** Two that differ by less are level. */
const LEVEL = 0.75

function metOf({ ahead, target, isBound }) {
  if (ahead >= target) return 'yes'
  if (isBound) return 'not known'
  return target === 1 && ahead >= LEVEL ? 'level' : 'no'
}

/** Why we are behind, or short of a target, where it is known. */
const REASONS = {
  jsonriver:
    'jsonriver grows one object in place; each snapshot of `watchObject` is a value of its own that never changes, for which open containers are copied, and `completed` says what became certain.',
  'stream-json, its parser stage':
    'stream-json keeps nothing of the argument. Sluice keeps its value, for the event that ends it, and the collector has more to copy.',
  'openai `chat.completions.stream`':
    'openai hands on the JSON text of the arguments unread and parses it once, at the end; Sluice reads it as it arrives.',
}

const reasonFor = (peer) => (REASONS[peer] === undefined ? '' : ` ${REASONS[peer]}`)

/** Why a time grows faster than the work, where it does. */
const STEEP = {
  'Sluice `watchObject`': 'Each snapshot copies the containers that are open, one for each level.',
}

export function peersPage({ tables, memory, versions, seconds, cap }) {
  const summary = summaryOf(tables)
  const behind = summary.filter(({ ahead, isBound }) => ahead < LEVEL && !isBound)
  const short = summary.filter(
    ({ ahead, target, isBound }) => ahead >= LEVEL && ahead < target && target > 1 && !isBound,
  )
  const steep = growthRows(tables).filter(({ exponent }) => exponent > 1.05)
  const [cpu] = cpus()
  const peers = Object.entries(versions).filter(
    ([name]) => !['@portkey-ai/gateway', 'esbuild', 'zod'].includes(name),
  )
  return [
    '# Speed, compared',
    '',
    `Measured on ${new Date().toISOString().slice(0, 10)} in ${Math.round(seconds)} seconds: ${cpus().length} cores (${cpu.model.trim()}),`,
    `${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, ${process.platform}. Written by \`npm run bench:peers\`.`,
    '',
    `Versions: ${peers.map(([name, version]) => `${name} ${version}`).join(', ')}.`,
    '',
    'Each table is one process in which all contestants take turns; a figure is the median of the processor time, relative to',
    'a reference that ran in the same rounds. Figures of different tables cannot be compared, and a difference below a third',
    `is none. A run that takes longer than ${cap} seconds is stopped: \`> 40×\` says that it would take 40 times as long as the`,
    'reference if the rest ran at the same speed; in fact it is always slower. *Growth* is the exponent with which the time grows, where the reference',
    'has 1. Every library is used as its documentation shows it; *gives* says what its user has while the text arrives.',
    'How correct the answers are is in [HONESTY.md](HONESTY.md).',
    '',
    '## Summary',
    '',
    'The peer that comes nearest, at the largest size. A `>` is a lower bound: that peer was stopped.',
    '',
    '| work | ours | as fast as the nearest peer | target | met |',
    '| --- | --- | --- | --- | --- |',
    ...summary.map(
      ({ work, ours, ahead, peer, isBound, target }) =>
        `| ${work} | ${ours} | ${isBound ? '> ' : ''}${ROUNDED(ahead)}× ${peer} | ≥ ${target}× | ${metOf({ ahead, target, isBound })} |`,
    ),
    '',
    ...(behind.length === 0
      ? ['Sluice is behind no peer.', '']
      : [
          'Where Sluice is behind:',
          '',
          ...behind.map(
            ({ work, peer, ahead }) =>
              `- ${work}: ${ROUNDED(1 / ahead)}× the time of ${peer}.${reasonFor(peer)}`,
          ),
          '',
        ]),
    ...(short.length === 0
      ? []
      : [
          'Ahead, and short of the target:',
          '',
          ...short.map(
            ({ work, peer, ahead, target }) =>
              `- ${work}: ${ROUNDED(ahead)}× as fast as ${peer}, not ${target}×.${reasonFor(peer)}`,
          ),
          '',
        ]),
    ...(steep.length === 0
      ? ['No time of ours grows with an exponent above 1.05.', '']
      : [
          'Where a time of ours grows with an exponent above 1.05. The reference takes less for each character of a short text, so',
          'that linear readers, too, have up to 1.4 in short works:',
          '',
          ...steep.map(
            ({ work, name, exponent }) =>
              `- ${work}: ${name}, ${exponent.toFixed(2)}.${exponent > 1.5 && STEEP[name] ? ` ${STEEP[name]}` : ''}`,
          ),
          '',
        ]),
    ...tables.flatMap((table) => [
      `## ${table.title}`,
      '',
      `Relative to ${table.reference.name}.`,
      '',
      ...tableLines(table),
      '',
      ...(table.isOneSize
        ? []
        : [`![${table.title}: the time of each library as the work grows](charts/${table.name}.svg)`, '']),
    ]),
    '## Memory',
    '',
    'Bytes on the heap per reader, of 10,000 (1,000 for middleware): idle, and holding an argument of 1 KB that has not ended,',
    'in pieces of 4 characters. stream-json keeps nothing of it, the others do.',
    '',
    '| library | idle | holding 1 KB |',
    '| --- | --- | --- |',
    ...memory.map(
      ({ name, idle, open }) => `| ${name} | ${idle.toLocaleString('en')} | ${open.toLocaleString('en')} |`,
    ),
    '',
  ].join('\n')
}
