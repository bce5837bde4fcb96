/**
 * Calls of tools whose input is free text, such as a patch or a program: the input is a string.
 *
 * Free text has no end of its own. It is whole if the provider says so, or if it went on with something else.
 */

import type { CallKey } from '../calls/assembler.ts'
import type { CallSettings } from '../calls/call.ts'
import type { CallError, DiagnosticCode, Event, Metadata } from '../event.ts'
import { Path } from '../path.ts'
import { Rope } from '../rope.ts'
import { mergeMetadata } from './metadata.ts'
import type { TextCallDelta } from './output.ts'
import { Pairs } from './pairs.ts'

export interface TextCallHost {
  readonly settings: CallSettings
  emit(event: Event): void
  newId(kind: 'call'): string
  report(code: DiagnosticCode, message: string, offset: number, id?: string): void
  beforeCall(): void
}

export class TextCalls {
  private readonly host: TextCallHost
  private readonly open = new Map<CallKey, TextCall>()
  private readonly ids = new Set<string>()

  constructor(host: TextCallHost) {
    this.host = host
  }

  delta(delta: TextCallDelta): void {
    let call = this.open.get(delta.key)
    if (call === undefined) {
      call = new TextCall(this.host)
      this.open.set(delta.key, call)
    }
    call.take(delta, this.ids)
  }

  endCall(key: CallKey, isCut = false): void {
    const call = this.open.get(key)
    this.open.delete(key)
    call?.end(isCut)
  }

  endAll(isCut: boolean): void {
    for (const key of [...this.open.keys()]) this.endCall(key, isCut)
  }
}

class TextCall {
  private readonly host: TextCallHost
  private readonly pairs = new Pairs()
  private readonly input = new Rope()
  private id = ''
  private wireId = ''
  private name = ''
  private isStarted = false
  private isFull = false
  private providerExecuted = false
  private metadata: Metadata | undefined

  constructor(host: TextCallHost) {
    this.host = host
  }

  take({ id, name, text, providerExecuted, metadata }: TextCallDelta, ids: Set<string>): void {
    if (providerExecuted) this.providerExecuted = true
    this.metadata = mergeMetadata(this.metadata, metadata)
    if (this.wireId === '' && id !== undefined) this.wireId = id
    if (this.name === '' && name !== undefined && name !== '') {
      this.name = name
      this.start(ids)
    }
    if (text !== undefined && text !== '') this.grow(text)
  }

  private start(ids: Set<string>): void {
    this.host.beforeCall()
    this.isStarted = true
    const isFree = this.wireId !== '' && !ids.has(this.wireId)
    this.id = isFree ? this.wireId : this.host.newId('call')
    ids.add(this.id)
    this.host.emit({
      type: 'tool-input-start',
      id: this.id,
      toolName: this.name,
      ...(this.providerExecuted && { providerExecuted: true }),
      ...(this.metadata && { metadata: this.metadata }),
    })
    if (this.host.settings.json) this.emitJson('"')
    if (this.host.settings.arguments)
      this.host.emit({ type: 'argument-start', id: this.id, path: Path.root, kind: 'string' })
    this.say(this.input.toString())
  }

  private grow(piece: string): void {
    const { call, undecided } = this.host.settings.limits
    const room = (this.isStarted ? call : undecided) - this.input.length
    const text = this.pairs.push(piece.length > room ? piece.slice(0, Math.max(0, room)) : piece)
    this.input.add(text)
    if (this.isStarted) this.say(text)
    if (piece.length > room) this.isFull = true
  }

  private say(text: string): void {
    if (text === '') return
    const { id, host } = this
    if (host.settings.source) host.emit({ type: 'tool-source-delta', id, delta: text })
    if (host.settings.json) this.emitJson(JSON.stringify(text).slice(1, -1))
    if (host.settings.arguments) host.emit({ type: 'argument-delta', id, path: Path.root, delta: text })
  }

  private emitJson(delta: string): void {
    this.host.emit({ type: 'tool-input-delta', id: this.id, delta })
  }

  end(isCut: boolean): void {
    if (!this.isStarted) return
    const rest = this.pairs.end()
    this.input.add(rest)
    this.say(rest)
    const { id, name: toolName, host, wireId } = this
    const { settings } = host
    const input = this.input.toString()
    const error = this.failure(isCut)
    if (settings.tools.size > 0 && !settings.tools.has(toolName))
      host.report('unknown-tool', `There is no tool '${toolName}'.`, 0, id)
    if (error !== undefined)
      host.report(isCut ? 'truncated-call' : 'limit-reached', error.message, error.offset, id)
    else {
      if (settings.json) this.emitJson('"')
      if (settings.arguments) host.emit({ type: 'argument-end', id, path: Path.root, value: input })
    }
    host.emit({ type: 'tool-input-end', id })
    const isKept =
      error === undefined ? settings.raw : settings.malformed !== 'drop' && (settings.input || settings.raw)
    host.emit({
      type: 'tool-call',
      id,
      toolName,
      input: settings.input ? input : null,
      status: error === undefined ? 'complete' : isCut && !this.isFull ? 'truncated' : 'invalid',
      repairs: [],
      ...(isKept && { raw: input }),
      ...(error !== undefined && { error }),
      ...(wireId !== '' && wireId !== id && { wireId }),
      ...(this.providerExecuted && { providerExecuted: true }),
      ...(this.metadata && { metadata: this.metadata }),
    })
  }

  private failure(isCut: boolean): CallError | undefined {
    const offset = this.input.length
    if (this.isFull)
      return { code: 'limit-reached', message: `The input is longer than ${offset} characters.`, offset }
    return isCut ? { code: 'truncated', message: 'The call was cut off.', offset } : undefined
  }
}
