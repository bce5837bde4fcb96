/**
 * gpt-oss: messages with channels. `analysis` is reasoning, `final` and bare `commentary` are text, and a
 * recipient makes a message a call.
 *
 *     <|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather
 *     <|constrain|>json<|message|>{"city": "Paris"}<|call|>
 */

import { define } from '../engine/wire/dialect.ts'
import {
  args,
  closer,
  either,
  literal,
  name,
  optional,
  space,
  stray,
  text,
  wire,
} from '../engine/wire/index.ts'
import { label } from '../engine/wire/label.ts'
import { seen } from '../engine/wire/seen.ts'
import { ahead, reported } from '../engine/wire/template.ts'
import { strayBrace } from './stray-brackets.ts'

const start = optional`<|start|>assistant`
const channel = literal('commentary', 'analysis', 'final')
const prefix = optional`functions.`
const end = wire`${closer`${literal('<|call|>', '<|end|>', '<|return|>')}`}${stray`commentary`}`

/** What a message holds, which models write without the token before it, too. */
const TYPES = ['', ' json', ' code', ' text', ' <|constrain|>json', '<|constrain|>json'] as const

/** The header of a message that is for the user. */
const header = (kind: string) => {
  const [plain, ...typed] = TYPES.map((type) => `<|channel|>${kind}${type}<|message|>`)
  return literal(plain!, ...typed)
}

/** What follows the recipient, or the channel behind it. */
const message = either(
  literal('<|message|>', ' <|message|>', ' json<|message|>', ' code<|message|>', ' text<|message|>'),
  wire`${literal('<|constrain|>', ' <|constrain|>')}${label}${space}<|message|>`,
)

/** The recipient stands in the role, before the channel. */
const toTool = wire`to=${prefix}${name}<|channel|>${label}${message}
  ${args}${strayBrace}
  ${end}`

/** The same without its tokens: ` to=functions.get_weather json{"city": "Paris"}`. */
const toToolStripped = (to: string) => wire`${to}${prefix}${name}${reported('stripped-tokens')}
  ${optional`${literal('json', 'code')}`}
  ${args}${strayBrace}${stray`commentary`}`

/** A word that a channel's token left, and a sentence: no prose begins like this. */
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const stripped = (word: string) => wire`${reported('stripped-tokens')}${ahead(word, CAPITALS)}`

/** The dialect of gpt-oss. */
export const harmony = define('harmony', {
  reasoning: wire`${start}${header('analysis')}${text}<|end|>`,
  call: [
    wire`${start}<|channel|>${channel} to=${prefix}${name}${message}
      ${args}${strayBrace}
      ${end}`,
    wire`<|start|>assistant ${toTool}`,
  ],
  // The prompt ends with the role, so that a response can begin with its recipient.
  weakCall: [toTool, toToolStripped('to='), toToolStripped('commentary to=')],
  // Servers that strip special tokens leave the words between them.
  weakReasoning: [
    wire`${stripped('analysis')}${text}${literal('assistantfinal', 'assistantcommentary')}`,
    wire`${stripped('analysis ')}${text}${literal('assistantfinal', 'assistantcommentary')}`,
  ],
  weakDrop: wire`assistantfinal${reported('stripped-tokens')}`,
  drop: [
    wire`${start}${header('final')}`,
    wire`${start}${header('commentary')}`,
    wire`<|start|>assistant<|message|>`,
    // Headers without a message, before the one that has it. Some are addressed to the model itself; the space makes
    // those begin as a call does, which is tried first.
    wire`${start}<|channel|>${channel}${reported('stray-markup')}${seen('<|channel|>')}`,
    wire`${start}<|channel|>${channel} to=${space}assistant${reported('stray-markup')}${seen('<|channel|>')}`,
    wire`<|start|>assistant${reported('stray-markup')}${seen('<|start|>')}`,
    wire`<|end|>`,
    wire`<|return|>`,
  ],
  reservedNames: ['assistant'],
  dropEndsReasoning: true,
  strayCloser: 'text', // its closer ends every kind of message, and is dropped
  aliases: ['openai', 'openai_gptoss', 'gpt-oss', 'gpt_oss'],
})
