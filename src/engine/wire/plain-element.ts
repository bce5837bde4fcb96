/**
 * An element that is no call: all of it is text up to its closing tag, so that nothing inside it is a call.
 *
 *     <write_file pth="a"><run_bash>ls</run_bash></write_file>|
 *
 * Elements of the same name inside it are counted, and in a CDATA section no tag counts. A broken tag is one all the
 * same, if it ends before another begins; otherwise what follows is read like any other text.
 *
 *     <write_file =a>     the <write_file tool and |<run_bash>
 */

import { isCount, nullable, oneOf, recordOf, scalarsLike } from '../../base/plain-state.ts'
import { isSpace } from '../../base/whitespace.ts'
import { CDATA, CDATA_END } from '../../values/xml/cdata.ts'
import { openTag, readTag, TAG, type TagState } from '../../values/xml/opening-tag.ts'
import type { Call } from '../calls/call.ts'
import type { Reader, ReaderSettings, ReaderType } from './reader.ts'

const PLACES = [
  'name', //     <wri|te_file pth="a">
  'tag', //      <write_file p|th="a">
  'broken', //   <write_file =|a>
  'inside', //   <write_file pth="a">l|s
  'marker', //   <write_file pth="a">ls</wri|te_file>
  'cdata', //    <write_file pth="a"><![CDATA[l|s
] as const

interface PlainElementState {
  place: (typeof PLACES)[number]
  name: string
  /** An opening tag of that name, while it is read. */
  tag: TagState | null
  /** How many elements of that name are open. */
  depth: number
  /** What may become a tag of that name, or a CDATA section; in such a section its last characters. */
  marker: string
}

const initialState = (): PlainElementState => ({
  place: 'name',
  name: '',
  tag: null,
  depth: 0,
  marker: '',
})

class PlainElementReader implements Reader<PlainElementState> {
  status: Reader['status'] = 'open'
  readonly state: PlainElementState
  private readonly limit: number

  constructor(state: PlainElementState, { limits }: ReaderSettings) {
    this.state = state
    this.limit = limits.tag
  }

  read(text: string, from: number, to: number, call: Call): number {
    const { state } = this
    const inCase = call.style.ignoreCase ? (tag: string) => tag.toLowerCase() : (tag: string) => tag
    let at = from
    while (at < to && this.status === 'open') {
      if (state.tag !== null) at = this.readTag(state.tag, text, at, to)
      else if (state.place === 'inside') {
        const found = text.indexOf('<', at)
        at = found === -1 || found >= to ? to : found + 1
        if (found === at - 1) this.goTo('marker', '<')
      } else if (this.takes(text[at]!, inCase)) at++
    }
    return at
  }

  private readTag(tag: TagState, text: string, from: number, to: number): number {
    const at = readTag(tag, text, from, to)
    if (tag.status === 'open') return at
    this.state.tag = null
    if (tag.status === 'failed') this.goTo('broken')
    else this.endTag(tag.selfClosing ? 0 : 1)
    return at
  }

  /** A tag is over, and so many more elements are open. */
  private endTag(more: -1 | 0 | 1): void {
    this.state.depth += more
    if (this.state.depth === 0) this.status = 'done'
    this.goTo('inside')
  }

  private goTo(place: PlainElementState['place'], marker = ''): void {
    this.state.place = place
    this.state.marker = marker
  }

  /** Takes a character; false where it has to be looked at again. */
  private takes(character: string, inCase: (tag: string) => string): boolean {
    const { state } = this
    const endsName = character === '>' || character === '/' || isSpace(character)
    if (state.place === 'name') {
      if (endsName && state.name !== '') return this.beginTag()
      if (character !== '<' && !endsName) state.name += inCase(character)
      return true
    }
    if (state.place === 'cdata') {
      const tail = (state.marker + character).slice(-CDATA_END.length)
      if (tail === CDATA_END) this.goTo('inside')
      else state.marker = tail
      return true
    }
    if (state.place === 'broken') {
      if (character === '>' || character === '<') this.endTag(character === '>' ? 1 : 0)
      return character !== '<'
    }
    return this.takesOfMarker(character, endsName, inCase)
  }

  private takesOfMarker(character: string, endsName: boolean, inCase: (tag: string) => string): boolean {
    const { state } = this
    const opener = `<${state.name}`
    const closer = `</${state.name}`
    const before = inCase(state.marker)
    if (before === opener && endsName) return this.beginTag()
    if (before === closer && endsName && character !== '/') {
      if (character === '>') this.endTag(-1)
      return true
    }
    state.marker += character
    const marker = inCase(state.marker)
    if (state.marker === CDATA) this.goTo('cdata')
    else if (!CDATA.startsWith(state.marker) && !opener.startsWith(marker) && !closer.startsWith(marker)) {
      this.goTo('inside')
      return false
    }
    return true
  }

  private beginTag(): false {
    this.state.tag = openTag({ limit: this.limit })
    this.goTo('tag')
    return false
  }

  end(): void {
    this.status = 'done'
  }
}

export const plainElement: ReaderType<PlainElementState> = {
  name: 'element',
  first: '<',
  visible: true,
  namesCall: false,
  shape: {
    ...scalarsLike(initialState()),
    place: oneOf(...PLACES),
    tag: nullable(recordOf(TAG)),
    depth: isCount,
  },
  create: (settings, state = initialState()) => new PlainElementReader(state, settings),
  render: () => '',
}
