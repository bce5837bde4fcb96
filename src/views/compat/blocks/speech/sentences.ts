/**
 * Cuts text that arrives in pieces into sentences, or into clauses.
 *
 *     It costs 3.14 euros. |"Really?" he said. |完了しました。|
 *
 * A piece is given out as soon as it is certain that it ends. To be certain may take a look at what follows; so
 * much is waited for and no more. What is decided depends on the text alone and never on how it was cut. Joined,
 * the pieces are the text.
 */

import { abbreviation } from './abbreviations.ts'
import {
  BACKTICK,
  BRACKET,
  BREAK,
  CLOSER,
  COMMA,
  DOT,
  isDigit,
  isLowerCase,
  isSpaceEnded,
  isSpaceKind,
  isUnspaced,
  isUpperCase,
  isWordy,
  kindAt,
  MARK,
  NEWLINE,
  ORDINARY,
  SPACE,
  STOP,
  UNKNOWN,
} from './character-kinds.ts'
import { endsLine, isListMarker } from './line-breaks.ts'
import { Passed } from './passed.ts'
import { codeEnd, linkEnd, MOST_SPAN } from './spans.ts'
import type { SpeechSettings } from './speech-options.ts'
import { isApostrophe, isDotted, isPair, isShortNumber, lastWord } from './words.ts'

/** Nothing ends here. */
const NOWHERE = -1
/** It depends on what follows. */
const WAIT = -2

/** So far is looked ahead over marks that close a sentence, and over space. */
const MOST_CLOSERS = 8
const MOST_SPACE = 40
/** A clause is worth a breath if it is this long; where a space alone ends sentences, they are longer. */
const SHORTEST_CLAUSE = 12
const SHORTEST_UNSPACED_CLAUSE = 6
const SHORTEST_SPACE_ENDED = 20
/** So far is looked back, and so much may be there behind which nothing ends. */
const LOOK_BEHIND = 64
const MOST_BEHIND = 1024

export class Sentences {
  private readonly settings: SpeechSettings
  private readonly emit: (piece: string) => void
  /** What is not given out yet and may still be looked at, and what stands before it and will not be. */
  private pending = ''
  private passed = new Passed(true)
  /** Before this nothing ends. */
  private at = 0
  /** The piece begins at the start of a line. */
  private startsLine = true
  /** Lines of code end where they end. */
  private isCode = false

  constructor(settings: SpeechSettings, emit: (piece: string) => void) {
    this.settings = settings
    this.emit = emit
  }

  push(text: string, isCode = false): void {
    if (isCode !== this.isCode) this.end()
    this.isCode = isCode
    this.pending += text
    this.scan()
  }

  /** Says what is there, up to the last whole word. */
  pause(): void {
    this.rejoin()
    const { pending, at } = this
    let end = pending.length
    const isInWord = (): boolean => end > 0 && (isWordy(pending[end - 1]!) || isApostrophe(pending, end - 1))
    while (isInWord()) end--
    // A span that is still open is not spoken by halves.
    const isInSpan = at < end && (pending[at] === '`' || pending[at] === '[')
    this.cut(isInSpan ? at : end)
  }

  /** Says all that is there. What comes next begins a line. */
  end(): void {
    if (this.cut(this.pending.length)) this.begin(true)
  }

  /** A piece begins, at the start of a line or not. */
  private begin(startsLine: boolean): void {
    this.startsLine = startsLine
    this.passed = new Passed(startsLine)
  }

  // ── the loop ───────────────────────────────────────────────────────────────────────────────────

  private scan(): void {
    while (this.at < this.pending.length) {
      if (this.at > MOST_BEHIND) this.leaveBehind(this.at - LOOK_BEHIND)
      if (this.passed.length + this.at >= this.settings.maxLength) {
        this.rejoin()
        this.cut(this.lastResort(), true)
        continue
      }
      const kind = kindAt(this.pending, this.at)
      if (kind === ORDINARY) {
        this.at++
        continue
      }
      if (kind === UNKNOWN) return
      const end = this.isCode ? (kind === NEWLINE ? this.at + 1 : NOWHERE) : this.endAt(kind, this.at)
      if (end === WAIT) return
      if (end === NOWHERE) this.at++
      else if (!this.cut(end)) this.at = end
    }
  }

