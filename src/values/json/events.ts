/** What a JSON parser gives out, one event for each thing that became known. */

import type { JsonValue, RepairClass, Span } from '../../base/event.ts'
import type { Path } from '../../base/path.ts'
import type { JsonErrorCode, JsonRepairCode } from './handler.ts'

/** The verdict on a text. Only `complete`, and `repaired` without a `guess` or a loss, say what was written. */
export type JsonVerdict = 'complete' | 'repaired' | 'truncated' | 'invalid' | 'empty'

/** An object, an array or a string begins. Numbers and literals have no beginning: they come whole. */
export interface JsonOpen {
  readonly type: 'open'
  readonly path: Path
  readonly kind: 'object' | 'array' | 'string'
}

/** A member's key is complete; its value follows. */
export interface JsonKey {
  readonly type: 'key'
  readonly path: Path
}

/** The string at `path` grew by this decoded text, which begins `offset` characters into the string. */
export interface JsonDelta {
  readonly type: 'delta'
  readonly path: Path
  readonly text: string
  readonly offset: number
}

/** A value is complete and will not change. Inner values come before the one they are in, the root last. */
export interface JsonComplete {
  readonly type: 'value'
  readonly path: Path
  readonly value: JsonValue
  /** Where it stands in the text. */
  readonly span: Span
  /** For a number: how it was written. */
  readonly raw?: string
  /** For a number: whether `value` is the very number that was written, or only the nearest there is. */
  readonly exact?: boolean
  /** For a string: false when it holds half a surrogate pair. */
  readonly wellFormed?: boolean
}

/** The text ended inside this value; `value` is what there was of it. Only at the end, inner values first. */
export interface JsonPartial {
  readonly type: 'partial'
  readonly path: Path
  readonly value: JsonValue
}

/** Something was not JSON and was read all the same. */
export interface JsonRepair {
  readonly type: 'repair'
  readonly code: JsonRepairCode
  readonly class: RepairClass
  readonly offset: number
  readonly path: Path
}

/** What was read is what was written, but perhaps not what was meant. The verdict does not depend on it. */
export interface JsonWarning {
  readonly type: 'warning'
  /** A path such as `C:\temp`, in which `\t` was read as a tab. */
  readonly code: 'suspicious-escape'
  readonly offset: number
  readonly path: Path
}

/** A key came again in the same object. */
export interface JsonDuplicate {
  readonly type: 'duplicate'
  readonly path: Path
  readonly previous: JsonValue
}

/** The text cannot be read beyond this character. */
export interface JsonFailure {
  readonly type: 'error'
  readonly code: JsonErrorCode
  readonly message: string
  readonly offset: number
  /** Counted from 1, as editors do. */
  readonly line: number
  readonly column: number
  /** The innermost value that was open. */
  readonly path: Path
}

/** The last event. */
export interface JsonEnd {
  readonly type: 'end'
  readonly status: JsonVerdict
  /** The value, or what there was of it; undefined when nothing had begun. */
  readonly value: JsonValue | undefined
  /** What was cut off, outermost first. */
  readonly incomplete: readonly Path[]
  readonly repairs: readonly JsonRepair[]
}

/** An event of the JSON parser. */
export type JsonEvent =
  | JsonOpen
  | JsonKey
  | JsonDelta
  | JsonComplete
  | JsonPartial
  | JsonRepair
  | JsonWarning
  | JsonDuplicate
  | JsonFailure
  | JsonEnd
