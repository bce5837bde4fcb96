/**
 * JSON values whose numbers are written as they came.
 *
 * A JavaScript number keeps neither the form of `1.0` nor all digits of `9007199254740993`. For an object or a list from
 * `parseWritten` the text of such numbers is kept beside the value, and `writeJson` writes that text:
 *
 *     writeJson(parseWritten('{"id":9007199254740993,"sum":1.0}'))   // '{"id":9007199254740993,"sum":1.0}'
 *
 * The value itself is an ordinary one. A copy of it has only its numbers.
 */

import { isZero } from './exact.ts'

type Container = Record<string | number, unknown>

/** For each object or list, the text of those of its numbers that do not say how they were written. */
const lexemes = new WeakMap<object, Map<string, string>>()

/** A number that JSON could hold and that a JavaScript number may not say. White space or punctuation is around it. */
const MAY_DIFFER = /[:,[\s]-?(?:\d[\d.]{15}|\d+(?:\.\d+)?[eE]|\d+\.\d*0[,\]}\s]|0\.0{6})/

/** `JSON.parse`, keeping how numbers are written. Throws what it throws. */
export function parseWritten(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'object' && value !== null && MAY_DIFFER.test(text)) keepNumbers(text, value)
  return value
}

/**
 * Whether a number alone says what was written: `1.0` is 1, which says less, and an integer beyond 2^53 may have been
 * another one. A zero has no sign in events.
 */
export function saysAll(lexeme: string, value: number): boolean {
  if (Object.is(value, -0)) return isZero(lexeme)
  return String(value) === lexeme && (Number.isSafeInteger(value) || !Number.isInteger(value))
}

/** Whether JSON has a number that its value alone does not say. The text must be JSON. */
export function hasWrittenNumbers(text: string): boolean {
  if (!MAY_DIFFER.test(text)) return false
  const tokens = new Tokens(text)
  for (let token = tokens.next(); token !== ''; token = tokens.next())
    if (isNumber(token) && !saysAll(token, Number(token))) return true
  return false
}

/** How a number in an object or a list was written; undefined where its value says it. */
export function writtenNumber(container: object, key: string | number): string | undefined {
  const lexeme = lexemes.get(container)?.get(String(key))
  return Number(lexeme) === (container as Container)[key] ? lexeme : undefined
}

/** A copy of an object or a list, with how its numbers were written. Where the copy has another value, that counts. */
export function withNumbersOf<Copy extends object>(original: object, copy: Copy): Copy {
  const known = lexemes.get(original)
  if (known !== undefined) lexemes.set(copy, new Map(known))
  return copy
}

/** Keeps how a number in an object or a list was written, where its value does not say it. */
export function keepNumber(container: object, key: string | number, lexeme: string): void {
  const known = lexemes.get(container)
  // Of two members with one key the last counts.
  if (saysAll(lexeme, Number(lexeme))) known?.delete(String(key))
  else lexemes.set(container, (known ?? new Map<string, string>()).set(String(key), lexeme))
}

/** The tokens of a JSON text: brackets, commas, strings, and words. */
class Tokens {
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  /** Empty at the end. A string is only its first quote, because nobody asks for more. */
  next(): string {
    const { text } = this
    while (isBetween(text.charCodeAt(this.at))) this.at++
    const start = this.at
    const first = text[start]
    if (first === undefined) return ''
    if (first === '"') {
      this.skipString()
      return first
    }
    this.at++
    if ('{}[],'.includes(first)) return first
    while (this.at < text.length && !ENDS.includes(text[this.at]!)) this.at++
    return text.slice(start, this.at)
  }

  /** The string that begins here, decoded: a key. */
  string(): string {
    const start = this.at
    this.skipString()
    return JSON.parse(this.text.slice(start, this.at)) as string
  }

  /** Whether the next token is the end of an object. */
  get endsObject(): boolean {
    while (isBetween(this.text.charCodeAt(this.at))) this.at++
    return this.text[this.at] === '}'
  }

  private skipString(): void {
    const { text } = this
    for (let from = this.at + 1; ; ) {
      const quote = text.indexOf('"', from)
      if (quote === -1) {
        this.at = text.length
        return
      }
      let escapes = quote
      while (text[escapes - 1] === '\\') escapes--
      this.at = from = quote + 1
      if ((quote - escapes) % 2 === 0) return
    }
  }
}

const ENDS = '{}[],:" \t\n\r'

/** White space, and the colon behind a key. */
function isBetween(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 58
}

function isNumber(token: string): boolean {
  const first = token.charCodeAt(0)
  return first === 45 || (first >= 48 && first <= 57)
}

/** Walks the text and its value side by side. No recursion: values can be deep. */
function keepNumbers(text: string, root: object): void {
  const tokens = new Tokens(text)
  /** Null: of two members with one key the value has the last, and this is none that it has. */
  const open: { readonly container: Container | null; key: string | number }[] = []
  let top: (typeof open)[number] | undefined
  for (let token = tokens.next(); token !== ''; token = tokens.next()) {
    if (token === '{' || token === '[') {
      const value = top === undefined ? root : top.container?.[top.key]
      top = {
        container: typeof value === 'object' ? (value as Container | null) : null,
        key: token === '[' ? 0 : '',
      }
      open.push(top)
    } else if (token === '}' || token === ']') {
      open.pop()
      top = open.at(-1)
    } else if (token === ',') {
      if (typeof top!.key === 'number') top!.key++
    } else if (isNumber(token) && top?.container) keepNumber(top.container, top.key, token)
    if (typeof top?.key === 'string' && (token === '{' || token === ',') && !tokens.endsObject)
      top.key = tokens.string()
  }
}

/** `JSON.stringify`, with numbers as they were written. `writeNumber`: what stands in the place of such a number. */
export function writeJson(value: unknown, writeNumber?: (lexeme: string) => number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (writeNumber !== undefined) return stringifyWith(value, writeNumber)
  const found: string[] = []
  const first = stringifyWith(value, (lexeme) => {
    found.push(lexeme)
    return Number(lexeme)
  })
  if (found.length === 0) return first
  // A string that nothing else in the text is, in place of each number.
  let mark = 0
  while (first.includes(`"number ${mark}:`)) mark++
  let count = 0
  const marked = stringifyWith(value, () => `number ${mark}:${count++}`)
  return marked.replace(new RegExp(`"number ${mark}:(\\d+)"`, 'g'), (_, number) => found[Number(number)]!)
}

function stringifyWith(value: object, writeNumber: (lexeme: string) => unknown): string {
  return JSON.stringify(value, function (this: object, key: string, inner: unknown) {
    const lexeme = typeof inner === 'number' ? writtenNumber(this, key) : undefined
    return lexeme === undefined ? inner : writeNumber(lexeme)
  })
}
