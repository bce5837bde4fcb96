/**
 * One call of a provider's own kind while its deltas come: a name at some time, and arguments as JSON text in
 * pieces of any size. What is read before the name is known is kept and said when it is.
 */

import { DEFAULT_JSON_LIMITS, IGNORES_ALL, type JsonHandler } from '../json/handler.ts'
import { STRICT } from '../json/rules.ts'
import { JsonScanner, type JsonScannerState } from '../json/scanner.ts'
import { Rope } from '../rope.ts'
import { flushPair, joinPairs } from '../surrogates.ts'
import { Call, type CallHost, type CallState } from './call.ts'
import { JsonArguments, type JsonArgumentsState, jsonLimitsOf } from './json-arguments.ts'
import type { JsonFastPath } from './json-fast-path.ts'

const STYLE = { untyped: 'json', knownToolsOnly: false } as const

export class NativeCall {
  readonly call: Call

  private readonly host: CallHost
  /** What follows the arguments is passed over. */
  private readonly endsWhole: boolean
  private scanner: JsonScanner
  /** Who listens to the scanner: nobody, as long as the call has no name. */
  private handler: JsonArguments | null = null
  /** The arguments as they came, without repetitions. */
  private received = new Rope()
  /** Nothing but whitespace came so far. */
  private isBlank = true
  /** Each piece repeats everything before it. */
  private repeats = false
  /** Nothing more is read: a limit was reached, or the provider took back what it had sent. */
  private isStopped = false
  /** What follows the arguments: nothing, closers too many, or anything else. */
  private tail: '' | 'extra-close' | 'trailing-content' = ''
  /** The first half of a surrogate pair that the source ended with. */
  half = ''
  /** The fast path from the last piece on; null: there is none. */
  private fastPath: JsonFastPath | null = null

  constructor(host: CallHost, endsWhole = false, call = new Call(host, STYLE, 0)) {
    this.host = host
    this.endsWhole = endsWhole
    this.call = call
    this.scanner = new JsonScanner(jsonLimitsOf(host.settings.limits))
  }

  /** The arguments are a complete JSON value. */
  get isWhole(): boolean {
    return this.scanner.status === 'done'
  }

  /** Nothing more is expected: the arguments are whole, and what they should be. */
  get isOver(): boolean {
    return this.isWhole && !this.call.hasFailed
  }

  get hasArguments(): boolean {
    return !this.isBlank
  }

  /** Whether these are the arguments that came. */
  hasReceived(text: string): boolean {
    return text.length === this.received.length && text === this.received.toString()
  }

  /** The name is known, or will never be: everything that waited for it is said. */
  announce(): void {
    if (this.call.started) return
    this.call.start()
    this.scanner = new JsonScanner(jsonLimitsOf(this.host.settings.limits))
    this.handler = new JsonArguments(this.call, this.scanner, 0)
    this.tail = ''
    if (this.received.length > 0) this.say(this.received.toString(), 0)
    if (this.isStopped) this.failAtLimit()
  }

  // ── arguments ──────────────────────────────────────────────────────────────────────────────────

  /** A piece of JSON text. `repeats`: it is known to repeat everything before it. */
  grow(piece: string, repeats: boolean): void {
    if (!repeats && this.continuesString(piece)) return
    if (this.isStopped || piece === '') return
    if (repeats || this.repeats || this.isRepetition(piece)) this.append(this.beyondReceived(piece, repeats))
    else this.append(piece)
  }

  /**
   * Fast path: takes a piece that only continues the open string. False, and nothing was done, if it may do more. Such a
   * piece is no repetition: those begin with an object, and with the quotes of its keys.
   */
  continuesString(piece: string): boolean {
    const { fastPath, received } = this
    if (fastPath === null || piece.length > this.host.settings.limits.call - received.length) return false
    if (!fastPath.take(piece)) return false
    received.add(piece)
    return true
  }

  /** The whole input as a value, where nothing of it came as text; otherwise it says the same once more. */
  growWhole(json: string): void {
    if (this.isStopped || this.isWhole || json === '') return
    if (json.startsWith(this.received.toString())) this.append(json.slice(this.received.length))
    else
      this.host.report(
        'provider-payload',
        'The arguments came as text and as a value; the text counts.',
        undefined,
        this.call.id,
      )
  }

  /**
   * Whether a piece repeats everything before it, although nobody said so.
   *
   *     {"path"      then      {"path":"main.rs"}
   *
   * Only where going on with it is impossible in JSON and beginning anew with it is not; pieces of valid JSON
   * are never taken for repetitions. It costs as much as the piece is long, because it is tried only on pieces
   * that are longer than all that came before.
   */
  private isRepetition(piece: string): boolean {
    const { length } = this.received
    if (piece.length < length || length === 0) return false
    const received = this.received.toString()
    if (!piece.startsWith(received)) return false
    if (piece === received) return this.isWhole
    if (mayBeJson(received + piece) || !mayBeJson(piece)) return false
    this.repeats = true
    if (this.isWhole) return true
    this.call.repaired('repeated-arguments', 'guess', length)
    this.host.report(
      'provider-payload',
      'Each piece of the arguments repeats those before it.',
      undefined,
      this.call.id,
    )
    return true
  }

