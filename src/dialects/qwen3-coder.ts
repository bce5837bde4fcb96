/**
 * Qwen3-Coder, Qwen3.5, Nemotron 3, Step 3.5: a tag per parameter, values raw and unescaped.
 *
 *     <tool_call>
 *     <function=get_weather>
 *     <parameter=city>
 *     Paris
 *     </parameter>
 *     </function>
 *     </tool_call>
 */

import { define } from '../engine/wire/dialect.ts'
import { closer, each, either, extra, newline, optional, tag, wire, wrapper } from '../engine/wire/index.ts'
import { keyInTag, nameInTag, reported } from '../engine/wire/template.ts'
import { CHATML_END, CONTROL_TOKENS } from './control-tokens.ts'
import { fencedCalls } from './fenced-call.ts'
import { parameterValue } from './parameter-value.ts'
import { think } from './reasoning.ts'

/** Functions with a tag per parameter, between markers. */
export function functionWithParameters(open: string, close: string) {
  const end = wire`${closer`</function>`}
    ${closer`${close}`}`
  // Models that change the one spelling need not change the other.
  const parameters = each`
    ${either(wire`<parameter=${keyInTag}>`, tag('parameter', { name: 'key' }))}${newline}${parameterValue}${newline}${closer`</parameter>`}`
  return [
    wire`${wrapper`${open}`}${extra`
      ${open}`}
      <function=${nameInTag}>${each`
      <parameter=${keyInTag}>${newline}${parameterValue}${newline}${closer`</parameter>`}`}
      ${end}`,
    // Other spellings of models. Files hold such tags, too, so that nothing but the marker makes them calls.
    wire`${open}
      ${tag('function', { name: 'name' })}${parameters}
      ${end}`,
    wire`${open}
      <call=${nameInTag}>${parameters}
      ${optional`</call>`}
      ${closer`${close}`}`,
    wire`${open}
      function=${nameInTag}>${reported('missing-token')}${parameters}
      ${end}`,
  ]
}

/** The dialect of Qwen3-Coder, Qwen3.5, Nemotron 3 and Step 3.5. */
export const qwen3Coder = define('qwen3-coder', {
  reasoning: think,
  call: functionWithParameters('<tool_call>', '</tool_call>'),
  guessedCall: fencedCalls,
  emptyCall: wire`<tool_call>
    </tool_call>`,
  spacedTags: true,
  callEndsReasoning: true,
  ignore: CONTROL_TOKENS,
  spacedCalls: true,
  endOfTurn: CHATML_END,
  aliases: [
    'qwen3_coder',
    'qwen3_xml',
    'mimo',
    'step3p5',
    'qwen3.5',
    'nemotron-3-nano',
    'nemotron_v3',
    'ornith',
  ],
  neutralise: { '<': '&lt;' },
})
