/** Past calls and their results as text: as the model itself wrote them, and as it is told what came of them. */

import type { CallPart } from '../../base/part.ts'
import type { ToolDefinitions } from '../../engine/calls/tools.ts'
import { writtenInput } from '../../engine/calls/written-input.ts'
import { type RenderOptions, renderCalls, renderResults } from '../../engine/render.ts'
import { writeJson } from '../../values/numbers/written.ts'
import { breakMarkers, neutralise } from './neutralise.ts'
import { RESULT_FORMS, type ResultForm, USUAL_FORM } from './result-forms.ts'

/** A tool's result as it is written into a prompt. */
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
    return goneCallsText(calls, options)
  }
}

/** Calls that a dialect does not write with the tools that there are: it writes only those that it was given. */
function goneCallsText(calls: readonly CallPart[], options: RenderOptions): string {
  try {
    const names = new Set(calls.map(({ toolName }) => toolName))
    const tools = Array.from(names, (name) => ({ name })) as ToolDefinitions
    return renderCalls(calls, { ...options, tools })
  } catch {
    return calls
      .map(
        (call) =>
          `<tool_call>${writeJson({ name: call.toolName, arguments: writtenInput(call) })}</tool_call>`,
      )
      .join('\n')
  }
}

/** The answers to the calls of one message, in the dialect's own form. They can open no call, no thought and no role. */
export function resultsText(results: readonly PromptResult[], options: RenderOptions): string {
  const { dialect } = options
  const told = results.map((result) => ({ ...result, content: messageOf(result) }))
  if (dialect.result !== undefined)
    return told
      .map(({ id, toolName, content }) => {
        const [safeId, safeName, safeContent] = [id, toolName, content].map((text) =>
          breakMarkers(text, dialect),
        ) as [string, string, string]
        return renderResults([{ id: safeId, toolName: safeName, content: safeContent }], options)
      })
      .join('\n')
  const form: ResultForm =
    (Object.hasOwn(RESULT_FORMS, dialect.name) && RESULT_FORMS[dialect.name]) || USUAL_FORM
  const [before, after] = form.around ?? ['', '']
  const written = told.map(({ id, toolName, content, isError }) => {
    // Where any JSON object may be a call, an answer is a JSON string: nothing in it is an object.
    const answer = dialect.looseCalls.length > 0 ? JSON.stringify(content) : content
    return form.one({
      id: neutralise(id, dialect),
      toolName: neutralise(toolName, dialect),
      content: neutralise(answer, dialect),
      isError,
    })
  })
  return before + written.join(form.between ?? '\n') + after
}

/** What failed is told as an error. */
function messageOf({ content, isError }: PromptResult): string {
  return isError && !/^error\b/i.test(content) ? `Error: ${content}` : content
}
