/**
 * LongCat: hermes with tags of its own.
 *
 *     <longcat_tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</longcat_tool_call>
 */

import { define } from '../engine/wire/dialect.ts'
import { jsonBetween } from './hermes.ts'

/** The dialect of LongCat. */
export const longcat = define('longcat', jsonBetween('<longcat_tool_call>', '</longcat_tool_call>'))
