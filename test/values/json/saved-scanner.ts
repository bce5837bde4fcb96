/** A scanner that goes on in another process, as the owners of one save it: its state is a part of their record. */

import type { JsonValue } from '../../../src/base/event.ts'
import { checkedState, copyState } from '../../../src/base/plain-state.ts'
import { isJsonState } from '../../../src/values/json/scan/json-state.ts'
import { JsonScanner } from '../../../src/values/json/scanner.ts'

export const savedScanner = ({ state }: JsonScanner): JsonValue => copyState({ json: state })

/** A scanner with the same limits and rules that stands where the saved one did. */
export function restoredScanner({ limits, rules }: JsonScanner, saved: unknown): JsonScanner {
  return new JsonScanner(limits, rules, checkedState({ json: isJsonState }, saved).json)
}

export function twinOf(scanner: JsonScanner): JsonScanner {
  return restoredScanner(scanner, JSON.parse(JSON.stringify(savedScanner(scanner))))
}
