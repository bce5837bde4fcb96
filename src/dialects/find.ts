/** Finds a dialect by its name, or by the name another engine has for it. */

import { SluiceError } from '../base/errors.ts'
import { didYouMean, plain } from '../base/nearest.ts'
import type { Dialect } from '../engine/wire/index.ts'
import { ALL } from './all.ts'
import type * as named from './named-dialects.ts'

/** The names of the dialects, as they are listed. */
export type DialectName = (typeof named)[keyof typeof named]['name']

/**
 * Takes a name in any spelling.
 *
 *     findDialect('qwen3-coder')   // the same as 'qwen3Coder' and 'QWEN3_CODER'
 */
export function findDialect(name: DialectName | (string & {})): Dialect {
  return findAmong(ALL, name)
}

/** Advice for those whose name is neither found nor near another one. */
export const WAYS_TO_FIND_ONE =
  "allDialects of 'sluice/dialects' lists the dialects; detectDialect of 'sluice/templates' finds one by the model's chat template, and detect() by what the model writes."

/** Finds it among these. */
export function findAmong(dialects: readonly Dialect[], name: string): Dialect {
  const wanted = plain(String(name))
  const found =
    dialects.find((dialect) => plain(dialect.name) === wanted) ??
    dialects.find(({ aliases }) => aliases.some((alias) => plain(alias) === wanted))
  if (found !== undefined) return found
  const guess = didYouMean(
    String(name),
    dialects.flatMap((dialect) => [dialect.name, ...dialect.aliases]),
  )
  throw new SluiceError(
    'unknown-dialect',
    `There is no dialect '${String(name)}'${guess === '' ? `. ${WAYS_TO_FIND_ONE}` : guess}`,
  )
}
