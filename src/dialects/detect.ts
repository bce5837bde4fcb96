/** Detection among all dialects, for those who do not know which one a model writes. */

import { type Detection, detectAmong } from '../wire/detection.ts'
import type { Dialect } from '../wire/dialect.ts'
import { ALL } from './all.ts'

/** Calls of these are marked by nothing, anywhere in the text: they cannot be told from JSON that is shown. */
const DETECTABLE: readonly Dialect[] = ALL.filter(({ looseCalls }) => looseCalls.length === 0)

/**
 * Takes the place of a dialect, and finds out which one it is.
 *
 *     const parser = createParser({ dialect: detect() })
 *     const parser = createParser({ dialect: detect([hermes, qwen3Coder]) })
 */
export function detect(candidates: readonly Dialect[] = DETECTABLE): Detection {
  return detectAmong(candidates)
}
