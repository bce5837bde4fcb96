/**
 * Apertus: the name is itself the key.
 *
 *     <|tools_prefix|>[{"get_weather": {"city": "Paris"}}]<|tools_suffix|>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, list, object, optional, wire } from '../engine/wire/index.ts'
import { reasoningMarkers } from './reasoning-markers.ts'
import { strayBrace, strayBracket } from './stray-brackets.ts'

/** The dialect of Apertus. */
export const apertus = define('apertus', {
  reasoning: reasoningMarkers.inner,
  call: wire`<|tools_prefix|>
    [
    ${list(wire`${object({ nameAsKey: true })}${strayBrace}`)}
    ]${strayBracket}
    ${closer`<|tools_suffix|>`}`,
  emptyCall: wire`<|tools_prefix|>
    ${optional`[
    ]`}
    <|tools_suffix|>`,
  spacedCalls: true,
  endOfTurn: ['<|assistant_end|>', '</s>'],
  aliases: ['apertus2509'],
})
