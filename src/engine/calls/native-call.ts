/**
 * One call of a provider's own kind while its deltas come: a name at some time, and arguments as JSON text in
 * pieces of any size. What is read before the name is known is kept, and emitted when it is.
 */

import {
  isAnything,
  isBoolean,
  isRope,
  isString,
  nullable,
  oneOf,
  recordOf,
  type Shape,
} from '../../base/plain-state.ts'
import { Rope } from '../../base/rope.ts'
import { flushPair, joinPairs } from '../../base/surrogates.ts'
import { DEFAULT_JSON_LIMITS, IGNORES_ALL, type JsonHandler } from '../../values/json/handler.ts'
import { STRICT, TOLERANT } from '../../values/json/rules.ts'
import { initialState, isJsonState, type JsonState } from '../../values/json/scan/json-state.ts'
import { JsonScanner } from '../../values/json/scanner.ts'
import { Call, type CallHost } from './call.ts'
import {
  JSON_ARGUMENTS,
  JsonArguments,
  type JsonArgumentsState,
  jsonArguments,
  jsonLimitsOf,
} from './json-arguments.ts'

const STYLE = { untyped: 'json', knownToolsOnly: false } as const

interface NativeCallState {
  json: JsonState
  /** Takes what the scanner finds; null as long as the call has no name. */
  arguments: JsonArgumentsState | null
  /** The arguments as they came, without repetitions. */
  received: Rope
  /** Nothing but whitespace came so far. */
  isBlank: boolean
  /** The arguments, or their end, came as a value: it is complete even if the model was stopped in the middle of it. */
  isValue: boolean
  /** Each piece repeats everything before it. */
  repeats: boolean
  /** Nothing more is read: a limit was reached, or the provider took back what it had sent. */
  isStopped: boolean
  /** What follows the arguments: nothing, closers too many, or anything else. */
  tail: '' | 'extra-close' | 'trailing-content'
  /** The first half of a surrogate pair that the source ended with. */
  half: string
  /** Something came that could not be read: of any call, of this one, or between two pieces of its arguments. */
  missed: '' | 'any' | 'own' | 'inside'
}

export interface SavedNativeCall extends NativeCallState {
  /** It checks what is its own. */
  call: unknown
}

export const NATIVE_CALL: Shape<SavedNativeCall> = {
  json: isJsonState,
  arguments: nullable(recordOf(JSON_ARGUMENTS)),
  received: isRope,
  isBlank: isBoolean,
  isValue: isBoolean,
  repeats: isBoolean,
  isStopped: isBoolean,
  tail: oneOf('', 'extra-close', 'trailing-content'),
  half: isString,
  missed: oneOf('', 'any', 'own', 'inside'),
  call: isAnything,
}

const begin = (): NativeCallState => ({
  json: initialState(),
  arguments: null,
  received: new Rope(),
  isBlank: true,
  isValue: false,
  repeats: false,
  isStopped: false,
  tail: '',
  half: '',
  missed: '',
})

export class NativeCall {
  readonly call: Call

  private readonly host: CallHost
  /** What follows the arguments is passed over. */
  private readonly endsWhole: boolean
  private readonly s: NativeCallState
  private scanner: JsonScanner
  private handler: JsonArguments | null
  /** The fast path from the last piece on; null: there is none. */
  private fastPath: JsonArguments['fastPath'] = null

  constructor(host: CallHost, endsWhole = false, call = new Call(host, STYLE, 0), state = begin()) {
    this.host = host
    this.endsWhole = endsWhole
    this.call = call
    this.s = state
    this.scanner = this.scannerOf(state.json)
    this.handler = state.arguments && new JsonArguments(this.scanner, state.arguments).attach(call)
  }

  private scannerOf(state: JsonState): JsonScanner {
    return new JsonScanner(jsonLimitsOf(this.host.settings.limits), TOLERANT, state)
  }

  static restore({ call, ...state }: SavedNativeCall, host: CallHost, endsWhole = false): NativeCall {
    return new NativeCall(host, endsWhole, Call.restore(call, host, STYLE), state)
  }

  save(): SavedNativeCall {
    return { ...this.s, call: this.call.save() }
  }

  /** The arguments are a complete JSON value. */
  get isWhole(): boolean {
    return this.scanner.status === 'done'
  }

  /** Nothing more is expected: the arguments came as text, up to the last bracket, and are valid. */
  get isOver(): boolean {
    return this.isWhole && this.showsItsEnd && !this.call.hasFailed
  }

  get hasArguments(): boolean {
    return !this.s.isBlank
  }

  /** Whether what came shows by itself that it is all: text does so with its last bracket. */
  get showsItsEnd(): boolean {
    return this.hasArguments && !this.s.isValue
  }

