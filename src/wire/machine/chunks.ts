/**
 * How a chunk comes in: on the fast path where there is one that can take it, or the long way through the states.
 *
 *     Let me |look |at it| <3 |<tool|_call>
 *     long    fast  fast   fast fast  long
 */

import type { Rope } from '../../rope.ts'
import { isHighSurrogate } from '../../surrogates.ts'
import { type FastPath, ValueFastPath } from '../fast-path.ts'
import { StateMachine } from './states.ts'

/** Before the first character of a response: it says how the bytes are encoded, and is no text. */
const BYTE_ORDER_MARK = 0xfeff

/** Takes chunks. */
export abstract class ChunkMachine extends StateMachine {
  /** The first half of a surrogate pair whose second half has not come. */
  protected surrogate = ''
  /** The fast path from here on, until a chunk takes the long way; null: there is none. */
  protected fastPath: FastPath | null = null

  /** How much it may take before a limit is reached. */
  private fastRemaining = 0

  push(chunk: string): void {
    const { fastPath, source } = this
    if (
      fastPath === null ||
      typeof chunk !== 'string' ||
      chunk.length > this.fastRemaining ||
      !fastPath.take(chunk)
    ) {
      this.pushOn(chunk)
      return
    }
    this.total += chunk.length
    if (source === null) return
    this.fastRemaining -= chunk.length
    this.keepSource(source, chunk)
  }

  private keepSource(source: Rope, chunk: string): void {
    source.add(chunk)
    if (this.unsaid === null) return
    this.unsaid.add(chunk)
    this.saySource(this.held.length)
  }

  // ── the long way ─────────────────────────────────────────────────────────────────────────────────

  /** A chunk that the fast path did not take. */
  protected pushOn(chunk: string): void {
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
    this.findFastPath()
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

  // ── the fast path ────────────────────────────────────────────────────────────────────────────────

  protected findFastPath(): void {
    const { state, call } = this
    this.fastRemaining = this.room()
    if (this.total === 0 || this.surrogate !== '' || this.stoppedBy !== '' || this.prefilled > 0)
      this.fastPath = null
    else if (state.kind === 'read') this.fastPath = this.reader?.fastPath ?? null
    else if (state.kind !== 'scan') this.fastPath = null
    // The first character of text decides on the verdicts that wait.
    else if (state.channel !== 'value' && this.verdicts?.isWaiting) this.fastPath = null
    else if (state.channel !== 'value')
      this.fastPath = this.voice.fastPath(state.channel, this, state.literals, this.speechWatch(state))
    else if (call === null) this.fastPath = null
    else this.fastPath = ValueFastPath.from(this, state.literals, call.textArguments, state.verbatim)
  }
}
