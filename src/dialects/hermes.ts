/**
 * Hermes, Qwen2.5, Qwen3 and most ChatML fine-tunes: JSON between tags.
 *
 *     <tool_call>
 *     {"name": "get_weather", "arguments": {"city": "Paris"}}
 *     </tool_call>
 */

import { shown, wrongOption } from '../base/options.ts'
import { type Dialect, type DialectDefinition, define } from '../engine/wire/dialect.ts'
import {
  again,
  args,
  closer,
  dialect,
  extra,
  list,
  name,
  optional,
  perTool,
  space,
  text,
  wire,
} from '../engine/wire/index.ts'
import { callObject } from './call-object.ts'
import { CHATML_END, CONTROL_TOKENS } from './control-tokens.ts'
import { fencedCalls } from './fenced-call.ts'
import { think } from './reasoning.ts'
import { strayBrace, strayBracket } from './stray-brackets.ts'

/**
 * As Devstral writes it:
 *
 *     <tool_call>
 *     get_weather
 *     {"city": "Paris"}
 *     </tool_call>
 */
const nameBeforeArguments = (open: string, close: string) =>
  wire`${perTool(
    (tool) => wire`${open}
      ${tool.name}
      ${args}${strayBrace}
      ${closer`${close}`}`,
  )}`

/** The format with any pair of tags. */
export const jsonBetween = (open: string, close: string): DialectDefinition => ({
  reasoning: think,
  call: [
    wire`${open}${extra`
      ${open}`}
      ${callObject}${strayBrace}${again`${callObject}${strayBrace}`}
      ${closer`${close}`}`,
    wire`${open}
      [
      ${list(wire`${callObject}${strayBrace}`)}
      ]${strayBracket}
      ${closer`${close}`}`,
    // As models write it that were trained on Markdown.
    wire`${open}
      ${'```'}${optional`json`}
      ${callObject}${strayBrace}
      ${closer`${'```'}`}
      ${closer`${close}`}`,
  ],
  guessedCall: [...fencedCalls, nameBeforeArguments(open, close)],
  emptyCall: wire`${open}
    ${close}`,
  result: wire`<tool_response>${text}</tool_response>`,
  spacedTags: true,
  callEndsReasoning: true,
  ignore: CONTROL_TOKENS,
  spacedCalls: true,
  endOfTurn: CHATML_END,
  neutralise: { '<': '&lt;' },
})

/** The same format with tags of one's own. */
export function jsonMix<const Name extends string = 'json-mix'>(
  options: { readonly name?: Name; readonly open?: string; readonly close?: string } = {},
): Dialect & { readonly name: Name } {
  const { name = 'json-mix', open = '<tool_call>', close = '</tool_call>' } = options
  for (const [option, marker] of Object.entries({ open, close }))
    if (typeof marker !== 'string' || marker === '')
      throw wrongOption(`'${option}' takes the text of a marker, not ${shown(marker)}.`)
  return dialect(name, jsonBetween(open, close)) as Dialect & { readonly name: Name }
}

/** The dialect of Hermes, Qwen2.5, Qwen3 and most ChatML fine-tunes. */
export const hermes = define('hermes', {
  ...jsonBetween('<tool_call>', '</tool_call>'),
  guessedCall: [
    ...fencedCalls,
    nameBeforeArguments('<tool_call>', '</tool_call>'),
    wire`<tool_call name="${name}">
      ${args}${strayBrace}
      ${closer`</tool_call>`}`,
    wire`<tool_call name="${name}"${space}/>`,
  ],
  aliases: [
    'qwen',
    'qwen25',
    'qwen3',
    'qwen3-thinking',
    'qwen3-vl-instruct',
    'qwen3-vl-thinking',
    'granite4',
    'ernie45',
    'trinity',
    'holo2',
  ],
})
