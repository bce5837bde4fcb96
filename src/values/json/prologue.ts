/**
 * What a model writes before the JSON that it was asked for: reasoning, words, blocks of other code, the opening of a
 * fence.
 *
 *     <think>They want {"title": …}.</think>
 *     Here is the recipe:
 *     ```json
 *     {"title": "Soup"}
 *
 * A value begins with the first character of the text, at a brace that opens a line, in a fence of JSON, or wherever a
 * brace or bracket is followed by what no sentence puts behind it: `{"`, `[{`, `[[` or `["`.
 */

import { isSpace } from '../../base/whitespace.ts'

/** How far a fence or a bracket may be from what tells whether it begins a value. */
const LOOKAHEAD = 100

/** The longest number that can be the whole text. */
const SCALAR_LENGTH = 400

const THINK = '<think>'
const THINK_END = '</think>'

/** How much of what was passed over is kept, or a little more. */
const SKIPPED_LENGTH = 1000

const SCALAR = /^(?:-?[\d.eE+-]*|t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?)\s*$/

/** The languages of a fence that can hold JSON. */
const JSON_FENCE = /^`{3,}\s*(?:json[5cl]?)?\s*$/i

export class Prologue {
  /** Text that may still begin the value. */
  held = ''
  /** The beginning of what was passed over, without the reasoning. */
  skipped = ''
  /** Inside the reasoning at the start of the text, where JSON is not the value. */
  isThinking = false
  private isAtStart = true
  private isLineStart = true
  /** Inside a block of code that is no JSON. */
  private isInCode = false

  /**
   * Looks at `held` and what follows it. Answers how much of that is passed over, and whether the value begins behind
   * it; otherwise the rest is held.
   */
  read(chunk: string): { readonly passed: number; readonly begins: boolean } {
    const text = this.held + chunk
    let at = 0
    while (at < text.length) {
      const wasThinking = this.isThinking
      const step = this.look(text, at)
      if (step === 'begins') {
        this.held = ''
        return { passed: at, begins: true }
      }
      if (step === 'undecided') break
      if (!wasThinking && !this.isThinking) this.keep(text.slice(at, step))
      at = step
    }
    this.held = text.slice(at)
    return { passed: at, begins: false }
  }

  /** The text is over. Whether what was held is a value after all: a number or a literal alone. */
  end(held: string): boolean {
    if (this.isThinking) return false
    if (this.isAtStart && isJson(held)) return true
    this.keep(held)
    return false
  }

  private keep(text: string): void {
    if (this.skipped.length < SKIPPED_LENGTH) this.skipped += this.skipped === '' ? text.trimStart() : text
  }

  /** Where to look next. */
  private look(text: string, at: number): number | 'begins' | 'undecided' {
    if (this.isThinking) return this.thought(text, at)
    const character = text[at]!
    if (isSpace(character)) {
      if (character === '\n') this.isLineStart = true
      return at + 1
    }
    if (this.isAtStart) {
      if (character === '{' || character === '[' || character === '"') return 'begins'
      const tag = text.slice(at, at + THINK.length)
      if (THINK.startsWith(tag)) {
        if (tag !== THINK) return 'undecided'
        this.isThinking = true
        return at + THINK.length
      }
      const rest = text.slice(at, at + SCALAR_LENGTH + 1)
      if (rest.length <= SCALAR_LENGTH && SCALAR.test(rest)) return 'undecided'
      this.isAtStart = false
    }
    if (character === '`' && this.isLineStart) return this.fence(text, at)
    if (!this.isInCode && (character === '{' || character === '[')) return this.bracket(text, at)
    this.isLineStart = false
    return at + 1
  }

  /** Inside `<think>`: holds what may be the beginning of its end. What follows that is at the start again. */
  private thought(text: string, at: number): number | 'undecided' {
    const end = text.indexOf(THINK_END, at)
    if (end === -1)
      return text.length - at < THINK_END.length ? 'undecided' : text.length - THINK_END.length + 1
    this.isThinking = false
    return end + THINK_END.length
  }

  /** A line that begins with backticks. */
  private fence(text: string, at: number): number | 'begins' | 'undecided' {
    const head = text.slice(at, at + LOOKAHEAD)
    const isShort = head.length < LOOKAHEAD
    const end = head.indexOf('\n')
    if (!head.startsWith('```'.slice(0, head.length)) || (end === -1 && !isShort)) return this.words(at)
    if (end === -1) return 'undecided'
    const line = head.slice(0, end)
    if (!this.isInCode && JSON_FENCE.test(line)) {
      const first = head.slice(end).trimStart()[0]
      if (first === '{' || first === '[' || (first === '"' && /json/i.test(line))) return 'begins'
      if (first === undefined && isShort) return 'undecided'
    }
    this.isInCode = !this.isInCode
    return at + end
  }

  private bracket(text: string, at: number): number | 'begins' | 'undecided' {
    if (text[at] === '{' && this.isLineStart) return 'begins'
    const head = text.slice(at + 1, at + LOOKAHEAD)
    const first = head.trimStart()[0]
    if (first === undefined) return head.length < LOOKAHEAD - 1 ? 'undecided' : this.words(at)
    return (text[at] === '{' ? '"' : '{["').includes(first) ? 'begins' : this.words(at)
  }

  private words(at: number): number {
    this.isLineStart = false
    return at + 1
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
