/** A detector as plain data, and what such data has to look like. */

import type { IdKind } from '../../../base/ids.ts'
import {
  type Check,
  isAnything,
  isBoolean,
  isCount,
  isInteger,
  isRecord,
  isString,
  listOf,
  nullable,
  recordOf,
  type Shape,
} from '../../../base/plain-state.ts'
import { type SentenceState, sentenceShape } from './call-sentences.ts'
import type { Openers } from './openers.ts'
import { isEvents, PLAIN, type Reading } from './reading.ts'

/** Its diagnostics are among its events. */
export interface SavedReading extends Omit<Reading, 'machine' | 'diagnostics'> {
  /** The machine checks it. */
  readonly machine: unknown
}

export interface SavedDetector {
  readonly plain: SavedReading | null
  readonly readings: SavedReading[]
  readonly isReported: boolean
  readonly isHolding: boolean
  readonly sentence: SentenceState
  readonly ids: Partial<Record<IdKind, string[]>>
}

export function savedShape(candidates: number, { sentences }: Openers): Shape<SavedDetector> {
  const isReading = recordOf<SavedReading>({
    candidate: (value): value is number => isInteger(value) && value >= PLAIN && value < candidates,
    start: isCount,
    marker: isString,
    outerState: isCount,
    events: isEvents,
    hasBegun: isBoolean,
    hasText: isBoolean,
    hasFailed: isBoolean,
    used: isByKind(isCount),
    machine: isAnything,
  })
  return {
    plain: nullable(isReading),
    readings: listOf(isReading),
    isReported: isBoolean,
    isHolding: isBoolean,
    sentence: recordOf(sentenceShape(sentences)),
    ids: isByKind(listOf(isString)),
  }
}

function isByKind<T>(isOne: Check<T>): Check<Partial<Record<IdKind, T>>> {
  return (value): value is Partial<Record<IdKind, T>> => isRecord(value) && Object.values(value).every(isOne)
}
