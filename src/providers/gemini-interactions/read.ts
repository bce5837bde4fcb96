/**
 * Gemini's Interactions: steps that are started, filled and stopped by their index.
 *
 *     {"event_type":"step.start","index":0,"step":{"type":"function_call","id":"c1","name":"ls","arguments":{}}}
 *     {"event_type":"step.delta","index":0,"delta":{"type":"arguments_delta","arguments":"{\"pa"}}
 *     {"event_type":"interaction.completed","interaction":{"status":"requires_action","usage":{…}}}
 *
 * A response that was not streamed is an interaction with all its steps, which were once called outputs.
 */

import { flag, map, resumed, type StateOf } from '../../base/declared-state.ts'
import type { Metadata } from '../../base/event.ts'
import type { Fields } from '../../base/fields.ts'
import { isNumber, isRecord, isString } from '../../base/plain-state.ts'
import { normaliseReason, type ReasonTable } from '../finish-reasons.ts'
import { under } from '../metadata.ts'
import type { Channel, Output } from '../output.ts'
import {
  contentOf,
  fieldsIn,
  fieldsOf,
  holdsOthers,
  isOtherRole,
  listOf,
  numberOf,
  present,
  sumOf,
  textOf,
  wordOf,
} from '../payload-fields.ts'
import type { PayloadReader } from '../provider.ts'
import { ProviderError, reportErrorIn } from '../provider-error.ts'

const NAME = 'gemini'

export function isInteraction(payload: Fields): boolean {
  return /^(interaction|step)\.|^error$/.test(textOf(payload.event_type)) || isWhole(payload)
}

const isWhole = ({ object, status, steps, outputs }: Fields): boolean =>
  object === 'interaction' || (typeof status === 'string' && Array.isArray(steps ?? outputs))

const REASONS: ReasonTable = {
  completed: 'stop',
  requires_action: 'tool-calls',
  incomplete: 'length',
  budget_exceeded: 'length',
  cancelled: 'aborted',
  failed: 'error',
}

/** The type of a step that is not the model's, which is passed on as it came. */
const OTHERS = 'user_input'

const STATE = {
  /** The types of the steps that are open. */
  steps: map(isNumber, isString),
  /** What is known of the results that are being sent. */
  results: map<number, Fields>(isNumber, isRecord),
  /** The interaction is not the model's. */
  isOfOther: flag,
}
type InteractionState = StateOf<typeof STATE>

export const openInteraction = (out: Output, saved?: unknown): InteractionReader =>
  new InteractionReader(out, resumed(STATE, saved))

class InteractionReader implements PayloadReader {
  readonly state: InteractionState
  private readonly out: Output

  constructor(out: Output, state: InteractionState) {
    this.out = out
    this.state = state
  }

  /** A step has begun and did not end. */
  get isOpen(): boolean {
    return this.state.steps.size > 0
  }

  read(payload: Fields): void {
    const { out } = this
    const index = numberOf(payload.index) ?? 0
    if (isWhole(payload)) {
      this.readInteraction(payload)
      out.over()
      return
    }
    switch (payload.event_type) {
      case 'step.start':
        this.start(index, fieldsOf(payload.step))
        return
      case 'step.delta':
        readUsage(fieldsOf(fieldsOf(payload.metadata).total_usage), out)
        this.delta(index, fieldsOf(payload.delta))
        return
      case 'step.stop':
        this.stop(index)
        return
      case 'interaction.created':
        this.readInteraction(fieldsOf(payload.interaction))
        return
      case 'interaction.completed':
        this.readInteraction(fieldsOf(payload.interaction))
        out.over()
        return
      case 'interaction.status_update':
        this.readInteraction(payload)
        return
    }
    if (reportErrorIn(payload, NAME, out)) return
    if (payload.event_type === 'error')
      out.error(new ProviderError(NAME, 'The provider reports an error.', undefined, payload))
    else {
      out.unknown(textOf(payload.event_type) || 'payload', payload)
      if ('index' in payload) this.missPiece(index)
    }
  }

  private readInteraction(interaction: Fields): void {
    const { out } = this
    const id = wordOf(interaction.id) ?? wordOf(interaction.interaction_id)
    out.metadata(under(NAME, { id, model: wordOf(interaction.model) }))
    readUsage(fieldsOf(interaction.usage), out)
    if (wordOf(interaction.role) !== undefined) this.state.isOfOther = isOtherRole(interaction.role)
    const status = textOf(interaction.status)
    this.readSteps(fieldsIn(interaction.steps ?? interaction.outputs), status)
    if (Object.hasOwn(REASONS, status)) out.finish(normaliseReason(status, REASONS), status)
  }

  /** The steps of a whole interaction. At the end of a stream, only what did not come in it is new. */
  private readSteps(steps: readonly Fields[], status: string): void {
    const { out } = this
    const known = new Set(CHANNELS.filter((channel) => out.has(channel)))
    // Half an input is an object, too, and would look whole.
    if (known.has('call') && OWN_STOPS.has(status))
      for (const step of steps)
        if (this.typeOf(step) === 'function_call')
          out.confirmCall(textOf(step.id), wordOf(step.name), step.arguments)
    for (const [index, step] of steps.entries()) {
      const channel = channelOf(this.typeOf(step))
      if (channel === undefined ? known.size > 0 : known.has(channel)) continue
      this.start(index, step)
      this.stop(index)
    }
    reportErrorIn({ error: steps.at(-1)?.error }, NAME, out)
  }

