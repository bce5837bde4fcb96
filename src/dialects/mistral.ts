/**
 * Mistral. Before tokenizer v11 an array of calls, from v11 on a name and its arguments.
 *
 *     [TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Paris"}, "id": "a1B2c3D4e"}]
 *     [TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}
 */

import { define } from '../engine/wire/dialect.ts'
import { args, closer, id, list, name, optional, space, stray, wire } from '../engine/wire/index.ts'
import { seen } from '../engine/wire/seen.ts'
import { unnamed } from '../engine/wire/template.ts'
import { callObject } from './call-object.ts'
import { think } from './reasoning.ts'
import { reasoningMarkers } from './reasoning-markers.ts'
import { strayBrace, strayBracket } from './stray-brackets.ts'

const asArray = wire`[TOOL_CALLS]${space}[
  ${list(wire`${callObject}${strayBrace}`)}
  ${closer`]`}${strayBracket}${stray`[/TOOL_CALLS]`}`

const named = wire`[TOOL_CALLS]${space}${name}${optional`[CALL_ID]${id}`}${optional`[ARGS]`}${space}${args}${strayBrace}${stray`[/TOOL_CALLS]`}`

/** One object without the array around it. */
const single = wire`[TOOL_CALLS]${space}${callObject}${strayBrace}${stray`[/TOOL_CALLS]`}`

/** Devstral leaves out the name, or writes it as text before the marker: `bash[TOOL_CALLS][ARGS]{"command": "ls"}`. */
const nameless = wire`[TOOL_CALLS]${space}${optional`[ARGS]`}${space}${seen('{')}${unnamed}${args}${strayBrace}${stray`[/TOOL_CALLS]`}`

const empty = wire`[TOOL_CALLS]${space}[
  ]`

/** The dialect of Mistral before tokenizer v11. */
export const mistralArray = define('mistral-array', {
  reasoning: think,
  call: [asArray, named, single, nameless],
  emptyCall: empty,
  spacedCalls: true,
  endOfTurn: ['</s>'],
})

/** The dialect of Mistral from tokenizer v11 on. */
export const mistralV11 = define('mistral-v11', {
  reasoning: [reasoningMarkers.brackets, think],
  call: [named, asArray, single, nameless],
  emptyCall: empty,
  spacedCalls: true,
  endOfTurn: ['</s>'],
  callEndsReasoning: true,
  aliases: ['mistral', 'ministral', 'ministral_3'],
})
