import { hermes } from '../../dist/dialects/index.js'
import { measure } from '../measure.mjs'
import { newSink, parseJob, warmUp } from '../parsers.mjs'
import { scanAndSay } from '../references.mjs'
import { ratioRow } from '../report.mjs'
import { cut, falseStarts, nonLatinProse, prose } from '../workloads.mjs'

const LENGTH = 2 ** 18

function textRow(work, make, size, target) {
  return ratioRow(`${work}, ${size} characters`, {
    of: 'Sluice',
    to: 'S',
    target,
    measure,
    jobs() {
      warmUp()
      const chunks = cut(make(LENGTH), size)
      const sink = newSink()
      return { S: () => scanAndSay(chunks, sink), Sluice: parseJob(chunks, { dialect: hermes }) }
    },
  })
}

export const suite = {
  title: 'Text',
  about: 'With the hermes dialect.',
  rows: [
    textRow('prose', prose, 4, 1.8),
    textRow('prose', prose, 16, 1.8),
    textRow('prose', prose, 64, 1),
    textRow('prose that is not Latin', nonLatinProse, 4),
    textRow('prose full of false starts', falseStarts, 4, 4),
    textRow('prose full of false starts', falseStarts, 64),
  ],
}
