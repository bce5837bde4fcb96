/**
 * The markers that raw text must not hold: those that open and close calls, and those that open what is being read.
 * One automaton finds them for a whole program; which of them count depends on the text.
 */

import type { MarkerSearch } from '../../values/json/scan/scan.ts'
import { CDATA } from '../../values/xml/cdata.ts'
import type { OwnOpener } from '../calls/value-watch.ts'
import { type LiteralOptions, Literals } from './literals.ts'

/** What a marker means in a text. */
export const NOTHING = 0
export const COUNTS = 1
/** The beginning of a tag: it counts unless the tag closes itself. */
export const BEGINS_TAG = 2
export const BEGINS_CDATA = 3

export class Markers implements MarkerSearch {
  readonly literals: Literals
  /** The index of what begins a CDATA section, or -1. */
  readonly cdata: number
  /** What each marker means, for every kind of text. */
  private readonly tables: readonly Uint8Array[]
  private readonly owns: readonly OwnOpener[]

  constructor(
    calls: Iterable<string>,
    owns: readonly OwnOpener[],
    options: Omit<LiteralOptions, 'anchored'>,
  ) {
    const indexOf = new Map<string, number>()
    const add = (spelling: string) => {
      if (!indexOf.has(spelling)) indexOf.set(spelling, indexOf.size)
    }
    for (const marker of calls) add(marker)
    const ofCalls = indexOf.size
    for (const { forms } of owns) forms.forEach(add)
    const isXml = [...indexOf.keys()].some((marker) => marker[0] === CDATA[0])
    if (isXml) add(CDATA)
    this.cdata = indexOf.get(CDATA) ?? -1
    this.literals = new Literals([...indexOf.keys()], { ...options, anchored: false })
    this.owns = owns

    const values = new Uint8Array(indexOf.size).fill(COUNTS, 0, ofCalls)
    if (isXml) values[indexOf.get(CDATA)!] = BEGINS_CDATA
    this.tables = [undefined, ...owns].map((own) => {
      if (own === undefined) return values
      const table = own.isSpeech ? new Uint8Array(indexOf.size) : values.slice()
      for (const other of owns)
        if (other === own || (!own.isSpeech && closesAlike(own, other)))
          for (const form of other.forms)
            table[indexOf.get(form)!] ||= other.isTag && !form.endsWith('>') ? BEGINS_TAG : COUNTS
      return table
    })
  }

  search(before: string, text: string, from: number, to: number): ReturnType<MarkerSearch['search']> {
    const { literals } = this
    let node = literals.after(before)
    for (let at = from; at < to; at++) {
      if (node === 0) at = literals.skip(text, at, to)
      if (at === to) break
      node = literals.step(node, text.charCodeAt(at))
      const found = literals.found[node]!
      if (found === -1 || this.table(0)[found] !== COUNTS) continue
      return { marker: (before + text.slice(from, at + 1)).slice(-literals.length[node]!), end: at + 1 }
    }
    const depth = literals.depth[node]!
    return { rest: depth === 0 ? '' : (before + text.slice(from, to)).slice(-depth) }
  }

  /** The number of the table for a text that this opens; 0 for a text whose opener is that of a call. */
  tableOf(own: OwnOpener | undefined): number {
    return own === undefined ? 0 : this.owns.indexOf(own) + 1
  }

  table(index: number): Uint8Array {
    return this.tables[index]!
  }

  isSpeech(index: number): boolean {
    return this.owns[index - 1]?.isSpeech === true
  }
}

function closesAlike(own: OwnOpener, other: OwnOpener): boolean {
  return !other.isSpeech && other.closers.some((closer) => own.closers.includes(closer))
}
