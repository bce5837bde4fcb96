/**
 * The rest of an opening tag, read as it arrives: from the character after the name to its `>`, or to whatever else
 * ends a tag in the format.
 *
 *     <invoke name="get_weather" string=true>
 *            ^ from here                    ^ to here
 *     <|open|>call tool="get_weather"<|sep|>
 *                 ^ from here              ^ to here
 */

import { SluiceError } from '../errors.ts'
import { shown } from '../options.ts'
import { decodeEntities } from './entities.ts'

export type TagStatus = 'open' | 'done' | 'failed'

type Place =
  | 'after-tag-name'
  | 'between'
  | 'in-name'
  | 'after-name'
  | 'before-value'
  | 'in-double-quotes'
  | 'in-single-quotes'
  | 'in-unquoted'
  | 'after-unquoted-slash'
  | 'after-slash'
  | 'in-close'

export interface TagReaderOptions {
  /** Characters the rest of the tag may have, its end included. */
  readonly limit: number
  /** Decode character references in attribute values, once. Default true. */
  readonly entities?: boolean
  /** What ends the tag, in formats whose tags have other brackets. Such a tag cannot close itself. Default `>`. */
  readonly close?: string
}

export interface TagReaderState {
  readonly limit: number
  readonly entities: boolean
  readonly close: string
  readonly status: TagStatus
  readonly selfClosing: boolean
  readonly repeated: string | undefined
  readonly attributes: readonly (readonly [name: string, value: string])[]
  readonly place: string
  readonly taken: number
  readonly name: string
  readonly value: string
  readonly closed: number
}

/**
 * Reads attributes until the tag is `done` or cannot be a tag (`failed`). Each character is looked at
 * once, and where a tag fails does not depend on how the text was cut.
 *
 *     const tag = new TagReader({ limit: 1000 })
 *     tag.read(' name="get_weather">Paris', 0, 25)  // 20
 *     tag.status                                    // 'done'
 *     tag.get('name')                               // 'get_weather'
 */
export class TagReader {
  status: TagStatus = 'open'
  selfClosing = false
  /** An attribute that is there twice, if any is. */
  repeated: string | undefined
  /** In the order they were written. Of two attributes with one name the first counts. */
  readonly attributes: [name: string, value: string][] = []

  private readonly limit: number
  private readonly entities: boolean
  private readonly close: string
  private readonly known = new Set<string>()
  private place: Place = 'after-tag-name'
  private taken = 0
  private name = ''
  private value = ''
  /** How much of its end was read. */
  private closed = 0

  constructor(options: TagReaderOptions) {
    if (!(options?.limit >= 0))
      throw new SluiceError(
        'invalid-option',
        `'limit' is the number of characters a tag may have, not ${options?.limit}.`,
      )
    this.limit = options.limit
    this.entities = options.entities ?? true
    this.close = options.close ?? '>'
    if (typeof this.close !== 'string' || this.close === '')
      throw new SluiceError(
        'invalid-option',
        `'close' is the text that ends a tag, not ${shown(this.close)}.`,
      )
  }

  static restore(state: TagReaderState): TagReader {
    const { limit, entities, close } = state
    const reader = new TagReader({ limit, entities, close })
    reader.status = state.status
    reader.selfClosing = state.selfClosing
    reader.repeated = state.repeated
    for (const [name, value] of state.attributes) {
      reader.attributes.push([name, value])
      reader.known.add(name)
    }
    reader.place = state.place as Place
    reader.taken = state.taken
    reader.name = state.name
    reader.value = state.value
    reader.closed = state.closed
    return reader
  }

  save(): TagReaderState {
    return {
      limit: this.limit,
      entities: this.entities,
      close: this.close,
      status: this.status,
      selfClosing: this.selfClosing,
      repeated: this.repeated,
      attributes: this.attributes.map(([name, value]) => [name, value] as const),
      place: this.place,
      taken: this.taken,
      name: this.name,
      value: this.value,
      closed: this.closed,
    }
  }

  /** It failed because it is longer than the limit. */
  get isTooLong(): boolean {
    return this.status === 'failed' && this.taken >= this.limit
  }

  /** More than its name was read of it. */
  get hasAttributes(): boolean {
    return this.attributes.length > 0 || this.name !== ''
  }

  get(name: string): string | undefined {
    return this.known.has(name) ? this.attributes.find(([known]) => known === name)?.[1] : undefined
  }

