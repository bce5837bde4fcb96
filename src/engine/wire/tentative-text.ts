/**
 * Text up to a closer that counts only before certain markers: it is not escaped, so it may hold its own closer.
 *
 *     <arg name="content">__START_CONTENT__
 *     say </arg> here
 *     __END_CONTENT__</arg></arguments>
 *
 * A closer counts only where what follows could follow it. Between markers only the end marker counts, and the closer
 * behind it; where that marker is missing, a closer that ends everything. Without markers the end of the call ends the
 * text, too. A text that nothing closes ends by itself, and its markers are removed. What is held back is never more than
 * could still become one of these.
 */

import { isCount, oneOf, type Shape, scalarsLike } from '../../base/plain-state.ts'
import { isSpace } from '../../base/whitespace.ts'
import { beginsTag, withoutSpace } from '../../values/xml/spaced-tag.ts'
import { type Literals, tableOf } from './literals.ts'

export interface TentativeSyntax {
  /** The closing tag of the element: `</arg>`, and that of the call. Empty: only the end of the text is the end. */
  readonly close: string
  readonly end: string
  /** What can follow the closer, without markers and with them. */
  readonly follows: readonly string[]
  readonly endings: readonly string[]
  readonly markers: { readonly start: string; readonly end: string } | undefined
  /** Whitespace that is held back before it is taken for content. */
  readonly limit: number
}

const PLACES = [
  'seek', //          |\n__START_CONTENT__     content, or the marker before it
  'after-start', //   __START_CONTENT__|\n     one line break belongs to the marker
  'inside', //        let a| = 1
  'break', //         let a = 1\n |</arg>      a line break that may belong to the closer
  'literal', //       </ar|g>   or  __END_CON|TENT__
  'after-close', //   </arg> |</arguments>
  'follow', //        </arg> </argu|ments>
  'after-end', //     __END_CONTENT__ |</arg>
  'end-close', //     __END_CONTENT__ </a|rg>
] as const
type Place = (typeof PLACES)[number]

export interface TentativeState {
  place: Place
  /** The content stands between markers. */
  isMarked: boolean
  /** All that is not decided. */
  held: string
  /** How much of it is whitespace before a closer, and that with the closer, once it was read. */
  leadLength: number
  closedLength: number
  /** The literal at the end of it, as far as it was read. */
  literal: string
}

function initialState(place: Place): TentativeState {
  return { place, isMarked: false, held: '', leadLength: 0, closedLength: 0, literal: '' }
}

/** No marker is found where there are none. */
const NO_MARKERS = { start: '', end: '' }

export class TentativeText {
  isClosed = false
  /** After the close: the call ended, and the element was not closed. */
  isUnclosed = false
  /** After the close: what was read of the tag that follows, and has to be read again. */
  rest = ''
  readonly state: TentativeState
  private readonly syntax: TentativeSyntax
  private readonly markers: { readonly start: string; readonly end: string }
  private out = ''

  static readonly shape: Shape<TentativeState> = {
    ...scalarsLike(initialState('seek')),
    place: oneOf(...PLACES),
    leadLength: isCount,
    closedLength: isCount,
  }

  constructor(syntax: TentativeSyntax, state?: TentativeState) {
    this.syntax = syntax
    this.markers = syntax.markers ?? NO_MARKERS
    this.state = state ?? initialState(syntax.markers === undefined ? 'inside' : 'seek')
  }

  /** Reads `text[from, to)`; the index after the last character it took. `write` gets the content. */
  read(text: string, from: number, to: number, write: (content: string) => void): number {
    let at = from
    while (at < to && !this.isClosed) {
      const end = this.stops?.skip(text, at, to) ?? at
      this.out += text.slice(at, end)
      at = end
      if (at < to) this.take(text[at++]!)
    }
    this.flush(write)
    return at
  }

  /** The characters that may be more than content, while nothing is undecided. */
  get stops(): Literals | null {
    if (this.state.place !== 'inside') return null
    const tag = this.syntax.close === '' ? [] : ['<']
    return this.state.isMarked ? tableOf(...tag, '\n', this.markers.end.charAt(0)) : tableOf(...tag)
  }

  /** The text ends here. A closer that only waits for what follows counts. */
  end(write: (content: string) => void): void {
    const { place } = this.state
    const isOver =
      place === 'after-close' || place === 'follow' || place === 'after-end' || place === 'end-close'
    if (!isOver) this.out += this.state.held
    else if (!this.state.isMarked) this.out += this.state.held.slice(0, this.state.leadLength)
    this.state.held = ''
    this.flush(write)
  }

  private flush(write: (content: string) => void): void {
    const { out } = this
    this.out = ''
    if (out !== '') write(out)
  }

  private take(character: string): void {
    let reread = this.step(character)
    for (let at = 0; at < reread.length; at++) {
      if (this.isClosed) {
        this.rest += reread.slice(at)
        return
      }
      const more = this.step(reread[at]!)
      if (more === '') continue
      reread = more + reread.slice(at + 1)
      at = -1
    }
  }

