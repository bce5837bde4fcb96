/**
 * Markers of calls in visible text, which a wrong or missing dialect leaves there. The text passes unchanged; at the end
 * of the response the first marker that was seen is reported.
 *
 *     Let me look. <|tool_call_begin|>functions.ls:0…      kimi-k2, read without a dialect
 */

import { isCount, isInteger, type Shape } from '../../base/plain-state.ts'
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
  '<|tool_calls|>': 'solar-open',
  '<|tool_call:begin|>': 'solar-open',
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

export const hintsShape = (): Shape<HintsState> => ({
  node: (value): value is number => isCount(value) && value < literals().depth.length,
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

/** The characters that the markers begin with. A test compares them with the markers. */
export const HINT_STARTS: readonly number[] = [60, 91] // < [

/** The markers that tell something where these dialects are read: those of others. */
export class CallHints {
  readonly literals = literals()
  private readonly dialects: ReadonlySet<string>

  constructor(dialects: Iterable<string>) {
    this.dialects = new Set(dialects)
  }

  tells(marker: number): boolean {
    return !dialectsWith(MARKERS[marker]!).some((name) => this.dialects.has(name))
  }
}

/** Where the search stands behind visible text that ends at an offset: what was held back of it may be read again. */
function nodeAt(state: HintsState | null, offset: number): number {
  if (state === null || state.at < offset) return 0
  const { depth } = literals()
  const kept = depth[state.node]! - (state.at - offset)
  if (kept <= 0) return 0
  const begun = MARKERS.find((marker) => literals().after(marker.slice(0, depth[state.node])) === state.node)
  return literals().after(begun!.slice(0, kept))
}

/** Text that is searched: how much of it came, and where the search stands; null: no marker was found, or may have begun. */
export interface HintedText {
  readonly total: number
  hints: HintsState | null
}

/** Remembers where the search stands behind an offset, if a marker may have begun. */
export function noteHint(text: HintedText, node: number, at: number): void {
  const { hints } = text
  if (node === 0) text.hints = null
  else if (hints === null) text.hints = { node, at, found: -1, end: 0 }
  else {
    hints.node = node
    hints.at = at
  }
}

/** Reads visible text that begins at an offset, and returns where the search stands; null: no marker may have begun. */
export function lookForCalls(
  hints: CallHints,
  state: HintsState | null,
  text: string,
  offset: number,
): HintsState | null {
  const { literals } = hints
  const { length } = text
  let node = nodeAt(state, offset)
  for (let at = 0; at < length; at++) {
    if (node === 0) at = literals.skip(text, at, length)
    if (at === length) break
    node = literals.step(node, text.charCodeAt(at))
    const found = literals.found[node]!
    if (found !== -1 && hints.tells(found))
      return { node: 0, at: offset + length, found, end: offset + at + 1 }
  }
  return node === 0 ? null : { node, at: offset + length, found: -1, end: 0 }
}

export function hintIn({ found, end }: HintsState) {
  const opener = MARKERS[found]
  if (opener === undefined) return undefined
  return { opener, span: { start: end - opener.length, end }, dialects: dialectsWith(opener) }
}

function dialectsWith(marker: string): string[] {
  return CALL_HINTS[marker]!.split(', ')
}
