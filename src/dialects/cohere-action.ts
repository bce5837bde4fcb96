/**
 * Cohere Command: actions, with an id of their own before the name.
 *
 *     <|START_ACTION|>[
 *         {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Paris"}}
 *     ]<|END_ACTION|>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, each, list, literal, object, optional, space, wire } from '../engine/wire/index.ts'
import { reasoningMarkers } from './reasoning-markers.ts'
import { strayBrace, strayBracket } from './stray-brackets.ts'

const action = object({ name: ['tool_name'], arguments: ['parameters'], id: ['tool_call_id'] })

/** Which results of which calls a citation rests on: `0:[1,2]`. Anything else is text. */
const sources = each`${space}${literal('0', ...'123456789:[],')}`

/** The dialect of Cohere Command A and R7B. */
export const cohereAction = define('cohere-action', {
  reasoning: reasoningMarkers.cohere,
  call: wire`<|START_ACTION|>
    [
    ${list(wire`${action}${strayBrace}`)}
    ]${strayBracket}
    ${closer`<|END_ACTION|>`}`,
  drop: [wire`${literal('<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>')}`],
  // Citations: which words rest on which documents.
  ignore: [wire`<co>`, wire`<co: ${sources}>`, wire`</co>`, wire`</co: ${sources}>`],
  emptyCall: wire`<|START_ACTION|>
    ${optional`[
    ]`}
    <|END_ACTION|>`,
  spacedCalls: true,
  endOfTurn: ['<|END_OF_TURN_TOKEN|>'],
  dropEndsReasoning: true,
  aliases: ['cohere_command3', 'cohere_command4', 'cohere_cmd', 'cmd3', 'cmd4', 'cohere', 'cohere2moe'],
})
