/**
 * The beginning of a call that the model has to make, up to where its own choice begins:
 *
 *     <tool_call>\n{"name":"ls","arguments":{      a certain tool
 *     <tool_call>\n{"name":"                       any tool
 */

import type { JsonValue } from '../../base/event.ts'
import { type RenderOptions, renderCalls } from '../../engine/render.ts'
import type { ToolChoice } from '../conversation/model-request.ts'
import { commonPrefix } from './common-prefix.ts'

/** Empty where the model may choose, and where the dialect writes nothing before the choice. */
export function forcedPrefix(choice: ToolChoice | undefined, options: RenderOptions): string {
  if (!isForced(choice)) return ''
  const { dialect } = options
  try {
    if (typeof choice === 'object' && 'toolName' in choice)
      return begin(
        INPUTS.map((input) => renderCalls([{ id: ID, toolName: choice.toolName, input }], options)),
      )
    // The names of the tools may begin alike; these do not.
    return begin(['x', 'y'].map((toolName) => renderCalls([{ id: ID, toolName, input: {} }], { dialect })))
  } catch {
    return ''
  }
}

/** Whether the answer has to be a call. */
export function isForced(choice: ToolChoice | undefined): choice is 'required' | (ToolChoice & object) {
  if (typeof choice !== 'object') return choice === 'required'
  return !('mode' in choice) || choice.mode === 'required'
}

const ID = 'call_0'
const INPUTS: readonly JsonValue[] = [{}, { a: 1 }, { b: 'text' }]

/** What a prefix ends with: half a marker would be tokens that no model writes. */
const HALF_MARKER = /[^{(>\n\]":=]+$/

/** A bracket alone begins nothing. */
const SHORTEST = 3

function begin(calls: readonly string[]): string {
  const prefix = calls.reduce(commonPrefix).replace(HALF_MARKER, '')
  return prefix.length < SHORTEST ? '' : prefix
}
