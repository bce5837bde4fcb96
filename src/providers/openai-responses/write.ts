/**
 * Writes OpenAI's Responses: an item for each message, each piece of reasoning and each call, and at the end the whole
 * response once more. What was read from Responses is written with the items and the ids that it had.
 */

import type { Metadata, SluiceEvent, ToolCall } from '../../base/event.ts'
import { mergeMetadata } from '../../base/merge-metadata.ts'
import { Rope } from '../../base/rope.ts'
import { sourcesOf } from '../citations.ts'
import { isRefusal, ofProvider } from '../metadata.ts'
import { fieldsOf, wordOf } from '../payload-fields.ts'
import { openaiReasoning } from '../signatures.ts'
import {
  asNamedEvent,
  asRefusal,
  type Payload,
  type PayloadWriter,
  type WireFormat,
  type WriterOptions,
} from '../wire-format.ts'
import { inputValue, type JudgedCall, unquoted, type WrittenCall } from '../written-calls.ts'
import type { WrittenResult } from '../written-results.ts'
import { isOfTool, WrittenTools } from '../written-tools.ts'
import { isUnlinked } from './item-types.ts'
import {
  annotationOf,
  type CalledItem,
  callItem,
  idPrefix,
  inputEvent,
  inputFields,
  isAnnouncedWhole,
  isGrowing,
  itemOf,
  NAME,
  type OpenItem,
  outputItem,
  partName,
  partOf,
  resultFields,
  textName,
  typeOf,
  usageOf,
} from './write-item.ts'

/** Writes OpenAI's Responses. */
export const openaiResponsesWriter: WireFormat<'openai-responses'> = {
  name: NAME,
  contentType: 'text/event-stream',
  frame: (payload, sequence_number) => asNamedEvent({ ...payload, sequence_number }),
  end: '',
  refuse: ({ message, code }) =>
    asRefusal({ error: { message, type: code ?? 'server_error', param: null, code: code ?? null } }),
  open: (about) => new ResponsesWriter(about),
}

/** Kinds of `custom` that are items. */
const ITEMS = new Set(['mcp_list_tools', 'compaction'])

interface RunningCall {
  readonly index: number
  readonly item: Payload
  /** It was read from Responses, where the result follows at once, if there is one. */
  readonly isOwn: boolean
}

class ResponsesWriter implements PayloadWriter {
  private readonly about: Required<WriterOptions>
  private readonly tools: WrittenTools
  /** The item of text or reasoning that is open, and the span that fills it, unless it waits for another one. */
  private open: OpenItem | null = null
  private span: string | null = null
  /** The end of a text that waits: the pages that it cites may follow it. */
  private ended: (SluiceEvent & { type: 'text-end' }) | null = null
  private readonly inputs = new Map<string, Rope>()
  private readonly output: Payload[] = []
  /** Calls that a provider ran, until their results are there. */
  private readonly running = new Map<string, RunningCall>()
  /** The items of all calls. */
  private readonly called = new Map<string, CalledItem>()
  private items = 0
  private error: Payload | null = null

  constructor(about: Required<WriterOptions>) {
    this.about = about
    this.tools = new WrittenTools(about, {
      begin: (call) => this.beginCall(call),
      input: (call, json) => this.input(call, json),
      judge: (judged, event) => this.judge(judged, event),
      result: (result) => this.answer(result),
    })
  }

  opening(): Payload[] {
    const response = this.response('in_progress')
    return [
      { type: 'response.created', response },
      { type: 'response.in_progress', response },
    ]
  }

  write(event: SluiceEvent): readonly Payload[] {
    return [...this.endText(event), ...this.doneWithout(event), ...this.payloadsOf(event)]
  }