  /** Takes one character; what comes back has to be taken again, because it is not what it began to be. */
  private step(character: string): string {
    switch (this.state.place) {
      case 'seek':
        return this.seek(character)
      case 'after-start':
        return this.skipLineBreak(character)
      case 'inside':
        return this.begin(character)
      case 'break':
        if (isSpace(character) && this.state.held.length < this.syntax.limit) return this.hold(character)
        if (character !== '<') return this.release(this.state.held.length, character)
        this.state.leadLength = this.state.held.length
        this.state.literal = character
        this.state.place = 'literal'
        return this.hold(character)
      case 'literal':
        return this.readLiteral(character)
      case 'after-close':
        return this.skipTo('follow', character, this.state.closedLength)
      case 'follow':
        return this.readFollow(character)
      case 'after-end':
        return this.skipTo('end-close', character, this.markers.end.length)
      case 'end-close':
        return this.readEndClose(character)
    }
  }

  private hold(character: string): string {
    this.state.held += character
    return ''
  }

  private seek(character: string): string {
    const { start } = this.markers
    if (this.state.literal === '' && isSpace(character) && this.state.held.length < this.syntax.limit)
      return this.hold(character)
    if (start.startsWith(this.state.literal + character)) {
      this.state.literal += character
      this.state.held += character
      if (this.state.literal !== start) return ''
      this.reset()
      this.state.isMarked = true
      this.state.place = 'after-start'
      return ''
    }
    const reread = this.state.held + character
    this.reset()
    return reread
  }

  private skipLineBreak(character: string): string {
    if (character === '\r' && this.state.held === '') return this.hold(character)
    if (character !== '\n') return this.release(0, character)
    this.reset()
    return ''
  }

  private reset(): void {
    this.state.held = ''
    this.state.literal = ''
    this.state.leadLength = 0
    this.state.place = 'inside'
  }

  private begin(character: string): string {
    const hasCloser = this.syntax.close !== ''
    if ((character === '<' && hasCloser) || (this.state.isMarked && this.markers.end.startsWith(character))) {
      this.state.literal = character
      this.state.place = 'literal'
      return this.state.isMarked && this.markers.end === character
        ? this.gotEnd(character)
        : this.hold(character)
    }
    if (this.state.isMarked && hasCloser && character === '\n') {
      this.state.place = 'break'
      return this.hold(character)
    }
    this.out += character
    return ''
  }

  /** So many of the held characters are content after all; the rest is read again. */
  private release(count: number, character: string): string {
    const { held } = this.state
    this.reset()
    this.out += held.slice(0, count)
    return held.slice(count) + character
  }

  private readLiteral(character: string): string {
    const { markers } = this
    const { close, end } = this.syntax
    const next = this.state.literal + character
    const tag = withoutSpace(next.toLowerCase())
    const isClose = beginsTag(tag, close)
    const isEnd = this.state.isMarked ? markers.end.startsWith(next) : beginsTag(tag, end)
    if (!isClose && !isEnd) return this.release(this.state.leadLength + 1, character)
    this.state.literal = next
    if (this.state.isMarked && next === markers.end) return this.gotEnd(character)
    if (!this.state.isMarked && tag === end) {
      this.rest = next
      this.isUnclosed = true
      this.isClosed = true
      return ''
    }
    this.hold(character)
    if (tag === close) {
      this.state.place = 'after-close'
      this.state.closedLength = this.state.held.length
    }
    return ''
  }

  private gotEnd(character: string): string {
    this.state.held += character
    // A line break before the marker is content.
    this.out += this.state.held.slice(0, this.state.leadLength)
    this.state.held = this.state.held.slice(this.state.leadLength)
    this.state.leadLength = 0
    this.state.place = 'after-end'
    return ''
  }

  private skipTo(place: Place, character: string, content: number): string {
    if (isSpace(character) && this.state.held.length < this.syntax.limit) return this.hold(character)
    if (character !== '<') return this.release(content, character)
    this.state.place = place
    this.state.literal = ''
    return this.step(character)
  }

  private readFollow(character: string): string {
    const { follows, endings } = this.syntax
    const next = withoutSpace((this.state.literal + character).toLowerCase())
    const possible = (this.state.isMarked ? endings : follows).filter((follow) => beginsTag(next, follow))
    if (possible.length === 0) return this.release(this.state.closedLength, character)
    this.state.literal += character
    this.state.held += character
    if (!possible.includes(next)) return ''
    this.rest = this.state.literal
    this.isClosed = true
    return ''
  }

  private readEndClose(character: string): string {
    const { close } = this.syntax
    const next = withoutSpace((this.state.literal + character).toLowerCase())
    if (!beginsTag(next, close)) return this.release(this.markers.end.length, character)
    this.state.literal += character
    this.state.held += character
    if (next === close) this.isClosed = true
    return ''
  }
}
