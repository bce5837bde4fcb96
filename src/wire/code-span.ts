/**
 * A span of code in markdown: inside it no opener counts, and all of it is text.
 *
 *     Write `<tool_call>` to call a tool.
 *     ```xml
 *     <tool_call>…</tool_call>
 *     ```
 *
 * A run of one or two backticks lasts until a run of the same length, or the end of the line: nobody can
 * know whether the closing one will come. A run of three or more lasts until one at least as long.
 */

import type { Reader, ReaderType } from './reader.ts'

class CodeSpanReader implements Reader {
  status: Reader['status'] = 'open'
  /** Length of the opening run; 0 while it is still being counted. */
  private fence = 0
  private run = 0

  read(text: string, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      const character = text[at]
      if (character === '`') {
        this.run++
        continue
      }
      if (this.runEnds(character === '\n')) {
        this.status = 'done'
        return at
      }
    }
    return to
  }

  /** Another character than a backtick: answers whether the span is over before it. */
  private runEnds(atLineEnd: boolean): boolean {
    const { run, fence } = this
    this.run = 0
    if (fence === 0) this.fence = run
    else if (run === fence || (fence >= 3 && run > fence)) return true
    return atLineEnd && this.fence < 3
  }

  end(): void {
    this.status = 'done'
  }

  save(): [number, number] {
    return [this.fence, this.run]
  }

  static restore([fence, run]: [number, number]): CodeSpanReader {
    const reader = new CodeSpanReader()
    reader.fence = fence
    reader.run = run
    return reader
  }
}

export const codeSpan: ReaderType = {
  name: 'code',
  first: '`',
  visible: true,
  namesCall: false,
  create: () => new CodeSpanReader(),
  restore: (saved) => CodeSpanReader.restore(saved as [number, number]),
  render: () => '',
}
