/**
 * The events of the machine: which text, reasoning or result is open, and under which id. All of them go through
 * here, so that starts and ends always fit together.
 */

import type { ValueWatch } from '../calls/value-watch.ts'
import type { DiagnosticCode, Event, Sink, Span } from '../event.ts'
import { MOST_IDS } from '../limits.ts'
import { type FastPath, type Scanning, TextFastPath } from './fast-path.ts'
import type { Literals } from './literals.ts'

/** What can be open: one of them at a time. */
export type Channel = 'text' | 'reasoning' | 'result'
export type IdKind = Channel | 'call'

const START = { text: 'text-start', reasoning: 'reasoning-start', result: 'tool-result-start' } as const
const DELTA = { text: 'text-delta', reasoning: 'reasoning-delta', result: 'tool-result-delta' } as const
const END = { text: 'text-end', reasoning: 'reasoning-end', result: 'tool-result-end' } as const

export interface OutputSettings {
  readonly generateId: ((kind: IdKind) => string) | undefined
  readonly limits: { readonly diagnostics: number }
}

export class Output {
  /** Something other than whitespace was written as text. */
  hasText = false
  /** Where events go; a field, so that emitting one costs a single call. */
  emit: Sink
  /** What is open, and its id. */
  private channel: Channel | null = null
  private id = ''
  private ids = 0
  /** Ids that the wire gave, because it may give one twice. */
  private taken: Set<string> | null = null
  private diagnostics = 0
  private readonly settings: OutputSettings
  constructor(settings: OutputSettings, sink: Sink) {
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

  /** Writes more of what is open. Text begins with its first character, and so does what an interruption closed. */
  write(channel: Channel, delta: string): void {
    if (this.channel !== channel) this.open(channel)
    if (channel === 'text' && !this.hasText && delta.trim() !== '') this.hasText = true
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

  /** Events go to a list until `endSilence`. Returns the sink. */
  silence(silenced: Event[]): Sink {
    const { emit } = this
    this.emit = (event) => silenced.push(event)
    return emit
  }

  /**
   * Events go to the sink again. What was begun in silence and is still open is announced, a call with all that is
   * known of it; text begins anew with its next character.
   */
  endSilence(sink: Sink, silenced: readonly Event[], openCall: string | undefined): void {
    this.emit = sink
    if (this.channel === 'text') this.channel = null
    if (this.channel !== null) this.emit({ type: START[this.channel], id: this.id })
    if (openCall !== undefined)
      for (const event of silenced) if ('id' in event && event.id === openCall) this.emit(event)
  }

  /** The fast path for what is open; null: there is none. */
  fastPath(
    channel: Channel | 'nowhere',
    scanning: Scanning,
    literals: Literals,
    watch: ValueWatch | null,
  ): FastPath | null {
    if (channel === 'nowhere') return new TextFastPath(scanning, literals, watch, 'text-delta', '', null)
    if (this.channel !== channel || (channel === 'text' && !this.hasText)) return null
    return new TextFastPath(scanning, literals, watch, DELTA[channel], this.id, this.emit)
  }

  save(): OutputState {
    const { hasText, channel, id, ids, diagnostics } = this
    return { hasText, channel, id, ids, diagnostics, taken: this.taken && [...this.taken] }
  }

  restore(state: OutputState): void {
    const { taken, ...plain } = state
    Object.assign(this, plain)
    this.taken = taken && new Set(taken)
  }
}

export interface OutputState {
  readonly hasText: boolean
  readonly channel: Channel | null
  readonly id: string
  readonly ids: number
  readonly diagnostics: number
  readonly taken: readonly string[] | null
}
