/**
 * A response as the AI SDK's parts: text and reasoning in blocks, calls whose input grows as JSON text.
 *
 *     text-start text-delta text-end  tool-input-start tool-input-delta tool-input-end tool-call
 *
 * Text that is contiguous is one block, and it is closed before anything else begins. A call that must not run
 * becomes a call that cannot run, with its text and the reason as its input, unless another choice was made for it.
 */

import type { FinishReason, SluiceEvent, ToolCall, ToolInputDelta, ToolInputStart } from '../../base/event.ts'
import type { Ids } from '../../base/ids.ts'
import { Rope } from '../../base/rope.ts'
import { holdTentative } from '../../engine/calls/hold-tentative.ts'
import type { ToolTable } from '../../engine/calls/tools.ts'
import { explain, guessesIn } from '../../engine/calls/verdict.ts'
import { writtenInput } from '../../engine/calls/written-input.ts'
import { jsonOf } from '../../providers/payload-fields.ts'
import { coerceValue } from '../../values/schema/coerce-value.ts'
import { lostNumbersIn } from '../../values/schema/lost-numbers.ts'
import type { Issue } from '../../values/schema/validate.ts'
import { type Closers, COMPARED, endBehindClosers, placesBehindClosers } from './closers.ts'
import {
  FAILED,
  type FailedCall,
  type FailureChoice,
  type FailureClass,
  failureOf,
  inputThatCannotRun,
  type OnError,
  unknownName,
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
  /** No other tool may be called than those that are known here, although the AI SDK may have others. */
  readonly isChoice?: boolean
  /** Tools that the AI SDK has and the model is not told of: it would run a call of one. */
  readonly hiddenTools?: ReadonlySet<string>
}

export interface PartsViewSettings extends PartsSettings {
  readonly tools: ToolTable
  /** Where calls begin and end in the text. */
  readonly markers: readonly MarkerPair[]
  readonly closers: Closers
  /** What has come behind a call; undefined where that cannot be said. */
  readonly behind: (call: ToolCall) => string | undefined
}

/** What a provider attaches to the end of a text. */
export interface TextEnd {
  readonly providerMetadata?: unknown
  readonly citations?: unknown
}

/** A call that has no verdict yet. */
interface OpenCall {
  readonly id: string
  readonly input: Rope
  /** It stands inside reasoning: it is announced when it is known that it was meant. */
  readonly isTentative: boolean
}

/** A call that must not run. Its closers are read behind its verdict, so what becomes of it waits for the next event. */
interface PendingFailure {
  readonly call: ToolCall
  readonly open: OpenCall
  readonly failure: FailureClass
  /** The numbers in its input that may have been rounded. The AI SDK would parse them in the same way. */
  readonly issues: readonly Issue[]
  readonly input: string
  /** Behind the last piece of stray markup that follows it. */
  end: number
  /** The text that follows it, while that leaves open where the closers end. */
  next: string
}

export class PartsView {
  /** Whether a call was emitted. */
  hasCalls = false
  /** What the provider attached to the text that comes next. */
  private metadata: unknown
  private textId = ''
  /** A block of reasoning is open. */
  private isReasoning = false
  /** By the ids of the events. A verdict may come behind the start of a later call. */
  private readonly calls = new Map<string, OpenCall>()
  /** The markup that opened the last result. */
  private resultOpener = ''
  private failed: PendingFailure | null = null
  /** Reasons of calls that are text because they name no tool. The model is told of them behind that text. */
  private untold: string[] = []
  /** Why the response ended. */
  finish: FinishReason | undefined
  private readonly settings: PartsViewSettings
  private readonly emit: (part: EmittedPart) => void
  /** A tentative call comes in one piece, because the AI SDK runs a call as soon as it has it. */
  readonly add = holdTentative((event) => this.take(event))

  constructor(settings: PartsViewSettings) {
    this.settings = settings
    this.emit = settings.emit
  }

