/**
 * Looks for markers in raw text that passes in pieces, without holding any of it back.
 *
 *     <content>Use <write_file path="a"> or|        an opener of a call: this may not be the whole content
 */

import type { OwnOpener, ValueWatch, WatchedText } from '../calls/value-watch.ts'
import { CDATA_END } from '../xml/tree.ts'
import { BEGINS_CDATA, BEGINS_TAG, COUNTS, type Markers, NOTHING } from './markers.ts'

type Mode =
  | '' //        no text is being read, or nothing more has to be known of it
  | 'text' //    Use <wri|te_file
  | 'tag' //     <parameter na|me="a">     it counts unless it closes itself
  | 'cdata' //   <![CDATA[ Use <wri|te_file

export interface WatchState {
  readonly mode: Mode
  readonly table: number
  readonly element: string
  readonly isXml: boolean
  readonly node: number
  readonly matched: number
  readonly tail: string
  readonly ink: number
  readonly isHidden: boolean
}

/** Behind other text than white space. */
const INSIDE = -1

export class Watch implements ValueWatch {
  private readonly markers: Markers
  /** A marker was found. */
  private readonly found: (inSpeech: boolean) => void
  isIdle = true
  private mode: Mode = ''
  private table = 0
  private element = ''
  private isXml = false
  private node = 0
  /** How much of the element's tag was read. */
  private matched = 0
  /** The last characters of a tag, or of a CDATA section. */
  private tail = ''
  /** In reasoning or a result: how much was read since its first character that is not white space. */
  private ink = INSIDE
  /** A marker stands in the open CDATA section. */
  private isHidden = false

  constructor(markers: Markers, found: (inSpeech: boolean) => void) {
    this.markers = markers
    this.found = found
  }

  begin({ opener, element = '', isXml = false }: WatchedText): void {
    this.mode = 'text'
    this.table = this.markers.tableOf(opener)
    this.element = element
    this.isXml = isXml
    this.node = 0
    this.matched = 0
    this.ink = opener?.isSpeech ? 0 : INSIDE
    this.isHidden = false
    this.settle()
  }

  /** Whether the text that this opens is the one that is being read. */
  isFor(opener: OwnOpener): boolean {
    return this.table === this.markers.tableOf(opener)
  }

  /** Nothing is being read any longer. */
  leave(): void {
    this.mode = ''
    this.table = 0
    this.settle()
  }

  end(): void {
    const { mode } = this
    this.mode = ''
    this.settle()
    if (mode === 'tag' || (mode === 'cdata' && (this.isXml || this.isHidden))) this.find()
  }

  /** Nothing has to be known of the next character, unless a marker may begin with it. */
  private settle(): void {
    const { mode } = this
    this.isIdle =
      mode === '' || (mode === 'text' && this.node === 0 && this.matched === 0 && this.ink === INSIDE)
  }

  get starts(): readonly number[] {
    return this.markers.literals.starts
  }

  read(piece: string): void {
    const { length } = piece
    let at = 0
    while (at < length && this.mode !== '') {
      if (this.mode === 'text' && this.ink === INSIDE && this.element === '') at = this.pass(piece, at)
      else at = this.isIdle ? this.markers.literals.skip(piece, at, length) : at
      if (at < length) this.take(piece[at]!, piece.charCodeAt(at++))
      this.settle()
    }
  }

  /** The usual way: to the last character of a marker that means something, or to the end. */
  private pass(piece: string, from: number): number {
    const { literals } = this.markers
    const { table, width, ascii, found } = literals
    const meanings = this.markers.table(this.table)
    const { length } = piece
    let { node } = this
    for (let at = from; at < length; at++) {
      if (node === 0) {
        at = literals.skip(piece, at, length)
        if (at === length) break
      }
      const code = piece.charCodeAt(at)
      const next = table[node * width + (code < 128 ? ascii[code]! : literals.classOf(code))]!
      const index = found[next]!
      if (index !== -1 && meanings[index] !== NOTHING) {
        this.node = node
        return at
      }
      node = next
    }
    this.node = node
    return length
  }

  private take(character: string, code: number): void {
    const { literals, spellings } = this.markers
    this.node = literals.step(this.node, code)
    if (this.ink !== INSIDE && (this.ink > 0 || character.trim() !== '')) {
      this.ink++
      if (literals.depth[this.node]! < this.ink) this.ink = INSIDE
    }
    if (this.mode === 'cdata') {
      this.tail = (this.tail + character).slice(-CDATA_END.length)
      if (this.tail === CDATA_END) this.mode = 'text'
    } else if (this.mode === 'tag') this.takeOfTag(character)
    if (this.element !== '') this.takeOfElement(character)
    const index = literals.found[this.node]!
    const meaning = index === -1 ? NOTHING : this.markers.table(this.table)[index]!
    if (meaning === NOTHING || this.mode === '') return
    if (this.mode === 'cdata') this.isHidden = true
    else if (meaning === BEGINS_CDATA) {
      this.mode = 'cdata'
      this.tail = ''
    } else if (spellings[index]!.length === this.ink) this.ink = 0
    else if (meaning === COUNTS) this.find()
    else if (meaning === BEGINS_TAG) this.beginTag(character)
  }

  private beginTag(character: string): void {
    this.mode = 'tag'
    this.tail = character
  }

  /** A tag ends with `>`, and closes itself with `/>`. Another before that makes it none, or one that is broken. */
  private takeOfTag(character: string): void {
    if (character === '>' && this.tail === '/') this.mode = 'text'
    else if (character === '>' || character === '<') this.find()
    this.tail = character
  }

  private takeOfElement(character: string): void {
    const { element, matched } = this
    if (matched === element.length) {
      this.matched = 0
      if (character !== '>' && character !== '/' && character.trim() !== '')
        this.matched = longestEnd(character, element)
      else if (this.mode === 'cdata') this.isHidden = true
      else if (character === '>') this.find()
      else this.beginTag(character)
    } else if (character === element[matched]) this.matched++
    else this.matched = longestEnd(element.slice(0, matched) + character, element)
  }

  private find(): void {
    this.mode = ''
    this.found(this.markers.isSpeech(this.table))
  }

  save(): WatchState {
    const { mode, table, element, isXml, node, matched, tail, ink, isHidden } = this
    return { mode, table, element, isXml, node, matched, tail, ink, isHidden }
  }

  restore(saved: WatchState): void {
    Object.assign(this, saved)
    this.settle()
  }
}

/** How much of the end of a text is the beginning of another. */
function longestEnd(text: string, whole: string): number {
  let rest = text
  while (!whole.startsWith(rest)) rest = rest.slice(1)
  return rest.length
}
