import { parse as readRiver } from 'jsonriver'
import { resolveLimits } from '../../dist/base/limits.js'
import { CallAssembler } from '../../dist/engine/calls/assembler.js'
import { createToolTable } from '../../dist/engine/calls/tools.js'
import { createJsonParser, parseJson, watchObject } from '../../dist/values/json/index.js'
import { measure, measureAsync } from '../measure.mjs'
import { newSink, warmUp } from '../parsers.mjs'
import { scanAndSay } from '../references.mjs'
import { ratioRow } from '../report.mjs'
import { code, cut } from '../workloads.mjs'

const DOCUMENT = JSON.stringify({
  path: 'src/main.ts',
  content: code(2 ** 16),
  edits: Array.from({ length: 200 }, (_, index) => ({
    line: index,
    text: `line ${index}`,
    keep: index % 2 === 0,
  })),
})

/** A provider's own call, whose arguments come as JSON text. */
function nativeJob(chunks, emit) {
  const settings = {
    ...{ tools: createToolTable(undefined), limits: resolveLimits(undefined) },
    ...{ json: true, arguments: false, source: false, raw: false, input: true, malformed: 'keep', ...emit },
  }
  const sink = newSink()
  return () => {
    const host = { settings, emit: sink, newId: () => 'call-1', report() {}, beforeCall() {}, sayText() {} }
    const calls = new CallAssembler(host)
    calls.delta({ index: 0, id: 'call_1', name: 'write_file' })
    for (const chunk of chunks) calls.delta({ index: 0, arguments: chunk })
    calls.endAll()
  }
}

const native = (work, emit) =>
  ratioRow(work, {
    of: 'Sluice',
    to: 'S',
    measure,
    jobs() {
      warmUp()
      const chunks = cut(JSON.stringify({ path: 'a.ts', content: code(2 ** 18) }), 16)
      const sink = newSink()
      return { S: () => scanAndSay(chunks, sink), Sluice: nativeJob(chunks, emit) }
    },
  })

const objects = (length) =>
  JSON.stringify(
    Array.from({ length }, (_, index) => ({
      id: index,
      name: `item ${index}`,
      ok: index % 2 === 0,
      tags: ['a', 'b'],
      price: index * 1.5,
    })),
  )

async function* streamOf(chunks) {
  yield* chunks
}

async function watchAll(chunks, times, options) {
  let seen = 0
  for (let time = 0; time < times; time++)
    for await (const { value } of watchObject(streamOf(chunks), undefined, options)) seen += value.length
  return seen
}

/**
 * Structured output that is read after every chunk. jsonriver grows one object in place, and so does `inPlace`; otherwise
 * each snapshot of ours is a value of its own, for which the list is copied. `times`: as often as it takes to measure it.
 */
const watched = (length, size, target, times = 1) =>
  ratioRow(`${length.toLocaleString('en')} small objects, read after every chunk, ${size} characters`, {
    of: 'in place',
    to: 'jsonriver',
    target,
    measure: measureAsync,
    also: ['with snapshots'],
    jobs() {
      const chunks = cut(objects(length), size)
      return {
        async jsonriver() {
          let seen = 0
          for (let time = 0; time < times; time++)
            for await (const value of readRiver(streamOf(chunks))) seen += value.length
          return seen
        },
        'in place': () => watchAll(chunks, times, { inPlace: true }),
        'with snapshots': () => watchAll(chunks, times, {}),
      }
    },
  })

export const suite = {
  title: 'JSON',
  rows: [
    ratioRow('valid JSON in one piece, as a value', {
      of: 'parseJson',
      to: 'JSON.parse',
      target: 4,
      measure,
      also: ['with events'],
      jobs: () => ({
        'JSON.parse': () => JSON.parse(DOCUMENT),
        parseJson: () => parseJson(DOCUMENT),
        'with events'() {
          const parser = createJsonParser({ onEvent: () => {} })
          parser.push(DOCUMENT)
          parser.end()
          return parser.value
        },
      }),
    }),
    native('256 KB argument of a native call, deltas, 16 characters', { input: false }),
    native('256 KB argument of a native call, with value, 16 characters', {}),
    ...[4, 16, 64].map((size) => watched(50, size, 1, 40)),
    ...[4, 16, 64].map((size) => watched(2000, size, 1)),
  ],
}
