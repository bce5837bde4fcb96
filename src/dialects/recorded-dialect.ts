/** From what the header of a recording says of the dialect to the dialect: `hermes`, or `model:Qwen/Qwen3-8B` for a model's. */

import type { Detection } from '../wire/detection.ts'
import type { Dialect } from '../wire/dialect.ts'
import { detect } from './detect.ts'
import { dialectFor } from './dialect-for.ts'
import { findDialect } from './find.ts'

const MODEL = 'model:'

/** What a recording says whose dialect was found by the name of the model. */
export const recordedModel = (model: string | undefined): string => `${MODEL}${model ?? ''}`

/** Whether a recording says so. */
export const isModelDialect = (dialect: unknown): dialect is string =>
  typeof dialect === 'string' && dialect.startsWith(MODEL)

/** A model whose name says nothing was read with detection. */
export function recordedDialect(name: string): Dialect | Detection {
  if (!isModelDialect(name)) return findDialect(name)
  try {
    return dialectFor(name.slice(MODEL.length)).dialect
  } catch {
    return detect()
  }
}
