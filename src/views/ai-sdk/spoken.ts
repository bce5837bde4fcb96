/** The dialects that a model speaks, as its text is read. */

import { SluiceError } from '../../errors.ts'
import type { Dialect } from '../../wire/dialect.ts'

/** What was passed as the option `dialect`, as a list with something in it. */
export function listDialects(given: Dialect | readonly Dialect[]): readonly [Dialect, ...Dialect[]] {
  const dialects = [given].flat() as [Dialect, ...Dialect[]]
  if (dialects.length === 0 || dialects.some((one) => !Array.isArray(one?.calls)))
    throw new SluiceError(
      'invalid-option',
      "'dialect' takes a dialect, such as hermes from 'sluice/dialects', or a list of them.",
    )
  return dialects
}

/** The same form every time, because what a parser makes of a dialect is kept with it. */
const spokenForms = new WeakMap<Dialect, Dialect>()

/** Answers of tools are written by the dialect, but one that a model makes up is no more than text. */
export function asSpoken(dialect: Dialect): Dialect {
  const spoken = spokenForms.get(dialect) ?? Object.freeze({ ...dialect, result: undefined })
  spokenForms.set(dialect, spoken)
  return spoken
}
