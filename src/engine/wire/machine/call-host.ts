/** What a call asks of the machine that reads it. */

import type { DiagnosticCode, Sink, Span, ToolCall } from '../../../base/event.ts'
import type { CallHost } from '../../calls/call.ts'
import type { ShownText } from '../../calls/shown-text.ts'
import { keepVerdict } from '../../calls/unopened-reasoning.ts'
import { hold, noVerdicts, type VerdictHost, type WaitingReason } from '../../calls/waiting.ts'
import type { Program, ScanState } from '../program.ts'
import type { Watch } from '../watch.ts'
import { constructOf, type Machine, type MachineSettings, NONE, thoughtOf } from './state.ts'
import { loseTrack, markerWatch, write } from './text.ts'

export class MachineCallHost implements CallHost, VerdictHost {
  private readonly m: Machine

  constructor(machine: Machine) {
    this.m = machine
  }

  get settings(): MachineSettings {
    return this.m.settings
  }

  get emit(): Sink {
    return this.m.output.emit
  }

  get textArguments(): Program['textArguments'] {
    return this.m.program.textArguments
  }

  get watch(): Watch {
    return markerWatch(this.m)
  }

  get shown(): ShownText | null {
    return this.m.settings.shown
  }

  /** A call is certain: what was open is over, and no other reading will be tried. */
  beforeCall(): void {
    const { m } = this
    const { s, settings, program } = m
    m.output.close()
    s.isBehindPrefill = false
    if (!settings.input && !settings.raw && settings.shown === null) s.source?.forget()
    if (m.call?.s.isSourceHidden) s.unsentSource = null
    m.decidedTo = 0
    s.openedBy = NONE
    if ((program.states[s.returnState] as ScanState).channel === 'reasoning') s.thought = s.returnState
  }

  /** A call inside reasoning, or one that no marker opens, may only be mentioned: a loose one only inside a line. */
  get waitingReason(): WaitingReason | null {
    if (this.m.s.thought !== NONE) return 'inside-reasoning'
    const construct = constructOf(this.m)
    if (!construct?.weak || construct.dialect.looseCallsAreMeant) return null
    if (construct.isGuess || (construct.isLoose && !this.m.s.beginsLine)) return 'text-in-line'
    return construct.isLoose ? 'text-on-line' : 'text-behind-call'
  }

  judged(call: ToolCall, reason: WaitingReason | null, length: number): void {
    const { s } = this.m
    if (reason === null) this.emitVerdict(call)
    else {
      s.waiting ??= noVerdicts()
      hold(s.waiting, this, { call, reason }, length)
    }
  }

  /** A call that may run waits for a closer of reasoning that nothing opened, if one may come. */
  emitVerdict(call: ToolCall): void {
    const { s, output } = this.m
    const isWhole = call.status === 'complete' || call.status === 'repaired'
    const isCertain = isWhole && call.repairs.every((repair) => repair.class === 'lossless')
    if (isCertain && s.unopened !== null) keepVerdict(s.unopened, this, call)
    else output.emit(call)
  }

  newId(kind: 'call'): string {
    return this.m.output.newId(kind)
  }

  claimId(id: string): boolean {
    return this.m.output.claimId('call', id)
  }

  report(code: DiagnosticCode, message: string, span: Span | undefined, id?: string): void {
    this.m.output.report(code, message, span, id)
  }

  emitText(text: string): void {
    write(this.m, thoughtOf(this.m) ?? this.m.program.text, text)
  }

  placeLost(): void {
    loseTrack(this.m)
  }

  offsetOf(index: number): number {
    return this.m.base + index
  }
}
