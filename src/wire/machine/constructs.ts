/**
 * What is open: the construct whose opener was found last, all that was read of it, and the call it may become.
 *
 *     Let me look. <tool_call>{"name": "get_we|
 *                  └─opener──┘
 *                  └────────── source ───────┘     text again, if nothing becomes of it
 */

import { Call, type CallHost, type CallStyle } from '../../calls/call.ts'
import { type WaitingReason, WaitingVerdicts } from '../../calls/waiting.ts'
import type { DiagnosticCode, Sink, Span } from '../../event.ts'
import { Rope } from '../../rope.ts'
import type { Construct, Edge, Program, ScanState, State } from '../program.ts'
import { MachineBase } from './base.ts'

/** A number that is small to the platform, and larger than any chunk. */
const MOST_ROOM = 2 ** 30

const PLAIN: CallStyle = { untyped: 'string', knownToolsOnly: false }

/** Opens constructs, keeps their source, and is what their calls talk to. */
export abstract class ConstructMachine extends MachineBase implements CallHost {
  /** What was opened last. */
  protected construct: Construct | null = null
  /** The section between whose calls something else was opened: it goes on if that comes to nothing. */
  protected section: Construct | null = null
  /** The state in which its opener was found: where its source goes if nothing becomes of it. */
  protected home: ScanState = this.program.text
  /** Where the last construct, and the last reasoning, was opened: offsets in the text channel. */
  protected openedAt = 0
  protected reasoningAt = 0
  /** How much of the source is its opener. */
  protected openerLength = 0
  /** Whitespace before the literal that is being taken. */
  protected lead = ''
  /** How much of the source is whitespace before it: given back with it, but no part of a call. */
  protected leadLength = 0
  /** The edge that opened it, as long as there may be other readings of it, and how many of them were tried. */
  protected openedBy: Edge | null = null
  protected tried = 0
  /** While the text of a construct that failed is read as another one: what was undecided when it failed first. */
  protected retried: string | null = null
  /** It was found in reasoning that is not closed yet. */
  protected openedInReasoning = false
  /** How many calls have ended. */
  protected calls = 0
  /** All that was read of an open construct, complete up to `sourceFrom` in the current piece. */
  protected source: Rope | null = null
  protected sourceFrom = 0
  /** The end of the source that was not said yet. */
  protected unsaid: Rope | null = null

  /** A call was announced, and is not over. */
  protected get isInCall(): boolean {
    return this.source !== null && this.call?.started === true
  }

  // ── opening ──────────────────────────────────────────────────────────────────────────────────────

  /** `matched` opens a construct that stands at `start` and is read from `at` on. */
  protected open(
    construct: Construct,
    edge: Edge | null,
    matched: string,
    from: State,
    start: number,
    at: number,
  ): void {
    if (construct.kind === 'reasoning') return
    this.section = this.construct
    this.construct = construct
    // Inside the source of a call that failed nothing is said, so what comes back goes to what is around the call.
    const around = this.thought ?? this.program.text
    const channel = from.kind === 'scan' ? from.channel : around.channel
    this.home = from.kind === 'scan' && channel !== 'nowhere' ? from : around
    if (channel !== 'nowhere') this.openedInReasoning = channel === 'reasoning'
    this.openedAt = this.base + start
    this.openerLength = matched.length
    this.openedBy = edge
    this.tried = 0
    this.begin(construct, matched, start, at)
  }

  protected begin(construct: Construct, matched: string, start: number, at: number): void {
    this.lookout?.leave()
    this.source = new Rope(matched)
    this.sourceFrom = at
    this.leadLength = this.lead.length
    this.unsaid = this.settings.source ? new Rope(matched.slice(this.leadLength)) : null
    this.call = this.newCall(construct, this.base + start)
  }

  private newCall(construct: Construct | null, origin: number): Call {
    const call = new Call(this, this.styleOf(construct), origin)
    call.isPlaceUncertain = this.place.isUncertain
    return call
  }

  protected styleOf(construct: Construct | null): CallStyle {
    if (construct === null) return PLAIN
    const { dialect, weak } = construct
    const { untyped, ignoreCase, about } = dialect
    // What could just as well be ordinary text is a call only if its tool is there.
    return weak && this.settings.tools.size > 0
      ? { untyped, ignoreCase, about, knownToolsOnly: true }
      : dialect
  }

