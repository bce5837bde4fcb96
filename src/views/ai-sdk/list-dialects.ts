/** The dialects that a model speaks. */

import { SluiceError } from '../../base/errors.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'

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
