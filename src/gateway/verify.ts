/**
 * Judges calls for a client: one of a tool that it did not offer is left out or refused, and one that does not fit the
 * schema of its tool may not run.
 */

import type { SluiceEvent, ToolCall } from '../base/event.ts'
import { checkInputNow } from '../engine/calls/prepare.ts'
import { createToolTable, type ToolTable, UNKNOWN_TOOL } from '../engine/calls/tools.ts'
import { explain, isExecutable, isWhole } from '../engine/calls/verdict.ts'
import { inputJson } from '../engine/calls/written-input.ts'
import type { RunAbout } from './run-about.ts'

export type Verifier = (event: SluiceEvent) => readonly SluiceEvent[]

/** What a client gets for each event of a response. It follows from the header of the run alone. */
export function createVerifier({
  tools,
  verify,
  allow,
}: Pick<RunAbout, 'tools' | 'verify' | 'allow'>): Verifier {
  const table = createToolTable(tools)
  if (table.size === 0) return withoutCalls()
  let hasCalls = false
  let wasCutOff = false
  return (event) => {
    if (event.type === 'tool-call') {
      const call = judged(event, table, verify)
      hasCalls ||= call.providerExecuted !== true && isExecutable(call, { allow })
      wasCutOff ||= call.status === 'truncated'
      return [call]
    }
    return [event.type === 'finish' && !hasCalls ? stopped(event, wasCutOff) : event]
  }
}

/**
 * Where no call can run, a response does not end for one. If one was cut off, the response is not whole, although the
 * server may say so.
 */
function stopped(finish: SluiceEvent & { type: 'finish' }, wasCutOff: boolean): SluiceEvent {
  if (finish.reason !== 'tool-calls' && finish.reason !== 'stop') return finish
  const { rawReason: _, ...rest } = finish
  return wasCutOff ? { ...rest, reason: 'length' } : { ...finish, reason: 'stop' }
}

/**
 * For a client that offered no tools, or forbade calls. Those that the provider runs itself are no business of the client;
 * of any other one nothing is passed on. Who runs a call may be known only at its end, and until then it waits.
 */
function withoutCalls(): Verifier {
  const held = new Map<string, SluiceEvent[]>()
  return (event) => {
    if (event.type === 'tool-input-start' && !event.providerExecuted) held.set(event.id, [])
    const waiting = 'id' in event && event.id !== undefined ? held.get(event.id) : undefined
    if (waiting !== undefined && event.type !== 'tool-call') {
      waiting.push(event)
      return []
    }
    if (event.type === 'finish') return [stopped(event, false)]
    if (event.type !== 'tool-call') return [event]
    held.delete(event.id)
    if (event.providerExecuted) return [...(waiting ?? []), event]
    const message = `The model called '${event.toolName}', and the request allows no calls.`
    return [{ type: 'diagnostic', code: 'call-dropped', message, ...(event.span && { span: event.span }) }]
  }
}

function judged(call: ToolCall, table: ToolTable, verify: RunAbout['verify']): ToolCall {
  if (!isWhole(call) || call.providerExecuted) return call
  const tool = table.get(call.toolName)
  if (tool === undefined)
    return refused(call, UNKNOWN_TOOL, `The request does not offer the tool '${call.toolName}'.`)
  // The client gets all digits of a number.
  const issues = verify === 'schema' ? checkInputNow(call, tool, true).issues : []
  if (issues.length === 0) return call
  return refused(call, 'invalid-arguments', explain(call, { tools: table, issues }))
}

function refused(call: ToolCall, code: string, message: string): ToolCall {
  const raw = call.raw ?? inputJson(call)
  return { ...call, status: 'invalid', raw, error: { code, message, offset: 0 } }
}
