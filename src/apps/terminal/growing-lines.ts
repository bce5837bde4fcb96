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

/** A piece that comes is only kept: a frame asks for the lines once for many of them, and they are made then. */
export class GrowingLines {
  private arrived = ''
  /** The lines that are complete. */
  private readonly complete: string[] = []
  /** The line that still grows; null where none has begun. */
  private open: string | null = null
  /** Characters that came in, harmless or not. */
  private measured = 0
  private newlines = 0
  private endsLine = true
  private readonly source: { push(piece: string): string; end(): string }

  constructor(mode: SanitiseMode, trims: boolean) {
    this.source = trims ? new TrimmedText(mode) : createSanitiser(mode)
  }

  push(piece: string): void {
    this.arrived += piece
  }

  end(): void {
    this.takeIn()
    this.add(this.source.end())
  }

  /** Lines that are complete. */
  get completeCount(): number {
    this.takeIn()
    return this.complete.length
  }

  /** Lines that are shown, also the one that still grows. */
  get count(): number {
    return this.completeCount + (this.open === null ? 0 : 1)
  }

  line(index: number): string {
    return index < this.completeCount ? this.complete[index]! : (this.open ?? '')
  }

  get characters(): number {
    this.takeIn()
    return this.measured
  }

  /** How much came in: `2 lines, 28 characters`. */
  inWords(): string {
    this.takeIn()
    const lines = this.newlines + (this.endsLine ? 0 : 1)
    return `${counted(lines, 'line')}, ${counted(this.measured, 'character')}`
  }

  private takeIn(): void {
    const { arrived } = this
    if (arrived === '') return
    this.arrived = ''
    this.measure(arrived)
    this.add(this.source.push(arrived))
  }

  private add(text: string): void {
    if (text === '') return
    const lines = text.split('\n')
    const last = lines.pop()!
    for (const line of lines) {
      this.complete.push((this.open ?? '') + line)
      this.open = null
    }
    if (last !== '') this.open = (this.open ?? '') + last
  }

  private measure(piece: string): void {
    // The second half of a pair is the same character.
    this.measured += piece.length - (piece.match(SECOND_HALVES)?.length ?? 0)
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) this.newlines++
    this.endsLine = piece.endsWith('\n')
  }
}

const SECOND_HALVES = /[\udc00-\udfff]/g

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
