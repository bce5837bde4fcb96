/**
 * Where the machine stands in its program, what it holds back, and where its characters go.
 *
 * The machine is one class in several rooms, each built on the one before:
 *
 *     base.ts         where it stands, and what it says
 *     constructs.ts   what is open: a call, a result or other markup, with all that was read of it
 *     ops.ts          what happens on the way from one state to the next
 *     recovery.ts     what happens when nothing fits, or a limit is reached
 *     states.ts       the loop: each kind of state reads what is its own
 *     chunks.ts       how a chunk comes in, and the short ways for those that mean nothing but themselves
 *     end.ts          what becomes of everything that is open when no more text comes
 *     ../machine.ts   what is seen from outside, and snapshots
 *
 * One object, because one is kept for every response that is being read; several rooms, because nobody wants to
 * read all of it at once. The doors point one way but for `consume`: what failed is read again.
 */

import type { Call, CallSettings } from '../../calls/call.ts'
import type { WaitingVerdicts } from '../../calls/waiting.ts'
import type { Sink } from '../../event.ts'
import type { Scanning } from '../flow.ts'
import type { Program, ScanState, State } from '../program.ts'
import type { Reader } from '../reader.ts'
import { Voice, type VoiceSettings } from '../voice.ts'

export type MachineSettings = CallSettings & VoiceSettings

/** What every part of the machine shares. */
export abstract class MachineBase implements Scanning {
  readonly settings: MachineSettings
  protected readonly program: Program
  protected readonly voice: Voice

  protected state: State
  /** Node of the current state's literals. */
  node = 0
  held = ''
  protected space = ''
  protected word = ''
  protected reader: Reader | null = null

  /** The call that is being read, announced or not. */
  protected call: Call | null = null
  /** How much of a prefill is undecided: if it becomes text, whoever wrote the prefill has it already. */
  protected prefilled = 0
  /** The reasoning in which the last call stood, until it is closed: what follows the call is thought, not said. */
  protected thought: ScanState | null = null
  /** The verdicts that wait, once there was one. */
  protected verdicts: WaitingVerdicts | null = null
  /** The literal that stopped the response. */
  protected stoppedBy = ''

  /** Offset in the text channel of the piece being read, and of the next one. */
  protected base = 0
  protected total = 0

  constructor(program: Program, settings: MachineSettings, sink: Sink) {
    this.program = program
    this.settings = settings
    this.voice = new Voice(settings, sink)
    this.state = program.content
  }

  protected enter(state: State): void {
    if (this.thought !== null && this.isVisible(state)) this.state = this.thought.behindCall ?? this.thought
    else this.state = state === this.program.content && this.voice.said ? this.program.text : state
  }

  /** Is this where visible text is read, or what comes before it? */
  private isVisible(state: State): boolean {
    const { content, afterCall } = this.program
    return state === content || state === afterCall || (state.kind === 'scan' && state.channel === 'text')
  }

  /** Nothing is in the middle of being read any longer. */
  protected forget(): void {
    this.held = ''
    this.space = ''
    this.word = ''
    this.node = 0
    this.reader = null
  }

  protected say(state: ScanState, said: string): void {
    let text = said
    if (this.prefilled > 0) {
      text = said.slice(this.prefilled)
      this.prefilled = Math.max(0, this.prefilled - said.length)
      if (text === '') return
    }
    const { channel } = state
    if (channel === 'value') this.call?.textArguments.valueText(text, state.verbatim)
    else if (channel !== 'nowhere') {
      this.verdicts?.doubt()
      this.voice.say(channel, text)
    }
  }
}
