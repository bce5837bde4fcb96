/**
 * Text that grows, made harmless, as lines.
 *
 *     push('one\ntw')   lines ['one'], open 'tw'
 *     push('o\n')       lines ['one', 'two'], open null
 */

import { createSanitiser, type SanitiseMode, type Sanitiser } from './sanitise.ts'

/** Text without the empty space around it. Whitespace is held back until something follows it. */
export class TrimmedText {
  private readonly sanitiser: Sanitiser
  private hasBegun = false
  private waiting = ''

  constructor(mode: SanitiseMode) {
    this.sanitiser = createSanitiser(mode)
  }

  /** What can be shown of the next piece. */
  push(piece: string): string {
    return this.release(this.sanitiser.push(piece))
  }

  end(): string {
    return this.release(this.sanitiser.end())
  }

  private release(text: string): string {
    const visible = text.trimEnd()
    if (visible === '') {
      this.waiting += text
      return ''
    }
    let shown = this.waiting + visible
    this.waiting = text.slice(visible.length)
    if (!this.hasBegun) {
      this.hasBegun = true
      shown = withoutLeadingSpace(shown)
    }
    return shown
  }
}

/** Without the empty lines before the text. Its indentation stays where it begins a line; a space after something does not. */
function withoutLeadingSpace(text: string): string {
  const begun = text.trimStart()
  const space = text.slice(0, text.length - begun.length)
  const newline = space.lastIndexOf('\n')
  return newline < 0 ? begun : space.slice(newline + 1) + begun
}

export class GrowingLines {
  /** The lines that are complete. */
  readonly lines: string[] = []
  /** The line that still grows; null where none has begun. */
  open: string | null = null
  /** Characters that came in, harmless or not. */
  characters = 0
  private newlines = 0
  private endsLine = true
  private readonly source: { push(piece: string): string; end(): string }

  constructor(mode: SanitiseMode, trims: boolean) {
    this.source = trims ? new TrimmedText(mode) : createSanitiser(mode)
  }

  push(piece: string): void {
    this.measure(piece)
    this.add(this.source.push(piece))
  }

  end(): void {
    this.add(this.source.end())
  }

  /** Lines that are shown, also the one that still grows. */
  get count(): number {
    return this.lines.length + (this.open === null ? 0 : 1)
  }

  line(index: number): string {
    return index < this.lines.length ? this.lines[index]! : (this.open ?? '')
  }

  /** How much came in: `2 lines, 28 characters`. */
  inWords(): string {
    const lines = this.newlines + (this.endsLine ? 0 : 1)
    return `${counted(lines, 'line')}, ${counted(this.characters, 'character')}`
  }

  private add(text: string): void {
    if (text === '') return
    const lines = text.split('\n')
    const last = lines.pop()!
    for (const line of lines) {
      this.lines.push((this.open ?? '') + line)
      this.open = null
    }
    if (last !== '') this.open = (this.open ?? '') + last
  }

  private measure(piece: string): void {
    if (piece === '') return
    for (let index = 0; index < piece.length; index++) {
      const code = piece.charCodeAt(index)
      // The second half of a pair is the same character.
      if ((code & 0xfc00) !== 0xdc00) this.characters++
      if (code === 0x0a) this.newlines++
    }
    this.endsLine = piece.endsWith('\n')
  }
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
