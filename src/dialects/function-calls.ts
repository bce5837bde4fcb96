/**
 * The invoke format: calls with named parameters inside a section, results in the same style. Each tag may
 * carry a namespace prefix.
 *
 *     <function_calls>
 *     <invoke name="get_weather">
 *     <parameter name="city">Paris</parameter>
 *     </invoke>
 *     </function_calls>
 */

import { type DialectDefinition, define } from '../engine/wire/dialect.ts'
import { ignoredAttributes } from '../engine/wire/ignored-attributes.ts'
import {
  closer,
  dialect,
  each,
  either,
  literal,
  newline,
  tag,
  text,
  valueWith,
  wire,
} from '../engine/wire/index.ts'
import { ahead } from '../engine/wire/template.ts'

/** Models write a list as one parameter per item, too. */
const item = valueWith({ repeats: true })

const definition = (namespace: string): DialectDefinition => {
  const named = (name: string): [string, string] => [name, `${namespace}:${name}`]
  const begin = (name: string) => named(name).map((one) => `<${one}`)
  const open = (name: string) => literal(`<${name}>`, `<${namespace}:${name}>`)
  const close = (name: string) => literal(`</${name}>`, `</${namespace}:${name}>`)
  const empty = (name: string) => wire`${open(name)}
    ${close(name)}`
  return {
    reasoning: [
      wire`${open('thinking')}${text}${close('thinking')}`,
      // In a tag with attributes.
      wire`${ahead(begin('thinking'), ' \n\t\r')}${ignoredAttributes}>${text}${close('thinking')}`,
    ],
    call: wire`${open('function_calls')}${each`
      ${tag(named('invoke'), { name: 'name' })}${each`
      ${tag(named('parameter'), { name: 'key' })}${item}${closer`${close('parameter')}`}`}
      ${close('invoke')}`}
      ${closer`${close('function_calls')}`}`,
    result: wire`${open('function_results')}${each`
      ${either(
        wire`${tag('result', { tool_use_id: 'id' }, { optional: ['tool_use_id'] })}${newline}${text}${newline}</result>`,
        wire`${tag('error', { tool_use_id: 'id' }, { isError: true, optional: ['tool_use_id'] })}${newline}${text}${newline}</error>`,
      )}`}
      ${close('function_results')}`,
    drop: [empty('function_calls'), empty('function_results')],
    spacedTags: true,
    strayCloser: 'show',
    textBetweenCalls: true,
    untyped: 'json',
    neutralise: { '&': '&amp;', '<': '&lt;', '>': '&gt;' },
  }
}

/** The same format with another namespace. */
export function functionCallsWith(namespace: string) {
  return dialect('function-calls', definition(namespace))
}

/** The dialect of the `<function_calls>` and `<invoke>` format. */
export const functionCalls = define('function-calls', definition('antml'))
