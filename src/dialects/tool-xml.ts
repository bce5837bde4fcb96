/**
 * A tag that names the tool, with the arguments inside it, by name or by tag.
 *
 *     <tool name="get_weather">
 *     <arguments>
 *     <arg name="city">Paris</arg>
 *     </arguments>
 *     </tool>
 */

import { define } from '../engine/wire/dialect.ts'
import { elements, tag, wire } from '../engine/wire/index.ts'

/** The dialect of prompts with `<tool name="…">` and the arguments inside. */
export const toolXml = define('tool-xml', {
  call: wire`${tag('tool', { name: 'name' })}${elements('tool', { nameAttribute: 'name', wrapper: 'arguments', numbers: false })}`,
  spacedTags: true,
})
