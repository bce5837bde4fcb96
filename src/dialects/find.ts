/** Finds a dialect by its name, or by the name another engine has for it. */

import { SluiceError } from '../base/errors.ts'
import { plain } from '../base/nearest.ts'
import { unknownName } from '../base/options.ts'
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

/** Finds it among these. */
export function findAmong(dialects: readonly Dialect[], name: string): Dialect {
  const wanted = plain(String(name))
  const found =
    dialects.find((dialect) => plain(dialect.name) === wanted) ??
    dialects.find(({ aliases }) => aliases.some((alias) => plain(alias) === wanted))
  if (found !== undefined) return found
  const names = dialects.map((dialect) => dialect.name)
  const aliases = dialects.flatMap((dialect) => dialect.aliases)
  throw new SluiceError(
    'unknown-dialect',
    unknownName('There is no dialect', String(name), names, [...names, ...aliases]),
  )
}
