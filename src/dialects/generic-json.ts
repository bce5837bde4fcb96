/**
 * Guided decoding and models without a format of their own: a bare array, or object, of calls that is the
 * whole message.
 *
 *     [{"name": "get_weather", "parameters": {"city": "Paris"}}]
 */

import { define } from '../engine/wire/dialect.ts'
import { list, object, wire } from '../engine/wire/index.ts'
import { fenced } from './fence.ts'
import { think } from './reasoning.ts'

const one = wire`${object({ name: ['name'], arguments: ['arguments', 'parameters'], id: ['id'] })}`
const array = wire`[
  ${list(one)}
  ]`

/** The dialect of guided decoding: bare JSON calls that are the whole message. */
export const genericJson = define('generic-json', {
  reasoning: think,
  weakCall: [array, one, fenced(array), fenced(one)],
  aliases: ['json_array', 'tools'],
})