  private payloadsOf(event: SluiceEvent): readonly Payload[] {
    switch (event.type) {
      case 'text-start':
        return this.begin(event.id, isRefusal(event.metadata) ? 'refusal' : 'text', event.metadata)
      case 'reasoning-start':
        return this.begin(event.id, 'reasoning', event.metadata)
      case 'text-delta':
      case 'reasoning-delta':
        return this.grow(event.id, event.delta)
      case 'text-end':
        this.ended = event
        return []
      case 'reasoning-end':
        return this.close(event.id, event.metadata)
      case 'custom':
        return this.writeCustom(event.kind, event.value)
      case 'error':
        this.error = { code: event.error.code ?? 'server_error', message: event.error.message }
        return [...this.settle(), { type: 'error', ...this.error, param: null }]
      case 'finish':
        return [...this.settle(), ...this.finish(event)]
      default:
        return isOfTool(event) ? this.tools.write(event) : []
    }
  }

  /** Ids of one response are those of no other: they come back beside each other. */
  private newId(prefix: string, index: number): string {
    return `${prefix}_${this.about.id.replace(/^resp_/, '')}_${index}`
  }

  // ── text and reasoning ─────────────────────────────────────────────────────────────────────────

  /** A span is a part of the item whose id it has, or an item of its own. */
  private begin(spanId: string, kind: OpenItem['kind'], metadata: Metadata | undefined): Payload[] {
    const own =
      kind === 'reasoning' ? openaiReasoning(metadata).itemId : wordOf(ofProvider(metadata, NAME).itemId)
    this.span = spanId
    const isSame = own !== undefined && own === this.open?.id
    if (this.open !== null && isSame && this.open.kind === kind) {
      this.open.metadata = mergeMetadata(this.open.metadata ?? null, metadata) ?? undefined
      return kind === 'reasoning' ? [] : [this.beginPart(this.open)]
    }
    const payloads = this.settle()
    const index = this.items++
    // An item has parts of one kind here, and another one needs an id of its own.
    const id = (isSame ? undefined : own) ?? this.newId(kind === 'reasoning' ? 'rs' : 'msg', index)
    const open: OpenItem = { index, id, kind, parts: [], content: new Rope(), annotations: [], metadata }
    this.span = spanId
    this.open = open
    payloads.push({
      type: 'response.output_item.added',
      output_index: index,
      item: { ...itemOf(open), status: 'in_progress' },
    })
    // Reasoning may be nothing but an id, or encrypted.
    return kind === 'reasoning' ? payloads : [...payloads, this.beginPart(open)]
  }

  private beginPart(open: OpenItem): Payload {
    return { ...this.at(open, `${partName(open.kind)}.added`), part: partOf(open.kind, '') }
  }

  private grow(spanId: string, delta: string): Payload[] {
    const { open } = this
    if (open === null || this.span !== spanId) return []
    const isBegun = open.kind !== 'reasoning' || open.content.length > 0
    open.content.add(delta)
    const piece = { ...this.at(open, `${textName(open.kind)}.delta`), delta }
    return isBegun ? [piece] : [this.beginPart(open), piece]
  }

  /** The text that ended is over when something else is written than what it cites. A call of the client is written later. */
  private endText(event: SluiceEvent): Payload[] {
    const { ended } = this
    const isSilent = event.type === 'tool-input-start' && !event.providerExecuted
    if (ended === null || isSilent || event.type === 'custom') return []
    this.ended = null
    return this.close(ended.id, ended.metadata)
  }

  /** The item ends with its only part, or waits for the next one if it has an id that the next one may have, too. */
  private close(spanId: string, metadata: Metadata | undefined): Payload[] {
    const { open } = this
    if (open === null || this.span !== spanId) return []
    this.span = null
    open.metadata = mergeMetadata(open.metadata ?? null, metadata) ?? undefined
    const text = open.content.toString()
    const isEmpty = open.kind === 'reasoning' && text === ''
    const part = partOf(open.kind, text, open.annotations)
    const payloads = isEmpty
      ? []
      : [
          {
            ...this.at(open, `${textName(open.kind)}.done`),
            [open.kind === 'refusal' ? 'refusal' : 'text']: text,
          },
          { ...this.at(open, `${partName(open.kind)}.done`), part },
        ]
    if (!isEmpty) open.parts.push(part)
    open.content = new Rope()
    open.annotations = []
    const isNamed = open.id !== this.newId(open.kind === 'reasoning' ? 'rs' : 'msg', open.index)
    return isNamed ? payloads : [...payloads, ...this.settle()]
  }