  /** Gives out what stands before `end`, if it is audible, or if the buffer is full. */
  private cut(end: number, isForced = false): boolean {
    const { passed } = this
    const last = this.pending.slice(0, end)
    if (!passed.isAudible && last.trim() === '' && !isForced) return false
    const piece = passed.text + last
    this.pending = this.pending.slice(end)
    this.at = 0
    this.begin(piece.endsWith('\n'))
    this.emit(piece)
    return true
  }

  /** Nothing that stands before `to` is looked at again, so that a long piece is not searched at every mark in it. */
  private leaveBehind(to: number): void {
    this.passed.add(this.pending.slice(0, to))
    this.pending = this.pending.slice(to)
    this.at -= to
  }

  /** All of the piece can be looked at again. */
  private rejoin(): void {
    const { passed } = this
    if (passed.length === 0) return
    this.pending = passed.text + this.pending
    this.at += passed.length
    this.begin(this.startsLine)
  }

  private endAt(kind: number, at: number): number {
    switch (kind) {
      case DOT:
      case MARK:
        return this.endOfSentence(at)
      case STOP:
        return this.endOfStop(at)
      case NEWLINE:
        return this.endOfLine(at)
      case SPACE:
        return this.endAtSpace(at)
      case COMMA:
      case BREAK:
        return this.settings.clauses ? this.endOfClause(kind, at) : NOWHERE
      case BACKTICK:
        return this.endOfSpan(at, '`')
      case BRACKET:
        return this.settings.links === 'say' ? NOWHERE : this.endOfSpan(at, '[')
      default:
        return NOWHERE
    }
  }

  // ── what ends a sentence ───────────────────────────────────────────────────────────────────────

  /**
   * At a mark that ends a sentence only if space follows, and a full stop not even then.
   *
   *     pi is 3|.14, said Dr|. No!|" Then he left|. He
   */
  private endOfSentence(at: number): number {
    const { pending } = this
    let to = at
    let hasMark = false
    while (to < pending.length) {
      const kind = kindAt(pending, to)
      if (kind === MARK) hasMark = true
      else if (kind !== DOT) break
      to++
      if (to - at > MOST_SPACE) return this.pass(to)
    }
    const marks = to
    to = this.afterClosers(to)
    if (to === pending.length) return WAIT
    const kind = kindAt(pending, to)
    if (!isSpaceKind(kind)) {
      // Chinese and Japanese may be written with western marks, and without space.
      const isBetween = isUnspaced(pending[to]!) && at > 0 && isUnspaced(pending[at - 1]!)
      return isBetween && hasMark ? to : this.pass(to)
    }
    const isEllipsis = !hasMark && (marks - at > 1 || pending[at] === '…')
    if (hasMark ? marks === to : !isEllipsis && this.isPlainWordBefore(at)) return to + 1
    return this.isWordWithoutEnd(at, hasMark || isEllipsis) ? this.pass(to) : this.unlessItGoesOn(to)
  }

  /** At a mark that ends a sentence wherever it stands, with the marks and quotes behind it. */
  private endOfStop(at: number): number {
    const { pending } = this
    let to = at
    while (to < pending.length && to - at < MOST_SPACE) {
      const kind = kindAt(pending, to)
      if (kind === UNKNOWN) return WAIT
      if (kind !== STOP && kind !== MARK && kind !== DOT) break
      to += isPair(pending, to) ? 2 : 1
    }
    to = this.afterClosers(to)
    if (to === pending.length) return WAIT
    return isSpaceKind(kindAt(pending, to)) ? to + 1 : to
  }

  private afterClosers(from: number): number {
    const { pending } = this
    let to = from
    while (to < pending.length && to - from < MOST_CLOSERS && kindAt(pending, to) === CLOSER) to++
    return to
  }

  /** The next word says whether the sentence goes on: then it begins with a small letter, or is a number. */
  private unlessItGoesOn(space: number): number {
    const { pending } = this
    let next = space
    while (next < pending.length && isSpaceKind(kindAt(pending, next))) {
      if (next - space > MOST_SPACE || (pending[next] === '\n' && pending[next + 1] === '\n'))
        return space + 1
      next++
    }
    if (next === pending.length) return WAIT
    const character = String.fromCodePoint(pending.codePointAt(next)!)
    return isLowerCase(character) || isDigit(character) ? this.pass(next) : space + 1
  }

