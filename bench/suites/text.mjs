import { hermes, qwen3Coder } from '../../dist/dialects/index.js'
import { measure } from '../measure.mjs'
import { newSink, parseJob } from '../parsers.mjs'
import { concatenate, handWrittenTags, indexOfAndConcatenate, scanAndSay } from '../references.mjs'
import { ratioRow } from '../report.mjs'
import { cut, falseStarts, nonLatinProse, prose } from '../workloads.mjs'

const LENGTH = 2 ** 18

function textRow(work, make, size, { to = 'S', target, dialect = hermes } = {}) {
  return ratioRow(work, {
    of: 'Sluice',
    to,
    target,
    measure,
    also: ['concatenation', 'a hand-written loop'],
    jobs() {
      const chunks = cut(make(LENGTH), size)
      const sink = newSink()
      const other = newSink()
      return {
        S: () => scanAndSay(chunks, sink),
        concatenation: () => concatenate(chunks),
        'indexOf and concatenation': () => indexOfAndConcatenate(chunks),
        'a hand-written loop': () => handWrittenTags(chunks, other),
        Sluice: parseJob(chunks, { dialect }),
      }
    },
  })
}

export const suite = {
  title: 'Text',
  about: 'With the hermes dialect, unless a row says otherwise.',
  rows: [
    textRow('prose', prose, 4, { target: 1 }),
    textRow('prose, qwen3-coder', prose, 4, { target: 1, dialect: qwen3Coder }),
    textRow('prose, single characters', prose, 1),
    textRow('prose, 64 characters', prose, 64, { to: 'indexOf and concatenation', target: 3 }),
    textRow('prose, in one piece', prose, 0),
    textRow('prose that is not Latin', nonLatinProse, 4),
    textRow('prose full of false starts', falseStarts, 4, { target: 4 }),
    textRow('prose full of false starts, 64 characters', falseStarts, 64),
  ],
}
