/**
 * Writes what will not change any more: visible text to one output, everything else to another. Where both are the same
 * terminal they share a page, and a block waits until those before it are over.
 */

import { MarkdownStyler } from './markdown.ts'
import type { Block, RowsBlock, TextBlock } from './page-block.ts'
import { lengthOf, paint, type Row, sliceSpans, withGutter, wrapRow } from './row.ts'

/** A page of paper: what stands on it cannot be changed. */
export class Paper {
  isEmpty = true
  isLineStart = true
  /** Lines that were ended. */
  lines = 0
}

export interface PrinterOutput {
  readonly paper: Paper
  readonly colour: boolean
  write(text: string): void
}

/** How far a block was printed. */
interface Progress {
  rows: number
  /** Characters of the row that is not ended yet. */
  characters: number
  hasBegun: boolean
  readonly styler: MarkdownStyler | null
}

export interface PrinterOptions {
  readonly text: PrinterOutput
  readonly rest: PrinterOutput
}

export class Printer {
  private readonly text: PrinterOutput
  private readonly rest: PrinterOutput
  private readonly progress = new Map<Block, Progress>()

  constructor({ text, rest }: PrinterOptions) {
    this.text = text
    this.rest = rest
  }

  /**
   * Prints what is new, and removes the blocks that are over. `columns`: rows are wrapped here, and a card is printed
   * when it is over; without it, rows are appended as they come.
   */
  print(blocks: Block[], columns: number | null): void {
    const blocked = new Set<Paper>()
    let kept = 0
    for (const block of blocks) {
      const { paper } = this.outputOf(block)
      if (!blocked.has(paper)) {
        if (block.kind === 'text') this.printText(block)
        else if (!block.isHidden) this.printRows(block, columns)
        if (block.isOver) {
          this.progress.delete(block)
          continue
        }
        blocked.add(paper)
      }
      blocks[kept++] = block
    }
    blocks.length = kept
  }

  /** Prints rows of their own above everything that is not printed yet. */
  insert(rows: readonly Row[], columns: number): void {
    this.startBlock(this.rest)
    for (const row of rows) this.printLine(row, columns)
  }

  /** Whether a block has been printed in part, so that it grows on the paper. */
  hasBegun(block: Block): boolean {
    return this.progress.get(block)?.hasBegun ?? false
  }

  /** Rows of a block that stand on the paper already. */
  rowsOf(block: Block): number {
    return this.progress.get(block)?.rows ?? 0
  }

  private outputOf(block: Block): PrinterOutput {
    return block.kind === 'text' ? this.text : this.rest
  }

  private progressOf(block: Block): Progress {
    let progress = this.progress.get(block)
    if (progress === undefined) {
      const isShared = this.text.paper === this.rest.paper
      const styler = block.kind === 'text' ? new MarkdownStyler(isShared) : null
      progress = { rows: 0, characters: 0, hasBegun: false, styler }
      this.progress.set(block, progress)
    }
    return progress
  }

  private begin(output: PrinterOutput, progress: Progress): void {
    if (progress.hasBegun) return
    progress.hasBegun = true
    this.startBlock(output)
  }

  private printText(block: TextBlock): void {
    const { text: output } = this
    const progress = this.progressOf(block)
    const text = block.take()
    if (text !== '') {
      this.begin(output, progress)
      output.write(paint(progress.styler!.push(text), output.colour))
      output.paper.isLineStart = false
    }
    if (block.isOver) this.startLine(output)
  }

  private printRows(block: RowsBlock, columns: number | null): void {
    const { rest: output } = this
    const progress = this.progressOf(block)
    if (columns !== null && !block.isOver && block.kind !== 'reasoning') return
    const rows = block.settled(progress.rows)
    if (rows.length === 0) return
    if (columns !== null) {
      // The last row of reasoning may still grow.
      const settled = block.isOver ? rows : rows.slice(0, -1)
      if (settled.length > 0) this.begin(output, progress)
      for (const row of settled) this.printLine(row, columns)
      progress.rows += settled.length
      return
    }
    this.begin(output, progress)
    for (const [index, row] of rows.entries()) {
      const spans = withGutter(row)
      output.write(paint(sliceSpans(spans, progress.characters), output.colour))
      output.paper.isLineStart = false
      progress.characters = lengthOf(spans)
      if (index === rows.length - 1 && !block.isOver) break
      this.startLine(output)
      progress.rows++
      progress.characters = 0
    }
  }

  private printLine(row: Row, columns: number): void {
    for (const line of wrapRow(row, columns)) {
      this.rest.write(this.rest.colour ? line.painted : line.text)
      this.rest.paper.isLineStart = false
      this.startLine(this.rest)
    }
  }

  private startLine(output: PrinterOutput): void {
    if (output.paper.isLineStart) return
    output.write('\n')
    output.paper.isLineStart = true
  }

  private startBlock(output: PrinterOutput): void {
    this.startLine(output)
    if (!output.paper.isEmpty) output.write('\n')
    output.paper.isEmpty = false
  }
}