  /**
   * Takes characters of `text` from `from` up to `to` and says where it stopped: after the last one it
   * took, or at the one that made it fail.
   */
  read(text: string, from: number, to: number): number {
    if (this.status !== 'open') return from
    const end = Math.min(to, from + this.limit - this.taken)
    let at = from
    while (at < end && this.status === 'open') {
      if (this.place === 'in-double-quotes' || this.place === 'in-single-quotes')
        at = this.readQuoted(text, at, end)
      else if (this.take(text[at]!)) at++
    }
    if (this.status === 'open' && end < to) this.status = 'failed'
    this.taken += at - from
    return at
  }

  /** Everything up to the same quote is the value; it is copied in one piece. */
  private readQuoted(text: string, from: number, end: number): number {
    const quote = this.place === 'in-double-quotes' ? '"' : "'"
    let at = from
    while (at < end && text[at] !== quote) at++
    this.value += text.slice(from, at)
    if (at === end) return at
    this.finishAttribute()
    this.place = 'between'
    return at + 1
  }

  /** Takes one character outside quotes; false when it does not belong here, and then it is not taken. */
  private take(character: string): boolean {
    switch (this.place) {
      //   <invoke| name="x">
      case 'after-tag-name':
        if (isSpace(character)) this.place = 'between'
        else if (this.isSlash(character)) this.place = 'after-slash'
        else return this.takeClose(character)
        return true

      //   <invoke |name="x"|>
      case 'between':
        if (isSpace(character)) return true
        if (this.isSlash(character)) this.place = 'after-slash'
        else if (isNameCharacter(character) && character !== this.close[0]) {
          this.name = character
          this.place = 'in-name'
        } else return this.takeClose(character)
        return true

      //   <invoke na|me="x">
      case 'in-name':
        if (isNameCharacter(character) && character !== this.close[0]) {
          this.name += character
          return true
        }
        this.place = 'after-name'
        return this.take(character)

      //   <invoke name |= "x">, or an attribute without a value
      case 'after-name':
        if (isSpace(character)) return true
        if (character === '=') {
          this.place = 'before-value'
          return true
        }
        this.finishAttribute()
        this.place = 'between'
        return this.take(character)

      //   <invoke name=|"x">
      case 'before-value':
        if (isSpace(character)) return true
        if (character === '"') this.place = 'in-double-quotes'
        else if (character === "'") this.place = 'in-single-quotes'
        else {
          this.place = 'in-unquoted'
          return this.take(character)
        }
        return true

      //   <invoke name=ge|t_weather>
      case 'in-unquoted':
        if (character === this.close[0] || isSpace(character)) {
          this.finishAttribute()
          this.place = 'between'
          return this.take(character)
        }
        if (character === '<') return this.fail()
        if (this.isSlash(character)) this.place = 'after-unquoted-slash'
        else this.value += character
        return true

      //   <invoke path=a/|b>, or the end of <invoke name=x/|>
      case 'after-unquoted-slash':
        if (character === '>') {
          this.finishAttribute()
          this.selfClosing = true
          return this.finish()
        }
        this.value += '/'
        this.place = 'in-unquoted'
        return this.take(character)

      //   <invoke name="x" /|>
      case 'after-slash':
        if (isSpace(character)) return true
        if (character !== '>') return this.fail()
        this.selfClosing = true
        return this.finish()

      //   <|open|>call tool="x"<|s|ep|>
      case 'in-close':
        return this.takeClose(character)

      default:
        return this.fail()
    }
  }

  /** Takes the next character of what ends the tag. */
  private takeClose(character: string): boolean {
    if (character !== this.close[this.closed]) return this.fail()
    this.place = 'in-close'
    return ++this.closed < this.close.length || this.finish()
  }

  /** A slash before the end closes the tag, where tags are XML's. */
  private isSlash(character: string): boolean {
    return character === '/' && this.close === '>'
  }

  private finishAttribute(): void {
    if (this.known.has(this.name)) this.repeated ??= this.name
    else {
      this.known.add(this.name)
      this.attributes.push([this.name, this.entities ? decodeEntities(this.value) : this.value])
    }
    this.name = ''
    this.value = ''
  }

  private finish(): true {
    this.status = 'done'
    return true
  }

  private fail(): false {
    this.status = 'failed'
    return false
  }
}

function isSpace(character: string): boolean {
  return (
    character === ' ' || character === '\n' || character === '\t' || character === '\r' || character === '\f'
  )
}

function isNameCharacter(character: string): boolean {
  switch (character) {
    case '=':
    case '>':
    case '/':
    case '<':
    case '"':
    case "'":
      return false
    default:
      return !isSpace(character)
  }
}
