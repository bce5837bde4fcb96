/**
 * The machine: reads text in pieces, runs a program over it, and says what it finds.
 *
 * What it holds back is always one of three things: `held`, the characters of a literal that is not
 * complete yet; `space`, whitespace that is markup only if the right thing follows; and `source`, a
 * construct whose name is not known yet. All three come back as text when nothing becomes of them, and
 * they do so at an exact character, so that the cuts in the input leave no trace.
 *
 *     Let me look. <tool_ca|        `<tool_ca` is held: it may become markup, or may not
 *
 * Here is what is seen from outside. How it works is in the rooms behind it; `machine/base.ts` lists them.
 */

import { Call, type CallState } from '../calls/call.ts'
import { WaitingVerdicts, type WaitingVerdictsState } from '../calls/waiting.ts'
import type { Event } from '../event.ts'
import { Rope } from '../rope.ts'
import { EndingMachine } from './machine/end.ts'
import type { PlaceState } from './place.ts'
import type { ReadState, ScanState } from './program.ts'
import type { VoiceState } from './voice.ts'
import type { WatchState } from './watch.ts'

export type { EndReason, Interruption, StreamEnd } from './machine/end.ts'

export class Machine extends EndingMachine {
  /** Begin inside reasoning: its opener was in the prompt. False: nothing says where reasoning would end. */
  startInReasoning(): boolean {
    if (this.program.reasoning === undefined) return false
    this.state = this.program.reasoning
    this.place.openReasoning()
    this.voice.open('reasoning')
    this.findFastPath()
    return true
  }

  /** Reads a prefill: nothing is said of it, except what it left open. */
  prefill(text: string): void {
    const unheard: Event[] = []
    const sink = this.voice.mute(unheard)
    this.push(text)
    this.endAwaitedHere()
    this.voice.unmute(sink, unheard, this.call?.started ? this.call.id : undefined)
    this.calls = 0
    this.verdicts?.clear()
    this.stoppedBy = ''
    this.prefilled = this.isInCall
      ? 0
      : this.source !== null
        ? this.source.length
        : this.held.length + this.space.length
    this.findFastPath()
  }

  // ── snapshots ────────────────────────────────────────────────────────────────────────────────────

  save(): MachineState {
    const { program, node, held, space, word, openerLength, leadLength, tried } = this
    const { calls, stoppedBy, toldOfMore, prefilled, surrogate, total, openedAt, reasoningAt } = this
    const { atBracket, openedInReasoning } = this
    return {
      state: this.state.index,
      home: this.home.index,
      construct: program.constructs.indexOf(this.construct!),
      section: program.constructs.indexOf(this.section!),
      thought: this.thought?.index ?? -1,
      verdicts: this.verdicts?.save() ?? null,
      openedBy: program.edges.indexOf(this.openedBy!),
      reader: this.reader?.save() ?? null,
      call: this.call?.save() ?? null,
      voice: this.voice.save(),
      place: this.place.save(),
      watch: this.lookout?.save() ?? null,
      source: this.source?.save() ?? null,
      unsaid: this.unsaid?.toString() ?? null,
      ...{ node, held, space, word, openerLength, leadLength, tried },
      ...{ calls, stoppedBy, toldOfMore, prefilled, surrogate, total, openedAt, reasoningAt },
      ...{ atBracket, openedInReasoning },
    }
  }

  restore(saved: MachineState): void {
    const { state, home, thought, verdicts, construct, section, openedBy, reader, call, ...others } = saved
    const { voice, place, watch, source, unsaid, ...plain } = others
    Object.assign(this, plain)
    this.voice.restore(voice)
    this.place.restore(place)
    if (watch !== null) this.watch.restore(watch)
    this.source = source === null ? null : new Rope(source)
    this.unsaid = unsaid === null ? null : new Rope(unsaid)
    const { states, constructs, edges } = this.program
    this.state = states[state]!
    this.home = states[home] as ScanState
    this.thought = (states[thought] as ScanState | undefined) ?? null
    this.verdicts = verdicts === null ? null : new WaitingVerdicts(this, verdicts)
    this.construct = constructs[construct] ?? null
    this.section = constructs[section] ?? null
    this.openedBy = edges[openedBy] ?? null
    this.call = call === null ? null : Call.restore(call, this, this.styleOf(this.construct))
    this.reader =
      reader === null ? null : (this.state as ReadState).type.restore(reader, this.readerSettings(0))
    this.findFastPath()
  }
}

/** A machine in the middle of a response, as plain data. */
export interface MachineState {
  // Places in the lists of the program; -1: none.
  readonly state: number
  readonly home: number
  readonly construct: number
  readonly section: number
  readonly thought: number
  readonly openedBy: number
  readonly reader: unknown
  readonly call: CallState | null
  readonly node: number
  readonly held: string
  readonly space: string
  readonly word: string
  readonly openerLength: number
  readonly leadLength: number
  readonly tried: number
  /** Its length, if nobody will ask for the text. */
  readonly source: string | number | null
  readonly unsaid: string | null
  readonly voice: VoiceState
  readonly place: PlaceState
  readonly watch: WatchState | null
  readonly atBracket: boolean
  readonly openedInReasoning: boolean
  readonly verdicts: WaitingVerdictsState | null
  readonly calls: number
  readonly stoppedBy: string
  readonly toldOfMore: boolean
  readonly prefilled: number
  readonly surrogate: string
  readonly total: number
  readonly openedAt: number
  readonly reasoningAt: number
}