  /** The full stop stands behind a word that says nothing else about it. */
  private isPlainWordBefore(at: number): boolean {
    const word = this.wordBefore(at)
    if (isDotted(word) || isListMarker(this.lineBefore(at))) return false
    if (this.isInitial(word, at) || isShortNumber(word)) return false
    return abbreviation(word, this.settings.abbreviations) === 'none'
  }

  /** A full stop behind this word never ends anything. */
  private isWordWithoutEnd(at: number, isOtherMark: boolean): boolean {
    if (isOtherMark) return false
    const word = this.wordBefore(at)
    if (isListMarker(this.lineBefore(at)) || isDotted(word) || this.isInitial(word, at)) return true
    return abbreviation(word, this.settings.abbreviations) === 'goes-on'
  }

  /** `J` in J. S. Bach, but not the English word, and not the end of an address. */
  private isInitial(word: string, at: number): boolean {
    if (word.length !== 1 || word === 'I' || !isUpperCase(word)) return false
    return at === 1 || isSpaceKind(kindAt(this.pending, at - 2)) || '("\'“‘-'.includes(this.pending[at - 2]!)
  }

  private wordBefore(at: number): string {
    const { pending } = this
    let from = at
    while (from > 0 && at - from < 24 && (isWordy(pending[from - 1]!) || pending[from - 1] === '.')) from--
    return pending.slice(from, at)
  }

  private lineBefore(at: number): string | undefined {
    const { pending, passed } = this
    const from = pending.lastIndexOf('\n', at - 1) + 1
    if (from > 0) return pending.slice(from, at)
    return passed.knowsLine ? passed.line + pending.slice(0, at) : undefined
  }

  // ── what else ends a piece ─────────────────────────────────────────────────────────────────────

  private endOfLine(at: number): number {
    const { pending } = this
    const next = pending.slice(at + 1, at + 1 + MOST_SPACE)
    const ends = endsLine(this.lineBefore(at) ?? `…${this.passed.line}${pending.slice(0, at)}`, next)
    if (ends === undefined) return next.length < MOST_SPACE ? WAIT : NOWHERE
    return ends ? at + 1 : NOWHERE
  }

  /** Thai and Lao have no other mark between sentences. */
  private endAtSpace(at: number): number {
    const { pending } = this
    if (at === 0 || !isSpaceEnded(pending[at - 1]!)) return NOWHERE
    if (at < (this.settings.clauses ? SHORTEST_UNSPACED_CLAUSE : SHORTEST_SPACE_ENDED)) return NOWHERE
    if (at + 1 === pending.length) return WAIT
    return isSpaceEnded(pending[at + 1]!) ? at + 1 : NOWHERE
  }

  private endOfClause(kind: number, at: number): number {
    const { pending } = this
    const to = this.afterClosers(at + 1)
    if (to === pending.length) return WAIT
    const isSpace = isSpaceKind(kindAt(pending, to))
    if (kind === COMMA && !isSpace) return NOWHERE
    const isDense = at > 0 && isUnspaced(pending[at - 1]!)
    const length = this.passed.isAudible ? at : pending.slice(0, at).trim().length
    if (length < (isDense ? SHORTEST_UNSPACED_CLAUSE : SHORTEST_CLAUSE)) return NOWHERE
    return isSpace ? to + 1 : to
  }

  /**
   * Code or a link inside a line is one thing: nothing ends in it.
   *
   *     |`a. B?`    |[See. This](b.html)
   */
  private endOfSpan(at: number, opener: string): number {
    const { pending } = this
    const end = opener === '`' ? codeEnd(pending, at) : linkEnd(pending, at)
    if (end > 0) return this.pass(end)
    return end === 0 && pending.length < at + MOST_SPAN ? WAIT : NOWHERE
  }

  /** Nothing ends before `to`. */
  private pass(to: number): number {
    this.at = to - 1
    return NOWHERE
  }

  /** Where to cut what is too long: behind a clause, a word, or, in scripts without spaces, wherever a word ends. */
  private lastResort(): number {
    const { maxLength } = this.settings
    const window = this.pending.slice(0, maxLength)
    let word = 0
    for (let at = maxLength - 1; at > maxLength / 2; at--) {
      const kind = kindAt(window, at)
      if (isSpaceKind(kind)) {
        const before = kindAt(window, at - 1)
        if (before === COMMA || before === BREAK || kind === NEWLINE) return at + 1
        if (word === 0) word = at + 1
      } else if (kind === BREAK) return at + 1
    }
    return word > 0 ? word : lastWord(window)
  }
}
