/**
 * A response as the AI SDK's parts: text and reasoning in blocks, calls whose input grows as JSON text.
 *
 *     text-start text-delta text-end  tool-input-start tool-input-delta tool-input-end tool-call
 *
 * Text that is contiguous is one block, and it is closed before anything else begins. A call that must not run
 * becomes its own text again, unless another choice was made for it.
 */

import { holdTentative } from '../../calls/hold-tentative.ts'
import { UNKNOWN_TOOL } from '../../calls/tools.ts'
import type { SluiceEvent, ToolCall } from '../../event.ts'
import type { Ids } from '../../ids.ts'
import { Rope } from '../../rope.ts'
import {
  type FailureChoice,
  type FailureClass,
  failureMessage,
  failureOf,
  inputThatCannotRun,
  type OnError,
} from './failures.ts'
import type { MarkerPair } from './marker-pairs.ts'
import type { EmittedPart, TextPart } from './parts.ts'

export interface PartsSettings {
  readonly choices: Readonly<Record<FailureClass, FailureChoice>>
  readonly onError: OnError | undefined
  readonly newId: (kind: string) => string
  /** Ids that calls of the conversation have: a model that counts from zero in each response repeats them. */
  readonly ids: Ids
  readonly emit: (part: EmittedPart) => void
  /** Whether calls are emitted while they grow, or only when they are whole. */
  readonly isLive: boolean
}

export interface PartsViewSettings extends PartsSettings {
  /** Where calls begin and end in the text. */
  readonly markers: readonly MarkerPair[]
}

/** What a provider attaches to the end of a text. */
export interface TextEnd {
  readonly providerMetadata?: unknown
  readonly citations?: unknown
}

/** Errors of calls that were read to their end. */
const WHOLE: ReadonlySet<string> = new Set(['duplicate-key', UNKNOWN_TOOL])

export class PartsView {
  /** Whether a call was emitted. */
  hasCalls = false
  /** What the provider attached to the text that comes next. */
  private metadata: unknown
  private textId = ''
  /** A block of reasoning is open. */
  private isReasoning = false
  private callId = ''
  private input: Rope | null = null
  /** The markup that opened the last result. */
  private resultOpener = ''
  /** The call stands inside reasoning: it is announced when it is known that it was meant. */
  private isTentative = false
  /** The closer of a call that is text again, until the next event tells whether it is there. */
  private owedCloser = ''
  private readonly settings: PartsViewSettings
  private readonly emit: (part: EmittedPart) => void
  /** Calls are read one after the other, because the AI SDK runs each as soon as it has it. */
  readonly add = holdTentative((event) => this.take(event))

  constructor(settings: PartsViewSettings) {
    this.settings = settings
    this.emit = settings.emit
  }

  private take(event: SluiceEvent): void {
    if (this.owedCloser !== '') this.settleCloser(event)
    switch (event.type) {
      case 'text-delta':
        this.text(event.delta)
        break
      case 'reasoning-delta':
        // Markers with nothing between them are not worth a block.
        if (!this.isReasoning) {
          this.closeText()
          this.isReasoning = true
          this.emit({ type: 'reasoning-start', id: event.id })
        }
        this.emit({ type: 'reasoning-delta', id: event.id, delta: event.delta })
        break
      case 'reasoning-end':
        if (this.isReasoning) this.emit({ type: 'reasoning-end', id: event.id })
        this.isReasoning = false
        break
      // A result that a model makes up is shown as it was written. Its markup stays around it, so that calls quoted in
      // it are no calls for the next reader either. Further results of a section bring no markup of their own.
      case 'tool-result-start':
        this.resultOpener = event.raw ?? this.resultOpener
        if (this.resultOpener !== '') this.text(this.resultOpener)
        break
      case 'tool-result-end':
        if (event.raw !== undefined) this.text(event.raw)
        break
      case 'tool-result-delta':
        this.text(event.delta)
        break
      case 'tool-input-start':
        this.closeText()
        this.callId = this.settings.ids.use(event.id, 'call')
        this.input = new Rope()
        this.isTentative = event.tentative ?? false
        this.announce({ type: 'tool-input-start', id: this.callId, toolName: event.toolName })
        break
      case 'tool-input-delta':
        this.input?.add(event.delta)
        this.announce({ type: 'tool-input-delta', id: this.callId, delta: event.delta })
        break
      case 'tool-input-end':
        this.announce({ type: 'tool-input-end', id: this.callId })
        break
      case 'tool-call':
        this.judge(event)
        break
    }
  }