  /** Ends the item of text or reasoning: something else comes next. */
  private settle(): Payload[] {
    const { open } = this
    if (open === null) return []
    this.open = null
    this.span = null
    return [this.done(open.index, itemOf(open))]
  }

  private done(index: number, item: Payload): Payload {
    this.output[index] = item
    return { type: 'response.output_item.done', output_index: index, item }
  }

  private at({ index, id, kind, parts }: OpenItem, type: string): Payload {
    const place = kind === 'reasoning' ? { summary_index: parts.length } : { content_index: parts.length }
    return { type: `response.${type}`, item_id: id, output_index: index, ...place }
  }

  private writeCustom(kind: string, value: unknown): Payload[] {
    const at = this.open?.content.length ?? 0
    const own = kind === 'annotation' ? annotationOf(value, at) : undefined
    if (own !== undefined) return this.annotate(own)
    const sources = sourcesOf(kind, value)
    if (sources.length > 0)
      return sources.flatMap((source) =>
        this.annotate({ type: 'url_citation', ...source, start_index: at, end_index: at }),
      )
    return ITEMS.has(kind) && fieldsOf(value).type === kind
      ? [...this.settle(), ...this.whole(fieldsOf(value))]
      : []
  }

  private whole(item: Payload): Payload[] {
    const index = this.items++
    return [{ type: 'response.output_item.added', output_index: index, item }, this.done(index, item)]
  }

  private annotate(annotation: unknown): Payload[] {
    const { open } = this
    if (open === null || this.span === null || open.kind !== 'text') return []
    const annotation_index = open.annotations.length
    open.annotations.push(annotation)
    return [{ ...this.at(open, 'output_text.annotation.added'), annotation_index, annotation }]
  }

  // ── calls ──────────────────────────────────────────────────────────────────────────────────────

  /** A call that a provider runs is shown at once. Whether a tool takes JSON or free text shows with its first piece of input. */
  private beginCall(call: WrittenCall): Payload[] {
    this.inputs.set(call.id, new Rope())
    return call.providerExecuted && !isAnnouncedWhole(typeOf(call)) ? this.announce(call) : []
  }

  private announce(call: WrittenCall, input: Payload = {}): Payload[] {
    if (call.index !== undefined) return []
    const payloads = this.settle()
    call.index = this.items++
    const type = typeOf(call)
    this.called.set(call.id, { type, isUnlinked: isUnlinked(type, call.metadata) })
    const item = { ...this.itemOf(call), ...input, status: 'in_progress' }
    return [...payloads, { type: 'response.output_item.added', output_index: call.index, item }]
  }

  private itemOf(call: WrittenCall): Payload {
    const type = typeOf(call)
    const own = wordOf(ofProvider(call.metadata, NAME).itemId)
    const item = callItem(call, own ?? this.newId(idPrefix(type), call.index ?? 0))
    return isGrowing(type) ? { ...item, [call.isText ? 'input' : 'arguments']: '' } : item
  }

  private input(call: WrittenCall, json: string): Payload[] {
    const type = typeOf(call)
    if (!isGrowing(type)) {
      this.inputs.get(call.id)?.add(json)
      return []
    }
    const opening = this.announce(call)
    const delta = call.isText ? unquoted(json) : json
    this.inputs.get(call.id)?.add(delta)
    if (delta === '') return opening
    return [...opening, { type: `response.${inputEvent(type)}.delta`, ...this.inputAt(call), delta }]
  }

  private inputAt(call: WrittenCall): Payload {
    return { item_id: this.itemOf(call).id, output_index: call.index }
  }

