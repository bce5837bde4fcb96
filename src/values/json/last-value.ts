/** Finds the last of several values in a text: a model wrote a draft first, or corrected itself. */

import { JsonDocument } from './document.ts'
import type { JsonParserOptions } from './json-options.ts'

const LISTENER = { start() {}, delta() {}, end() {} }

/** A line that is no value, before text in which one may begin. */
const LINE = '.\n'

/** How much is read of a text before it is asked whether its value is over; then twice as much, and so on. */
const FIRST_PIECE = 64

/**
 * Where the last object or list begins that a text has beside others; 0 if it has at most one value.
 *
 *     {"a": 1}
 *     No, that is wrong: |{"a": 2}
 */
export function startOfLast(text: string, options: JsonParserOptions): number {
  let last = 0
  for (let at = 0; ; ) {
    const lead = at === 0 ? '' : LINE
    const document = new JsonDocument(options, LISTENER, true)
    document.push(lead)
    const behind = () => document.repairs.find(({ code }) => code === 'trailing-content')
    for (
      let from = at, size = FIRST_PIECE;
      from < text.length && behind() === undefined;
      from += size, size *= 2
    )
      document.push(text.slice(from, from + size))
    document.end()
    const offset = at - lead.length
    if (document.status !== 'empty') last = document.valueStart + offset
    const rest = behind()
    if (document.status !== 'repaired' || rest === undefined) return at === 0 ? 0 : last
    at = rest.offset + offset
  }
}