  /** Some of the arguments came, and more have to come. */
  get isInside(): boolean {
    return this.hasArguments && !this.isWhole
  }

  /** Something else follows the arguments. */
  get isFollowed(): boolean {
    return this.s.tail === 'trailing-content'
  }

  /**
   * Something came that could not be read. `isOwn`: it is a piece of this call.
   *
   * Providers add events and fields, which say nothing about arguments that are whole without them. Arguments that never
   * came, or that go on behind the gap, are another matter.
   */
  miss(isOwn: boolean): void {
    const { s } = this
    if (!isOwn) s.missed ||= 'any'
    else if (s.missed !== 'inside') s.missed = this.isInside ? 'inside' : 'own'
  }

  /** Whether these are the arguments that came. */
  hasReceived(text: string): boolean {
    return text.length === this.s.received.length && text === this.s.received.toString()
  }

  /** The name is known, or will never be: emits everything that waited for it. */
  announce(): void {
    if (this.call.started) return
    this.call.start()
    this.s.json = initialState()
    this.s.arguments = jsonArguments('source', 0)
    this.scanner = this.scannerOf(this.s.json)
    this.handler = new JsonArguments(this.scanner, this.s.arguments).attach(this.call)
    this.s.tail = ''
    if (this.s.received.length > 0) this.write(this.s.received.toString(), 0)
    if (this.s.isStopped) this.failAtLimit()
  }

  // ── arguments ──────────────────────────────────────────────────────────────────────────────────

  /** A piece of JSON text. `repeats`: it is known to repeat everything before it. */
  grow(piece: string, repeats: boolean): void {
    if (!repeats && this.continuesString(piece)) return
    if (this.s.isStopped || piece === '') return
    if (repeats || this.s.repeats || this.isRepetition(piece))
      this.append(this.beyondReceived(piece, repeats))
    else this.append(piece)
  }

  /**
   * Fast path: takes a piece that only continues the open string. False, and nothing was done, if it may do more. Such a
   * piece is no repetition: those begin with an object, and with the quotes of its keys.
   */
  continuesString(piece: string): boolean {
    const { fastPath } = this
    const { received } = this.s
    if (fastPath === null || piece.length > this.host.settings.limits.call - received.length) return false
    if (!fastPath.take(piece)) return false
    received.add(piece)
    return true
  }

  /**
   * The whole input as a value: all of it where nothing came as text, and otherwise what the text should have been. The
   * text counts, because someone may have acted on it. If it is another value, a piece may be missing or doubled in it, or
   * a proxy filled in defaults of the schema: then the text is a guess.
   */
  growWhole(json: string): void {
    const { s } = this
    if (s.isStopped) return
    const received = s.received.toString()
    const isSame = this.isWhole ? isSameJson(received, json || '{}') : json.startsWith(received)
    if (isSame) {
      // Nothing is missing in what is the same without it.
      s.missed = ''
      if (this.isWhole || json === '') return
      s.isValue = true
      this.append(json.slice(received.length))
      return
    }
    // Some providers send an empty object with every piece.
    if (json === '') return
    if (this.isWhole) this.call.repaired('arguments-changed', 'guess', received.length)
    this.host.report(
      'provider-payload',
      'The arguments came both as text and as a value; the text is used.',
      undefined,
      this.call.id,
    )
  }

  /**
   * Whether a piece repeats everything before it, without being marked as cumulative.
   *
   *     {"path"      then      {"path":"main.rs"}
   *
   * Only where going on with it is impossible in JSON and beginning anew with it is not; pieces of valid JSON
   * are never taken for repetitions. It costs as much as the piece is long, because it is tried only on pieces
   * that are longer than all that came before.
   */
  private isRepetition(piece: string): boolean {
    const { length } = this.s.received
    if (piece.length < length || length === 0) return false
    const received = this.s.received.toString()
    if (!piece.startsWith(received)) return false
    if (piece === received) return this.isWhole
    if (mayBeJson(received + piece) || !mayBeJson(piece)) return false
    this.s.repeats = true
    if (this.isWhole) return true
    this.call.repaired('repeated-arguments', 'guess', length)
    this.host.report(
      'provider-payload',
      'Each piece of the arguments repeats the pieces before it.',
      undefined,
      this.call.id,
    )
    return true
  }

