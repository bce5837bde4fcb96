/**
 * Cline, Roo Code and their kin: the tool's name is the tag, each argument a tag inside it, and every value a
 * string, raw and unescaped.
 *
 *     <write_to_file>
 *     <path>src/main.rs</path>
 *     <content>
 *     fn main() {}
 *     </content>
 *     </write_to_file>
 */

import { define } from '../engine/wire/dialect.ts'
import { elements, perTool, tag, wire } from '../engine/wire/index.ts'

/** The dialect of Cline, Roo Code and similar agents. */
export const clineXml = define('cline-xml', {
  call: wire`${perTool(
    ({ name }) =>
      wire`${tag(name, {}, { others: 'none' })}${elements(name, { strings: true, trimmed: true })}`,
  )}`,
  spacedTags: true,
  knownToolsOnly: true,
})
