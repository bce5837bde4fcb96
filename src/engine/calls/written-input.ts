/** The input of a call with its numbers as they were written. */

import type { JsonValue, ToolCall } from '../../base/event.ts'
import { hasWrittenNumbers, parseWritten, writeJson } from '../../values/numbers/written.ts'
import { isSameJson } from '../../values/schema/json-values.ts'

/** What there is of an input: that of a call, or one that was made of something else. */
export type WrittenInput = Pick<ToolCall, 'input' | 'inputText'>

/**
 * The input as a value that `writeJson` writes as it came. A text that says something else than the input is not used: the
 * application may have changed the input of a past call.
 */
export function writtenInput({ input, inputText }: WrittenInput): JsonValue {
  if (inputText === undefined) return input
  try {
    const written = parseWritten(inputText) as JsonValue
    return isSameJson(written, input) ? written : input
  } catch {
    return input
  }
}

/** The input as JSON text. */
export function inputJson(written: WrittenInput): string {
  return writeJson(writtenInput(written))
}

/** The input that a JSON text is. Throws for what is no JSON. */
export function readInput(text: string): WrittenInput {
  const input = JSON.parse(text) as JsonValue
  return hasWrittenNumbers(text) ? { input, inputText: text } : { input }
}

/** The input that a value is, with its numbers as they were written where that is known. */
export function valueInput(input: JsonValue): WrittenInput {
  try {
    return readInput(writeJson(input))
  } catch {
    return { input }
  }
}
