/**
 * A marker that is only seen: what comes before it is over, and what follows begins with it.
 *
 *     <|message_model|>get_weather|<|content_text|>
 */

import type { Node } from './template.ts'

/** Other spellings of the marker are as long as the first. */
export function seen(marker: string, ...others: readonly string[]): Node {
  return { kind: 'literal', forms: [marker, ...others], back: marker.length }
}
