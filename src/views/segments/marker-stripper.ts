/**
 * Takes the markers around a content away: where it begins with one, that goes with the line break behind it, and
 * so does the one at its end. A content without a marker at its beginning stays as it is.
 *
 *     __START_CONTENT__\nlet a = 1\n__END_CONTENT__      let a = 1\n
 */

import { FIXED_LIMITS } from '../../limits.ts'
import { Rope } from '../../rope.ts'

export class MarkerStripper {
  private readonly start: string
  private readonly stop: string
  private place: 'seek' | 'after-start' | 'marked' | 'plain' = 'seek'
  private held = ''
  private readonly emitted = new Rope()

  constructor(markers: { readonly start: string; readonly end: string }) {
    this.start = markers.start
    this.stop = markers.end
  }

  /** All that was given out. */
  get content(): string {
    return this.emitted.toString()
  }

  push(piece: string): string {
    const text = this.held + piece
    this.held = ''
    return this.emit(this.read(text))
  }

  end(): string {
    const { held } = this
    this.held = ''
    const isMarker = this.place === 'marked' && held.trimEnd() === this.stop
    this.place = 'plain'
    return this.emit(isMarker ? '' : held)
  }

  private emit(text: string): string {
    this.emitted.add(text)
    return text
  }

  private read(text: string): string {
    if (this.place === 'plain') return text
    if (this.place === 'seek') {
      const inside = text.trimStart()
      const space = text.length - inside.length
      if (
        space <= FIXED_LIMITS.markerSpace &&
        inside.length < this.start.length &&
        this.start.startsWith(inside)
      )
        return this.hold(text, '')
      if (space > FIXED_LIMITS.markerSpace || !inside.startsWith(this.start)) {
        this.place = 'plain'
        return text
      }
      this.place = 'after-start'
      return this.read(inside.slice(this.start.length))
    }
    if (this.place === 'after-start') {
      if (text === '' || text === '\r') return this.hold(text, '')
      this.place = 'marked'
      return this.read(text.replace(/^\r?\n/, ''))
    }
    return this.readMarked(text)
  }

  /** The last marker, and only whitespace behind it, may be the end. */
  private readMarked(text: string): string {
    const marker = text.lastIndexOf(this.stop)
    const isEnd = marker !== -1 && text.length - marker - this.stop.length <= FIXED_LIMITS.markerSpace
    if (isEnd && text.slice(marker + this.stop.length).trim() === '')
      return this.hold(text.slice(marker), text.slice(0, marker))
    for (let length = Math.min(this.stop.length - 1, text.length); length > 0; length--)
      if (this.stop.startsWith(text.slice(-length)))
        return this.hold(text.slice(-length), text.slice(0, -length))
    return text
  }

  private hold(held: string, rest: string): string {
    this.held = held
    return rest
  }
}
