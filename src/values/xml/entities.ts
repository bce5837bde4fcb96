/**
 * Character references such as `&lt;` and `&#x1F600;`, decoded exactly once.
 *
 * Only what XML itself defines is a reference: five names and code points. Everything else that starts
 * with `&` (`&nbsp;`, `a && b`, `?x=1&y=2`) is text and stays as it is written.
 */

import { checkText } from '../../base/errors.ts'

const NAMED: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
])

const NAMES: readonly string[] = [...NAMED.keys()]
const NAMED_PREFIXES: ReadonlySet<string> = new Set(
  NAMES.flatMap((name) => Array.from(name, (_, index) => name.slice(0, index + 1))),
)

/** Enough for U+10FFFF with a leading zero or two; a longer run of digits is not a reference but text. */
const MAX_DIGITS = 8

/** Decodes every reference in a complete text. What a reference decodes to is never decoded again. */
export function decodeEntities(text: string): string {
  checkText(text, 'Entities are decoded in')
  if (!text.includes('&')) return text
  const decoder = new EntityDecoder()
  return decoder.push(text) + decoder.end()
}

/** The state of an `EntityDecoder` as plain data. */
export interface EntityDecoderState {
  readonly held: string
}

/**
 * Decodes references in text that arrives in pieces. It holds back only what could still become a
 * reference, a dozen characters at most.
 *
 *     decoder.push('a &l')  // 'a '
 *     decoder.push('t; b')  // '< b'
 */
export class EntityDecoder {
  /** The undecided tail: empty, or a text from `&` on that some reference starts with. */
  private held = ''

  static restore(state: EntityDecoderState): EntityDecoder {
    const decoder = new EntityDecoder()
    decoder.held = state.held
    return decoder
  }

  /** Part of what may be a reference is held back. */
  get isUndecided(): boolean {
    return this.held !== ''
  }

  save(): EntityDecoderState {
    return { held: this.held }
  }

  push(piece: string): string {
    checkText(piece, 'Entities are decoded in')
    let decoded = ''
    let at = 0
    while (at < piece.length) {
      if (this.held === '') {
        const ampersand = piece.indexOf('&', at)
        if (ampersand === -1) return decoded + piece.slice(at)
        decoded += piece.slice(at, ampersand)
        const name = nameAt(piece, ampersand)
        decoded += NAMED.get(name) ?? ''
        this.held = name === '' ? '&' : ''
        at = ampersand + Math.max(1, name.length)
        continue
      }
      const candidate = this.held + piece[at]
      const character = referenced(candidate)
      if (character !== undefined) {
        decoded += character
        this.held = ''
        at++
      } else if (couldBecomeReference(candidate)) {
        this.held = candidate
        at++
      } else {
        // The character that ruled it out may itself be the `&` of the next one: look at it again.
        decoded += this.held
        this.held = ''
      }
    }
    return decoded
  }

  /** What is left when the text is over: an unfinished reference is text. */
  end(): string {
    const rest = this.held
    this.held = ''
    return rest
  }
}

/** The reference by name that stands whole at an index, as most do; empty if there is none. */
function nameAt(text: string, at: number): string {
  for (const name of NAMES) if (text.startsWith(name, at)) return name
  return ''
}

/** The character a complete reference stands for. */
function referenced(text: string): string | undefined {
  if (!text.endsWith(';')) return undefined
  if (text[1] !== '#') return NAMED.get(text)
  const point = codePoint(text.slice(0, -1))
  if (point === undefined || point === 0 || (point >= 0xd800 && point <= 0xdfff)) return undefined
  return String.fromCodePoint(point)
}

function couldBecomeReference(text: string): boolean {
  if (text[1] !== '#') return NAMED_PREFIXES.has(text)
  return text === '&#' || text === '&#x' || text === '&#X' || codePoint(text) !== undefined
}

/** The number in `&#65` or `&#x41`, while it is one and not beyond Unicode. */
function codePoint(text: string): number | undefined {
  const isHex = text[2] === 'x' || text[2] === 'X'
  const digits = text.slice(isHex ? 3 : 2)
  if (digits === '' || digits.length > MAX_DIGITS) return undefined
  for (const digit of digits) if (!isDigit(digit, isHex)) return undefined
  const point = Number.parseInt(digits, isHex ? 16 : 10)
  return point <= 0x10ffff ? point : undefined
}

function isDigit(character: string, isHex: boolean): boolean {
  if (character >= '0' && character <= '9') return true
  return isHex && ((character >= 'a' && character <= 'f') || (character >= 'A' && character <= 'F'))
}

/** Text that reads back as itself between two tags. */
export function escapeText(text: string): string {
  checkText(text, 'Entities are written for')
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Text that reads back as itself inside an attribute, in either kind of quotes. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;').replaceAll("'", '&apos;')
}
