/** Runs last: every mutant made a test fail, but for those that are listed as equivalent. */

import { expect, test } from 'vitest'
import { MUTANTS } from './decisive.ts'
import { EQUIVALENT } from './equivalent.ts'
import { mutation } from './mutation-state.ts'

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ')

const described = (file: string, line: string, from: string, to: string): string =>
  `${file}: ${line}\n    ${inOneLine(from)}  →  ${inOneLine(to) || 'nothing'}`

test('every mutant makes a test fail, but for those that change nothing', () => {
  const survivors = MUTANTS.flatMap(({ file, line, from, to }, number) =>
    mutation.killedBy.has(number) ? [] : described(file, line, from, to),
  )
  const files = new Set(MUTANTS.map(({ file }) => file))
  const known = EQUIVALENT.flatMap(({ file, line, changes }) =>
    files.has(file) ? changes.map(([from, to]) => described(file, line, from, to)) : [],
  )
  process.stdout.write(
    `${MUTANTS.length} mutants, ${mutation.killedBy.size} made a test fail. Not repeated: ${mutation.skipped.join(', ') || 'no test'}\n`,
  )
  expect([...new Set(survivors)].sort()).toEqual(known.sort())
})
