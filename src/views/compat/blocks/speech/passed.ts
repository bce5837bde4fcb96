/** The beginning of a piece that is not given out yet, in which nothing ends any more: what must be known of it. */

import { Rope } from '../../../../base/rope.ts'

/** Only the beginning and the end of a line are needed to classify it. */
const LONGEST_LINE = 64

export class Passed {
  /** There is something in it that can be heard. */
  isAudible = false
  /** Where its last line begins is known: it may have begun in the piece before. */
  knowsLine: boolean
  /** Its last line, without the space at its start, and without its middle where it is long. */
  line = ''
  private readonly all = new Rope()

  constructor(startsLine: boolean) {
    this.knowsLine = startsLine
  }

  get length(): number {
    return this.all.length
  }

  get text(): string {
    return this.all.toString()
  }

  add(text: string): void {
    this.all.add(text)
    this.isAudible ||= text.trim() !== ''
    const newline = text.lastIndexOf('\n')
    if (newline !== -1) this.knowsLine = true
    this.line = shortened(newline === -1 ? this.line + text : text.slice(newline + 1))
  }
}

function shortened(line: string): string {
  const text = line.trimStart()
  if (text.length <= LONGEST_LINE) return text
  return text.slice(0, LONGEST_LINE / 2) + text.trimEnd().slice(-LONGEST_LINE / 2)
}
