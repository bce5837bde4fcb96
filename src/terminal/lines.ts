/**
 * Text that grows on the page, each of its lines behind a gutter.
 *
 *       │ export class RateLimit {
 *       │   private tokens: num|
 */

import type { Page, Style } from './page.ts'
import { createSanitiser, type SanitiseMode, type Sanitiser } from './sanitise.ts'

export interface LinesOptions {
  readonly gutter: string
  readonly style: Style
  readonly sanitise: SanitiseMode
  /** Leaves out the empty space around the text; without it only the very last newline is left out. */
  readonly trims: boolean
  /** Called once, before the first character. */
  readonly open: () => void
}

export class Lines {
  private readonly page: Page
  private readonly options: LinesOptions
  private readonly sanitiser: Sanitiser
  private hasBegun = false
  private isLineEmpty = true
  /** Whitespace that is not shown before something follows it. */
  private waiting = ''

  constructor(page: Page, options: LinesOptions) {
    this.page = page
    this.options = options
    this.sanitiser = createSanitiser(options.sanitise)
  }

  add(text: string): void {
    this.show(this.sanitiser.push(text))
  }

  end(): void {
    this.show(this.sanitiser.end())
    this.waiting = ''
  }

  private show(text: string): void {
    let from = 0
    while (from < text.length) {
      const newline = text.indexOf('\n', from)
      const to = newline < 0 ? text.length : newline
      this.showLine(text.slice(from, to))
      if (newline >= 0) this.showBreak()
      from = to + 1
    }
  }

  private showLine(line: string): void {
    const { trims } = this.options
    if (trims && !this.hasBegun) {
      const begun = line.trimStart()
      this.waiting += line.slice(0, line.length - begun.length)
      line = begun
    }
    const visible = trims ? line.trimEnd() : line
    if (visible !== '') {
      this.release()
      this.print(visible)
    }
    this.waiting += line.slice(visible.length)
  }

  private showBreak(): void {
    if (!this.options.trims) this.release()
    this.waiting += '\n'
  }

  /** Something follows what was waiting. */
  private release(): void {
    let waiting = this.waiting
    this.waiting = ''
    if (!this.hasBegun) {
      this.hasBegun = true
      if (this.options.trims) waiting = indentation(waiting)
      this.options.open()
      this.printGutter()
    }
    for (const [index, line] of waiting.split('\n').entries()) {
      if (index > 0) this.breakLine()
      if (line !== '') this.print(line)
    }
  }

  private breakLine(): void {
    this.page.newline()
    this.isLineEmpty = true
    this.printGutter()
  }

  /** The gutter's own trailing space comes with the first character, so that empty lines have none. */
  private printGutter(): void {
    this.page.print(this.options.gutter.trimEnd(), 'dim')
  }

  private print(text: string): void {
    const { gutter, style } = this.options
    if (this.isLineEmpty) this.page.print(gutter.slice(gutter.trimEnd().length))
    this.isLineEmpty = false
    this.page.print(text, style)
  }
}

/** What stands before the first word on its own line; a space after something else is none. */
function indentation(space: string): string {
  const newline = space.lastIndexOf('\n')
  return newline < 0 ? '' : space.slice(newline + 1)
}
