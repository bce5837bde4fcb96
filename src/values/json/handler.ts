/** What the scanner tells its handler, and the codes it uses. */

import type { RepairClass } from '../../base/event.ts'

/** The events of one JSON text, in order. Every method is called synchronously from inside `read` or `end`. */
export interface JsonHandler {
  open(container: 'object' | 'array'): void
  /** A string value begins. */
  openString(): void
  /** Decoded text of the open string value. Only while `scanner.decoding`, and never empty. */
  delta(text: string): void
  closeString(): void
  /** The decoded key of the innermost object. Called at the colon. */
  key(key: string): void
  /** Called right before `key` when this object had it already. */
  duplicateKey(key: string): void
  /** A number or a literal; `raw` is its lexeme as it was written. */
  scalar(value: number | boolean | null, raw: string): void
  /**
   * A number that JSON cannot represent: −0, or one that is too large. Returns what is taken, and copied, in its place.
   * Without this method it is taken as it is.
   */
  unrepresentable?(value: number, raw: string): number | null
  /** The innermost container is complete. */
  close(): void
  /** The next piece of canonical JSON text. Only while `scanner.copying`. */
  text(piece: string): void
  repair(code: JsonRepairCode, repairClass: RepairClass, offset: number): void
  /** The first error, and the last call: the scanner has failed and takes no more. */
  error(code: JsonErrorCode, offset: number): void
}

const ignore = (): void => {}

/** The handler of a scanner that is asked only whether a text is JSON. */
export const IGNORES_ALL: JsonHandler = {
  open: ignore,
  openString: ignore,
  delta: ignore,
  closeString: ignore,
  key: ignore,
  duplicateKey: ignore,
  scalar: ignore,
  close: ignore,
  text: ignore,
  repair: ignore,
  error: ignore,
}

/** Why a text is not JSON. Stable. */
export type JsonErrorCode =
  /** A character that cannot stand here. */
  | 'token'
  | 'number'
  | 'literal'
  /** NaN or an infinity, and they are not wanted. */
  | 'non-finite'
  | 'control-char'
  | 'escape'
  | 'duplicate-key'
  /** Something other than whitespace follows the value. */
  | 'trailing-content'
  /** A comment is not over where the text around the JSON goes on. */
  | 'comment'
  // One for each limit.
  | 'depth'
  | 'key-length'
  | 'keys-per-object'
  | 'number-length'
  | 'string-length'
  | 'bare-length'
  | 'repairs'
  | 'total-length'

/** A deviation from JSON that was repaired. Stable. */
export type JsonRepairCode =
  | 'bom'
  | 'whitespace'
  | 'fence'
  | 'comment'
  | 'quote-style'
  | 'unquoted-key'
  | 'literal-alias'
  | 'number-form'
  | 'bare-string'
  | 'non-finite'
  | 'trailing-comma'
  | 'extra-comma'
  | 'missing-comma'
  | 'missing-colon'
  | 'control-char'
  | 'invalid-escape'
  | 'escaped-whitespace'
  | 'escaped-document'
  | 'double-encoded'
  | 'missing-close'
  | 'extra-close'
  | 'leading-content'
  | 'trailing-content'
  | 'ellipsis'
  | 'inner-quote'

/** The limits of the JSON parser. */
export interface JsonLimits {
  /** Open containers. */
  depth: number
  /** Decoded characters of a key. */
  keyLength: number
  keysPerObject: number
  /** Characters of a number as written. */
  numberLength: number
  /** Decoded characters of a string value. */
  stringLength: number
  /** Characters of an unquoted value or key. */
  bareLength: number
  /** Repairs of one text. */
  repairs: number
}

const UNLIMITED = Number.POSITIVE_INFINITY

export const DEFAULT_JSON_LIMITS: Readonly<JsonLimits> = Object.freeze({
  depth: 10_000,
  keyLength: UNLIMITED,
  keysPerObject: UNLIMITED,
  numberLength: UNLIMITED,
  stringLength: UNLIMITED,
  bareLength: UNLIMITED,
  repairs: UNLIMITED,
})
