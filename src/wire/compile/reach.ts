/**
 * What can come next: all that can be reached from a spot without reading anything.
 *
 *     <parameter=city>Paris</parameter>|        `<parameter=` or `</function>`, or what comes where that is missing
 */

import { SluiceError } from '../../errors.ts'
import type { DiagnosticCode } from '../../event.ts'
import type { Construct, Op, ScanState, State } from '../program.ts'
import type { Entry, Spot } from '../spots.ts'

/** What was passed on the way to a spot, without reading anything. */
interface Passed {
  readonly ops: readonly Op[]
  readonly opens: Construct | undefined
  /** What becomes of the call that was still open. */
  readonly leaving: readonly Op[]
}

/** A literal that can come next, and what taking it does. */
export interface Arrival extends Passed {
  readonly literal: string
  readonly back: number
  readonly next: Spot
}

export const NOTHING: Passed = { ops: [], opens: undefined, leaving: [] }

/** What can be reached from the spots that were followed. */
export class Reach {
  private readonly stateOf: (spot: Spot) => State
  /** For the end of a capture that takes any text: no free whitespace can be markup there, and only a literal ends it. */
  private readonly inScan: boolean
  space = false
  readonly arrivals: Arrival[] = []
  readonly defaults: (Passed & { readonly spot: Spot })[] = []

  constructor(stateOf: (spot: Spot) => State, inScan: boolean) {
    this.stateOf = stateOf
    this.inScan = inScan
  }

  /** Follows a spot without reading. */
  follow(spot: Spot, passed: Passed, seen: readonly Spot[] = []): void {
    const { ops } = passed
    const { inScan } = this
    const isInCall = ops.some(({ op }) => op === 'end-call')
    const onward = (next: Spot, ...more: Op[]) =>
      this.follow(next, { ...passed, ops: [...ops, ...more] }, seen)
    switch (spot.at) {
      case 'op':
        onward(spot.next, spot.op)
        return
      case 'begin': {
        // Inside a value nothing begins a call, whatever closers are missing.
        if (inScan) return
        const home = spot.interlude && (this.stateOf(spot.interlude) as ScanState)
        onward(spot.next, { op: 'begin-call', home })
        return
      }
      case 'space':
        if (inScan && !ops.some(({ op }) => op === 'report'))
          throw new SluiceError(
            'invalid-template',
            'Free whitespace cannot stand between a value and what ends it; use ${newline} for a line break that is markup.',
          )
        this.space = true
        onward(spot.next)
        return
      case 'newline': {
        const before = this.arrivals.length
        onward(spot.next)
        const added = this.arrivals.splice(before)
        for (const arrival of added) {
          if (!arrival.literal.startsWith('\n')) this.arrivals.push(arrival)
          if (inScan) this.arrivals.push({ ...arrival, literal: `\n${arrival.literal}` })
        }
        if (!inScan) this.arrivals.push({ ...passed, literal: '\n', back: 0, next: spot.next })
        return
      }
      case 'split': {
        if (seen.includes(spot))
          throw new SluiceError('invalid-template', 'What is repeated must not be able to be empty.')
        const inValue = ops.some(({ op }) => op === 'close-value')
        for (const { spot: next, report: code, isGuess = false } of spot.branches) {
          const recovery = code === undefined ? [] : [report(code, inValue || isGuess)]
          this.follow(next, { ...passed, ops: [...ops, ...recovery] }, [...seen, spot])
        }
        return
      }
      case 'literal':
        for (const [literal, next, back] of spelledOut(spot))
          this.arrivals.push({ ...passed, literal, back, next })
        return
      case 'leave':
        // The closer of an open call is missing and a new call begins: that ends it, but never inside a value.
        if (isInCall && !inScan)
          for (const entry of spot.again()) {
            const leaving = [...ops, report('new-call-before-end')]
            this.follow(entry.spot, { ops: [], opens: entry.construct, leaving }, [...seen, spot])
          }
        break
      case 'interlude': // only between calls: text inside one is no end of it
        break
      default:
        this.defaults.push({ ...passed, spot })
        return
    }
    if (!isInCall) this.defaults.push({ ...passed, spot })
  }
}

/** A spot at which nothing is opened. */
export function entryOf(spot: Spot): Entry {
  return { spot, construct: undefined }
}

/** A recovery that is used on the way. */
export function report(code: DiagnosticCode, inValue = false): Op {
  return { op: 'report', code, inValue }
}

/** A literal as it is spelled out, with what it leads to and how much of it is to be read again there. */
type Spelling = readonly [literal: string, next: Spot, back: number]

/**
 * All spellings of a literal, with whatever other literals follow it directly: `<` + optional `ns:` +
 * `thinking>` is two literals of ten characters and more, not one of a single `<`.
 */
function spelledOut(spot: Spot & { at: 'literal' }): Spelling[] {
  const rest: Spelling[] = spot.back > 0 ? [['', spot.next, spot.back]] : continued(spot.next)
  return spot.forms.flatMap((form) => rest.map(([more, next, back]): Spelling => [form + more, next, back]))
}

function continued(spot: Spot): Spelling[] {
  if (spot.at === 'literal') return spelledOut(spot)
  if (
    spot.at === 'split' &&
    spot.branches.every(({ spot, report }) => report === undefined && spot.at === 'literal')
  )
    return spot.branches.flatMap((branch) => spelledOut(branch.spot as Spot & { at: 'literal' }))
  return [['', spot, 0]]
}
