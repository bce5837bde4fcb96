/** What a scanner accepts. One scanner consults this table wherever reading is stricter or more tolerant. */

import type { JsonErrorCode, JsonRepairCode } from './handler.ts'

export interface JsonRules {
  /** Whether text that is not JSON is read where it can be: comments, other quotes, unquoted values. */
  readonly tolerant: boolean
  /** The deviations that are errors, `other` for those not named; all others are repaired and reported. */
  readonly errors: { readonly [Code in JsonRepairCode | 'other']?: JsonErrorCode }
  readonly repeatedKeys: 'reported' | 'error'
  readonly nonFinite: NonFinite
  readonly stringClose: StringClose
}

/** What NaN and the infinities are read as: their text, null, the number, or an error. */
export type NonFinite = 'string' | 'null' | 'number' | 'error'

/** When a string value is complete: at its closing quote, or only at the delimiter behind it. */
export type StringClose = 'quote' | 'delimiter'

export const TOLERANT: JsonRules = {
  tolerant: true,
  errors: {},
  repeatedKeys: 'reported',
  nonFinite: 'string',
  stringClose: 'quote',
}

export const STRICT: JsonRules = {
  ...TOLERANT,
  tolerant: false,
  errors: { 'control-char': 'control-char', 'invalid-escape': 'escape', other: 'token' },
}

/** Strict, and a repeated key is an error. */
export const STRICT_UNIQUE: JsonRules = { ...STRICT, repeatedKeys: 'error' }

export interface RuleOptions {
  readonly tolerant?: boolean
  readonly duplicateKeys?: 'last' | 'error'
  readonly nonFinite?: NonFinite
  readonly stringClose?: StringClose
}

/** Strict by default. */
export function rulesOf(options: RuleOptions): JsonRules {
  const { tolerant = false, duplicateKeys = 'last', nonFinite = 'string', stringClose = 'quote' } = options
  const base = tolerant ? TOLERANT : STRICT
  return {
    ...base,
    errors: nonFinite === 'error' ? { ...base.errors, 'non-finite': 'non-finite' } : base.errors,
    repeatedKeys: duplicateKeys === 'error' ? 'error' : 'reported',
    nonFinite,
    stringClose,
  }
}