  /** What only looked like a call inside reasoning is part of what was thought. */
  private think(delta: string): void {
    const id = this.settings.newId('reasoning')
    this.closeText()
    this.emit({ type: 'reasoning-start', id })
    this.emit({ type: 'reasoning-delta', id, delta })
    this.emit({ type: 'reasoning-end', id })
  }

  private announce(part: EmittedPart): void {
    if (this.settings.isLive && !this.isTentative) this.emit(part)
  }

  text(delta: string): void {
    if (this.textId === '') {
      this.textId = this.settings.newId('text')
      this.emitText({ type: 'text-start', id: this.textId })
    }
    this.emitText({ type: 'text-delta', id: this.textId, delta })
  }

  /** What the provider attached to the text that comes next; or to the text so far, where none comes with it. */
  attach(metadata: unknown, isAlone = false): void {
    this.metadata = metadata
    if (isAlone && this.textId !== '') this.text('')
  }

  /** Ends the block of text that is open. */
  closeText(end?: TextEnd): void {
    this.emitCloser()
    if (this.textId === '') return
    this.emitText({ type: 'text-end', id: this.textId, ...end })
    this.textId = ''
  }

  private emitText(part: TextPart): void {
    const { metadata } = this
    if (metadata === undefined) this.emit(part)
    else {
      this.metadata = undefined
      this.emit({ providerMetadata: metadata, ...part })
    }
  }

  private judge(call: ToolCall): void {
    const inputText = this.input?.toString() ?? ''
    this.input = null
    const failure = failureOf(call, inputText)
    if (failure !== undefined) {
      this.fail(call, failure, inputText)
      return
    }
    if (this.isTentative) this.announceWhole(call, inputText)
    this.emitCall(call, inputText)
  }

  /** A call that had to wait is emitted as if it came in one piece. */
  private announceWhole({ toolName }: ToolCall, input: string): void {
    this.isTentative = false
    const id = this.callId
    this.announce({ type: 'tool-input-start', id, toolName })
    if (input !== '') this.announce({ type: 'tool-input-delta', id, delta: input })
    this.announce({ type: 'tool-input-end', id })
  }

  private fail(call: ToolCall, failure: FailureClass, inputText: string): void {
    const message = failureMessage(call, failure)
    const choice = this.settings.choices[failure]
    const toolCall = call.raw ?? ''
    // The AI SDK itself tells of calls of tools that are not there.
    if (choice !== 'emit' || failure !== 'unknown-tool')
      this.settings.onError?.(message, {
        toolCall,
        toolName: call.toolName,
        toolCallId: this.callId,
        reason: failure,
        error: call.error,
      })
    if (choice === 'emit') {
      // The AI SDK may look for a tool among what every object has, such as a constructor.
      const mustFail =
        failure === 'malformed' ||
        (failure === 'unknown-tool' && call.toolName in {}) ||
        call.repairs.some(({ code }) => code === 'place-uncertain')
      if (this.isTentative) this.announceWhole(call, inputText)
      this.emitCall(call, mustFail ? inputThatCannotRun(inputText, message) : inputText)
      return
    }
    this.announce({
      type: 'tool-result',
      toolCallId: this.callId,
      toolName: call.toolName,
      result: message,
      isError: true,
      providerExecuted: true,
    })
    // A tentative call stands inside reasoning, or no marker opens it.
    const isThought = this.isTentative && this.settings.markers.some(({ open }) => toolCall.startsWith(open))
    if (choice === 'text' && toolCall !== '' && isThought) this.think(toolCall)
    else if (choice === 'text' && toolCall !== '') {
      this.text(toolCall)
      const isWhole = call.error === undefined || WHOLE.has(call.error.code)
      if (isWhole) this.owedCloser = this.missingCloser(toolCall)
    }
  }

  /**
   * The verdict on a call comes as soon as it is whole, and its closer is read behind it. Where the call is text
   * again, so is the closer; the parser reports it if it was not there.
   *
   *     <tool_call>{"name": "ls", "arguments": {"a": 1, "a": 2}}|</tool_call>
   */
  private missingCloser(source: string): string {
    const pair = this.settings.markers.find(({ open }) => source.startsWith(open))
    return pair === undefined || source.endsWith(pair.lateClose) ? '' : pair.lateClose
  }

  private settleCloser(event: SluiceEvent): void {
    if (event.type !== 'diagnostic') this.emitCloser()
    else if (event.code === 'missing-closer') this.owedCloser = ''
  }

  private emitCloser(): void {
    const closer = this.owedCloser
    this.owedCloser = ''
    if (closer !== '') this.text(closer)
  }

  private emitCall({ toolName }: ToolCall, input: string): void {
    this.hasCalls = true
    this.emit({ type: 'tool-call', toolCallId: this.callId, toolName, input })
  }
}
