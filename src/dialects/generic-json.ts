/**
 * Guided decoding and models without a format of their own: a bare array, or object, of calls that is the
 * whole message.
 *
 *     [{"name": "get_weather", "parameters": {"city": "Paris"}}]
 */

import { define } from '../wire/dialect.ts'
import { list, wire } from '../wire/index.ts'
import { callObject } from './call-object.ts'
import { think } from './reasoning.ts'

export const genericJson = define('generic-json', {
  reasoning: think,
  weakCall: [
    wire`[
    ${list(callObject)}
    ]`,
    wire`${callObject}`,
  ],
  aliases: ['json_array', 'tools'],
})
