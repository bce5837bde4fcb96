/**
 * What is emitted: which text, reasoning or result is open, and under which id. Every event of the machine goes through
 * here, so that starts and ends always fit together.
 */

import type { DiagnosticCode, Sink, SluiceEvent, Span } from '../../base/event.ts'
import { claimId, type IdKind, type IdsState, idsShape, nextId } from '../../base/ids.ts'
import {
  isBoolean,
  isCount,
  isString,
  nullable,
  oneOf,
  recordOf,
  type Shape,
} from '../../base/plain-state.ts'
import { type FastPath, TextFastPath, type TextScan } from './fast-path.ts'

/** What can be open: one of them at a time. */
export type Channel = 'text' | 'reasoning' | 'result'

const START = { text: 'text-start', reasoning: 'reasoning-start', result: 'tool-result-start' } as const
const DELTA = { text: 'text-delta', reasoning: 'reasoning-delta', result: 'tool-result-delta' } as const
const END = { text: 'text-end', reasoning: 'reasoning-end', result: 'tool-result-end' } as const

export interface OutputSettings {
  readonly generateId: ((kind: IdKind) => string) | undefined
  readonly limits: { readonly diagnostics: number }
}

export interface OutputState {
  /** Some of the text was other than white space. */
  hasText: boolean
  /** What is open, and its id. */
  channel: Channel | null
  id: string
  /** How many ids were generated, and those that the wire gave: it may give one twice. */
  ids: IdsState
  diagnostics: number
}

export const initialOutput = (): OutputState => ({
  hasText: false,
  channel: null,
  id: '',
  ids: { count: 0, taken: null },
  diagnostics: 0,
})

export const outputShape = (): Shape<OutputState> => ({
  hasText: isBoolean,
  channel: nullable(oneOf('text', 'reasoning', 'result')),
  id: isString,
  ids: recordOf(idsShape()),
  diagnostics: isCount,
})

export class Output {
  readonly state: OutputState
  /** Where events go; a field, so that emitting one costs a single call. */
  emit: Sink
  private readonly settings: OutputSettings

  constructor(settings: OutputSettings, sink: Sink, state: OutputState) {
    this.settings = settings
    this.emit = sink
    this.state = state
  }

  newId(kind: IdKind): string {
    return nextId(this.state.ids, kind, this.settings.generateId)
  }

  /** Takes an id of the wire for a call or a result; false if another has it already. */
  claimId(kind: 'call' | 'result', id: string): boolean {
    return id !== '' && claimId(this.state.ids, kind === 'call' ? id : `result of ${id}`)
  }

  report(
    code: DiagnosticCode,
    message: string,
    span?: Span,
    id?: string,
    opener?: string,
    dialects?: readonly string[],
  ): void {
    if (++this.state.diagnostics > this.settings.limits.diagnostics) return
    this.emit({
      ...{ type: 'diagnostic', code, message },
      ...(span && { span }),
      ...(id && { id }),
      ...(opener && { opener }),
      ...(dialects && { dialects }),
    })
  }

  /** Writes more of what is open. Text begins with its first character, and so does what an interruption closed. */
  write(channel: Channel, delta: string): void {
    const { state } = this
    if (state.channel !== channel) this.open(channel)
    if (channel === 'text' && !state.hasText && delta.trim() !== '') state.hasText = true
    this.emit({ type: DELTA[channel], id: state.id, delta })
  }

  /** Begins something, even if nothing will be in it. */
  open(channel: Channel): void {
    this.begin(channel, this.newId(channel))
    this.emit({ type: START[channel], id: this.state.id })
  }

  openResult(wireId: string, toolName: string, isError: boolean, raw: string): void {
    this.begin('result', this.claimId('result', wireId) ? wireId : this.newId('result'))
    this.emit({
      type: 'tool-result-start',
      id: this.state.id,
      ...(toolName !== '' && { toolName }),
      ...(isError && { isError: true }),
      ...(raw !== '' && { raw }),
    })
  }

  private begin(channel: Channel, id: string): void {
    this.close()
    this.state.channel = channel
    this.state.id = id
  }

  get isText(): boolean {
    return this.state.channel === 'text'
  }

  get isReasoning(): boolean {
    return this.state.channel === 'reasoning'
  }

  /** Closes what is open, whatever it is, or if it is this. */
  close(which = this.state.channel, raw = ''): void {
    const { channel, id } = this.state
    if (channel === null || channel !== which) return
    this.state.channel = null
    this.emit(raw === '' ? { type: END[channel], id } : { type: END[channel], id, raw })
  }

  /** Collects events in a list instead of emitting them, until `unsilence`. Returns the sink. */
  silence(events: SluiceEvent[]): Sink {
    const { emit } = this
    this.emit = (event) => events.push(event)
    return emit
  }

  /**
   * Emits again. What was begun in silence and is still open is announced, a call with all that is known of it; text
   * begins anew with its next character.
   */
  unsilence(sink: Sink, events: readonly SluiceEvent[], openCall: string | undefined): void {
    const { state } = this
    this.emit = sink
    if (state.channel === 'text') state.channel = null
    if (state.channel !== null) this.emit({ type: START[state.channel], id: state.id })
    if (openCall !== undefined)
      for (const event of events) if ('id' in event && event.id === openCall) this.emit(event)
  }

  /** The fast path for what is open; null: there is none. */
  fastPath(channel: Channel | 'nowhere', scan: TextScan, emit: Sink): FastPath | null {
    const { state } = this
    if (channel === 'nowhere') return new TextFastPath(scan, 'text-delta', '', null)
    if (state.channel !== channel || (channel === 'text' && !state.hasText)) return null
    return new TextFastPath(scan, DELTA[channel], state.id, emit)
  }
}
