/** What a scanner is asked to do. It never changes, so that all scanners with the same rules share them. */

import { DEFAULT_JSON_LIMITS, type JsonLimits, type JsonScannerOptions, type NonFinite } from '../handler.ts'

export class ScanRules {
  readonly limits: Readonly<JsonLimits>
  readonly duplicateKeys: 'last' | 'error'
  readonly nonFinite: NonFinite

  constructor({ limits, duplicateKeys = 'last', nonFinite = 'string' }: JsonScannerOptions) {
    this.limits = { ...DEFAULT_JSON_LIMITS, ...limits }
    this.duplicateKeys = duplicateKeys
    this.nonFinite = nonFinite
  }
}

const DEFAULT_RULES = new ScanRules({})

export function rulesOf(options: JsonScannerOptions | undefined): ScanRules {
  if (options === undefined) return DEFAULT_RULES
  return options instanceof ScanRules ? options : new ScanRules(options)
}
