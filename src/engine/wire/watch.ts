/**
 * Looks for markers in raw text that passes in pieces, without holding any of it back.
 *
 *     <content>Use <write_file path="a"> or|        an opener of a call: this may not be the whole content
 */

import { isBoolean, isCount, isInteger, isString, oneOf, type Shape } from '../../base/plain-state.ts'
import { CDATA_END } from '../../values/xml/cdata.ts'
import type { OwnOpener, ValueWatch, WatchedText } from '../calls/value-watch.ts'
import { BEGINS_CDATA, BEGINS_TAG, COUNTS, type Markers, NOTHING } from './markers.ts'

type Mode =
  | '' //        no text is being read, or nothing more has to be known of it
  | 'text' //    Use <wri|te_file
  | 'tag' //     <parameter na|me="a">     it counts unless it closes itself
  | 'cdata' //   <![CDATA[ Use <wri|te_file

export interface WatchState {
  mode: Mode
  /** Which of the tables of meanings applies. */
  table: number
  element: string
  isXml: boolean
  node: number
  /** How much of the element's tag was read. */
  matched: number
  /** The last characters of a tag, or of a CDATA section. */
  tail: string
  /** In reasoning or a result: how much was read since its first character that is not white space. */
  ink: number
  /** A marker stands in the open CDATA section. */
  isHidden: boolean
}

/** The state of a watch over these markers. */
export function watchShape(markers: Markers): Shape<WatchState> {
  return {
    mode: oneOf('', 'text', 'tag', 'cdata'),
    table: (value): value is number => isCount(value) && markers.table(value) !== undefined,
    element: isString,
    isXml: isBoolean,
    node: (value): value is number => isCount(value) && value < markers.literals.depth.length,
    matched: isCount,
    tail: isString,
    ink: isInteger,
    isHidden: isBoolean,
  }
}

/** Behind other text than white space. */
const INSIDE = -1

const initialState = (): WatchState => ({
  ...{ mode: '', table: 0, element: '', isXml: false, node: 0, matched: 0, tail: '' },
  ...{ ink: INSIDE, isHidden: false },
})

export class Watch implements ValueWatch {
  private readonly markers: Markers
  /** A marker was found. */
  private readonly found: (inSpeech: boolean) => void
  readonly state: WatchState
  isIdle = true

  constructor(markers: Markers, found: (inSpeech: boolean) => void, state = initialState()) {
    this.markers = markers
    this.found = found
    this.state = state
    this.settle()
  }

  begin({ opener, element = '', isXml = false }: WatchedText): void {
    this.state.mode = 'text'
    this.state.table = this.markers.tableOf(opener)
    this.state.element = element
    this.state.isXml = isXml
    this.state.node = 0
    this.state.matched = 0
    this.state.ink = opener?.isSpeech ? 0 : INSIDE
    this.state.isHidden = false
    this.settle()
  }

  /** Whether the text that this opens is the one that is being read. */
  isFor(opener: OwnOpener): boolean {
    return this.state.table === this.markers.tableOf(opener)
  }

  /** Nothing is being read any longer. */
  leave(): void {
    this.state.mode = ''
    this.state.table = 0
    this.settle()
  }

  end(): void {
    const { mode } = this.state
    this.state.mode = ''
    this.settle()
    if (mode === 'tag' || (mode === 'cdata' && (this.state.isXml || this.state.isHidden))) this.find()
  }

  /** Nothing has to be known of the next character, unless a marker may begin with it. */
  private settle(): void {
    const { mode } = this.state
    this.isIdle =
      mode === '' ||
      (mode === 'text' && this.state.node === 0 && this.state.matched === 0 && this.state.ink === INSIDE)
  }

  get starts(): readonly number[] {
    return this.markers.literals.starts
  }

  mayBeginAt(text: string, at: number): boolean {
    return this.state.element !== '' || this.markers.literals.mayBeginAt(text, at)
  }