  /**
   * The item of a call that may not run is never done, and not part of the whole response. One that a person has to
   * look at first says so by itself.
   */
  private judge(judged: JudgedCall, event: ToolCall): Payload[] {
    const payloads = judged.rest === '' ? [] : this.input(judged.call, judged.rest)
    const input = this.inputs.get(event.id)?.toString() ?? ''
    this.inputs.delete(event.id)
    if (!judged.isGood && !asksFirst(event)) return []
    // What the provider wants back may come with the end of the call.
    const call = { ...judged.call, metadata: event.metadata ?? judged.call.metadata }
    const type = typeOf(call)
    const field = call.isText ? 'input' : 'arguments'
    const fields = isGrowing(type) ? { [field]: input } : inputFields(type, inputValue(event, input))
    payloads.push(...this.announce(call, isAnnouncedWhole(type) ? fields : {}))
    const index = call.index ?? 0
    const status = type === 'mcp_approval_request' ? {} : { status: 'completed' }
    const item = { ...this.itemOf(call), ...fields, ...status }
    this.output[index] = item
    if (isGrowing(type))
      payloads.push({ type: `response.${inputEvent(type)}.done`, ...this.inputAt(call), [field]: input })
    // The answer of a tool that the provider ran may be a part of the item.
    if (call.providerExecuted && resultFields(type, '', false) !== undefined)
      this.running.set(call.id, { index, item, isOwn: ofProvider(call.metadata, NAME).type !== undefined })
    else payloads.push(this.done(index, item))
    return payloads
  }

  /** Calls that the provider ran and that have no result. */
  private doneWithout({ type }: SluiceEvent): Payload[] {
    if (this.running.size === 0 || type.startsWith('tool-result')) return []
    const over = [...this.running].filter(([, { isOwn }]) => isOwn || type === 'finish')
    for (const [id] of over) this.running.delete(id)
    return over.map(([, { index, item }]) => this.done(index, item))
  }

  private answer(result: WrittenResult): Payload[] {
    const { id, content, isError } = result
    const called = this.called.get(id) ?? { type: '', isUnlinked: false }
    const { type } = called
    const run = this.running.get(id)
    if (run !== undefined) {
      this.running.delete(id)
      return [this.done(run.index, { ...run.item, ...resultFields(type, content, isError) })]
    }
    const item = outputItem(called, this.newId(`${idPrefix(type)}o`, this.items), result)
    return item === undefined ? [] : [...this.settle(), ...this.whole(item)]
  }

  // ── the end ────────────────────────────────────────────────────────────────────────────────────

  private finish({ reason, usage }: SluiceEvent & { type: 'finish' }): Payload[] {
    const end = (status: string, more: Payload = {}): Payload[] => [
      {
        type: `response.${status}`,
        response: this.response(status, { usage: usageOf(usage ?? {}), ...more }),
      },
    ]
    if (this.error !== null || reason === 'error' || reason === 'aborted')
      return end('failed', {
        error: this.error ?? { code: 'server_error', message: 'The response broke off.' },
      })
    if (reason === 'length') return end('incomplete', { incomplete_details: { reason: 'max_output_tokens' } })
    if (reason === 'content-filter')
      return end('incomplete', { incomplete_details: { reason: 'content_filter' } })
    return end('completed')
  }

  private response(status: string, more: Payload = {}): Payload {
    const { id, model, created } = this.about
    return {
      id,
      object: 'response',
      created_at: created,
      status,
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: {},
      model,
      output: this.output.filter((item) => item !== undefined),
      parallel_tool_calls: true,
      temperature: null,
      tool_choice: 'auto',
      tools: [],
      top_p: null,
      usage: null,
      ...more,
    }
  }
}

/** Whether the item of a call holds the checks that a person has to acknowledge, and nothing else is wrong with it. */
function asksFirst({ status, error, input, metadata }: ToolCall): boolean {
  const { type, pendingSafetyChecks } = ofProvider(metadata, NAME)
  const isRefused = status === 'invalid' && error?.code === 'refused' && input !== null
  return isRefused && type === 'computer_call' && pendingSafetyChecks !== undefined
}
