/**
 * The work that is measured. A table has a `reference`, contestants, and the same work in several sizes.
 *
 * `rivals`: which contestant of ours is held against which peers, and how many times as fast it should be at least.
 */

import { canonical } from '../honesty/judge.mjs'
import { fiftyCalls, oneCall, smallCalls } from '../parsers.mjs'
import { code, cut, falseStarts } from '../workloads.mjs'
import { concatenation, DELTA_READERS, SNAPSHOT_READERS } from './json-contestants.mjs'
import { FORMATS, inputOf } from './provider-contestants.mjs'
import { PROTOCOLS } from './text-contestants.mjs'

const isSluice = ({ name }) => name.startsWith('Sluice')
const others = (contestants) => contestants.filter((one) => !isSluice(one)).map(({ name }) => name)

const kilobytes = (size) => (size >= 1_000_000 ? `${size / 1_000_000} MB` : `${size / 1000} KB`)
const number = (count) => count.toLocaleString('en')

// ── JSON ─────────────────────────────────────────────────────────────────────────────────────────

const JSON_READERS = [...DELTA_READERS, ...SNAPSHOT_READERS]

const WATCHING = ['Sluice `watchObject`', 'Sluice `watchObject`, in place'].map((ours) => ({
  ours,
  peers: others(SNAPSHOT_READERS),
  target: 1,
}))

const ARGUMENT = {
  name: 'argument',
  title: 'A file argument as JSON, in chunks of 4 characters',
  reference: concatenation,
  contestants: JSON_READERS,
  sizes: [10_000, 30_000, 100_000, 1_000_000].map((size) => ({
    label: kilobytes(size),
    size,
    make: () => cut(JSON.stringify({ path: 'src/main.ts', content: code(size) }), 4),
    isRight: (result) => result?.content?.length === size,
  })),
  rivals: [
    { ours: 'Sluice parser, hermes', peers: others(JSON_READERS), target: 3 },
    { ours: 'Sluice `createJsonParser`', peers: others(JSON_READERS), target: 1 },
    ...WATCHING,
  ],
}

const objects = (length) =>
  Array.from({ length }, (_, index) => ({
    id: index,
    name: `item ${index}`,
    ok: index % 2 === 0,
    tags: ['a', 'b'],
    price: index * 1.5,
  }))

const GROWING = {
  name: 'growing',
  title: 'A list of small objects, read after every chunk of 16 characters',
  reference: concatenation,
  contestants: SNAPSHOT_READERS,
  sizes: [50, 200, 800, 3200].map((size) => ({
    label: `${number(size)} objects`,
    size,
    make: () => cut(JSON.stringify(objects(size)), 16),
    isRight: (result) => result?.length === size && result.at(-1).price === (size - 1) * 1.5,
  })),
  rivals: WATCHING,
}

const NESTED = {
  name: 'nested',
  title: 'Hostile JSON: arrays in arrays, in chunks of 4 characters',
  reference: concatenation,
  contestants: JSON_READERS.filter(({ isOfText }) => !isOfText),
  sizes: [300, 1000, 3000].map((depth) => ({
    label: `${number(depth)} levels`,
    size: depth,
    make: () => cut(`{"content":${'['.repeat(depth)}${']'.repeat(depth)}}`, 4),
    isRight: (result) => depthOf(result?.content) === depth,
  })),
  rivals: [{ ours: 'Sluice `createJsonParser`', peers: others(JSON_READERS), target: 1 }, ...WATCHING],
}

function depthOf(value) {
  let depth = 0
  for (let inner = value; Array.isArray(inner); inner = inner[0]) depth++
  return depth
}

// ── tool calls in text ───────────────────────────────────────────────────────────────────────────

const inText = (protocol, table) => ({
  ...table,
  reference: concatenation,
  contestants: PROTOCOLS[protocol].contestants,
  rivals: [
    { ours: 'Sluice middleware', peers: others(PROTOCOLS[protocol].contestants), target: table.target ?? 1 },
  ],
})

const textArgument = (protocol) =>
  inText(protocol, {
    name: `text-argument-${protocol}`,
    title: `A file argument in ${protocol}, in chunks of 16 characters`,
    sizes: [10_000, 30_000, 100_000, 1_000_000].map((size) => ({
      label: kilobytes(size),
      size,
      make: () => cut(oneCall(PROTOCOLS[protocol].dialect, size), 16),
      isRight: ({ calls }) => calls === 1,
    })),
    target: 3,
  })

const manyCalls = (protocol) =>
  inText(protocol, {
    name: `calls-${protocol}`,
    title: `Many calls in ${protocol}, in chunks of 16 characters`,
    sizes: [
      {
        label: 'text with 50 calls, 100 KB',
        size: 100_000,
        make: () => cut(fiftyCalls(PROTOCOLS[protocol].dialect, 100_000), 16),
        isRight: ({ calls }) => calls === 50,
      },
      {
        label: '300 small calls',
        size: 300,
        make: () => cut(smallCalls(PROTOCOLS[protocol].dialect, 18_000), 16),
        isRight: ({ calls }) => calls === 300,
      },
    ],
    isOneSize: true,
  })

const FALSE_STARTS = inText('hermes', {
  name: 'false-starts',
  title: 'Prose full of false starts, in chunks of 16 characters',
  sizes: [10_000, 100_000, 1_000_000].map((size) => ({
    label: kilobytes(size),
    size,
    make: () => cut(falseStarts(size), 16),
    isRight: ({ calls }) => calls === 0,
  })),
})

const hostileText = (protocol, what, piece) =>
  inText(protocol, {
    name: `hostile-${protocol}`,
    title: `Hostile text: ${what} in ${protocol}, in chunks of 16 characters`,
    sizes: [250, 1000, 4000, 16_000].map((size) => ({
      label: `${number(size)} times`,
      size,
      make: () => cut(piece.repeat(size), 16),
      isRight: ({ calls }) => calls <= 1,
    })),
  })

// ── providers ────────────────────────────────────────────────────────────────────────────────────

const PROVIDERS = FORMATS.map(({ format, make, reference, contestants }) => ({
  name: `provider-${format.toLowerCase().replaceAll(' ', '-')}`,
  title: `${format}: one argument in deltas of 15 characters`,
  reference,
  contestants,
  sizes: [250, 1000, 4000].map((deltas) => ({
    label: `${number(deltas)} deltas`,
    size: deltas,
    make: () => make(deltas),
    isRight: (result) => canonical(result) === canonical(inputOf(deltas)),
  })),
  rivals: [{ ours: contestants[0].name, peers: others(contestants), target: 1 }],
}))

export const WORKS = [
  ARGUMENT,
  GROWING,
  ...['hermes', 'qwen3-coder', 'morph-xml'].map(textArgument),
  ...['hermes', 'qwen3-coder', 'morph-xml'].map(manyCalls),
  FALSE_STARTS,
  hostileText('hermes', 'an opening tag again and again', '<tool_call>'),
  hostileText('morph-xml', 'an opening tag again and again', '<write_file>'),
  NESTED,
  ...PROVIDERS,
]
