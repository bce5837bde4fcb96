/** What a scanner accepts. One scanner consults this table wherever reading is stricter or more tolerant. */

import type { JsonErrorCode, JsonRepairCode } from './handler.ts'
import { QUOTE_LOOKAHEAD, type QuoteLookahead } from './scan/quote-lookahead.ts'
import { LOOSE_SCALARS, type ScalarGrammar } from './scan/scalars.ts'
import { STRICT_SCALARS } from './scan/strict-scalars.ts'

export interface JsonRules {
  /** Whether text that is not JSON is read where it can be: comments, other quotes, unquoted values. */
  readonly tolerant: boolean
  /** The deviations that are errors, `other` for those not named; all others are repaired and reported. */
  readonly errors: { readonly [Code in JsonRepairCode | 'other']?: JsonErrorCode }
  readonly repeatedKeys: 'reported' | 'error'
  readonly scalars: ScalarGrammar
  readonly nonFinite: NonFinite
  /** Tells from the text behind a quote whether it closed its string; null: every quote closes. */
  readonly lookahead: QuoteLookahead | null
}

/** What NaN and the infinities are read as: their text, null, the number, or an error. */
export type NonFinite = 'string' | 'null' | 'number' | 'error'

export const TOLERANT: JsonRules = {
  tolerant: true,
  errors: {},
  repeatedKeys: 'reported',
  scalars: LOOSE_SCALARS,
  nonFinite: 'string',
  lookahead: null,
}

const STRICT_ERRORS: JsonRules['errors'] = {
  'control-char': 'control-char',
  'invalid-escape': 'escape',
  other: 'token',
}

export const STRICT: JsonRules = {
  tolerant: false,
  errors: STRICT_ERRORS,
  repeatedKeys: 'reported',
  scalars: STRICT_SCALARS,
  nonFinite: 'string',
  lookahead: null,
}

/** Strict, and a repeated key is an error. */
export const STRICT_UNIQUE: JsonRules = {
  tolerant: false,
  errors: STRICT_ERRORS,
  repeatedKeys: 'error',
  scalars: STRICT_SCALARS,
  nonFinite: 'string',
  lookahead: null,
}

export interface RuleOptions {
  readonly tolerant?: boolean
  readonly duplicateKeys?: 'last' | 'error'
  readonly nonFinite?: NonFinite
  /** When a string value is complete: at its closing quote, or only at the delimiter behind it. */
  readonly stringClose?: 'quote' | 'delimiter'
}

/** Strict by default. */
export function rulesOf(options: RuleOptions): JsonRules {
  const { tolerant = false, duplicateKeys, nonFinite = 'string', stringClose } = options
  const base = tolerant ? TOLERANT : STRICT
  return {
    ...base,
    errors: nonFinite === 'error' ? { ...base.errors, 'non-finite': 'non-finite' } : base.errors,
    repeatedKeys: duplicateKeys === 'error' ? 'error' : 'reported',
    nonFinite,
    lookahead: stringClose === 'delimiter' ? QUOTE_LOOKAHEAD : null,
  }
}