  /** What a piece adds that repeats everything before it. */
  private beyondReceived(piece: string, isKnown: boolean): string {
    const received = this.received.toString()
    if (piece.startsWith(received)) return piece.slice(received.length)
    if (!isKnown) return piece
    if (!this.isWhole && !received.startsWith(piece)) {
      this.isStopped = true
      this.call.fail(
        'arguments-changed',
        'The provider changed arguments that it had sent before.',
        received.length,
      )
    }
    return ''
  }

  private append(piece: string): void {
    const { limits } = this.host.settings
    const remaining = (this.call.started ? limits.call : limits.undecided) - this.received.length
    const kept = piece.length > remaining ? piece.slice(0, remaining) : piece
    const from = this.received.length
    this.received.add(kept)
    if (this.isBlank && kept.trim() !== '') this.isBlank = false
    if (this.call.started) this.say(kept, from)
    else this.read(kept, from, IGNORES_ALL)
    const mayGoOn = piece.length <= remaining && !this.repeats && !this.host.settings.source
    this.fastPath = (mayGoOn && this.handler?.fastPath) || null
    if (piece.length <= remaining) return
    this.isStopped = true
    if (this.call.started) this.failAtLimit()
  }

  private failAtLimit(): void {
    const { length } = this.received
    this.call.fail('limit-reached', `The arguments are longer than ${length} characters.`, length)
  }

  private say(piece: string, from: number): void {
    if (piece === '' || this.handler === null) return
    const { source } = this.host.settings
    if (!this.endsWhole) {
      if (source) this.saySource(joinPairs(this, piece))
      this.read(piece, from, this.handler)
      return
    }
    const at = this.isWhole ? piece.length : this.scanner.read(piece, 0, piece.length, this.handler)
    const taken = this.isOver ? piece.slice(0, at) : piece
    if (this.isOver) this.received.cut(this.received.length - from - at)
    if (source) this.saySource(joinPairs(this, taken))
  }

  private saySource(delta: string): void {
    if (delta !== '') this.host.emit({ type: 'tool-source-delta', id: this.call.id, delta })
  }

  private read(piece: string, from: number, handler: JsonHandler): void {
    const at = this.scanner.read(piece, 0, piece.length, handler)
    if (this.scanner.status === 'done' && at < piece.length) this.readTail(piece, at, from)
  }

  /** After the arguments nothing should come. Closers too many mean nothing; of anything else nobody knows. */
  private readTail(piece: string, at: number, from: number): void {
    for (; at < piece.length && this.tail !== 'trailing-content'; at++) {
      const character = piece[at]!
      if (character.trim() === '') continue
      const found = character === '}' || character === ']' ? 'extra-close' : 'trailing-content'
      if (found === this.tail) continue
      this.tail = found
      if (this.call.started)
        this.call.repairedJson(found, found === 'extra-close' ? 'lossless' : 'guess', from + at)
    }
  }

  // ── the end ────────────────────────────────────────────────────────────────────────────────────

  /**
   * `mayLack`: that no more of the arguments came does not mean that there is no more. `refusal`: why the call may not
   * run, although it may be whole.
   */
  end(mayLack = false, refusal?: string): void {
    this.announce()
    const { handler, scanner } = this
    const received = this.received.toString()
    this.saySource(flushPair(this))
    // A bare number is only whole because nothing follows it.
    const isOpen = !this.isWhole
    if (handler !== null) scanner.end(handler)
    const isCut = this.hasArguments ? scanner.status !== 'done' || (mayLack && isOpen) : mayLack
    if (refusal !== undefined && !isCut) this.call.fail('refused', refusal, 0)
    const cut = { offset: received.length, completion: handler?.completion() ?? '' }
    this.call.end(received, undefined, isCut ? cut : undefined)
  }

  // ── snapshots ──────────────────────────────────────────────────────────────────────────────────

  save(): NativeCallState {
    const { repeats, isStopped, tail, half } = this
    return {
      received: this.received.toString(),
      repeats,
      isStopped,
      tail,
      half,
      call: this.call.save(),
      scanner: this.scanner.save(),
      handler: this.handler?.save() ?? null,
    }
  }

  static restore(state: NativeCallState, host: CallHost, endsWhole = false): NativeCall {
    const { call, scanner, handler, received, ...plain } = state
    const restored = new NativeCall(host, endsWhole, Call.restore(call, host, STYLE))
    Object.assign(restored, plain)
    restored.received = new Rope(received)
    restored.isBlank = received.trim() === ''
    restored.scanner = JsonScanner.restore(scanner, jsonLimitsOf(host.settings.limits))
    if (handler !== null) restored.handler = JsonArguments.restore(handler, restored.call, restored.scanner)
    return restored
  }
}

/** A call in the middle of its deltas, as plain data. */
export interface NativeCallState {
  readonly received: string
  readonly repeats: boolean
  readonly isStopped: boolean
  readonly tail: '' | 'extra-close' | 'trailing-content'
  readonly half: string
  readonly call: CallState
  readonly scanner: JsonScannerState
  readonly handler: JsonArgumentsState | null
}

/** Whether a text is JSON, or the beginning of it. */
function mayBeJson(text: string): boolean {
  const scanner = new JsonScanner(DEFAULT_JSON_LIMITS, STRICT)
  scanner.decoding = false
  const at = scanner.read(text, 0, text.length, IGNORES_ALL)
  return scanner.status !== 'failed' && text.slice(at).trim() === ''
}
