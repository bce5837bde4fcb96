/**
 * Sentinels: a JSON header says which tool is called, and the argument that streams stands between markers.
 *
 *     [[SEG_START {"type": "write_file", "path": "a.txt"}]]hello[[SEG_END]]
 *     [[SEG_START {"type": "tool", "tool_name": "get_weather", "arguments": {"city": "Paris"}}]][[SEG_END]]
 */

import { define } from '../engine/wire/dialect.ts'
import { header, space, valueWith, wire } from '../engine/wire/index.ts'

/** The dialect of prompts with sentinels: a JSON header, and the streamed argument between markers. */
export const sentinel = define('sentinel', {
  call: wire`[[SEG_START${space}${header({ name: ['tool_name', 'type'], arguments: 'arguments' })}${space}]]${valueWith({ body: true })}[[SEG_END]]`,
  knownToolsOnly: true,
})
