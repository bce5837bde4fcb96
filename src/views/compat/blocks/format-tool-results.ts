/** Tools' answers as they are written into a prompt, in tags, for a model that goes on behind them. */

import { functionCalls } from '../../../dialects/function-calls.ts'
import { render } from '../../../engine/render.ts'
import { textOfResult } from './tool-result.ts'
import type { ToolResult } from './types.ts'

const NO_RESULTS = '<function_results>\n</function_results>'

/**
 * Writes results so that nothing in them can be taken for a tag.
 *
 *     formatToolResultsXml([{ toolUseId: 'call-1', content: 'a < b' }])
 *     // <function_results>
 *     // <result tool_use_id="call-1">
 *     // a &lt; b
 *     // </result>
 *     // </function_results>
 */
export function formatToolResultsXml(results: readonly ToolResult[]): string {
  if (results.length === 0) return NO_RESULTS
  const parts = results.map((result) => ({
    type: 'result' as const,
    id: result.toolUseId,
    content: textOfResult(result),
    isError: result.isError ?? false,
  }))
  return render(parts, { dialect: functionCalls })
}
