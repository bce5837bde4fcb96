/**
 * Calls of tools whose input is free text, such as a patch or a program: the input is a string.
 *
 * Free text has no end of its own. It is complete if the provider says so, or if something else follows it.
 */

import { type AssemblerHost, type CallKey, callHost } from '../calls/assembler.ts'
import { Call, type CallHost } from '../calls/call.ts'
import { escaped } from '../calls/values.ts'
import { Ids, type IdsState } from '../ids.ts'
import { Rope } from '../rope.ts'
import { flushPair, joinPairs, type PairBuffer } from '../surrogates.ts'
import { mergeMetadata } from './metadata.ts'
import type { TextCallDelta } from './output.ts'

export interface TextCallsState {
  readonly open: readonly (readonly [CallKey, TextCallState])[]
  readonly ids: IdsState
}

const STYLE = { untyped: 'string', knownToolsOnly: false } as const

export class TextCalls {
  private readonly host: CallHost
  private readonly open: Map<CallKey, TextCall>
  private readonly ids: Ids

  constructor(host: AssemblerHost, saved?: TextCallsState) {
    this.ids = new Ids(() => host.newId('call'), saved?.ids)
    this.host = callHost(host, this.ids)
    const open = saved?.open ?? []
    this.open = new Map(open.map(([key, state]) => [key, new TextCall(this.host, state)]))
  }

  save(): TextCallsState {
    return { open: [...this.open].map(([key, call]) => [key, call.save()]), ids: this.ids.state }
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
    call?.end(isCut, refusal)
  }

  endAll(isCut: boolean): void {
    for (const key of [...this.open.keys()]) this.endCall(key, isCut)
  }
}

interface TextCallState extends PairBuffer {
  readonly call: unknown
  readonly input: string
  readonly wireId: string
  readonly isFull: boolean
}

class TextCall implements PairBuffer {
  half = ''
  private readonly host: CallHost
  private readonly call: Call
  private readonly input: Rope
  /** The first id that the wire gave. */
  private wireId = ''
  /** A limit was reached, and nothing more is kept. */
  private isFull = false

  constructor(host: CallHost, saved?: TextCallState) {
    this.host = host
    this.call = saved === undefined ? new Call(host, STYLE, 0) : Call.restore(saved.call, host, STYLE)
    this.call.s.isFreeText = true
    this.input = new Rope(saved?.input)
    if (saved === undefined) return
    this.half = saved.half
    this.wireId = saved.wireId
    this.isFull = saved.isFull
  }

  save(): TextCallState {
    const { half, wireId, isFull } = this
    return { call: this.call.save(), input: this.input.toString(), half, wireId, isFull }
  }

  take({ id, name, text, providerExecuted, metadata }: TextCallDelta): void {
    const { call } = this
    if (providerExecuted) call.s.providerExecuted = true
    call.s.metadata = mergeMetadata(call.s.metadata ?? undefined, metadata) ?? null
    if (this.wireId === '' && id !== undefined && id !== '') {
      this.wireId = id
      if (id !== call.id) call.word('id', id)
    }
    if (name !== undefined && name !== '') {
      call.word('name', name)
      if (!call.started) this.start()
    }
    if (text !== undefined && text !== '') this.grow(text)
  }

  private start(): void {
    const { call, host } = this
    call.start()
    this.writeJson('"')
    if (host.settings.arguments) host.emit({ type: 'argument-start', id: call.id, path: [], kind: 'string' })
    this.write(this.input.toString())
  }

  private grow(piece: string): void {
    const { call, input, host } = this
    const { limits } = host.settings
    const remaining = Math.max(0, (call.started ? limits.call : limits.undecided) - input.length)
    const text = joinPairs(this, piece.length > remaining ? piece.slice(0, remaining) : piece)
    input.add(text)
    if (call.started) this.write(text)
    if (piece.length > remaining) this.isFull = true
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

  end(isCut: boolean, refusal: string | undefined): void {
    const { call, host } = this
    if (!call.started) return
    const half = flushPair(this)
    this.input.add(half)
    this.write(half)
    const input = this.input.toString()
    const offset = input.length
    if (this.isFull) call.fail('limit-reached', `The input is longer than ${offset} characters.`, offset)
    else if (refusal !== undefined) call.fail('refused', refusal, 0)
    if (!isCut && !call.hasFailed) {
      this.writeJson('"')
      if (host.settings.arguments) host.emit({ type: 'argument-end', id: call.id, path: [], value: input })
      call.end(input)
    } else call.end(input, undefined, { offset, completion: '"' })
  }
}
