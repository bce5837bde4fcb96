/**
 * Shorthand tags: the tool's own name is the tag, its attributes are arguments, its body is the argument
 * that streams.
 *
 *     <write_file path="src/main.rs">fn main() {}</write_file>
 */

import { define } from '../engine/wire/dialect.ts'
import { perTool, space, tag, valueWith, wire } from '../engine/wire/index.ts'

/** The dialect of prompts with shorthand tags: attributes are arguments, the body is the streamed argument. */
export const shorthand = define('shorthand', {
  call: wire`${perTool((tool) =>
    tool.streams === undefined
      ? wire`${tag(tool.name, {}, { others: 'arguments' })}${space}</${tool.name}>`
      : wire`${tag(tool.name, {}, { others: 'arguments' })}${valueWith({ key: tool.streams })}</${tool.name}>`,
  )}`,
  spacedTags: true,
  ignoreCase: true,
  knownToolsOnly: true,
  untyped: 'string',
})
