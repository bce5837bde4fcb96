/**
 * Calls of tools whose input is free text, such as a patch or a program: the input is a string.
 *
 * Free text has no end of its own. It is whole if the provider says so, or if it went on with something else.
 */

import type { CallKey } from '../calls/assembler.ts'
import type { CallSettings } from '../calls/call.ts'
import { UNKNOWN_TOOL } from '../calls/tools.ts'
import { escaped } from '../calls/values.ts'
import type { CallError, DiagnosticCode, Event, Metadata } from '../event.ts'
import { MOST_IDS } from '../limits.ts'
import { Path } from '../path.ts'
import { Rope } from '../rope.ts'
import { flushPair, joinPairs, type PairBuffer } from '../surrogates.ts'
import { mergeMetadata } from './metadata.ts'
import type { TextCallDelta } from './output.ts'

export interface TextCallHost {
  readonly settings: CallSettings
  emit(event: Event): void
  newId(kind: 'call'): string
  report(code: DiagnosticCode, message: string, span: undefined, id?: string): void
  beforeCall(): void
}

export interface TextCallsState {
  readonly open: Map<CallKey, TextCallState>
  /** Those that were announced. */
  readonly ids: Set<string>
}

interface TextCallState extends PairBuffer {
  readonly input: Rope
  id: string
  wireId: string
  name: string
  /** Another name that came for the same call. */
  otherName: string
  isStarted: boolean
  isFull: boolean
  providerExecuted: boolean
  metadata: Metadata | undefined
}

const begin = (): TextCallState => ({
  half: '',
  input: new Rope(),
  id: '',
  wireId: '',
  name: '',
  otherName: '',
  isStarted: false,
  isFull: false,
  providerExecuted: false,
  metadata: undefined,
})

export class TextCalls {
  readonly state: TextCallsState
  private readonly host: TextCallHost

  constructor(host: TextCallHost, state: TextCallsState = { open: new Map(), ids: new Set() }) {
    this.host = host
    this.state = state
  }

  delta(delta: TextCallDelta): void {
    const { open, ids } = this.state
    const call = open.get(delta.key) ?? begin()
    open.set(delta.key, call)
    new TextCall(this.host, call).take(delta, ids)
  }

  has(key: CallKey): boolean {
    return this.state.open.has(key)
  }

  endCall(key: CallKey, isCut = false, refusal?: string): void {
    const { state } = this
    const call = state.open.get(key)
    state.open.delete(key)
    if (call !== undefined) new TextCall(this.host, call).end(isCut, refusal)
  }

  endAll(isCut: boolean): void {
    for (const key of [...this.state.open.keys()]) this.endCall(key, isCut)
  }
}

class TextCall {
  private readonly host: TextCallHost
  private readonly state: TextCallState

  constructor(host: TextCallHost, state: TextCallState) {
    this.host = host
    this.state = state
  }

  take({ id, name, text, providerExecuted, metadata }: TextCallDelta, ids: Set<string>): void {
    const { state } = this
    if (providerExecuted) state.providerExecuted = true
    state.metadata = mergeMetadata(state.metadata, metadata)
    if (state.wireId === '' && id !== undefined) state.wireId = id
    if (name !== undefined && name !== '' && name !== state.name) {
      if (state.isStarted) state.otherName ||= name
      else {
        state.name = name
        this.start(ids)
      }
    }
    if (text !== undefined && text !== '') this.grow(text)
  }

  private start(ids: Set<string>): void {
    const { state } = this
    this.host.beforeCall()
    state.isStarted = true
    const hasRoom = ids.size < MOST_IDS
    const isFree = state.wireId !== '' && !ids.has(state.wireId) && hasRoom
    state.id = isFree ? state.wireId : this.host.newId('call')
    if (hasRoom) ids.add(state.id)
    this.host.emit({
      type: 'tool-input-start',
      id: state.id,
      toolName: state.name,
      ...(state.providerExecuted && { providerExecuted: true }),
      ...(state.metadata && { metadata: state.metadata }),
    })
    if (this.host.settings.json) this.emitJson('"')
    if (this.host.settings.arguments)
      this.host.emit({ type: 'argument-start', id: state.id, path: Path.root, kind: 'string' })
    this.say(state.input.toString())
  }

  private grow(piece: string): void {
    const { state } = this
    const { call, undecided } = this.host.settings.limits
    const room = (state.isStarted ? call : undecided) - state.input.length
    const text = joinPairs(state, piece.length > room ? piece.slice(0, Math.max(0, room)) : piece)
    state.input.add(text)
    if (state.isStarted) this.say(text)
    if (piece.length > room) state.isFull = true
  }

  private say(text: string): void {
    if (text === '') return
    const { host } = this
    const { id } = this.state
    if (host.settings.source) host.emit({ type: 'tool-source-delta', id, delta: text })
    if (host.settings.json) this.emitJson(escaped(text))
    if (host.settings.arguments) host.emit({ type: 'argument-delta', id, path: Path.root, delta: text })
  }

  private emitJson(delta: string): void {
    this.host.emit({ type: 'tool-input-delta', id: this.state.id, delta })
  }

  end(isCut: boolean, refusal?: string): void {
    const { state } = this
    if (!state.isStarted) return
    const rest = flushPair(state)
    state.input.add(rest)
    this.say(rest)
    const { host } = this
    const { id, name: toolName, wireId } = state
    const { settings } = host
    const input = state.input.toString()
    const failure = this.failure(isCut, refusal)
    const unknown = state.providerExecuted ? undefined : settings.tools.refusalOf(toolName, 0)
    const error = failure ?? unknown
    if (unknown !== undefined) host.report(UNKNOWN_TOOL, unknown.message, undefined, id)
    if (failure !== undefined)
      host.report(DIAGNOSTICS[failure.code] ?? 'malformed-call', failure.message, undefined, id)
    else {
      if (settings.json) this.emitJson('"')
      if (settings.arguments) host.emit({ type: 'argument-end', id, path: Path.root, value: input })
    }
    host.emit({ type: 'tool-input-end', id })
    const isDropped = failure !== undefined && settings.malformed === 'drop'
    const isKept = error === undefined ? settings.raw : !isDropped && (settings.input || settings.raw)
    host.emit({
      type: 'tool-call',
      id,
      toolName,
      input: settings.input ? input : null,
      status: error === undefined ? 'complete' : error.code === 'truncated' ? 'truncated' : 'invalid',
      repairs: [],
      ...(isKept && { raw: input }),
      ...(error !== undefined && { error }),
      ...(wireId !== '' && wireId !== id && { wireId }),
      ...(state.providerExecuted && { providerExecuted: true }),
      ...(state.metadata && { metadata: state.metadata }),
    })
  }

  private failure(isCut: boolean, refusal: string | undefined): CallError | undefined {
    const { name, otherName, input, isFull } = this.state
    const offset = input.length
    if (isFull)
      return { code: 'limit-reached', message: `The input is longer than ${offset} characters.`, offset }
    if (otherName !== '')
      return {
        code: 'duplicate-key',
        message: `The call has two names, '${name}' and '${otherName}'.`,
        offset: 0,
      }
    if (refusal !== undefined) return { code: 'refused', message: refusal, offset: 0 }
    return isCut ? { code: 'truncated', message: 'The call was cut off.', offset } : undefined
  }
}

const DIAGNOSTICS: { readonly [code: string]: DiagnosticCode } = {
  'limit-reached': 'limit-reached',
  'duplicate-key': 'duplicate-key',
  truncated: 'truncated-call',
}
