/**
 * What follows the root value: nothing but whitespace in strict reading; closing fences, comments, closers
 * that are too many and chatter in tolerant reading.
 *
 *     {"a":1}}          extra-close
 *     {"a":1} done      trailing-content
 */

import { isSpace } from '../../base/whitespace.ts'
import type { JsonErrorCode, JsonRepairCode } from './handler.ts'
import { isUnicodeSpace } from './scan/tolerance.ts'

export interface EpilogueListener {
  repair(code: JsonRepairCode, repairClass: 'lossless' | 'guess', offset: number): void
  error(code: JsonErrorCode, offset: number): void
}

type Place = 'between' | 'ticks' | 'slash' | 'line-comment' | 'block-comment' | 'block-star' | 'over'

export class Epilogue {
  private place: Place = 'between'
  private readonly tolerant: boolean
  /** A fence was opened before the value, so that its closer is no repair of its own. */
  private readonly fenced: boolean
  /** Absolute offset of the ticks or the slash that are not decided yet. */
  private at = 0
  private ticks = 0
  private closedTooOften = false
  private unicodeSpaceAt = -2

  constructor(tolerant: boolean, fenced: boolean) {
    this.tolerant = tolerant
    this.fenced = fenced
  }

  /** Reads `text` from `from`; `base` is the absolute offset of its index 0. */
  read(text: string, from: number, base: number, listener: EpilogueListener): void {
    for (let i = from; i < text.length && this.place !== 'over'; i++) this.take(text[i]!, base + i, listener)
  }

  end(listener: EpilogueListener): void {
    if (this.place === 'slash' || (this.place === 'ticks' && this.ticks < 3)) this.refuse(this.at, listener)
  }

  private take(character: string, at: number, listener: EpilogueListener): void {
    switch (this.place) {
      case 'between':
        this.takeBetween(character, at, listener)
        break
      case 'ticks':
        if (character === '`') {
          if (++this.ticks === 3 && !this.fenced) listener.repair('fence', 'lossless', this.at)
        } else if (this.ticks < 3) {
          this.refuse(this.at, listener)
        } else {
          this.place = 'between'
          this.takeBetween(character, at, listener)
        }
        break
      case 'slash':
        if (character === '/' || character === '*') this.comment(character === '/', listener)
        else this.refuse(this.at, listener)
        break
      case 'line-comment':
        if (character === '\n' || character === '\r') this.place = 'between'
        break
      case 'block-star':
        this.place = character === '/' ? 'between' : character === '*' ? 'block-star' : 'block-comment'
        break
      case 'block-comment':
        if (character === '*') this.place = 'block-star'
        break
      case 'over':
        break
    }
  }

  private takeBetween(character: string, at: number, listener: EpilogueListener): void {
    if (isSpace(character)) return
    if (!this.tolerant) {
      this.refuse(at, listener)
      return
    }
    this.at = at
    switch (character) {
      case '}':
      case ']':
        if (!this.closedTooOften) listener.repair('extra-close', 'lossless', at)
        this.closedTooOften = true
        break
      case '`':
        this.place = 'ticks'
        this.ticks = 1
        break
      case '/':
        this.place = 'slash'
        break
      case '#':
        this.comment(true, listener)
        break
      default:
        if (!isUnicodeSpace(character.charCodeAt(0))) {
          this.refuse(at, listener)
        } else {
          if (at !== this.unicodeSpaceAt + 1) listener.repair('whitespace', 'lossless', at)
          this.unicodeSpaceAt = at
        }
    }
  }

  private comment(toEndOfLine: boolean, listener: EpilogueListener): void {
    this.place = toEndOfLine ? 'line-comment' : 'block-comment'
    listener.repair('comment', 'lossless', this.at)
  }

  private refuse(at: number, listener: EpilogueListener): void {
    this.place = 'over'
    if (this.tolerant) listener.repair('trailing-content', 'guess', at)
    else listener.error('trailing-content', at)
  }
}
