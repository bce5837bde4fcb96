/** Detection among all dialects, for those who do not know which one a model writes. */

import { type Detection, detectAmong } from '../engine/wire/detection.ts'
import type { Dialect } from '../engine/wire/dialect.ts'
import { ALL } from './all.ts'
import { granite3 } from './granite3.ts'
import { kExaone2 } from './k-exaone-2.ts'
import { sijawara } from './sijawara.ts'
import { uiTars } from './ui-tars.ts'
import { xlam } from './xlam.ts'

/** Their calls are written as others write them (qwen3-coder, hermes, mistral, morph-xml), so that the text cannot tell. */
const WRITTEN_AS_OTHERS: readonly Dialect[] = [kExaone2, sijawara, uiTars, xlam]

/** Its calls have no closer, so that it would leave the closer of others as text. */
const LAST: Dialect = granite3

/** Calls that nothing marks, anywhere in the text, cannot be told from JSON that is shown. */
const DETECTABLE: readonly Dialect[] = [
  ...ALL.filter(
    (dialect) => dialect.looseCalls.length === 0 && !WRITTEN_AS_OTHERS.includes(dialect) && dialect !== LAST,
  ),
  LAST,
]

/**
 * Takes the place of a dialect, and finds out which one it is.
 *
 *     const parser = createParser({ dialect: detect() })
 *     const parser = createParser({ dialect: detect([hermes, qwen3Coder]) })
 */
export function detect(candidates: readonly Dialect[] = DETECTABLE): Detection {
  return detectAmong(candidates)
}