  private typeOf({ type, role }: Fields): string {
    return this.state.isOfOther || isOtherRole(role) ? OTHERS : textOf(type)
  }

  private start(index: number, step: Fields): void {
    const { out } = this
    const type = this.typeOf(step)
    this.state.steps.set(index, type)
    if (type === 'model_output') for (const part of listOf(step.content)) this.content(index, fieldsOf(part))
    else if (type === 'text') out.text(textOf(step.text), { place: index })
    else if (type === 'thought') {
      for (const part of listOf(step.summary)) out.reasoning(textOf(fieldsOf(part).text), { place: index })
      this.sign(index, step.signature)
    } else if (type.endsWith('_call'))
      out.call({
        index,
        id: wordOf(step.id),
        name: wordOf(step.name) ?? (type === 'function_call' ? undefined : type.replace(/_call$/, '')),
        arguments: step.arguments,
        isUnread: step.arguments === undefined && holdsOthers(step, CALL_FIELDS),
        providerExecuted: type !== 'function_call',
        metadata: signatureOf(step.signature),
      })
    else if (type.endsWith('_result')) this.result(index, step)
    else out.custom(type || 'step', step)
  }

  private delta(index: number, delta: Fields): void {
    const { out } = this
    const type = textOf(delta.type)
    if (this.state.steps.get(index) === OTHERS) out.custom(type || 'delta', delta)
    else if (type === 'text') out.text(textOf(delta.text), { place: index })
    else if (type === 'thought_summary') out.reasoning(textOf(fieldsOf(delta.content).text), { place: index })
    else if (type === 'thought_signature') this.sign(index, delta.signature)
    else if (type === 'arguments_delta' || type.endsWith('_call'))
      out.call({ index, arguments: delta.arguments, isUnread: delta.arguments === undefined })
    else if (type === 'text_annotation_delta')
      for (const annotation of listOf(delta.annotations)) out.custom('annotation', annotation)
    else if (type.endsWith('_result')) this.result(index, delta)
    else {
      out.custom(type || 'delta', delta)
      this.missPiece(index)
    }
  }

  /** Something came for a step that is not known. If the step is a call, it may have been a piece of the arguments. */
  private missPiece(index: number): void {
    if (this.state.steps.get(index)?.endsWith('_call')) this.out.call({ index, isUnread: true })
  }

  private stop(index: number): void {
    const { state } = this
    const type = state.steps.get(index) ?? ''
    state.steps.delete(index)
    this.endResult(index)
    if (type === 'model_output' || type === 'text') this.out.endText()
    else if (type === 'thought') this.out.endReasoning()
    else if (type.endsWith('_call')) this.out.endCall(index, 'unsure')
  }

  private content(index: number, part: Fields): void {
    if (part.type === 'text') this.out.text(textOf(part.text), { place: index })
    else this.out.custom(textOf(part.type) || 'content', part)
  }

  private sign(index: number, signature: unknown): void {
    const metadata = signatureOf(signature)
    if (this.state.steps.get(index)?.endsWith('_call')) this.out.call({ index, metadata })
    else this.out.reasoning('', { place: index, metadata })
  }

  /** The start of a step names the call, and what follows has the result. */
  private result(index: number, step: Fields): void {
    const { results } = this.state
    const before = results.get(index) ?? {}
    results.set(index, { ...before, ...present(step), result: joined(before.result, step.result) })
  }

  private endResult(index: number): void {
    const step = this.state.results.get(index)
    if (step === undefined) return
    this.state.results.delete(index)
    this.out.result({
      id: textOf(step.call_id),
      toolName: wordOf(step.name) ?? textOf(step.type).replace(/_result$/, ''),
      content: contentOf(step.result),
      isError: step.is_error === true,
      metadata: signatureOf(step.signature),
    })
  }

  /** Results that were not whole when the stream ended. */
  end(): void {
    for (const index of [...this.state.results.keys()]) this.endResult(index)
  }
}

/** A result may come in pieces: lists and text go on. */
function joined(before: unknown, more: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(more)) return [...before, ...more]
  return typeof before === 'string' && typeof more === 'string' ? before + more : (more ?? before)
}

const CHANNELS = ['text', 'reasoning', 'call'] as const satisfies readonly Channel[]

/** What a step of this type repeats. A result belongs to its call. */
function channelOf(type: string): Channel | undefined {
  if (type === 'model_output' || type === 'text') return 'text'
  if (type === 'thought') return 'reasoning'
  return /_(call|result)$/.test(type) ? 'call' : undefined
}

const OWN_STOPS = new Set(['completed', 'requires_action'])

const CALL_FIELDS = new Set(['type', 'id', 'name', 'arguments', 'signature', 'status'])

const signatureOf = (signature: unknown): Metadata | undefined =>
  under(NAME, { thoughtSignature: wordOf(signature) })

function readUsage(usage: Fields, out: Output): void {
  const answer = numberOf(usage.total_output_tokens)
  const thoughts = numberOf(usage.total_thought_tokens)
  out.usage({
    inputTokens: sumOf(numberOf(usage.total_input_tokens), numberOf(usage.total_tool_use_tokens)),
    outputTokens: sumOf(answer, thoughts),
    totalTokens: numberOf(usage.total_tokens),
    reasoningTokens: thoughts,
    cachedInputTokens: numberOf(usage.total_cached_tokens),
  })
}
