/**
 * Makes text harmless for a terminal. What a model writes could otherwise move the cursor, forge a prompt,
 * fill the clipboard or hide what a call will do.
 *
 *     ESC [ 2 J                   clears the screen (CSI)
 *     ESC ] 52 ; c ; … BEL        writes to the clipboard (OSC)
 *     U+202E                      shows what follows from right to left
 *     U+200B                      makes two commands that look alike differ
 *
 * Printable text, newlines and tabs stay. A sequence may be cut anywhere between chunks.
 */

import { isHighSurrogate, isLowSurrogate } from '../../base/surrogates.ts'

/** `strip` drops control sequences whole; `visualise` hides nothing and shows each control character by its picture. */
export type SanitiseMode = 'strip' | 'visualise'

/** Removes control sequences from text that arrives in pieces. */
export interface Sanitiser {
  /** What may be shown of the next piece. */
  push(text: string): string
  /** The text is over: what was still held back. */
  end(): string
}

/**
 * Makes a sanitiser for one text that comes in pieces.
 *
 *     const sanitiser = createSanitiser('strip')
 *     sanitiser.push('red: \x1b[3')  // 'red: '
 *     sanitiser.push('1mno')         // 'no'
 */
export function createSanitiser(mode: SanitiseMode): Sanitiser {
  return new SanitiserState(mode)
}

/** The same for a whole text at once. */
export function sanitise(text: string, mode: SanitiseMode): string {
  const sanitiser = new SanitiserState(mode)
  return sanitiser.push(text) + sanitiser.end()
}

const NEWLINE = 0x0a
const TAB = 0x09
const BELL = 0x07
const ESCAPE = 0x1b
const BACKSLASH = 0x5c
const DELETE = 0x7f
/** C1 is ESC and the character 0x40 below, in one. */
const C1_OFFSET = 0x40
const STRING_TERMINATOR = 0x9c
const REPLACEMENT = 0xfffd

/** Marks that may stand on one character. More of them would cover the lines above and below it. */
const MAX_MARKS = 8

/** What may follow ESC to open a string that goes on up to its terminator: DCS, SOS, OSC, PM, APC. */
const STRING_OPENERS = 'PX]^_'

type State =
  | 'text'
  /** `ESC|[31m` */
  | 'escape'
  /** `ESC (|B` */
  | 'escape-intermediate'
  /** `ESC [|31m` */
  | 'sequence'
  /** `ESC ]|0;title BEL` */
  | 'string'
  /** `ESC ] 0;title ESC|\` */
  | 'string-escape'

class SanitiserState implements Sanitiser {
  private readonly mode: SanitiseMode
  private state: State = 'text'
  /** The first half of a surrogate pair: the two must reach the terminal in one piece. */
  private heldBack = ''
  /** What a joiner would join: the last character that was shown, and how many marks stand on it. */
  private base = 0
  private marks = 0

  constructor(mode: SanitiseMode) {
    this.mode = mode
  }

