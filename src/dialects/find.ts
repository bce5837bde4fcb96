/** Finds a dialect by its name, or by the name another engine has for it. */

import { SluiceError } from '../errors.ts'
import type { Dialect } from '../wire/index.ts'
import { ALL } from './all.ts'

export function findDialect(name: string): Dialect {
  return findAmong(ALL, name)
}

/** Finds it among these. */
export function findAmong(dialects: readonly Dialect[], name: string): Dialect {
  const wanted = String(name).toLowerCase()
  const found =
    dialects.find((dialect) => dialect.name === wanted) ??
    dialects.find(({ aliases }) => aliases.includes(wanted))
  if (found !== undefined) return found
  throw new SluiceError(
    'unknown-dialect',
    `There is no dialect '${name}'; there are ${dialects.map((dialect) => dialect.name).join(', ')}.`,
  )
}