  /** Readers and words always have a call to write to; for a result it only carries the id. */
  protected currentCall(): Call {
    this.call ??= this.newCall(this.construct, this.base)
    return this.call
  }

  // ── the source ───────────────────────────────────────────────────────────────────────────────────

  /** Takes everything up to `at` into the open construct's source. */
  protected absorb(text: string, at: number): void {
    if (this.source === null) return
    if (at > this.sourceFrom) {
      const piece = this.sourceFrom === 0 && at === text.length ? text : text.slice(this.sourceFrom, at)
      this.source.add(piece)
      this.unsaid?.add(piece)
    }
    this.sourceFrom = at
  }

  protected cutSource(count: number): void {
    this.source!.cut(count)
    this.unsaid?.cut(count)
  }

  /** Nothing is the source of anything any longer. */
  protected dropSource(): string {
    const source = this.source?.toString() ?? ''
    this.source = null
    this.unsaid = null
    return source
  }

  protected saySource(undecided: number): void {
    if (!this.call?.started) return
    const unsaid = this.unsaid?.toString() ?? ''
    const delta = unsaid.slice(0, unsaid.length - undecided)
    if (delta === '') return
    this.unsaid = new Rope(unsaid.slice(delta.length))
    this.emit({ type: 'tool-source-delta', id: this.call.id, delta })
  }

  protected endCall(text: string, at: number, behind: number): void {
    const { call } = this
    if (call === null) return
    this.absorb(text, at)
    if (behind > 0) this.cutSource(behind)
    if (this.settings.source) this.saySource(0)
    this.call = null
    this.calls++
    this.judge(call)
  }

  /** Ends a call with all that was read of it. `cut`: the text ends in it. */
  protected judge(call: Call, cut?: { readonly offset: number; readonly completion: string }): void {
    const length = (this.source?.length ?? 0) - this.leadLength
    const span = { start: call.origin, end: call.origin + length }
    call.end(this.dropSource().slice(this.leadLength), span, cut)
  }

  /** A call ended by its own bracket, and its verdict waits for what follows. */
  protected get isAwaited(): boolean {
    return this.atBracket && this.isInCall
  }

  // ── the place ────────────────────────────────────────────────────────────────────────────────────

  protected losePlace(): void {
    this.place.lose(this.voice.isReasoning || this.openedInReasoning)
  }

  placeLost(): void {
    this.losePlace()
  }

  /** How much more may be read before a limit is reached. */
  protected room(): number {
    const { source } = this
    if (source === null) return MOST_ROOM
    const { limits } = this.settings
    const limit = this.call?.started ? limits.call : Math.min(limits.undecided, limits.call)
    return Math.max(0, Math.min(MOST_ROOM, limit - source.length))
  }

  // ── what a call may ask of the machine ───────────────────────────────────────────────────────────

  /** A call is certain: whatever was being said is over, and no other reading will be tried. */
  beforeCall(): void {
    this.voice.close()
    this.prefilled = 0
    if (!this.settings.input && !this.settings.raw) this.source?.forget()
    if (this.call?.isSourceHidden) this.unsaid = null
    this.retried = null
    this.openedBy = null
    if (this.home.channel === 'reasoning') this.thought = this.home
  }

  /** A call inside reasoning, or one that no marker opens, may only be mentioned. */
  get waitingReason(): WaitingReason | null {
    if (this.thought !== null) return 'inside-reasoning'
    return this.construct?.atStart ? 'text-behind-call' : null
  }

  get waiting(): WaitingVerdicts {
    this.verdicts ??= new WaitingVerdicts(this)
    return this.verdicts
  }

  get textArguments(): Program['textArguments'] {
    return this.program.textArguments
  }

  get emit(): Sink {
    return this.voice.emit
  }

  newId(kind: 'call'): string {
    return this.voice.newId(kind)
  }

  claimId(id: string): boolean {
    return this.voice.claimId('call', id)
  }

  report(code: DiagnosticCode, message: string, span: Span | undefined, id?: string): void {
    this.voice.report(code, message, span, id)
  }

  sayText(text: string): void {
    this.say(this.thought ?? this.program.text, text)
  }

  offsetOf(index: number): number {
    return this.base + index
  }
}