  push(piece: string): string {
    if (this.state === 'text' && this.heldBack === '' && ONLY_PLAIN.test(piece)) {
      this.base = piece.charCodeAt(piece.length - 1)
      this.marks = 0
      return piece
    }
    const text = this.heldBack + piece
    this.heldBack = ''
    let shown = ''
    let from = 0
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (this.state !== 'text' && this.belongsToSequence(code)) {
        from = index + 1
        continue
      }
      if (isPlain(code)) {
        this.base = code
        this.marks = 0
        continue
      }
      shown += text.slice(from, index)
      const next = text.charCodeAt(index + 1)
      if (isHighSurrogate(code) && index + 1 === text.length) this.heldBack = text[index]!
      else if (isHighSurrogate(code) && isLowSurrogate(next)) {
        shown += this.character(text.codePointAt(index)!)
        index++
      } else if (isSurrogate(code)) shown += this.character(REPLACEMENT)
      else shown += isControl(code) ? this.control(code) : this.character(code)
      from = index + 1
    }
    return shown + text.slice(from)
  }

  end(): string {
    const rest = this.heldBack === '' ? '' : String.fromCodePoint(REPLACEMENT)
    this.heldBack = ''
    this.state = 'text'
    this.base = 0
    this.marks = 0
    return rest
  }

  /** A character beyond ASCII: shown, unless nobody would see it. */
  private character(code: number): string {
    const character = String.fromCodePoint(code)
    if (isInvisible(code) || (isJoiner(code) && !canJoin(this.base))) return this.hidden(code)
    if (isJoiner(code) || MARK.test(character)) {
      if (++this.marks > MAX_MARKS) return this.hidden(code)
    } else {
      this.base = code
      this.marks = 0
    }
    return character
  }

  private hidden(code: number): string {
    if (this.mode === 'visualise') return pictureOf(code)
    // They separate lines for whoever wrote them, and for a few terminals.
    return code === 0x2028 || code === 0x2029 ? '\n' : ''
  }

  /** A control character that stands in text. */
  private control(code: number): string {
    if (this.mode === 'visualise') return pictureOf(code)
    if (code === ESCAPE) this.state = 'escape'
    else if (isC1(code)) this.open(String.fromCharCode(code - C1_OFFSET))
    return ''
  }

  private open(character: string): void {
    if (character === '[') this.state = 'sequence'
    else this.state = STRING_OPENERS.includes(character) ? 'string' : 'text'
  }

  /**
   * Whether a character is part of the sequence that is being dropped. The first one that cannot be ends it and
   * is text again, so that a sequence without an end hides the rest of its line at most.
   */
  private belongsToSequence(code: number): boolean {
    const { state } = this
    this.state = 'text'
    switch (state) {
      case 'escape':
        if (isIntermediate(code)) this.state = 'escape-intermediate'
        else if (code >= 0x30 && code < DELETE) this.open(String.fromCharCode(code))
        else return false
        return true
      case 'escape-intermediate':
        if (isIntermediate(code)) this.state = state
        return isIntermediate(code) || (code >= 0x30 && code < DELETE)
      case 'sequence':
        if (code >= 0x20 && code < 0x40) this.state = state
        return code >= 0x20 && code < DELETE
      case 'string':
        if (code === ESCAPE) this.state = 'string-escape'
        else if (isControl(code)) return code === BELL || code === STRING_TERMINATOR
        else this.state = state
        return true
      case 'string-escape':
        if (code === BACKSLASH) return true
        this.state = 'escape'
        return this.belongsToSequence(code)
      case 'text':
        return false
    }
  }
}

/** A text of nothing else, as most are. */
const ONLY_PLAIN = /^[\t\n -~]+$/

/** What needs no further look: ASCII that can be seen, newlines and tabs. */
function isPlain(code: number): boolean {
  return code < DELETE && (code >= 0x20 || code === NEWLINE || code === TAB)
}

/** A mark that is drawn on the character before it. */
const MARK = /^\p{M}$/u

/**
 * Characters that reorder their line (embeddings, overrides, isolates and marks of direction), that nobody sees, or that
 * look like empty space and are letters.
 */
function isInvisible(code: number): boolean {
  if (code < 0xad) return false
  if (code < 0x2000) return INVISIBLE_LETTERS.has(code)
  if (code < 0x2070)
    return (
      code === 0x200b ||
      code === 0x200e ||
      code === 0x200f ||
      (code >= 0x2028 && code <= 0x202e) ||
      code >= 0x2060
    )
  if (code < 0x10000) return (code >= 0xfff0 && code <= 0xfffb) || INVISIBLE_LETTERS.has(code)
  // Tags, and the selectors of variants that no font has: both carry text that only a program reads.
  if (code >= 0xe0000 && code <= 0xe0fff) return true
  // What shapes hieroglyphs, shorthand and musical notes.
  return (
    (code >= 0x13430 && code <= 0x1343f) ||
    (code >= 0x1bca0 && code <= 0x1bca3) ||
    (code >= 0x1d173 && code <= 0x1d17a)
  )
}

/** Soft hyphen, grapheme joiner, Arabic letter mark, fillers, and the like. */
const INVISIBLE_LETTERS: ReadonlySet<number> = new Set([
  0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180c, 0x180d, 0x180e, 0x180f, 0x2800, 0x3164,
  0xfeff, 0xffa0,
])

/** Joiners, and selectors of variants: parts of an emoji or of a letter, and a trick between others. */
function isJoiner(code: number): boolean {
  return code === 0x200c || code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f)
}

/** Letters beyond Latin and emoji join; digits, `#` and `*` do in keycaps. */
function canJoin(base: number): boolean {
  return (
    base >= 0x300 ||
    base === 0xa9 ||
    base === 0xae ||
    (base >= 0x30 && base <= 0x39) ||
    base === 0x23 ||
    base === 0x2a
  )
}

const isIntermediate = (code: number): boolean => code >= 0x20 && code < 0x30
const isC1 = (code: number): boolean => code >= 0x80 && code <= 0x9f
const isControl = (code: number): boolean => code < 0x20 || code === DELETE || isC1(code)
const isSurrogate = (code: number): boolean => (code & 0xf800) === 0xd800

/** ESC as `␛`, C1 as the two characters it stands for, the rest by number. */
function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === DELETE) return '␡'
  if (isC1(code)) return `␛${String.fromCharCode(code - C1_OFFSET)}`
  return `⟨U+${code.toString(16).toUpperCase()}⟩`
}
