/**
 * One more round for a response whose calls may not run: the model is told what was wrong, and answers again. A note in
 * the stream marks the second answer. Calls are forwarded once they are judged, so that a failed one can be left out.
 */

import type { Finish, SluiceEvent, ToolCall, Usage } from '../base/event.ts'
import { createToolTable } from '../engine/calls/tools.ts'
import { explain, isExecutable } from '../engine/calls/verdict.ts'
import { foldEvents } from '../engine/message.ts'
import { appendResponse, appendResults } from '../requests/conversation/append.ts'
import type { ModelRequest } from '../requests/conversation/model-request.ts'
import { isMention } from '../turn/turn-call.ts'
import { noteEvent } from './note.ts'
import type { RunAbout } from './run-about.ts'

/** Sends a request, and gives the events of its response, judged. `round`: 1 or 2. */
export type AskAgain = (request: ModelRequest, round: number) => AsyncIterable<SluiceEvent>

export async function* repairedResponse(
  request: ModelRequest,
  ask: AskAgain,
  about: Pick<RunAbout, 'tools' | 'allow'>,
): AsyncGenerator<SluiceEvent, void, undefined> {
  const first = new FirstRound(about)
  for await (const event of ask(request, 1)) yield* first.add(event)
  const { finish } = first
  if (finish === undefined) return
  if (!first.canRepair) {
    yield* first.left()
    yield finish
    return
  }
  const tools = createToolTable(about.tools)
  const told = first.failed.map((call) => ({
    id: call.id,
    toolName: call.toolName,
    content: explain(call, { tools, finish: finish.reason }),
    isError: true,
  }))
  yield noteEvent({ repair: { calls: told.map(({ isError: _, ...call }) => call) } })
  const again = appendResults(appendResponse(request, first.message()), told)
  let hasBegun = false
  try {
    for await (const event of ask(again, 2)) {
      hasBegun = true
      yield event.type === 'finish' ? withUsage(event, finish.usage) : event
    }
  } catch (error) {
    // The second request failed: fall back to the first answer.
    if (hasBegun) throw error
    yield noteEvent({ repair: { failed: true } })
    yield* first.left()
    yield finish
  }
}

class FirstRound {
  finish: Finish | undefined
  /** Calls that may not run. */
  readonly failed: ToolCall[] = []
  private readonly about: Pick<RunAbout, 'allow'>
  private readonly all: SluiceEvent[] = []
  private readonly held = new Map<string, SluiceEvent[]>()
  private hasCalls = false

  constructor(about: Pick<RunAbout, 'allow'>) {
    this.about = about
  }

  /** What can be passed on at once. */
  add(event: SluiceEvent): readonly SluiceEvent[] {
    this.all.push(event)
    if (event.type === 'finish') {
      this.finish = event
      return []
    }
    if (event.type === 'tool-input-start' && !event.providerExecuted) this.held.set(event.id, [])
    const waiting = 'id' in event && event.id !== undefined ? this.held.get(event.id) : undefined
    if (waiting === undefined) return [event]
    waiting.push(event)
    if (event.type !== 'tool-call') return []
    if (!event.providerExecuted && !isExecutable(event, this.about)) {
      this.failed.push(event)
      return []
    }
    this.hasCalls ||= !event.providerExecuted
    this.held.delete(event.id)
    return waiting
  }

  /**
   * If one call can run, the client continues with it. A response that broke off ends with its error. One that answers has
   * only mentioned the calls in its thoughts.
   */
  get canRepair(): boolean {
    const reason = this.finish?.reason
    if (this.failed.length === 0 || this.hasCalls || reason === 'error' || reason === 'aborted') return false
    return !(this.failed.every(isMention) && this.message().text.trim() !== '')
  }

  /** The calls that were held back. */
  left(): readonly SluiceEvent[] {
    return [...this.held.values()].flat()
  }

  message(): ReturnType<typeof foldEvents> {
    return foldEvents(this.all)
  }
}

function withUsage(finish: Finish, before: Usage | undefined): Finish {
  if (before === undefined) return finish
  const sum: Record<string, number> = { ...before }
  for (const [name, value] of Object.entries(finish.usage ?? {})) sum[name] = (sum[name] ?? 0) + value
  return { ...finish, usage: sum }
}
