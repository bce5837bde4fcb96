/**
 * What is being said: which text, reasoning or result is open, under which id. Everything the machine says
 * goes through here, so that starts and ends always fit together.
 */

import type { ValueWatch } from '../calls/value-watch.ts'
import type { DiagnosticCode, Event, Sink, Span } from '../event.ts'
import { MOST_IDS } from '../limits.ts'
import { type FastPath, type Scanning, TextFastPath } from './fast-path.ts'
import type { Literals } from './literals.ts'

/** What can be said: one of them at a time. */
export type Channel = 'text' | 'reasoning' | 'result'
export type IdKind = Channel | 'call'

const START = { text: 'text-start', reasoning: 'reasoning-start', result: 'tool-result-start' } as const
const DELTA = { text: 'text-delta', reasoning: 'reasoning-delta', result: 'tool-result-delta' } as const
const END = { text: 'text-end', reasoning: 'reasoning-end', result: 'tool-result-end' } as const

export interface VoiceSettings {
  readonly generateId: ((kind: IdKind) => string) | undefined
  readonly limits: { readonly diagnostics: number }
}

export class Voice {
  /** Something other than whitespace was said as text. */
  said = false
  /** Where events go; a field, so that saying one costs a single call. */
  emit: Sink
  /** What is open, and its id. */
  private channel: Channel | null = null
  private id = ''
  private ids = 0
  /** Ids that the wire gave, because it may give one twice. */
  private taken: Set<string> | null = null
  private diagnostics = 0
  private readonly settings: VoiceSettings
  constructor(settings: VoiceSettings, sink: Sink) {
    this.settings = settings
    this.emit = sink
  }

  newId(kind: IdKind): string {
    if (this.settings.generateId !== undefined) return this.settings.generateId(kind)
    let id = `${kind}-${++this.ids}`
    while (this.taken?.has(id)) id = `${kind}-${++this.ids}`
    return id
  }

  /** Takes an id of the wire for a call or a result; false if another has it already. */
  claimId(kind: 'call' | 'result', id: string): boolean {
    const key = kind === 'call' ? id : `result of ${id}`
    if (id === '' || this.taken?.has(key)) return false
    this.taken ??= new Set()
    if (this.taken.size >= MOST_IDS) return false
    this.taken.add(key)
    return true
  }

  report(code: DiagnosticCode, message: string, span?: Span, id?: string, opener?: string): void {
    if (++this.diagnostics > this.settings.limits.diagnostics) return
    this.emit({
      ...{ type: 'diagnostic', code, message },
      ...(span && { span }),
      ...(id && { id }),
      ...(opener && { opener }),
    })
  }

  /** Says more of what is open. Text begins with its first character, and so does what an interruption closed. */
  say(channel: Channel, delta: string): void {
    if (this.channel !== channel) this.open(channel)
    if (channel === 'text' && !this.said && delta.trim() !== '') this.said = true
    this.emit({ type: DELTA[channel], id: this.id, delta })
  }

  /** Begins something, even if nothing will be in it. */
  open(channel: Channel): void {
    this.begin(channel, this.newId(channel))
    this.emit({ type: START[channel], id: this.id })
  }

  openResult(wireId: string, toolName: string, isError: boolean, raw: string): void {
    this.begin('result', this.claimId('result', wireId) ? wireId : this.newId('result'))
    this.emit({
      type: 'tool-result-start',
      id: this.id,
      ...(toolName !== '' && { toolName }),
      ...(isError && { isError: true }),
      ...(raw !== '' && { raw }),
    })
  }

  private begin(channel: Channel, id: string): void {
    this.close()
    this.channel = channel
    this.id = id
  }

  get isReasoning(): boolean {
    return this.channel === 'reasoning'
  }

  /** What is open is over, whatever it is, or if it is this. */
  close(which = this.channel, raw = ''): void {
    const { channel, id } = this
    if (channel === null || channel !== which) return
    this.channel = null
    this.emit(raw === '' ? { type: END[channel], id } : { type: END[channel], id, raw })
  }

  /** Nobody listens: what is said goes to a list, until `unmute`. */
  mute(unheard: Event[]): Sink {
    const { emit } = this
    this.emit = (event) => unheard.push(event)
    return emit
  }

  /**
   * Speaks again. What was begun in silence and is still open is announced, a call with all that is known of it;
   * text begins anew with its next character.
   */
  unmute(sink: Sink, unheard: readonly Event[], openCall: string | undefined): void {
    this.emit = sink
    if (this.channel === 'text') this.channel = null
    if (this.channel !== null) this.emit({ type: START[this.channel], id: this.id })
    if (openCall !== undefined)
      for (const event of unheard) if ('id' in event && event.id === openCall) this.emit(event)
  }

  /** The fast path for what is open; null: there is none. */
  fastPath(
    channel: Channel | 'nowhere',
    scanning: Scanning,
    literals: Literals,
    watch: ValueWatch | null,
  ): FastPath | null {
    if (channel === 'nowhere') return new TextFastPath(scanning, literals, watch, 'text-delta', '', null)
    if (this.channel !== channel || (channel === 'text' && !this.said)) return null
    return new TextFastPath(scanning, literals, watch, DELTA[channel], this.id, this.emit)
  }

  save(): VoiceState {
    const { said, channel, id, ids, diagnostics } = this
    return { said, channel, id, ids, diagnostics, taken: this.taken && [...this.taken] }
  }

  restore(state: VoiceState): void {
    const { taken, ...plain } = state
    Object.assign(this, plain)
    this.taken = taken && new Set(taken)
  }
}

export interface VoiceState {
  readonly said: boolean
  readonly channel: Channel | null
  readonly id: string
  readonly ids: number
  readonly diagnostics: number
  readonly taken: readonly string[] | null
}
