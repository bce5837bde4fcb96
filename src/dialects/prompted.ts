/**
 * Models that were only asked for calls in their prompt: whatever they write then, as long as it is the whole answer and each
 * call names a tool that there is.
 *
 *     [get_weather(city="Paris"), get_time(tz="CET")]
 *     get_weather(city="Paris"), get_time(tz="CET")
 *     ['get_weather(city="Paris")', 'get_time(tz="CET")']
 *     [{"name": "get_weather", "arguments": {"city": "Paris"}}]
 *     [{"get_weather": {"city": "Paris"}}]
 */

import { define } from '../engine/wire/dialect.ts'
import {
  list,
  literal,
  object,
  optional,
  perTool,
  pythonCall,
  space,
  type Template,
  wire,
} from '../engine/wire/index.ts'
import { pythonArguments } from '../engine/wire/literal-call.ts'
import { ahead, listWithTrailing } from '../engine/wire/template.ts'
import { callObject, listUnder } from './call-object.ts'
import { fenced, quoted } from './fence.ts'
import { think } from './reasoning.ts'
import { strayBracket, strayParenthesis } from './stray-brackets.ts'

const call = wire`${pythonCall}${strayParenthesis}`

/** `f(a=1)`, `f(a=1), g(a=2)`, `f(a=1);`. Markdown escapes underscores. */
const bareCalls = wire`${list(
  wire`${perTool(
    ({ name }) => wire`${ahead([...new Set([name, name.replaceAll('_', '\\_')])], '(')}${pythonArguments}`,
  )}`,
  wire`${space}${literal(',', ';', '\n')}${space}`,
)}`

const inBrackets = (calls: Template) => wire`[
  ${calls}
  ]${strayBracket}`

const python = inBrackets(wire`${listWithTrailing(call)}`)
const json = inBrackets(wire`${listWithTrailing(callObject)}`)
const named = inBrackets(wire`${listWithTrailing(object({ nameAsKey: true }))}`)

/** Each call in quotes, or all of them in one. */
const inQuotes = (quote: string) =>
  inBrackets(wire`${quote}${listWithTrailing(wire`${optional(quote)}${call}${optional(quote)}`)}`)

const weak: Template[] = [python, json, named, wire`${callObject}`]

/** The dialect of models that were only asked for calls in their prompt. */
export const prompted = define('prompted', {
  reasoning: think,
  weakCall: [
    ...weak,
    bareCalls,
    listUnder('tool_calls'),
    inQuotes("'"),
    inQuotes('"'),
    ...weak.map(fenced),
    ...quoted(python, '['),
  ],
  weakCallInLines: true,
})
