/**
 * Markers of calls in visible text, which a wrong or missing dialect leaves there. The text passes unchanged; at the end
 * of the response the first marker that was seen is reported.
 *
 *     Let me look. <|tool_call_begin|>functions.ls:0…      kimi-k2, read without a dialect
 */

import { isCount, isInteger, type Shape } from '../plain-state.ts'
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

/** The characters that the markers begin with that are looked for: those at which the text is looked at anyway, if it is. */
export function hintStarts(lookedFor: readonly number[]): readonly number[] {
  const { starts } = literals()
  return lookedFor.length === 0 ? starts : starts.filter((start) => lookedFor.includes(start))
}

/** Looks for markers in visible text while it passes. */
export class HintWatch {
  private readonly literals = literals()
  readonly starts: readonly number[]
  private readonly state: HintsState
  /** Where the next piece begins in the text channel: what was read, without what is held back. */
  private readonly place: { readonly total: number; readonly held: string }
  private readonly isIgnored: (marker: string) => boolean
  isIdle: boolean

  /** `isIgnored`: the marker tells nothing. */
  constructor(
    starts: readonly number[],
    state: HintsState,
    place: HintWatch['place'],
    isIgnored: (marker: string) => boolean,
  ) {
    this.starts = starts
    this.state = state
    this.place = place
    this.isIgnored = isIgnored
    this.isIdle = state.node === 0
  }

  mayBeginAt(text: string, at: number): boolean {
    return this.literals.mayBeginAt(text, at)
  }

  read(piece: string): void {
    this.readAt(piece, this.place.total - this.place.held.length)
  }

  /** Reads a piece that begins at an offset. */
  readAt(piece: string, start: number): void {
    const { state, literals, starts } = this
    const { length } = piece
    if (state.found !== -1) return
    let node = state.at === start ? state.node : 0
    for (let at = 0; at < length; at++) {
      if (node === 0) at = literals.skip(piece, at, length)
      if (at === length) break
      node = literals.step(node, piece.charCodeAt(at))
      const found = literals.found[node]!
      if (found === -1) continue
      const marker = MARKERS[found]!
      if (!starts.includes(marker.charCodeAt(0)) || this.isIgnored(marker)) continue
      state.found = found
      state.end = start + at + 1
      node = 0
      break
    }
    state.node = node
    state.at = start + length
    this.isIdle = node === 0
  }
}

export function hintIn({ found, end }: HintsState) {
  const opener = MARKERS[found]
  if (opener === undefined) return undefined
  return { opener, span: { start: end - opener.length, end }, dialects: CALL_HINTS[opener]!.split(', ') }
}
