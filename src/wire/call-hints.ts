/**
 * Markers of calls in visible text, which a wrong or missing dialect leaves there. The text passes unchanged; at the end
 * of the response the first marker that was seen is reported.
 *
 *     Let me look. <|tool_call_begin|>functions.ls:0…      kimi-k2, read without a dialect
 */

import { isInteger, type Shape } from '../plain-state.ts'
import { Literals } from './literals.ts'

/** The markers with which calls begin, and the dialects that have them. A test compares it with the dialects. */
export const CALL_HINTS: Readonly<Record<string, string>> = {
  '<tool_call>': 'hermes, qwen3-coder, glm, hy-v3, granite3, xlam, k-exaone-2, ui-tars',
  '<tool_calls>': 'tool-calls-array, hy-v3',
  '<function=': 'qwen3-coder, seed-oss, functionary-v31',
  '<function_calls>': 'function-calls, olmo3',
  '<function_call>': 'granite-20b-fc',
  '<function name=': 'minicpm5',
  '<invoke name=': 'minimax-m2, function-calls',
  '<minimax:tool_call>': 'minimax-m2',
  '<]minimax[>[<': 'minimax-m3',
  '<longcat_tool_call>': 'longcat',
  '<seed:tool_call>': 'seed-oss',
  '<dots_function_call>': 'dots',
  '<start_function_call>call:': 'functiongemma',
  '<TOOLCALL>': 'nemotron-v2',
  '<tool name=': 'tool-xml',
  '<|tool_call>call:': 'gemma4',
  '<|tool_call|>': 'granite3',
  '<|tool_call_begin|>': 'kimi-k2',
  '<|tool_calls_section_begin|>': 'kimi-k2',
  '<|tool_call_start|>': 'lfm2',
  '<|open|>call ': 'kimi-k3',
  '<|open|>tools<|sep|>': 'kimi-k3',
  '<|tools_prefix|>': 'apertus',
  '<|START_ACTION|>': 'cohere-action',
  '<|action_start|>': 'internlm2',
  '<|content_invoke_tool_json|>': 'inkling',
  '<|function_call|>': 'gigachat3',
  '<|message_sep|>': 'gigachat3',
  '<|python_start|>[': 'pythonic',
  '<|python_tag|>': 'llama3-json',
  '<|channel|>commentary to=': 'harmony',
  '<|start|>assistant': 'harmony, muse-glimmer',
  '<atem:function_calls>': 'muse-glimmer',
  '<｜tool▁calls▁begin｜>': 'deepseek-v31, deepseek-v3',
  '<｜tool▁call▁begin｜>': 'deepseek-v31, deepseek-v3',
  '<｜tool_calls_begin｜>': 'step3',
  '<｜DSML｜': 'deepseek-dsml',
  '[TOOL_CALLS]': 'mistral-v11, mistral-array, xlam',
  '[[SEG_START': 'sentinel',
}

export interface HintsState {
  /** Where the search stands, and behind which offset of the text channel. */
  node: number
  at: number
  /** The marker that was seen first, and the offset behind it; -1: none. */
  found: number
  end: number
}

export const initialHints = (): HintsState => ({ node: 0, at: 0, found: -1, end: 0 })

export const hintsShape = (): Shape<HintsState> => ({
  node: (value): value is number => isInteger(value) && value >= 0 && value < literals().depth.length,
  at: isInteger,
  found: (value): value is number => isInteger(value) && value >= -1 && value < MARKERS.length,
  end: isInteger,
})

const MARKERS = Object.keys(CALL_HINTS)
let made: Literals | undefined

function literals(): Literals {
  made ??= new Literals(MARKERS, { anchored: false, ignoreCase: false })
  return made
}

/** Reads visible text that begins at an offset. `isIgnored`: the marker tells nothing. */
export function lookForCalls(
  state: HintsState,
  text: string,
  start: number,
  isIgnored: (marker: string) => boolean,
): void {
  const automaton = literals()
  const { length } = text
  let node = state.at === start ? state.node : 0
  for (let at = 0; at < length && state.found === -1; at++) {
    if (node === 0) at = automaton.skip(text, at, length)
    if (at === length) break
    node = automaton.step(node, text.charCodeAt(at))
    const found = automaton.found[node]!
    if (found === -1 || isIgnored(MARKERS[found]!)) continue
    state.found = found
    state.end = start + at + 1
  }
  state.node = node
  state.at = start + length
}

export function hintIn({ found, end }: HintsState) {
  const opener = MARKERS[found]
  if (opener === undefined) return undefined
  return { opener, span: { start: end - opener.length, end }, dialects: CALL_HINTS[opener]!.split(', ') }
}

/** What follows the first character of a marker, by that character. */
const SECONDS: ReadonlyMap<string, string> = new Map(
  MARKERS.map(([first]) => [
    first!,
    MARKERS.flatMap((marker) => (marker[0] === first ? marker[1]! : [])).join(''),
  ]),
)

/** Whether a marker may begin at an index of a text. Most brackets of prose begin none. */
export function mayBeginCallAt(text: string, at: number): boolean {
  const seconds = SECONDS.get(text[at]!)
  return seconds !== undefined && (at + 1 === text.length || seconds.includes(text[at + 1]!))
}

/** Whether a marker may begin in a text. */
export function mayBeginCall(text: string): boolean {
  for (const first of SECONDS.keys())
    for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, at + 1))
      if (mayBeginCallAt(text, at)) return true
  return false
}
