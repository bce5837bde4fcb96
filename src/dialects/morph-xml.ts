/**
 * The tool's own name is the tag, and its arguments are elements. Only tools that are known are calls;
 * with attributes, the tag is text up to its closer.
 *
 *     <get_weather>
 *     <city>Paris</city>
 *     <days>2</days>
 *     </get_weather>
 */

import { define } from '../engine/wire/dialect.ts'
import { elements, perTool, tag, text, wire } from '../engine/wire/index.ts'
import { fencedCalls } from './fenced-call.ts'

/** The dialect of prompts in which the tool's name is the tag and each argument an element. */
export const morphXml = define('morph-xml', {
  call: wire`${perTool(({ name }) => wire`${tag(name, {}, { others: 'none' })}${elements(name)}`)}`,
  guessedCall: fencedCalls,
  result: wire`<tool_response>${text}</tool_response>`,
  spacedTags: true,
  knownToolsOnly: true,
  untyped: 'json',
  neutralise: { '<': '&lt;' },
})
