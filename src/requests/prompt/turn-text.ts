/** Past calls and their results as text: as the model itself wrote them, and as it is told what came of them. */

import type { CallPart } from '../../base/part.ts'
import type { ToolDefinitions } from '../../engine/calls/tools.ts'
import { writtenInput } from '../../engine/calls/written-input.ts'
import { neutralised, type RenderOptions, renderCalls, writeResults } from '../../engine/render.ts'
import { writeJson } from '../../values/numbers/written.ts'
import { type AnswerReading, harmless } from './harmless.ts'
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

/**
 * The answers to the calls of one message, in the dialect's own form. They can open no call, no thought and no role: what
 * still does after markers are broken is found by reading the text as an answer would be.
 */
export function resultsText(results: readonly PromptResult[], options: AnswerReading): string {
  const { dialect, dialects = [dialect] } = options
  const form: ResultForm =
    (Object.hasOwn(RESULT_FORMS, dialect.name) && RESULT_FORMS[dialect.name]) || USUAL_FORM
  const safe = (text: string): string => {
    const broken =
      dialect.result === undefined
        ? neutralise(text, dialect)
        : neutralised(breakMarkers(text, dialect), dialect)
    // Only the markers of the one that is written are broken, and its results hide those of others.
    return dialects.length === 1 ? broken : harmlessAlone(broken, options)
  }
  // Where any JSON object may be a call, an answer is a JSON string: nothing in it is an object.
  const isQuoted = dialect.result === undefined && dialect.looseCalls.length > 0
  const told = results.map((result): PromptResult => {
    const content = messageOf(result)
    return change({ ...result, content: isQuoted ? JSON.stringify(content) : content }, safe)
  })
  const write = (all: readonly PromptResult[]): string =>
    dialect.result === undefined
      ? (form.around?.[0] ?? '') + all.map(form.one).join(form.between ?? '\n') + (form.around?.[1] ?? '')
      : all.map((result) => writeResults([result], options)).join('\n')
  return harmless({ items: told, write, change, results: 1, subject: 'the results' }, options)
}

/**
 * A result for a server that writes the prompt itself, so that what stands around it is not known: nothing of it is changed
 * but markers. Of the dialect where it is known, and of the tokens between which templates put messages.
 */
export function resultContent(content: string, reading: AnswerReading): string {
  return harmlessAlone(breakMarkers(content.replace(TEMPLATE_MARKER, '&lt;'), reading.dialect), reading)
}

function harmlessAlone(text: string, reading: AnswerReading): string {
  const write = ([one]: readonly string[]): string => one!
  const change = (one: string, changed: (text: string) => string): string => changed(one)
  return harmless({ items: [text], write, change, results: 0, subject: 'the result' }, reading)
}

/** The `<` of `<|im_start|>`, `<｜User｜>`, `</s>`, `<start_of_turn>` and the tags around results. */
const TEMPLATE_MARKER = /<(?=[|｜]|\/?s>|(?:start|end)_of_|\/?tool_|\/?function_results)/g

/** The same result with other texts. */
const change = (result: PromptResult, changed: (text: string) => string): PromptResult => ({
  ...result,
  id: changed(result.id),
  toolName: changed(result.toolName),
  content: changed(result.content),
})

/** What failed is told as an error. */
function messageOf({ content, isError }: PromptResult): string {
  return isError && !/^error\b/i.test(content) ? `Error: ${content}` : content
}
