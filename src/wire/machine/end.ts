/**
 * What becomes of all that is open when no more text comes: what was held back is said, and a call is cut off.
 *
 *     Let me look. <tool_ca|                     text
 *     <tool_call>{"name": "get_weather", "ar|    a call that was cut off
 */

import type { FinishReason } from '../../event.ts'
import { ChunkMachine } from './chunks.ts'

/** How a stream ended: all of it came, its reader left, or it broke off. */
export type StreamEnd = 'finished' | 'interrupted' | 'failed'

/** Why no more text comes: how the stream ended, or what the provider said. */
export type EndReason = StreamEnd | FinishReason

/** What comes in between: at most a call that the provider sends by itself, or something else. */
export type Interruption = 'call' | 'other'

/** What each means for the response. `stop`: the model stopped by itself. */
export const FINISH_REASONS: Readonly<Record<EndReason, FinishReason>> = {
  finished: 'stop',
  stop: 'stop',
  'tool-calls': 'stop',
  interrupted: 'aborted',
  aborted: 'aborted',
  failed: 'error',
  error: 'error',
  length: 'length',
  'content-filter': 'content-filter',
  other: 'other',
}

/** Comes to an end. */
export abstract class EndingMachine extends ChunkMachine {
  /** Something that is not text comes in between: what was held back is said. A call in the text stays open. */
  interrupt(by: Interruption): void {
    this.settle()
    this.endAwaitedHere()
    const staysBehindCall = by === 'call' && this.dropSpaceBehindCall()
    if (!this.isInCall && !staysBehindCall) while (this.stoppedBy === '' && this.leaveState());
    if (by === 'other') this.verdicts?.doubt()
    this.voice.close()
    this.findFastPath()
  }

  end(why: EndReason): void {
    const reason = FINISH_REASONS[why]
    this.fastPath = null
    this.settle()
    this.endAwaitedHere()
    this.dropSpaceBehindCall()
    while (this.stoppedBy === '' && this.leaveState());
    this.endAwaitedHere()
    const isCut = this.isInCall
    if (isCut) {
      if (this.settings.source) this.saySource(0)
      const completion = this.reader?.completion?.() ?? ''
      this.calls++
      this.judge(this.call!, { offset: this.total, completion })
    }
    this.call = null
    if (this.voice.isReasoning)
      this.report(
        'reasoning-not-closed',
        'The response ends inside reasoning.',
        this.total > this.reasoningAt ? { start: this.reasoningAt, end: this.total } : undefined,
      )
    this.voice.close()
    this.verdicts?.decide(this.stoppedBy !== '' || (reason === 'stop' && !isCut))
    this.emit({
      type: 'finish',
      reason: reason === 'stop' && this.calls > 0 ? 'tool-calls' : reason,
      ...(this.stoppedBy !== '' && { rawReason: this.stoppedBy }),
    })
  }

  /** White space between a call inside reasoning and the end, or the next call, is no thought. */
  private dropSpaceBehindCall(): boolean {
    if (this.thought === null || this.state !== this.thought.behindCall || this.held !== '') return false
    this.space = ''
    return true
  }

  /** No more text comes, so that a verdict that waits for it is due. */
  protected endAwaitedHere(): void {
    if (this.isAwaited) this.endCall('', 0, 0)
    this.atBracket = false
  }

  /** No more text comes for what was cut in two. */
  private settle(): void {
    const half = this.surrogate
    this.surrogate = ''
    if (half !== '') this.readPiece(half)
    this.base = this.total
    this.sourceFrom = 0
  }

  /** Goes on from the current state as far as the end of the text allows; false when there is no further. */
  private leaveState(): boolean {
    const { state } = this
    const isOpen = this.isInCall
    // What was skipped of something that nobody knows yet is no less text than the rest of it.
    if (state.kind === 'scan' && (isOpen || this.source === null)) {
      const { held } = this
      this.held = ''
      this.node = 0
      if (held !== '') this.say(state, held)
      return false
    }
    if (state.kind === 'expect' && !isOpen) {
      const way =
        state.fallbacks.find((fallback) => fallback.atEnd) ??
        // Reasoning that ends within an optional marker: what there is of the marker was thought.
        (this.voice.isReasoning ? state.fallbacks.find((fallback) => fallback.first === '') : undefined)
      if (way !== undefined && this.source === null) {
        this.fallBack(way, '', 0)
        return true
      }
    }
    if (state.kind === 'read' && this.reader !== null) {
      this.reader.end(this.currentCall())
      if (this.reader.status === 'done') {
        this.finishReader(state, this.reader, '', 0)
        return true
      }
    }
    if (isOpen) return false
    this.fail('', 0)
    return true
  }
}