  read(piece: string): void {
    const { length } = piece
    let at = 0
    while (at < length && this.state.mode !== '') {
      if (this.state.mode === 'text' && this.state.ink === INSIDE && this.state.element === '')
        at = this.pass(piece, at)
      else at = this.isIdle ? this.markers.literals.skip(piece, at, length) : at
      if (at < length) this.take(piece[at]!, piece.charCodeAt(at++))
      this.settle()
    }
  }

  readSection(piece: string): void {
    const { literals, cdata } = this.markers
    if (this.state.mode === '') return
    for (let at = 0; at < piece.length; at++) {
      if (this.state.node === 0) at = literals.skip(piece, at, piece.length)
      this.state.node = at < piece.length ? literals.step(this.state.node, piece.charCodeAt(at)) : 0
      if (cdata === -1 || literals.found[this.state.node] !== cdata) continue
      this.find()
      break
    }
    this.settle()
  }

  /** The usual way: to the last character of a marker that means something, or to the end. */
  private pass(piece: string, from: number): number {
    const { literals } = this.markers
    const { table, width, ascii, found } = literals
    const meanings = this.markers.table(this.state.table)
    const { length } = piece
    let { node } = this.state
    for (let at = from; at < length; at++) {
      if (node === 0) {
        at = literals.skip(piece, at, length)
        if (at === length) break
      }
      const code = piece.charCodeAt(at)
      const next = table[node * width + (code < 128 ? ascii[code]! : literals.classOf(code))]!
      const index = found[next]!
      if (index !== -1 && meanings[index] !== NOTHING) {
        this.state.node = node
        return at
      }
      node = next
    }
    this.state.node = node
    return length
  }

  private take(character: string, code: number): void {
    const { literals } = this.markers
    this.state.node = literals.step(this.state.node, code)
    if (this.state.ink !== INSIDE && (this.state.ink > 0 || character.trim() !== '')) {
      this.state.ink++
      if (literals.depth[this.state.node]! < this.state.ink) this.state.ink = INSIDE
    }
    if (this.state.mode === 'cdata') {
      this.state.tail = (this.state.tail + character).slice(-CDATA_END.length)
      if (this.state.tail === CDATA_END) this.state.mode = 'text'
    } else if (this.state.mode === 'tag') this.takeOfTag(character)
    if (this.state.element !== '') this.takeOfElement(character)
    const index = literals.found[this.state.node]!
    const meaning = index === -1 ? NOTHING : this.markers.table(this.state.table)[index]!
    if (meaning === NOTHING || this.state.mode === '') return
    if (this.state.mode === 'cdata') this.state.isHidden = true
    else if (meaning === BEGINS_CDATA) {
      this.state.mode = 'cdata'
      this.state.tail = ''
    } else if (literals.length[this.state.node] === this.state.ink) this.state.ink = 0
    else if (meaning === COUNTS) this.find()
    else if (meaning === BEGINS_TAG) this.beginTag(character)
  }

  private beginTag(character: string): void {
    this.state.mode = 'tag'
    this.state.tail = character
  }

  /** A tag ends with `>`, and closes itself with `/>`. Another before that makes it none, or one that is broken. */
  private takeOfTag(character: string): void {
    if (character === '>' && this.state.tail === '/') this.state.mode = 'text'
    else if (character === '>' || character === '<') this.find()
    this.state.tail = character
  }

  private takeOfElement(character: string): void {
    const { element, matched } = this.state
    if (matched === element.length) {
      this.state.matched = 0
      if (character !== '>' && character !== '/' && character.trim() !== '')
        this.state.matched = longestEnd(character, element)
      else if (this.state.mode === 'cdata') this.state.isHidden = true
      else if (character === '>') this.find()
      else this.beginTag(character)
    } else if (character === element[matched]) this.state.matched++
    else this.state.matched = longestEnd(element.slice(0, matched) + character, element)
  }

  private find(): void {
    this.state.mode = ''
    this.found(this.markers.isSpeech(this.state.table))
  }
}

/** How much of the end of a text is the beginning of another. */
function longestEnd(text: string, whole: string): number {
  let rest = text
  while (!whole.startsWith(rest)) rest = rest.slice(1)
  return rest.length
}
