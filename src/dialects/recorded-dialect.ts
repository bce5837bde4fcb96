/** The dialect that the header of a recording names: `hermes`, or `model:Qwen/Qwen3-8B` for the dialect of a model. */

import type { Detection } from '../engine/wire/detection.ts'
import type { Dialect } from '../engine/wire/dialect.ts'
import { detect } from './detect.ts'
import { dialectFor } from './dialect-for.ts'
import { findDialect } from './find.ts'

const MODEL = 'model:'

/** The name of a dialect that was found by the name of its model. */
export const recordedModel = (model: string | undefined): string => `${MODEL}${model ?? ''}`

/** Whether this is such a name. */
export const isModelDialect = (dialect: unknown): dialect is string =>
  typeof dialect === 'string' && dialect.startsWith(MODEL)

/** Detection, for a model that is not known. */
export function recordedDialect(name: string): Dialect | Detection {
  if (!isModelDialect(name)) return findDialect(name)
  try {
    return dialectFor(name.slice(MODEL.length)).dialect
  } catch {
    return detect()
  }
}