  /** What a piece adds that repeats everything before it. */
  private beyondReceived(piece: string, isKnown: boolean): string {
    const received = this.s.received.toString()
    if (piece.startsWith(received)) {
      if (isKnown) this.s.missed = ''
      return piece.slice(received.length)
    }
    if (!isKnown) return piece
    // The same value may be written in another way; any other is not what someone may have acted on already.
    if (!received.startsWith(piece) && !(this.isWhole && isSameJson(received, piece))) {
      this.s.isStopped = true
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
    const remaining = (this.call.started ? limits.call : limits.undecided) - this.s.received.length
    const kept = piece.length > remaining ? piece.slice(0, remaining) : piece
    const from = this.s.received.length
    this.s.received.add(kept)
    if (this.s.isBlank && kept.trim() !== '') this.s.isBlank = false
    if (this.call.started) this.write(kept, from)
    else this.read(kept, from, IGNORES_ALL)
    const { isStopped, repeats } = this.s
    const mayContinue = piece.length <= remaining && !isStopped && !repeats && !this.host.settings.source
    this.fastPath = (mayContinue && this.handler?.fastPath) || null
    if (piece.length <= remaining) return
    this.s.isStopped = true
    if (this.call.started) this.failAtLimit()
  }

  private failAtLimit(): void {
    const { length } = this.s.received
    this.call.fail('limit-reached', `The arguments are longer than ${length} characters.`, length)
  }

  private write(piece: string, from: number): void {
    if (piece === '' || this.handler === null) return
    const { source } = this.host.settings
    if (!this.endsWhole || this.s.isValue) {
      if (source) this.writeSource(joinPairs(this.s, piece))
      this.read(piece, from, this.handler)
      return
    }
    const at = this.isWhole ? piece.length : this.scanner.read(piece, 0, piece.length, this.handler)
    const taken = this.isOver ? piece.slice(0, at) : piece
    if (this.isOver) this.s.received.cut(this.s.received.length - from - at)
    if (source) this.writeSource(joinPairs(this.s, taken))
  }

  private writeSource(delta: string): void {
    if (delta !== '') this.host.emit({ type: 'tool-source-delta', id: this.call.id, delta })
  }

  private read(piece: string, from: number, handler: JsonHandler): void {
    const at = this.scanner.read(piece, 0, piece.length, handler)
    if (this.scanner.status === 'done' && at < piece.length) this.readTail(piece, at, from)
  }

  /** Nothing should follow the arguments. Extra closers are harmless; the meaning of anything else is a guess. */
  private readTail(piece: string, at: number, from: number): void {
    for (; at < piece.length && this.s.tail !== 'trailing-content'; at++) {
      const character = piece[at]!
      if (character.trim() === '') continue
      const found = character === '}' || character === ']' ? 'extra-close' : 'trailing-content'
      if (found === this.s.tail) continue
      this.s.tail = found
      if (this.call.started)
        this.call.repairedJson(found, found === 'extra-close' ? 'lossless' : 'guess', from + at)
    }
  }

  // ── the end ────────────────────────────────────────────────────────────────────────────────────

  /** Whether arguments that came may lack a piece: it was among them, or they are only JSON with repairs. */
  private get hasGap(): boolean {
    const { missed } = this.s
    return missed === 'inside' || (missed === 'own' && this.hasArguments && this.call.s.repairs.length > 0)
  }

  /**
   * `mayLack`: that no more of the arguments came does not mean that there is no more. `refusalOf`: why a call with these
   * arguments may not run, although it is whole.
   */
  end(mayLack = false, refusalOf?: (text: string) => string | undefined): void {
    this.announce()
    const { handler, scanner } = this
    const received = this.s.received.toString()
    this.writeSource(flushPair(this.s))
    // A bare number is only whole because nothing follows it.
    const isOpen = !this.isWhole
    if (handler !== null) scanner.end(handler)
    const isCut = this.hasArguments
      ? scanner.status !== 'done' || (mayLack && (isOpen || this.s.isValue))
      : mayLack || this.s.missed !== ''
    if (this.hasGap) this.call.fail('payload-lost', GAP, received.length)
    const refusal = isCut ? undefined : refusalOf?.(received)
    if (refusal !== undefined) this.call.fail('refused', refusal, 0)
    const cut = { offset: received.length, completion: handler?.completion() ?? '' }
    this.call.end(received, undefined, isCut ? cut : undefined)
  }
}

const GAP = 'A piece of the call could not be read; part of the arguments may be missing.'

/** Whether two texts are JSON of the same value. */
function isSameJson(one: string, other: string): boolean {
  try {
    return isSame(JSON.parse(one), JSON.parse(other))
  } catch {
    return false
  }
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other
  const keys = Object.keys(one)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) && isSame(one[key as keyof typeof one], other[key as keyof typeof other]),
    )
  )
}

/** Whether a text is JSON, or the beginning of it. */
function mayBeJson(text: string): boolean {
  const scanner = new JsonScanner(DEFAULT_JSON_LIMITS, STRICT)
  scanner.decoding = false
  const at = scanner.read(text, 0, text.length, IGNORES_ALL)
  return scanner.status !== 'failed' && text.slice(at).trim() === ''
}
