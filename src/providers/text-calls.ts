/**
 * Calls of tools whose input is free text, such as a patch or a program: the input is a string.
 *
 * Free text has no end of its own. It is complete if the provider says so, or if something else follows it.
 */

import {
  begun,
  flag,
  ids,
  map,
  part,
  resumed,
  rope,
  type StateOf,
  stateCheck,
  text,
} from '../base/declared-state.ts'
import { Ids } from '../base/ids.ts'
import { mergeMetadata } from '../base/merge-metadata.ts'
import { flushPair, joinPairs } from '../base/surrogates.ts'
import {
  type AssemblerHost,
  type CallKey,
  callHost,
  isCallKey,
  type WholeInput,
} from '../engine/calls/assembler.ts'
import { Call, type CallHost } from '../engine/calls/call.ts'
import { escaped } from '../engine/calls/values.ts'
import type { TextCallDelta } from './output.ts'

const TEXT_CALL = {
  /** The half of a surrogate pair that is held back. */
  half: text,
  input: rope(Number.POSITIVE_INFINITY),
  /** The first id that the wire gave. */
  wireId: text,
  /** A limit was reached, and nothing more is kept. */
  isFull: flag,
  /** A piece of the call could not be read, and may have held some of the text. */
  isUnread: flag,
}
const SAVED_CALL = { ...TEXT_CALL, call: part }
const STATE = { open: map(isCallKey, stateCheck(SAVED_CALL)), ids }

const CHANGED = 'The provider changed the input that it had sent before.'
const UNREAD = 'A piece of the call could not be read; part of the input may be missing.'

const STYLE = { untyped: 'string', knownToolsOnly: false } as const

export class TextCalls {
  private readonly host: CallHost
  private readonly refusalOf: AssemblerHost['refusalOf']
  private readonly open: Map<CallKey, TextCall>
  private readonly ids: Ids

  constructor(host: AssemblerHost, saved?: unknown) {
    const { open, ids } = resumed(STATE, saved)
    this.ids = new Ids(() => host.newId('call'), ids)
    this.host = callHost(host, this.ids)
    this.refusalOf = (call) => host.refusalOf?.(call)
    this.open = new Map([...open].map(([key, call]) => [key, TextCall.restore(call, this.host)]))
  }

  save(): StateOf<typeof STATE> {
    return { open: new Map([...this.open].map(([key, call]) => [key, call.save()])), ids: this.ids.state }
  }

  delta(delta: TextCallDelta): void {
    const call = this.open.get(delta.key) ?? new TextCall(this.host)
    this.open.set(delta.key, call)
    call.take(delta)
  }

  has(key: CallKey): boolean {
    return this.open.has(key)
  }

  endCall(key: CallKey, isCut = false, refusal?: string): void {
    const call = this.open.get(key)
    this.open.delete(key)
    call?.end(isCut, (input) => refusal ?? this.refusalOf?.(input))
  }

  /** Something is missing in the stream: what is open may lack a piece. */
  spoilOpen(code: string, message: string): void {
    for (const call of this.open.values()) call.spoil(code, message)
  }

  /** Something came that is not known: calls without any text may lack it. */
  missOpen(): void {
    for (const [key, call] of this.open) if (call.isEmpty) call.take({ key, isUnread: true })
  }

  endAll(isCut: boolean): void {
    for (const key of [...this.open.keys()]) this.endCall(key, isCut)
  }
}

class TextCall {
  private readonly state: StateOf<typeof TEXT_CALL>
  private readonly host: CallHost
  private readonly call: Call

  constructor(host: CallHost, call = new Call(host, STYLE, 0), state = begun(TEXT_CALL)) {
    this.host = host
    this.call = call
    this.call.s.isFreeText = true
    this.state = state
  }

  static restore({ call, ...state }: StateOf<typeof SAVED_CALL>, host: CallHost): TextCall {
    return new TextCall(host, Call.restore(call, host, STYLE), state)
  }

  save(): StateOf<typeof SAVED_CALL> {
    return { ...this.state, call: this.call.save() }
  }

  take({ id, name, text, cumulative, isUnread, providerExecuted, metadata }: TextCallDelta): void {
    const { call, state } = this
    if (providerExecuted) call.s.providerExecuted = true
    call.s.metadata = mergeMetadata(call.s.metadata, metadata)
    if (state.wireId === '' && id !== undefined && id !== '') {
      state.wireId = id
      if (id !== call.id) call.word('id', id)
    }
    if (name !== undefined && name !== '') {
      call.word('name', name)
      if (!call.started) this.start()
    }
    if (text !== undefined && text !== '') this.grow(cumulative ? this.beyondReceived(text) : text)
    if (isUnread) state.isUnread = true
  }

  /** What a text adds that repeats everything before it. One that does not is another input, and neither may run. */
  private beyondReceived(text: string): string {
    const { call, state } = this
    const received = state.input.toString() + state.half
    if (text.startsWith(received)) {
      state.isUnread = false
      return text.slice(received.length)
    }
    if (!state.isFull) call.fail('arguments-changed', CHANGED, received.length)
    return ''
  }

  private start(): void {
    const { call, host } = this
    call.start()
    this.writeJson('"')
    if (host.settings.arguments) host.emit({ type: 'argument-start', id: call.id, path: [], kind: 'string' })
    this.write(this.state.input.toString())
  }

  private grow(piece: string): void {
    const { call, state, host } = this
    const { input } = state
    const { limits } = host.settings
    const remaining = Math.max(0, (call.started ? limits.call : limits.undecided) - input.length)
    const text = joinPairs(state, piece.length > remaining ? piece.slice(0, remaining) : piece)
    input.add(text)
    if (call.started) this.write(text)
    if (piece.length > remaining) state.isFull = true
  }

  private write(delta: string): void {
    if (delta === '') return
    const { call, host } = this
    if (host.settings.source) host.emit({ type: 'tool-source-delta', id: call.id, delta })
    if (host.settings.json) this.writeJson(escaped(delta))
    if (host.settings.arguments) host.emit({ type: 'argument-delta', id: call.id, path: [], delta })
  }

  private writeJson(delta: string): void {
    const { call, host } = this
    if (host.settings.json) host.emit({ type: 'tool-input-delta', id: call.id, delta })
  }

  spoil(code: string, message: string): void {
    this.call.fail(code, message, this.state.input.length)
  }

  get isEmpty(): boolean {
    return this.state.input.length === 0
  }

  end(isCut: boolean, refusalOf: (input: WholeInput) => string | undefined): void {
    const { call, host, state } = this
    if (!call.started) return
    const half = flushPair(state)
    state.input.add(half)
    this.write(half)
    const input = state.input.toString()
    const offset = input.length
    if (state.isUnread) call.fail('payload-lost', UNREAD, offset)
    if (state.isFull) call.fail('limit-reached', `The input is longer than ${offset} characters.`, offset)
    else if (!isCut && !call.s.providerExecuted) {
      const refusal = refusalOf({
        id: call.id,
        wireId: state.wireId,
        index: null,
        name: call.name,
        text: input,
      })
      if (refusal !== undefined) call.fail('refused', refusal, 0)
    }
    if (!isCut && !call.hasFailed) {
      this.writeJson('"')
      if (host.settings.arguments) host.emit({ type: 'argument-end', id: call.id, path: [], value: input })
      call.end(input)
    } else call.end(input, undefined, { offset, completion: '"' })
  }
}