  private take(event: SluiceEvent): void {
    if (this.failed !== null && this.waitsFor(this.failed, event)) return
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
        this.begin(event)
        break
      case 'tool-input-delta':
        this.grow(event)
        break
      case 'tool-input-end':
        this.endInput(event.id)
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

  private begin(start: ToolInputStart): void {
    const { id, tentative = false } = start
    const call: OpenCall = {
      id: this.settings.ids.use(id, 'call'),
      input: new Rope(),
      isTentative: tentative,
    }
    this.calls.set(id, call)
    if (!tentative) this.live({ type: 'tool-input-start', id: call.id, toolName: this.nameOf(start) })
  }

  private grow({ id, delta }: ToolInputDelta): void {
    const call = this.calls.get(id)
    call?.input.add(delta)
    if (call?.isTentative === false) this.live({ type: 'tool-input-delta', id: call.id, delta })
  }

  private endInput(id: string): void {
    const call = this.calls.get(id)
    if (call?.isTentative === false) this.live({ type: 'tool-input-end', id: call.id })
  }

  private live(part: EmittedPart): void {
    if (this.settings.isLive) this.emit(part)
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
    this.settleFailed()
    if (this.textId !== '') this.emitText({ type: 'text-end', id: this.textId, ...end })
    this.textId = ''
    for (const reason of this.untold.splice(0)) this.tell(reason)
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
    const open = this.calls.get(call.id)
    if (open === undefined) return
    this.calls.delete(call.id)
    const input = open.input.toString()
    const issues = call.status === 'truncated' ? [] : lostNumbersIn(writtenInput(call))
    const known = failureOf(call) ?? (this.isHidden(call) ? 'unknown-tool' : undefined)
    const failure = issues.length > 0 && known !== 'unknown-tool' ? 'malformed' : known
    if (failure !== undefined)
      this.failed = { call, open, failure, issues, input, end: call.span?.end ?? 0, next: '' }
    else this.emitWhole(call, open, this.coerced(call, input))
  }

  /** The input with the types of its schema. What was streamed is what the model wrote. */
  private coerced(call: ToolCall, input: string): string {
    const schema = this.settings.tools.get(call.toolName)?.schema
    if (schema === undefined) return input
    const { value, changes } = coerceValue(writtenInput(call), schema)
    return (changes.length === 0 ? undefined : jsonOf(value)) ?? input
  }

  /** A call that had to wait is announced as if it came in one piece. */
  private emitWhole(call: ToolCall, { id, isTentative }: OpenCall, input: string, failed?: FailedCall): void {
    const toolName = this.nameOf(call)
    if (isTentative) this.announceWhole(id, toolName, input)
    this.emitCall(id, toolName, input, failed)
  }

  private announceWhole(id: string, toolName: string, input: string): void {
    this.live({ type: 'tool-input-start', id, toolName })
    if (input !== '') this.live({ type: 'tool-input-delta', id, delta: input })
    this.live({ type: 'tool-input-end', id })
  }

  private emitCall(id: string, toolName: string, input: string, failed?: FailedCall): void {
    this.hasCalls = true
    this.emit({
      type: 'tool-call',
      toolCallId: id,
      toolName,
      input,
      ...(failed && { providerMetadata: { [FAILED]: failed } }),
    })
  }

  private nameOf({ toolName }: { readonly toolName: string }): string {
    return toolName === '' ? unknownName(this.settings.tools) : toolName
  }

  // ── calls that must not run ────────────────────────────────────────────────────────────────────

  /** A call failed, and what follows it is not known yet. */
  get awaitsClosers(): boolean {
    return this.failed !== null
  }

  /**
   * Settles a call that failed, once it is known where its closers end. Answers true if the event says nothing more, or
   * if it is kept until then.
   */
  private waitsFor(failed: PendingFailure, event: SluiceEvent): boolean {
    if (event.type === 'diagnostic') {
      const { code, span } = event
      if (code === 'stray-markup' && span !== undefined) failed.end = Math.max(failed.end, span.end)
      return true
    }
    if (event.type === 'text-start' || event.type === 'reasoning-start') return true
    // A thought goes on behind a call that it only mentions. Any other thought has an opener of its own.
    const isText =
      event.type === 'text-delta' || (event.type === 'reasoning-delta' && failed.open.isTentative)
    if (!isText) {
      this.settleFailed()
      return false
    }
    const places = this.placesBehind(failed, failed.next + event.delta)
    if (places.length > 1 && event.type === 'text-delta' && failed.next.length < COMPARED) {
      failed.next += event.delta
      return true
    }
    this.settleFailed(Math.max(...places))
    return false
  }

  private placesBehind(failed: PendingFailure, next: string): readonly number[] {
    const { behind, closers } = this.settings
    const rest = behind(failed.call)?.slice(strayLength(failed))
    return rest === undefined ? [0] : placesBehindClosers(rest, closers, next)
  }

  /** `place`: of what follows, from the end of the call and of stray markup on. Without it, no more text comes. */
  private settleFailed(place?: number): void {
    if (this.failed === null) return
    const { failed } = this
    const { call, failure, issues, next } = failed
    const { tools, onError, closers } = this.settings
    const behind = this.settings.behind(call) ?? ''
    const stray = strayLength(failed)
    const end =
      place ??
      (next === ''
        ? endBehindClosers(behind.slice(stray), closers)
        : Math.max(...this.placesBehind(failed, next)))
    this.failed = null
    const text = (call.raw ?? '') + behind.slice(0, stray + end)
    const reason = explain(call, {
      // Without tools, no name is unknown.
      ...(tools.size > 0 && { tools }),
      ...(this.finish && { finish: this.finish }),
      issues,
    })
    const guesses = this.willRun(failed) ? guessesIn(call).join(' ') : ''
    onError?.(guesses || reason, {
      toolCall: text,
      toolName: call.toolName,
      toolCallId: failed.open.id,
      reason: failure,
      error: call.error,
    })
    this.becomes(failed, text, reason)
    if (next !== '') this.text(next)
  }

  /** A guess may run, but for one that may be data of something else. */
  private willRun({ call, failure }: PendingFailure): boolean {
    return this.settings.choices[failure] === 'run' && !hasRepair(call, 'place-uncertain')
  }

  private becomes(failed: PendingFailure, text: string, reason: string): void {
    const { call, open, failure, input } = failed
    const { choices, markers, isChoice } = this.settings
    const isMarked = markers.some(({ open }) => text.startsWith(open))
    // What a thought or a sentence only mentions is no call. A response that must be a call mentions none.
    const isMentioned =
      hasRepair(call, 'inside-reasoning') || (hasRepair(call, 'text-behind-call') && !isMarked && !isChoice)
    const choice = isMentioned && choices[failure] === 'emit' ? 'text' : choices[failure]
    if (this.willRun(failed)) this.emitWhole(call, open, this.coerced(call, input))
    else if (choice === 'emit' || choice === 'run') {
      // The AI SDK itself tells of unknown tools.
      if (failure === 'unknown-tool' && !isChoice && !this.isHidden(call)) this.emitWhole(call, open, input)
      else this.emitWhole(call, open, inputThatCannotRun(text, reason), { text, reason })
    } else {
      if (!open.isTentative) this.announceError(call, open, reason)
      if (choice === 'drop' || text === '') return
      // A tentative call stands inside reasoning, or no marker opens it, or it is a guess from its beginning on.
      const isGuess = call.repairs.some(
        ({ code, offset }) => code === 'missing-opener' && offset === call.span?.start,
      )
      if (open.isTentative && isMarked && !isGuess) this.think(text)
      else this.text(text)
    }
  }

  /** The AI SDK would find it, if only among what every object has, such as a constructor. */
  private isHidden({ toolName }: ToolCall): boolean {
    const { hiddenTools, tools } = this.settings
    return (toolName in {} || hiddenTools?.has(toolName) === true) && !tools.has(toolName)
  }

  /** Ends the input that was announced. */
  private announceError(call: ToolCall, { id }: OpenCall, reason: string): void {
    this.live({
      type: 'tool-result',
      toolCallId: id,
      toolName: this.nameOf(call),
      result: reason,
      isError: true,
      providerExecuted: true,
    })
  }

  /** A call that names no tool is visible text. What is wrong with it is told behind that text, and for several once. */
  tellOfUnread(reason: string): void {
    if (!this.untold.includes(reason)) this.untold.push(reason)
  }

  private tell(reason: string): void {
    const id = this.settings.ids.use(this.settings.newId('call'), 'call')
    const toolName = unknownName(this.settings.tools)
    const input = inputThatCannotRun('', reason)
    this.announceWhole(id, toolName, input)
    this.emitCall(id, toolName, input, { text: '', reason })
  }
}

/** How much stray markup follows a call directly. */
const strayLength = ({ call, end }: PendingFailure): number => end - (call.span?.end ?? 0)

function hasRepair({ repairs }: ToolCall, code: string): boolean {
  return repairs.some((repair) => repair.code === code)
}
