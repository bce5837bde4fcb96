/**
 * Calls as bare JSON in the shapes that providers use in their APIs, anywhere in the text. Other JSON stays
 * text.
 *
 *     {"tool_calls": [{"function": {"name": "get_weather", "arguments": {"city": "Paris"}}}]}     OpenAI
 *     {"name": "get_weather", "args": {"city": "Paris"}}                                          Gemini
 *     {"tool": {"function": "get_weather", "parameters": {"city": "Paris"}}}                      the others
 */

import { define } from '../engine/wire/dialect.ts'
import { list, object, space, wire } from '../engine/wire/index.ts'
import { ahead } from '../engine/wire/template.ts'
import { listUnder } from './call-object.ts'

const openAiCall = object({
  name: ['name', 'function'],
  arguments: ['arguments', 'parameters'],
  id: ['id'],
  within: ['function', 'tool'],
  ignore: ['type'],
})

/** A bracket before anything else is text, or the beginning of another dialect's marker, such as `[TOOL_CALLS]`. */
const listOf = (call: typeof openAiCall) => wire`${ahead('[', '{ \n\t\r')}${space}${list(call)}
  ]`

/** The dialect of bare JSON calls in the shape of OpenAI's API. */
export const jsonToolsOpenAi = define('json-tools-openai', {
  looseCall: [
    listUnder('tool_calls', openAiCall),
    listUnder('tools', openAiCall),
    wire`${openAiCall}`,
    listOf(openAiCall),
  ],
})

const geminiCall = object({ name: ['name'], arguments: ['args'] })

/** The dialect of bare JSON calls in the shape of Gemini's API. */
export const jsonToolsGemini = define('json-tools-gemini', {
  looseCall: [wire`${geminiCall}`, listOf(geminiCall)],
})

const plainCall = object({
  name: ['function', 'name'],
  arguments: ['parameters', 'arguments'],
  within: ['tool', 'function'],
})

/** The dialect of bare JSON calls in the shape of any provider's API. */
export const jsonTools = define('json-tools', {
  looseCall: [wire`${plainCall}`, listOf(plainCall)],
})
