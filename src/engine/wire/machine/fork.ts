/** A machine of another program that goes on where one has stopped, between two constructs. */

import type { Sink } from '../../../base/event.ts'
import { unopenedReasoning } from '../../calls/unopened-reasoning.ts'
import { createMachine } from '../machine.ts'
import type { Program, State } from '../program.ts'
import type { Machine, MachineSettings } from './state.ts'
import { watchOf } from './text.ts'

/**
 * `state`: where in the other program, and `at`: from which offset of the text on. What is open stays open under its id;
 * ids, diagnostics and the doubt about the place are carried over.
 */
export function fork(
  from: Machine,
  program: Program,
  state: State,
  at: number,
  settings: MachineSettings,
  sink: Sink,
): Machine {
  const m = createMachine(program, settings, sink)
  const { indent, reasoningAt, place, output, hints } = from.s
  Object.assign(m.s, { state: state.index, total: at, indent, reasoningAt })
  Object.assign(m.s, { place: { ...place }, hints: hints && { ...hints } })
  // No call has ended before the first marker of one.
  m.s.unopened = from.s.unopened && unopenedReasoning()
  const { count, taken } = output.ids
  Object.assign(m.output.state, output, { ids: { count, taken: taken && new Set(taken) } })
  // Behind the first characters of reasoning, so that its own opener counts wherever it comes.
  if (state.kind === 'scan' && state.own !== undefined) watchOf(m, state)?.read('.')
  return m
}
