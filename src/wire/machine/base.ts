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
 *     chunks.ts       how a chunk comes in: on the fast path, or through the states
 *     end.ts          what becomes of everything that is open when no more text comes
 *     ../machine.ts   what is seen from outside, and snapshots
 *
 * One object, because one is kept for every response that is being read; several rooms, because nobody wants to
 * read all of it at once. The doors point one way but for `consume`: what failed is read again.
 */

import type { Call, CallSettings } from '../../calls/call.ts'
import type { WaitingVerdicts } from '../../calls/waiting.ts'
import type { Sink } from '../../event.ts'
import type { Scanning } from '../fast-path.ts'
import { Place } from '../place.ts'
import type { Program, ScanState, State } from '../program.ts'
import type { Reader } from '../reader.ts'
import { type Channel as Spoken, Voice, type VoiceSettings } from '../voice.ts'
import { Watch } from '../watch.ts'

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
  protected readonly place = new Place()
  /** A call ended by its own bracket, and nothing was read behind that. */
  protected atBracket = false
  protected lookout: Watch | null = null

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

  /** What follows may belong to something else than it seems to. */
  protected abstract losePlace(): void

  /** Text directly behind a bracket: that may have been one too many. */
  protected leaveBracket(text: string): void {
    this.atBracket = false
    if (!isSpace(text.charCodeAt(0))) this.losePlace()
  }

  protected say(state: ScanState, said: string): void {
    if (this.atBracket) this.leaveBracket(said)
    let text = said
    if (this.prefilled > 0) {
      text = said.slice(this.prefilled)
      this.prefilled = Math.max(0, this.prefilled - said.length)
      if (text === '') return
    }
    const { channel } = state
    if (channel === 'value') this.call?.textArguments.valueText(text, state.verbatim)
    else {
      this.speechWatch(state)?.read(text)
      if (channel !== 'nowhere') this.speak(channel, text)
    }
  }

  /** Writes text of a channel. Behind a call whose verdict waits, anything but white space decides. */
  protected speak(channel: Spoken, text: string): void {
    if (!this.verdicts?.isWaiting) this.voice.say(channel, text)
    else {
      // White space in a thought waits in a state of its own, and belongs to the thought that goes on.
      const blank = channel === 'text' ? this.verdicts.passSpace(leadingSpace(text)) : 0
      if (blank > 0) this.voice.say(channel, text.slice(0, blank))
      if (blank === text.length) return
      this.verdicts.doubt()
      this.voice.say(channel, text.slice(blank))
    }
  }

  // ── markers in raw text ──────────────────────────────────────────────────────────────────────────

  /** What looks at raw text for markers. Made when there is such text. */
  get watch(): Watch {
    this.lookout ??= new Watch(this.program.markers(), (inSpeech) => this.markerFound(inSpeech))
    return this.lookout
  }

  /** Reasoning and results hold no second opener of their own, and what is skipped in a call no marker at all. */
  protected speechWatch({ own }: ScanState): Watch | null {
    if (own === undefined) return null
    const { watch } = this
    if (!watch.isFor(own)) watch.begin({ opener: own })
    return watch
  }

  private markerFound(inSpeech: boolean): void {
    if (inSpeech) this.place.lose(false)
    else {
      this.losePlace()
      if (this.call !== null) this.call.isPlaceUncertain = true
    }
  }
}

/** How many characters of white space a text begins with. */
function leadingSpace(text: string): number {
  let at = 0
  while (at < text.length && isSpace(text.charCodeAt(at))) at++
  return at
}

export function isSpace(code: number): boolean {
  return (
    code === 32 || code === 10 || code === 13 || code === 9 || code === 12 || code === 0xa0 || code === 0x3000
  )
}
