/**
 * GLM 4: the tool's name on a line of its own, and its arguments below it. Nothing marks the call.
 *
 *     get_weather
 *     {"city": "Paris"}
 */

import { define } from '../engine/wire/dialect.ts'
import { args, list, perTool, wire } from '../engine/wire/index.ts'
import { ahead } from '../engine/wire/template.ts'
import { strayBrace } from './stray-brackets.ts'

const call = wire`${perTool(({ name }) => wire`${ahead(`${name}\n`, '{')}`)}${args}${strayBrace}`

/** The dialect of GLM 4, before GLM 4.5. */
export const glm4 = define('glm4', {
  weakCall: wire`${list(
    call,
    wire`
      `,
  )}`,
  endOfTurn: ['<|user|>', '<|observation|>', '<|endoftext|>'],
  aliases: ['glm-4'],
})
