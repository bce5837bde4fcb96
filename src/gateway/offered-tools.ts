/** Which calls a client can run: those of the tools that its request offers, as far as its choice of tools allows. */

import { isFields } from '../base/fields.ts'
import { createToolTable, type NamedTool, type ToolDefinitions } from '../engine/calls/tools.ts'
import type { ModelRequest, ProviderTool } from '../requests/conversation/model-request.ts'

/**
 * The tools whose calls may be passed on. None: no call may be, whatever the model does.
 *
 * A provider's own tools that the application runs (`bash` of Anthropic, `computer` of OpenAI) are offered where that
 * provider answers, and only there.
 */
export function offeredTools(
  { tools, toolChoice }: ModelRequest,
  upstream: string | undefined,
): ToolDefinitions {
  if (toolChoice === 'none') return []
  const listed: readonly object[] = Array.isArray(tools) ? (tools as object[]) : []
  const hosted = listed.flatMap((tool) =>
    isProviderTool(tool) && tool.provider === upstream ? namedIn(tool) : [],
  )
  const own = Array.from(
    createToolTable(tools as ToolDefinitions | undefined),
    ({ name, description, schema }): NamedTool => ({ name, description, inputSchema: schema }),
  )
  const known = new Set(own.map(({ name }) => name))
  const all: readonly NamedTool[] = [...own, ...hosted.filter(({ name }) => !known.has(name))]
  if (typeof toolChoice !== 'object') return all
  const allowed = 'toolName' in toolChoice ? [toolChoice.toolName] : toolChoice.toolNames
  return all.filter(({ name }) => allowed.includes(name))
}

const isProviderTool = (tool: object): tool is ProviderTool =>
  'provider' in tool && 'definition' in tool && isFields(tool.definition)

/** By its name, or by its type, as a response names its calls: `computer_use_preview` is called as `computer`. */
function namedIn({ definition: { name, type } }: ProviderTool): { readonly name: string }[] {
  if (typeof name === 'string') return [{ name }]
  return typeof type === 'string' ? [{ name: type.replace(/_(use_)?preview.*$/, '') }] : []
}
