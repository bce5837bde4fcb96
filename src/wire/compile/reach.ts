/**
 * What can come next: all that can be reached from a spot without reading anything.
 *
 *     <parameter=city>Paris</parameter>|        `<parameter=` or `</function>`, or what comes where that is missing
 */

import type { Construct, Op } from '../program.ts'
import type { Spot } from '../spots.ts'

/** What was passed on the way to a spot, without reading anything. */
interface Passed {
  readonly before: readonly Op[]
  readonly opens: Construct | undefined
  /** What becomes of the call that was still open. */
  readonly leaving: readonly Op[]
}

/** A literal as it is spelled out, with what it leads to and how much of it is to be read again there. */
interface Spelling {
  readonly literal: string
  readonly next: Spot
  readonly back: number
}

/** A literal that can come next, and what taking it does. */
export interface Arrival extends Passed, Spelling {}

export interface Reach {
  readonly arrivals: readonly Arrival[]
  /** Where to go when no literal comes. */
  readonly defaults: readonly (Passed & { readonly spot: Spot })[]
  /** Whitespace is markup here. */
  readonly space: boolean
}

/**
 * Follows a spot without reading. `inScan`: for the end of a capture that takes any text, where no free whitespace can
 * be markup, and only a literal ends it.
 */
export function reachFrom(start: Spot, inScan: boolean): Reach {
  const arrivals: Arrival[] = []
  const defaults: (Passed & { readonly spot: Spot })[] = []
  let space = false

  function follow(spot: Spot, passed: Passed): void {
    const { before } = passed
    const has = (name: Op['op']) => before.some(({ op }) => op === name)
    const onward = (next: Spot, ...more: Op[]) => follow(next, { ...passed, before: [...before, ...more] })
    switch (spot.at) {
      case 'op': {
        const { op, next } = spot
        // Inside a value nothing begins a call, whatever closers are missing.
        if (inScan && op.op === 'begin-call') return
        const endsValue = has('close-value')
        onward(next, op.op === 'report' && endsValue ? { ...op, inValue: true, endsValue } : op)
        return
      }
      case 'open':
        follow(spot.next, { before: [], opens: spot.opens, leaving: before })
        return
      case 'space':
        space = true
        onward(spot.next)
        return
      case 'newline': {
        const known = arrivals.length
        onward(spot.next)
        for (const arrival of arrivals.splice(known)) {
          if (!arrival.literal.startsWith('\n'))
            arrivals.push(spot.isPaired ? { ...arrival, before: arrival.before.map(unpaired) } : arrival)
          if (inScan) arrivals.push({ ...arrival, literal: `\n${arrival.literal}` })
        }
        if (!inScan) arrivals.push({ ...passed, literal: '\n', back: 0, next: spot.next })
        return
      }
      case 'split':
        for (const way of spot.ways) onward(way)
        return
      case 'literal':
        for (const spelling of spelledOut(spot)) arrivals.push({ ...passed, ...spelling })
        return
      case 'leave':
      case 'interlude':
        if (!has('end-call')) break
        // The closer of an open call is missing. If a new call begins, that ends it, but never inside a value; text
        // is no end of it.
        if (spot.at === 'leave' && !inScan) onward(spot.again)
        return
    }
    defaults.push({ ...passed, spot })
  }

  follow(start, { before: [], opens: undefined, leaving: [] })
  return { arrivals, defaults, space }
}

function unpaired(op: Op): Op {
  return op.op === 'close-value' ? { ...op, unpaired: true } : op
}

/**
 * All spellings of a literal, with whatever other literals follow it directly: `<` + optional `ns:` +
 * `thinking>` is two literals of ten characters and more, not one of a single `<`.
 */
function spelledOut({ forms, next, back }: Spot & { at: 'literal' }): Spelling[] {
  const rest = back > 0 ? [{ literal: '', next, back }] : continued(next)
  return forms.flatMap((form) => rest.map((more) => ({ ...more, literal: form + more.literal })))
}

function continued(next: Spot): Spelling[] {
  const ways = next.at === 'split' ? next.ways : [next]
  return ways.every(isLiteral) ? ways.flatMap(spelledOut) : [{ literal: '', next, back: 0 }]
}

function isLiteral(spot: Spot): spot is Spot & { at: 'literal' } {
  return spot.at === 'literal'
}
