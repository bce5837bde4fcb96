/**
 * Muse Glimmer: messages that say who they are for: the model itself, the user, or a tool, whose name the call then
 * repeats. The prompt ends behind `<|start|>assistant`.
 *
 *     to=self<|message|>The user wants the weather.<|eom|><|start|>assistant to=get_weather<|message|><atem:function_calls>
 *     <atem:invoke name="get_weather">
 *     <atem:parameter name="city">Paris</atem:parameter>
 *     </atem:invoke>
 *     </atem:function_calls><|eot|>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, each, literal, name, space, tag, text, wire } from '../engine/wire/index.ts'
import { parameterValue } from './parameter-value.ts'

const START = '<|start|>assistant'
const to = literal(`${START} to=`, `${START}to=`)

/** The dialect of Muse Glimmer. */
export const museGlimmer = define('muse-glimmer', {
  // The space makes these begin as a call does, which is tried first.
  reasoning: wire`${to}${space}self<|message|>${text}<|eom|>`,
  call: wire`${to}${name}<|message|>${space}<atem:function_calls>
    ${tag('atem:invoke', { name: 'name' })}${each`
    ${tag('atem:parameter', { name: 'key' })}${parameterValue}${closer`</atem:parameter>`}`}
    ${closer`</atem:invoke>`}
    ${closer`</atem:function_calls>`}${space}${closer`${literal('<|eom|>', '<|eot|>')}`}`,
  drop: [wire`${to}${space}user<|message|>`, wire`<|eom|>`],
  prefilled: START,
  reservedNames: ['self', 'user'],
  endOfTurn: ['<|eot|>'],
  callEndsReasoning: true,
  dropEndsReasoning: true,
  strayCloser: 'text', // its closer ends every kind of message, and is dropped
  untyped: 'json',
  aliases: ['muse_glimmer', 'muse', 'glimmer'],
})
