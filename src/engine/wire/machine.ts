/** A machine that reads text in pieces, runs a program over it, and emits what it finds. */

import type { Sink, SluiceEvent } from '../../base/event.ts'
import { unopenedReasoning } from '../calls/unopened-reasoning.ts'
import { initialOutput, Output } from './event-output.ts'
import { MachineCallHost } from './machine/call-host.ts'
import { end, endAwaitedHere, interrupt } from './machine/end.ts'
import { pushFast, pushSlow, setFastPath } from './machine/intake.ts'
import { openReasoning } from './machine/place.ts'
import { restoreMachine, saveMachine } from './machine/snapshot.ts'
import { type Machine, type MachineSettings, type MachineState, NONE } from './machine/state.ts'
import type { Program } from './program.ts'

export { type EndReason, FINISH_REASONS, type Interruption, type StreamEnd } from './machine/end.ts'
export type { MachineSettings } from './machine/state.ts'
export { end, interrupt, type Machine, pushFast, pushSlow, restoreMachine, saveMachine }

export function createMachine(program: Program, settings: MachineSettings, sink: Sink): Machine {
  const s = initialState(program)
  const m: { -readonly [Field in keyof Machine]: Machine[Field] } = {
    program,
    settings,
    output: new Output(settings, sink, s.output),
    s,
    host: null as never,
    call: null,
    reader: null,
    watch: null,
    fastPath: null,
    fastPathEnd: 0,
    base: 0,
    sourceFrom: 0,
    lead: '',
    decidedTo: 0,
    textTo: 0,
    pause: null,
  }
  m.host = new MachineCallHost(m)
  return m
}

function initialState({ start, text }: Program): MachineState {
  return {
    state: start.index,
    node: 0,
    held: '',
    space: '',
    word: '',
    surrogate: '',
    total: 0,
    construct: NONE,
    enclosingSection: NONE,
    returnState: text.index,
    openedBy: NONE,
    alternativesTried: 0,
    openedAt: 0,
    reasoningAt: 0,
    beginsLine: false,
    openedInReasoning: false,
    openerLength: 0,
    leadLength: 0,
    source: null,
    unsentSource: null,
    thought: NONE,
    place: { isUncertain: false, before: null },
    isAtBracket: false,
    strayBraceAt: NONE,
    calls: 0,
    stoppedBy: '',
    hasReportedMore: false,
    isBehindPrefill: false,
    prefilled: 0,
    indent: 0,
    hints: null,
    output: initialOutput(),
    watch: null,
    waiting: null,
    unopened: null,
  }
}

/** Nobody said where the response begins: its prompt may have opened reasoning, if one of these programs would find its closer. */
export function startAnywhere(m: Machine, programs: readonly Program[] = [m.program]): void {
  if (programs.some(({ strayReasoning }) => strayReasoning.length > 0)) m.s.unopened = unopenedReasoning()
}

/** Begins inside reasoning: its opener was in the prompt. False: nothing tells where reasoning would end. */
export function startInReasoning(m: Machine): boolean {
  const { reasoning } = m.program
  if (reasoning === undefined) return false
  m.s.state = reasoning.index
  openReasoning(m.s.place)
  m.output.open('reasoning')
  setFastPath(m)
  return true
}

/** Reads a prefill: no event tells of it, except of what it left open. */
export function prefill(m: Machine, text: string): void {
  const { s, output } = m
  const events: SluiceEvent[] = []
  const sink = output.silence(events)
  pushSlow(m, text)
  endAwaitedHere(m)
  s.isBehindPrefill = output.isText
  output.unsilence(sink, events, m.call?.started ? m.call.id : undefined)
  s.calls = 0
  s.waiting = null
  s.stoppedBy = ''
  s.prefilled = s.total
  setFastPath(m)
}
