/**
 * How a chunk comes in, by the shortest way that can take it: the run says it as it came; the flow says what is
 * certain of it; and the long way goes through the states.
 *
 *     Let me |look |at it| <3 |<tool|_call>
 *     long    run   run   flow flow  long
 */

import { NO_RUN, Run } from '../../run.ts'
import { isHighSurrogate } from '../../surrogates.ts'
import { type Flow, NO_FLOW, ValueFlow } from '../flow.ts'
import { StateMachine } from './states.ts'

/** Before the first character of a response: it says how the bytes are encoded, and is no text. */
const BYTE_ORDER_MARK = 0xfeff

/** Takes chunks. */
export abstract class ChunkMachine extends StateMachine {
  /** The first half of a surrogate pair whose second half has not come. */
  protected surrogate = ''
  /** The short way from here on, and the run it is part of. */
  private flow: Flow = NO_FLOW
  private run = NO_RUN
  /** What was held back when the run began. */
  private heldBefore = ''

  push(chunk: string): void {
    if (typeof chunk !== 'string' || !this.run.takes(chunk)) this.pushOn(chunk)
  }

  /** A chunk that the run cannot say by itself. */
  protected pushOn(chunk: string): void {
    const { flow } = this
    if (flow !== NO_FLOW) {
      this.run.releaseTo(flow)
      if (chunk.length > this.run.room) this.renewRun(chunk.length)
      if (chunk.length <= this.run.room && flow.take(chunk)) {
        this.run.add(chunk)
        if (this.unsaid === null) this.run.open(flow.isSettled)
        else {
          this.unsaid.add(chunk)
          this.saySource(this.held.length)
        }
        return
      }
    }
    this.leaveRun()
    this.pushAny(chunk)
    this.settleFlow()
  }

  // ── the long way ─────────────────────────────────────────────────────────────────────────────────

  private pushAny(chunk: string): void {
    let text = chunk
    if (this.surrogate !== '') {
      text = this.surrogate + chunk
      this.surrogate = ''
    }
    if (this.total === 0 && text.charCodeAt(0) === BYTE_ORDER_MARK) {
      this.total = 1
      text = text.slice(1)
    }
    if (isHighSurrogate(text.charCodeAt(text.length - 1))) {
      this.surrogate = text.slice(-1)
      text = text.slice(0, -1)
    }
    if (text !== '') this.readPiece(text)
  }

  protected readPiece(text: string): void {
    this.base = this.total
    this.total += text.length
    if (this.stoppedBy !== '') {
      this.passOver(text, this.base)
      return
    }
    this.sourceFrom = 0
    this.consume(text)
    if (this.source !== null && this.settings.source) this.saySource(this.held.length + this.space.length)
  }

  // ── the short ways ───────────────────────────────────────────────────────────────────────────────

  /** Finds the short way from here on. */
  protected settleFlow(): void {
    if (this.run === NO_RUN) this.run = new Run()
    this.flow = this.nextFlow()
    this.enterRun(0)
  }

  /** The short way from here on, until something happens. */
  private nextFlow(): Flow {
    const { state, call } = this
    if (this.total === 0 || this.surrogate !== '' || this.stoppedBy !== '' || this.prefilled > 0)
      return NO_FLOW
    if (state.kind === 'read') return this.reader?.flow ?? NO_FLOW
    if (state.kind !== 'scan') return NO_FLOW
    if (state.channel === 'value')
      return call === null ? NO_FLOW : new ValueFlow(this, state.literals, call.textArguments, state.verbatim)
    // The first character of text decides on the verdicts that wait. What is skipped is short.
    if (this.verdicts?.isWaiting || (state.channel === 'nowhere' && state.own !== undefined)) return NO_FLOW
    return this.voice.flow(state.channel, this, state.literals, this.speechWatch(state))
  }

  /** Begins a run, which ends where a limit is near. `atLeast`: the chunk it is for. */
  private enterRun(atLeast: number): void {
    const { flow, run, source } = this
    if (flow === NO_FLOW) return
    if (!flow.begin(run)) {
      this.flow = NO_FLOW
      return
    }
    this.heldBefore = flow.held
    const keeps = flow.keeps || source?.isKept === true
    run.begin(keeps ? this.keepable(atLeast) : this.room(), keeps)
    run.open(flow.isSettled && this.unsaid === null)
  }

  /** What was in the run is read, and known to everyone. */
  protected leaveRun(): void {
    this.total += this.run.leave(this.flow, this.heldBefore, this.source)
  }

  protected renewRun(atLeast: number): void {
    this.leaveRun()
    this.enterRun(atLeast)
  }

  /** How long a run may be whose text is kept: pieces that are not joined yet take several times their size. */
  private keepable(atLeast: number): number {
    const length = this.source?.length ?? 0
    // The more who keep it, the more it costs to join it.
    const least = Math.max(atLeast, this.flow.keeps ? 64 : 24)
    return Math.min(this.room(), Math.max(least, Math.min(512, (length - 1024) >> 3)))
  }
}
