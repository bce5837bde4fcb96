/**
 * Makes text harmless for a terminal. What a model writes could otherwise move the cursor, forge a prompt,
 * fill the clipboard or hide what a call will do.
 *
 *     ESC [ 2 J                   clears the screen (CSI)
 *     ESC ] 52 ; c ; … BEL        writes to the clipboard (OSC)
 *     U+202E                      shows what follows from right to left
 *
 * Printable text, newlines and tabs stay. A sequence may be cut anywhere between chunks.
 */

import { isHighSurrogate, isLowSurrogate } from '../surrogates.ts'

/** `strip` drops control sequences whole; `visualise` hides nothing and shows each control character by its picture. */
export type SanitiseMode = 'strip' | 'visualise'

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
const REPLACEMENT = '\ufffd'

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

  constructor(mode: SanitiseMode) {
    this.mode = mode
  }

  push(piece: string): string {
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
      if (isHarmless(code)) continue
      shown += text.slice(from, index)
      if (!isSurrogate(code)) shown += this.control(code)
      else if (isHighSurrogate(code) && index + 1 === text.length) this.heldBack = text[index]!
      else if (isHighSurrogate(code) && isLowSurrogate(text.charCodeAt(index + 1))) {
        shown += text.slice(index, index + 2)
        index++
      } else shown += REPLACEMENT
      from = index + 1
    }
    return shown + text.slice(from)
  }

  end(): string {
    const rest = this.heldBack === '' ? '' : REPLACEMENT
    this.heldBack = ''
    this.state = 'text'
    return rest
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

function isHarmless(code: number): boolean {
  if (code < DELETE) return code >= 0x20 || code === NEWLINE || code === TAB
  return code > 0x9f && !isSurrogate(code) && !isBidiControl(code)
}

/** Embeddings, overrides and isolates; the plain marks U+200E and U+200F reorder nothing and stay. */
function isBidiControl(code: number): boolean {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
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
