/**
 * Code in Markdown: inside it no opener counts, and all of it is text.
 *
 *     Write `<tool_call>` to call a tool.
 *     ~~~xml
 *     <tool_call>…</tool_call>
 *     ~~~
 *
 * Fences are those of CommonMark: three or more backticks or tildes at the start of a line, behind at most three
 * spaces; no backtick in the info string of backticks; and a closing fence of the same character that is at least as
 * long and alone on its line. Any other run of backticks is inline code, which lasts until a run of the same length.
 * A run of one or two lasts no longer than its line, because the closing one may never come.
 */

import { oneOf, scalarsLike } from '../../base/plain-state.ts'
import type { Reader, ReaderType } from './reader.ts'

/** How far a fence may be indented. */
const INDENT = 3
const LEAST_FENCE = 3

const LINE_STARTS = Array.from({ length: INDENT + 1 }, (_, spaces) => `\n${' '.repeat(spaces)}`)

/** The literals that code begins with. All of them are read by the reader, too. */
export const CODE_OPENERS: readonly string[] = [
  '`',
  '~~~',
  ...LINE_STARTS.flatMap((start) => [`${start}\``, `${start}~~~`]),
]

/**
 *       ```ts⏎let a⏎ ``⏎  ````  ⏎
 *     ┴─┴──┴──┴────┴─┴─┴──┴───┴─┴
 *     before    line    closing  done
 *       opening  body      trailing
 *         info
 */
const PHASES = ['before', 'opening', 'info', 'inline', 'line', 'body', 'closing', 'trailing'] as const
type Phase = (typeof PHASES)[number]

interface CodeState {
  phase: Phase
  /** It may be a fence, because it began where a line does. */
  startsLine: boolean
  marker: string
  /** The length of the opening run, of the run that is being read, and of the space before it. */
  fence: number
  run: number
  indent: number
}

class CodeReader implements Reader<CodeState> {
  status: Reader['status'] = 'open'
  readonly state: CodeState

  constructor(state: CodeState) {
    this.state = state
  }

  read(text: string, from: number, to: number): number {
    for (let at = from; at < to; at++)
      if (this.isOverBefore(text[at]!)) {
        this.status = 'done'
        return at
      }
    return to
  }

  /** Takes a character; true, and it was not taken, if the code is over. */
  private isOverBefore(character: string): boolean {
    const { state } = this
    const isLineEnd = character === '\n' || character === '\r'
    switch (state.phase) {
      case 'before':
        if (isLineEnd) state.startsLine = true
        else if (character !== ' ') {
          state.phase = 'opening'
          state.marker = character
          state.fence = 1
        }
        return false
      case 'opening':
        if (character === state.marker) {
          state.fence++
          return false
        }
        return this.opened(character, isLineEnd)
      case 'info':
        if (isLineEnd) this.newLine()
        else if (character === '`' && state.marker === '`') {
          state.phase = 'inline'
          state.run = 1
        }
        return false
      case 'inline':
        return this.readInline(character, isLineEnd)
      case 'line':
        if (character === ' ' && state.indent < INDENT) state.indent++
        else if (character === state.marker) {
          state.phase = 'closing'
          state.run = 1
        } else if (!isLineEnd) state.phase = 'body'
        else state.indent = 0
        return false
      case 'body':
        if (isLineEnd) this.newLine()
        return false
      case 'closing':
        if (character === state.marker) {
          state.run++
          return false
        }
        state.phase = state.run < state.fence ? 'body' : 'trailing'
        return this.isOverBefore(character)
      case 'trailing':
        if (isLineEnd) return true
        if (character !== ' ' && character !== '\t') state.phase = 'body'
        return false
    }
  }

  /** The opening run is over. Answers whether it opens nothing. */
  private opened(character: string, isLineEnd: boolean): boolean {
    const { state } = this
    const isFence = state.startsLine && state.fence >= LEAST_FENCE
    if (!isFence && state.marker === '~') return true
    state.phase = isFence ? 'info' : 'inline'
    if (!isFence) return this.readInline(character, isLineEnd)
    if (isLineEnd) this.newLine()
    return false
  }

  private readInline(character: string, isLineEnd: boolean): boolean {
    const { state } = this
    if (character === '`') {
      state.run++
      return false
    }
    const isClosed = state.run === state.fence
    state.run = 0
    return isClosed || (isLineEnd && state.fence < LEAST_FENCE)
  }

  private newLine(): void {
    this.state.phase = 'line'
    this.state.indent = 0
  }

  end(): void {
    this.status = 'done'
  }
}

function initialState(startsLine: boolean): CodeState {
  return { phase: 'before', startsLine, marker: '', fence: 0, run: 0, indent: 0 }
}

export const codeSpan: ReaderType<CodeState> = {
  name: 'code',
  first: '`~\n',
  visible: true,
  namesCall: false,
  shape: { ...scalarsLike(initialState(true)), phase: oneOf(...PHASES) },
  create: ({ isAtLineStart = false }, state = initialState(isAtLineStart)) => new CodeReader(state),
  render: () => '',
}
