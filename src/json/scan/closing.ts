/** Whether a quote closed its string, told from what follows it. Only with `stringClose: 'delimiter'`. */

import type { JsonHandler } from '../handler.ts'
import { BRACE_CLOSE, BRACKET_CLOSE, COLON_SIGN, COMMA, isSpace, KEY, STRING } from './grammar.ts'
import { CONTROL_CHAR, INNER_QUOTE, StringScanner } from './strings.ts'
import { escapeUnit, quoteKind } from './tolerance.ts'

/** Reads on after a quote that may have closed a string, or may be text. */
export abstract class ClosingScanner extends StringScanner {
  /**
   * After a quote, until the next significant character tells whether it closed.
   *
   *     "say "|hi" now"
   */
  protected readMaybeClosed(text: string, i: number, to: number, handler: JsonHandler): number {
    const start = i
    let c = 0
    for (; i < to; i++) {
      c = text.charCodeAt(i)
      if (isSpace(c)) continue
      if (c === COMMA && this.part === 0 && this.tolerant && this.isInObject()) {
        this.part = 1 // a key must follow
        this.commaAt = this.base + i
        continue
      }
      break
    }
    this.escape += text.slice(start, i)
    if (i === to) return i
    const delimits =
      c === BRACE_CLOSE ||
      c === BRACKET_CLOSE ||
      (this.part === 1 ? quoteKind(c) !== 0 : c === COMMA || (c === COLON_SIGN && this.tolerant))
    if (delimits) return this.decideClosed(i, handler)
    return this.tolerant ? this.decideText(i, handler) : this.fail('token', i, handler)
  }

  protected decideClosed(i: number, handler: JsonHandler): number {
    const skipped = this.escape.slice(1)
    this.escape = ''
    if (this.copying) {
      this.canonical().resume(i)
      this.canonical().rewrite(i, i, '"')
    }
    this.tokenEnd = this.tokenAt + 1
    this.closeString(i, handler)
    if (this.status === 'done') return i
    this.spaced = skipped !== ''
    if (this.part === 1) {
      this.state = KEY
      this.skipped = false
    }
    if (this.copying) this.canonical().rewrite(i, i, skipped)
    return i
  }

  protected decideText(i: number, handler: JsonHandler): number {
    const literal = this.escape
    if (!this.repairString(INNER_QUOTE, 'inner-quote', this.tokenAt - this.base, i, handler)) return i
    const control = literal.search(/[\n\r\t]/)
    if (control >= 0) {
      const at = this.tokenAt - this.base + control
      if (!this.repairString(CONTROL_CHAR, 'control-char', at, i, handler)) return i
    }
    this.length += literal.length
    if (this.length > this.limits.stringLength) return this.failInString('string-length', i, i, handler)
    if (this.decoding) this.handOn(literal, handler)
    if (this.copying) {
      this.canonical().resume(i)
      let canonical = ''
      for (let k = 0; k < literal.length; k++) canonical += escapeUnit(literal.charCodeAt(k))
      this.canonical().rewrite(i, i, canonical)
      this.canonical().commit(i)
    }
    this.escape = ''
    this.state = STRING
    return i
  }
}
