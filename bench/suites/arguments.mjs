import {
  functionCalls,
  gemma4,
  glm,
  hermes,
  kimiK2,
  morphXml,
  pythonic,
  qwen3Coder,
} from '../../dist/dialects/index.js'
import { measure } from '../measure.mjs'
import { DECODED, DELTAS, fiftyCalls, newSink, oneCall, parseJob, TOOLS, VALUE } from '../parsers.mjs'
import { scanAndSay } from '../references.mjs'
import { ratioRow } from '../report.mjs'
import { cut } from '../workloads.mjs'

const MB = 2 ** 20
/** Microseconds: a parser in the middle of calls takes longer to be compiled than one in the middle of prose. */
const WARM = 1_200_000

function callRow(work, dialect, make, size, { emit, target, length = MB }) {
  return ratioRow(work, {
    of: 'Sluice',
    to: 'S',
    target,
    measure: (jobs) => measure(jobs, 11, WARM),
    jobs() {
      const chunks = cut(make(dialect, length), size)
      const sink = newSink()
      return { S: () => scanAndSay(chunks, sink), Sluice: parseJob(chunks, { dialect, tools: TOOLS, emit }) }
    },
  })
}

export const suite = {
  title: 'Calls',
  about:
    '*Deltas* are JSON text as it arrives, of which nothing is kept. *Decoded* is the same as the text of each argument. ' +
    '*With value* keeps the input, which is there when the call ends.',
  rows: [
    callRow('50 calls, 1 MB, hermes, deltas', hermes, fiftyCalls, 4, { emit: DELTAS, target: 1.5 }),
    callRow('50 calls, 1 MB, hermes, with value', hermes, fiftyCalls, 4, { emit: VALUE, target: 2.5 }),
    callRow('50 calls, 1 MB, qwen3-coder, decoded', qwen3Coder, fiftyCalls, 4, { emit: DECODED, target: 2 }),
    callRow('50 calls, 1 MB, qwen3-coder, deltas', qwen3Coder, fiftyCalls, 4, { emit: DELTAS, target: 2 }),
    callRow('50 calls, 1 MB, qwen3-coder, with value', qwen3Coder, fiftyCalls, 4, {
      emit: VALUE,
      target: 2.5,
    }),
    callRow('50 calls, 1 MB, gemma4, deltas', gemma4, fiftyCalls, 4, { emit: DELTAS }),
    callRow('1 MB argument, hermes, deltas', hermes, oneCall, 4, { emit: DELTAS, target: 1.5 }),
    callRow('1 MB argument, hermes, with value', hermes, oneCall, 4, { emit: VALUE, target: 2.5 }),
    callRow('1 MB argument, kimi-k2, deltas', kimiK2, oneCall, 4, { emit: DELTAS, target: 1.5 }),
    callRow('1 MB argument, qwen3-coder, decoded', qwen3Coder, oneCall, 4, { emit: DECODED }),
    callRow('1 MB argument, function-calls, decoded', functionCalls, oneCall, 4, { emit: DECODED }),
    callRow('1 MB argument, glm, decoded', glm, oneCall, 4, { emit: DECODED }),
    callRow('1 MB argument, morph-xml, decoded', morphXml, oneCall, 4, { emit: DECODED }),
    callRow('256 KB argument, pythonic, decoded', pythonic, oneCall, 4, { emit: DECODED, length: MB / 4 }),
    callRow('1 MB argument, hermes, deltas, single characters', hermes, oneCall, 1, {
      emit: DELTAS,
      length: MB / 4,
    }),
    callRow('1 MB argument, hermes, deltas, 64 characters', hermes, oneCall, 64, {
      emit: DELTAS,
      target: 1.5,
    }),
    callRow('1 MB argument, qwen3-coder, decoded, 64 characters', qwen3Coder, oneCall, 64, {
      emit: DECODED,
      target: 1.5,
    }),
    callRow('1 MB argument, function-calls, decoded, 64 characters', functionCalls, oneCall, 64, {
      emit: DECODED,
      target: 1.5,
    }),
  ],
}
