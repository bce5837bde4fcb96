/**
 * Styles markdown while it arrives, and leaves every character of it in place. The style of a character depends on those
 * before it only, so that nothing has to be drawn again.
 *
 *     # A heading           bold
 *     some **bold** words   bold, with their stars
 *     run `npm test`        in colour, with its ticks
 */

import type { Span, Style } from './row.ts'

/** What begins a card: text must not pass for one. */
const CARD_MARKS = '▸◂'

export class MarkdownStyler {
  private readonly guardsMarks: boolean
  /** Inside ``` … ```. */
  private isFenced = false
  /** What stands at the beginning of the line. */
  private lineStart = ''
  /** Its first characters are two ticks. */
  private isTicked = false
  private lineStyle: Style = 'plain'
  private isBold = false
  private isCode = false
  private stars = 0

  /** `guardsMarks`: a line that begins like a card gets a backslash. */
  constructor(guardsMarks: boolean) {
    this.guardsMarks = guardsMarks
  }

  push(text: string): Span[] {
    const spans: { text: string; style: Style }[] = []
    for (const character of text) {
      const style = this.styleOf(character)
      const guarded = this.isForged(character) ? `\\${character}` : character
      const last = spans.at(-1)
      if (last !== undefined && last.style === style) last.text += guarded
      else spans.push({ text: guarded, style })
      if (character === '\n') this.startLine()
      else if (this.lineStart.length < MAX_START) {
        this.lineStart += character
        if (character === '`') this.isTicked ||= this.lineStart.trimStart().startsWith('``')
      }
    }
    return spans
  }

  private isForged(character: string): boolean {
    return this.guardsMarks && CARD_MARKS.includes(character) && this.lineStart.trim() === ''
  }

  private startLine(): void {
    if (this.lineStart.trimStart().startsWith('```')) this.isFenced = !this.isFenced
    this.lineStart = ''
    this.isTicked = false
    this.lineStyle = 'plain'
    this.isBold = false
    this.isCode = false
    this.stars = 0
  }

  private styleOf(character: string): Style {
    const start = this.lineStart
    if (this.isTicked) return 'dim'
    if (this.isFenced) {
      if (start === '') this.lineStyle = FENCED_STARTS[character] ?? 'plain'
      return this.lineStyle
    }
    if (start === '' && character === '>') this.lineStyle = 'dim'
    if (start.length <= 6 && /^#{1,6}$/.test(start))
      this.lineStyle = character === ' ' || character === '#' ? 'bold' : 'plain'
    if (start === '' && character === '#') this.lineStyle = 'bold'
    if (this.lineStyle !== 'plain') return this.lineStyle
    return this.inline(character)
  }

  private inline(character: string): Style {
    if (character === '`') {
      this.isCode = !this.isCode
      return 'cyan'
    }
    if (this.isCode) return 'cyan'
    if (character === '*') {
      this.stars++
      if (this.isBold && this.stars === 2) {
        this.isBold = false
        this.stars = 0
        return 'bold'
      }
      return this.isBold ? 'bold' : 'plain'
    }
    if (this.stars === 2 && character.trim() !== '') this.isBold = true
    this.stars = 0
    return this.isBold ? 'bold' : 'plain'
  }
}

/** As much of a line as is looked at to find out what it is. */
const MAX_START = 64

const FENCED_STARTS: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red', '@': 'cyan' }
