/** Past calls and their results as text: as the model itself wrote them, and as it is told what came of them. */

import type { CallPart } from '../part.ts'
import { type RenderOptions, renderCalls, renderResults } from '../render.ts'
import { breakMarkers, neutralise } from './neutralise.ts'

export interface PromptResult {
  readonly id: string
  readonly toolName: string
  /** What the tool answered, without its files. */
  readonly content: string
  readonly isError: boolean
}

/** A call that failed is the text that it was. Its result says what was wrong with it. */
export function callsText(calls: readonly CallPart[], options: RenderOptions): string {
  const isFailed = (call: CallPart): boolean => call.error !== undefined && call.raw !== undefined
  if (calls.length > 1 && calls.some(isFailed))
    return calls.map((call) => callsText([call], options)).join('\n')
  if (isFailed(calls[0]!)) return calls[0]!.raw!
  try {
    return renderCalls(calls, options)
  } catch {
    // A dialect that writes only the tools it was given, and a tool that is gone.
    return calls
      .map(
        ({ toolName, input }) =>
          `<tool_call>${JSON.stringify({ name: toolName, arguments: input })}</tool_call>`,
      )
      .join('\n')
  }
}

/** An answer in the dialect's own form, or in the usual one. It can open no call, no thought and no role. */
export function resultText({ id, toolName, content, isError }: PromptResult, options: RenderOptions): string {
  const { dialect } = options
  const told = isError && !/^error\b/i.test(content) ? `Error: ${content}` : content
  if (dialect.result !== undefined)
    return renderResults([{ id, toolName, content: breakMarkers(told, dialect) }], options)
  // Where any JSON object may be a call, an answer is a JSON string: nothing in it is an object.
  const answer = dialect.looseCalls.length > 0 ? JSON.stringify(told) : told
  return `<tool_response>${neutralise(answer, dialect)}</tool_response>`
}
