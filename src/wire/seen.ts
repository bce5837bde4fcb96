/**
 * A marker that is only seen: what comes before it is over, and what follows begins with it.
 *
 *     <|message_model|>get_weather|<|content_text|>
 */

import type { Node } from './template.ts'

export function seen(marker: string): Node {
  return { kind: 'literal', forms: [marker], back: marker.length }
}
