/**
 * LongCat: hermes with tags of its own.
 *
 *     <longcat_tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</longcat_tool_call>
 */

import { jsonMix } from './hermes.ts'

export const longcat = jsonMix({
  name: 'longcat',
  open: '<longcat_tool_call>',
  close: '</longcat_tool_call>',
})
