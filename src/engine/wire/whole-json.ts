/**
 * A JSON value whose meaning shows only when it is complete: checked strictly as it arrives, and parsed at its end.
 *
 *     [[SEG_START {"type": "write_file", "path": "a.txt"}]]
 *                 ^ from here                            ^ to here
 */

import type { JsonValue } from '../../base/event.ts'
import type { Limits } from '../../base/limits.ts'
import { isString, type Shape } from '../../base/plain-state.ts'
import { IGNORES_ALL } from '../../values/json/handler.ts'
import { STRICT_UNIQUE } from '../../values/json/rules.ts'
import { initialState, isJsonState, type JsonState } from '../../values/json/scan/json-state.ts'
import { JsonScanner } from '../../values/json/scanner.ts'
import { parseWritten } from '../../values/numbers/written.ts'
import { jsonLimitsOf } from '../calls/json-arguments.ts'

export interface WholeJsonState {
  scanner: JsonState
  source: string
}

export const WHOLE_JSON: Shape<WholeJsonState> = { scanner: isJsonState, source: isString }

export const wholeJsonStart = (): WholeJsonState => ({ scanner: initialState(), source: '' })

export class WholeJson {
  private readonly state: WholeJsonState
  private readonly scanner: JsonScanner

  constructor(state: WholeJsonState, limits: Limits) {
    this.state = state
    this.scanner = new JsonScanner(jsonLimitsOf(limits), STRICT_UNIQUE, state.scanner)
  }

  get status(): JsonState['status'] {
    return this.scanner.status
  }

  /** Reads `text[from, to)` and returns the index after the last character taken, or of the one that is no JSON. */
  read(text: string, from: number, to: number): number {
    const at = this.scanner.read(text, from, to, IGNORES_ALL)
    this.state.source += text.slice(from, at)
    return at
  }

  /** The value, once it is complete. Undefined if the text of a damaged snapshot is no JSON. */
  get value(): JsonValue | undefined {
    try {
      return parseWritten(this.state.source) as JsonValue
    } catch {
      return undefined
    }
  }
}
