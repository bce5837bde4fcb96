/**
 * Sijawara, a prompt for models that know no format: the tool's own name is the tag, and each argument an element whose value
 * stands on lines of its own. Only tools that are known are calls.
 *
 *     <get_weather>
 *       <city>
 *         Paris
 *       </city>
 *     </get_weather>
 */

import { define } from '../engine/wire/dialect.ts'
import { elements, literal, perTool, text, wire } from '../engine/wire/index.ts'

/** The dialect of Sijawara, a prompt for models that know no format. */
export const sijawara = define('sijawara', {
  call: [
    wire`${perTool(({ name }) => wire`<${name}>${elements(name, { padded: true })}`)}`,
    wire`${perTool(({ name }) => wire`${literal(`<${name}/>`, `<${name} />`)}`)}`,
  ],
  result: wire`<tool_response>${text}</tool_response>`,
  knownToolsOnly: true,
  untyped: 'json',
  aliases: ['sijawara_detailed', 'sijawara_concise'],
  neutralise: { '<': '&lt;' },
})
