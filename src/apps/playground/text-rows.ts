/**
 * A long text as rows of a fixed width, so that a page can draw only those that can be seen. A row ends at a newline, or
 * where it is full.
 */

import { isHighSurrogate } from '../../base/surrogates.ts'
import { lastIndexUpTo } from './growth.ts'

export class TextRows {
  /** Where each row begins. */
  private starts: number[] = [0]
  private readonly columns: number
  private text = ''
  private at = 0
  private used = 0

  constructor(columns: number) {
    this.columns = Math.max(8, columns)
  }

  /** The text, which may have grown or shrunk since, or be another one. */
  layOut(text: string): this {
    if (this.text.startsWith(text)) return this
    if (!text.startsWith(this.text)) {
      this.starts = [0]
      this.at = 0
      this.used = 0
    }
    this.text = text
    for (; this.at < text.length; this.at++) {
      const code = text.charCodeAt(this.at)
      const width =
        code === TAB ? TAB_WIDTH - (this.used % TAB_WIDTH) : code < 0x1100 ? 1 : isLow(code) ? 0 : 2
      if (this.used > 0 && this.used + width > this.columns) this.begin(this.at)
      this.used += width
      if (code === NEWLINE) this.begin(this.at + 1)
      // A pair stays together.
      if (isHighSurrogate(code) && this.at + 1 < text.length) this.at++
    }
    return this
  }

  private begin(start: number): void {
    this.starts.push(start)
    this.used = 0
  }

  /** How many rows the first characters take. */
  countUpTo(position: number): number {
    return this.rowOf(position) + 1
  }

  rowOf(position: number): number {
    return lastIndexUpTo(this.starts, position, (start) => start)
  }

  /** Where a row begins, and where the next one does, in the longest text so far. */
  rangeOf(row: number): [from: number, to: number] {
    return [this.starts[row] ?? this.text.length, this.starts[row + 1] ?? this.text.length]
  }
}

const TAB = 9
const NEWLINE = 10
const TAB_WIDTH = 2

const isLow = (code: number): boolean => code >= 0xdc00 && code < 0xe000
