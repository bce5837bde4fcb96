/**
 * What is being said: which text, reasoning or result is open, under which id. Everything the machine says
 * goes through here, so that starts and ends always fit together.
 */

import type { DiagnosticCode, Event, Sink } from '../event.ts'
import { type Flow, NO_FLOW, type Scanning, SpeechFlow } from './flow.ts'
import type { Literals } from './literals.ts'

export type IdKind = 'text' | 'reasoning' | 'call' | 'result'

export interface VoiceSettings {
  readonly generateId: ((kind: IdKind) => string) | undefined
  readonly limits: { readonly diagnostics: number }
}

export class Voice {
  /** Something other than whitespace was said as text. */
  said = false
  /** Where events go; a field, so that saying one costs a single call. */
  emit: Sink
  private textId = ''
  private reasoningId = ''
  private resultId = ''
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
    this.taken.add(key)
    return true
  }

  report(code: DiagnosticCode, message: string, offset: number, id?: string): void {
    if (++this.diagnostics > this.settings.limits.diagnostics) return
    const span = { start: offset, end: offset }
    this.emit(
      id ? { type: 'diagnostic', code, message, span, id } : { type: 'diagnostic', code, message, span },
    )
  }

  /** Text begins with its first character. */
  text(delta: string): void {
    if (this.textId.length === 0) {
      this.textId = this.newId('text')
      this.emit({ type: 'text-start', id: this.textId })
    }
    if (!this.said && delta.trim() !== '') this.said = true
    this.emit({ type: 'text-delta', id: this.textId, delta })
  }

  closeText(): void {
    if (this.textId === '') return
    this.emit({ type: 'text-end', id: this.textId })
    this.textId = ''
  }

  /** Reasoning begins with its marker, even if nothing is in it. */
  openReasoning(): void {
    this.closeAll()
    this.reasoningId = this.newId('reasoning')
    this.emit({ type: 'reasoning-start', id: this.reasoningId })
  }

  reasoning(delta: string): void {
    // An interruption closed it, and the thinking goes on behind it.
    if (this.reasoningId.length === 0) this.openReasoning()
    this.emit({ type: 'reasoning-delta', id: this.reasoningId, delta })
  }

  get isReasoning(): boolean {
    return this.reasoningId !== ''
  }

  closeReasoning(): void {
    if (this.reasoningId === '') return
    this.emit({ type: 'reasoning-end', id: this.reasoningId })
    this.reasoningId = ''
  }

  openResult(wireId: string, toolName: string, isError: boolean): void {
    this.closeAll()
    this.resultId = this.claimId('result', wireId) ? wireId : this.newId('result')
    this.emit({
      type: 'tool-result-start',
      id: this.resultId,
      ...(toolName !== '' && { toolName }),
      ...(isError && { isError: true }),
    })
  }

  result(delta: string): void {
    if (this.resultId === '') this.openResult('', '', false)
    this.emit({ type: 'tool-result-delta', id: this.resultId, delta })
  }

  closeResult(): void {
    if (this.resultId === '') return
    this.emit({ type: 'tool-result-end', id: this.resultId })
    this.resultId = ''
  }

  closeAll(): void {
    this.closeText()
    this.closeReasoning()
    this.closeResult()
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
    this.textId = ''
    if (this.reasoningId !== '') this.emit({ type: 'reasoning-start', id: this.reasoningId })
    if (this.resultId !== '') this.emit({ type: 'tool-result-start', id: this.resultId })
    if (openCall !== undefined)
      for (const event of unheard) if ('id' in event && event.id === openCall) this.emit(event)
  }

  /** The short way for what is being said. */
  flow(channel: 'text' | 'reasoning' | 'result' | 'nowhere', scanning: Scanning, literals: Literals): Flow {
    if (channel === 'text' && this.textId !== '' && this.said)
      return new SpeechFlow(scanning, literals, 'text-delta', this.textId, this.emit)
    if (channel === 'reasoning' && this.reasoningId !== '')
      return new SpeechFlow(scanning, literals, 'reasoning-delta', this.reasoningId, this.emit)
    if (channel === 'result' && this.resultId !== '')
      return new SpeechFlow(scanning, literals, 'tool-result-delta', this.resultId, this.emit)
    if (channel === 'nowhere') return new SpeechFlow(scanning, literals, 'text-delta', '', NOBODY)
    return NO_FLOW
  }

  save(): VoiceState {
    const { said, textId, reasoningId, resultId, ids, diagnostics } = this
    return { said, textId, reasoningId, resultId, ids, diagnostics, taken: this.taken && [...this.taken] }
  }

  restore(state: VoiceState): void {
    const { taken, ...plain } = state
    Object.assign(this, plain)
    this.taken = taken && new Set(taken)
  }
}

/** Listens to what is said nowhere. */
const NOBODY: Sink = () => {}

export interface VoiceState {
  readonly said: boolean
  readonly textId: string
  readonly reasoningId: string
  readonly resultId: string
  readonly ids: number
  readonly diagnostics: number
  readonly taken: readonly string[] | null
}
