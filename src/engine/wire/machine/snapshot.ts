/** A snapshot of a machine: a copy of its record, which is checked when it is restored. */

import type { JsonValue } from '../../../base/event.ts'
import {
  type Check,
  checkedState,
  copyState,
  damaged,
  isAnything,
  isBoolean,
  isCount,
  isInteger,
  isRope,
  isString,
  nullable,
  recordOf,
  type Shape,
} from '../../../base/plain-state.ts'
import { Call } from '../../calls/call.ts'
import { unopenedShape } from '../../calls/unopened-reasoning.ts'
import { waitingShape } from '../../calls/waiting.ts'
import { hintsShape } from '../call-hints.ts'
import { outputShape } from '../event-output.ts'
import type { Program } from '../program.ts'
import { watchShape } from '../watch.ts'
import { setFastPath } from './intake.ts'
import { styleOf } from './open-construct.ts'
import { placeShape } from './place.ts'
import { constructOf, type Machine, type MachineState, NONE, stateOf } from './state.ts'
import { readerSettings } from './step.ts'
import { markerWatch } from './text.ts'

interface SavedMachine extends MachineState {
  /** The open call, which checks its part, and a copy of the open reader's record: its check depends on `state`. */
  call: unknown
  reader: unknown
}

export function saveMachine({ s, call, reader }: Machine): JsonValue {
  const savedReader = reader === null ? null : copyState(reader.state)
  return copyState<SavedMachine>({ ...s, call: call?.save() ?? null, reader: savedReader })
}

/** Puts a machine that has read nothing where the saved one was. */
export function restoreMachine(m: Machine, data: unknown): void {
  const { call, reader, ...saved } = checkedState(savedShape(m.program), data)
  const { output, ...plain } = saved
  Object.assign(m.s, plain)
  Object.assign(m.output.state, output)
  const state = stateOf(m)
  const node = (state.kind !== 'read' && state.literals?.after(m.s.held)) || 0
  if (node !== m.s.node) throw damaged('what is held back is no prefix')
  if (m.s.source !== null && m.s.construct === NONE) throw damaged('it has the source of nothing')
  if (m.s.watch !== null) markerWatch(m)
  if (call !== null) m.call = Call.restore(call, m.host, styleOf(m, constructOf(m)))
  if (reader !== null && state.kind === 'read')
    m.reader = state.type.create(readerSettings(m, 0), checkedState(state.type.shape, reader))
  setFastPath(m)
}

function savedShape(program: Program): Shape<SavedMachine> {
  const { states, constructs, edges } = program
  const isScan = states.map(({ kind }) => kind === 'scan')
  return {
    state: indexOf(states),
    node: isCount,
    held: isString,
    space: isString,
    word: isString,
    surrogate: isString,
    total: isCount,
    construct: indexOf(constructs, NONE),
    enclosingSection: indexOf(constructs, NONE),
    returnState: (value): value is number => isScan[value as number] === true,
    openedBy: indexOf(edges, NONE),
    alternativesTried: isCount,
    openedAt: isCount,
    reasoningAt: isCount,
    beginsLine: isBoolean,
    openedInReasoning: isBoolean,
    openerLength: isCount,
    leadLength: isCount,
    source: nullable(isRope),
    unsentSource: nullable(isRope),
    thought: (value): value is number => value === NONE || isScan[value as number] === true,
    place: recordOf(placeShape()),
    isAtBracket: isBoolean,
    strayBraceAt: isInteger,
    calls: isCount,
    stoppedBy: isString,
    hasReportedMore: isBoolean,
    isBehindPrefill: isBoolean,
    prefilled: isCount,
    indent: isInteger,
    hints: nullable(recordOf(hintsShape())),
    output: recordOf(outputShape()),
    watch: nullable((value) => recordOf(watchShape(program.markers()))(value)),
    waiting: nullable(recordOf(waitingShape())),
    unopened: nullable(recordOf(unopenedShape())),
    call: isAnything,
    reader: isAnything,
  }
}

/** An index of a list, or `none`. */
function indexOf(list: readonly unknown[], none = 0): Check<number> {
  return (value): value is number => value === none || (isCount(value) && value < list.length)
}
