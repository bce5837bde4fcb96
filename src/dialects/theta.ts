/**
 * Hermes 2 Theta: JSON between the token that begins a turn, because its vocabulary has that in the place of the tags.
 *
 *     <|im_start|>
 *     {"arguments": {"city": "Paris"}, "name": "get_weather"}
 *     <|im_start|>
 */

import { define } from '../engine/wire/dialect.ts'
import { optional, wire } from '../engine/wire/index.ts'
import { listWithTrailing } from '../engine/wire/template.ts'
import { callObject } from './call-object.ts'
import { strayBrace } from './stray-brackets.ts'

const TOKEN = '<|im_start|>'

const between = wire`
  ${TOKEN}
  `

/** The dialect of Hermes 2 Theta. */
export const theta = define('theta', {
  weakCall: wire`${optional`${TOKEN}`}
    ${listWithTrailing(wire`${callObject}${strayBrace}`, between)}`,
  endOfTurn: [`${TOKEN}assistant`, '<|im_end|>', '<|end_of_text|>'],
})
