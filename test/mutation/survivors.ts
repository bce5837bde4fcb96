/** Runs last: every mutant made a test fail, but for those that are listed as equivalent. */

import { expect, test } from 'vitest'
import { FOLDERS, MUTANTS } from './decisive.ts'
import { describedMutant, isListed, LISTED } from './equivalent.ts'
import { mutation } from './mutation-state.ts'

test('every mutant makes a test fail, but for those that change nothing', () => {
  const survivors = MUTANTS.flatMap((mutant, number) =>
    mutation.killedBy.has(number) ? [] : describedMutant(mutant),
  )
  for (const [number, { file, lineNumber, column, from, to }] of MUTANTS.entries())
    if (!mutation.killedBy.has(number) && !isListed(number))
      process.stdout.write(`${file}:${lineNumber}:${column}  ${from}  →  ${to || 'nothing'}\n`)
  for (const folder of FOLDERS) {
    const numbers = [...MUTANTS.keys()].filter((number) => MUTANTS[number]!.file.startsWith(`${folder}/`))
    const noticed = numbers.filter((number) => mutation.killedBy.has(number)).length
    process.stdout.write(`${folder}: ${numbers.length} mutants, ${noticed} made a test fail\n`)
  }
  process.stdout.write(`Not repeated: ${mutation.skipped.join(', ') || 'no test'}\n`)
  expect([...new Set(survivors)].sort()).toEqual([...LISTED].sort())
})
