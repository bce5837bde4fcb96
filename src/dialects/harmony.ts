/**
 * gpt-oss: messages with channels. `analysis` is reasoning, `final` and bare `commentary` are text, and a
 * recipient makes a message a call.
 *
 *     <|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather
 *     <|constrain|>json<|message|>{"city": "Paris"}<|call|>
 */

import { define } from '../wire/dialect.ts'
import { args, closer, literal, name, optional, space, text, wire } from '../wire/index.ts'
import { label } from '../wire/label.ts'

const start = optional`<|start|>assistant`
const channel = literal('commentary', 'analysis', 'final')
const prefix = optional`functions.`
const constraint = optional`<|constrain|>${label}`
const end = closer`${literal('<|call|>', '<|end|>', '<|return|>')}`

export const harmony = define('harmony', {
  reasoning: wire`${start}<|channel|>analysis<|message|>${text}<|end|>`,
  call: [
    wire`${start}<|channel|>${channel} to=${prefix}${name}${space}${constraint}<|message|>
      ${args}
      ${end}`,
    wire`<|start|>assistant to=${prefix}${name}<|channel|>${label}${space}${constraint}<|message|>
      ${args}
      ${end}`,
  ],
  drop: [
    wire`${start}<|channel|>${literal('final', 'commentary')}<|message|>`,
    // Some answers are addressed to the model itself. The space makes it begin as a call does, which is tried first.
    wire`${start}<|channel|>commentary to=${space}assistant<|channel|>final<|message|>`,
    wire`<|end|>`,
    wire`<|return|>`,
  ],
  dropEndsReasoning: true,
  strayCloser: 'text', // its closer ends every kind of message, and is dropped
  aliases: ['openai', 'openai_gptoss', 'gpt-oss', 'gpt_oss'],
})
