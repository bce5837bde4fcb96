/** Checks the arguments of calls by the schemas of their tools: a call that does not fit may not run. */

import { checkInputNow } from '../calls/prepare.ts'
import { createToolTable, type ToolDefinitions, type ToolTable } from '../calls/tools.ts'
import { explain } from '../calls/verdict.ts'
import type { SluiceEvent, ToolCall } from '../event.ts'

export type Verifier = (event: SluiceEvent) => SluiceEvent

/** The same event, or a verdict that says that the call is not valid. */
export function createVerifier(tools: ToolDefinitions): Verifier {
  const table = createToolTable(tools)
  return (event) => (event.type === 'tool-call' ? verified(event, table) : event)
}

function verified(call: ToolCall, table: ToolTable): ToolCall {
  const isWhole = call.status === 'complete' || call.status === 'repaired'
  const tool = table.get(call.toolName)
  if (!isWhole || call.providerExecuted || tool === undefined) return call
  const { issues } = checkInputNow(call.input, tool)
  if (issues.length === 0) return call
  return {
    ...call,
    status: 'invalid',
    raw: call.raw ?? JSON.stringify(call.input),
    error: {
      code: 'invalid-arguments',
      message: explain(call, { tools: table, issues }),
      offset: 0,
    },
  }
}
