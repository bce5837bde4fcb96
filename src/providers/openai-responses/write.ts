/**
 * Writes OpenAI's Responses: an item for each span and each call, and at the end the whole response once more.
 *
 * A tool that a provider ran is written as a call of an MCP server, which is the form that has a name, arguments
 * and an output.
 */

import type { Metadata, SluiceEvent, ToolCall } from '../../event.ts'
import { Rope } from '../../rope.ts'
import { isRefusal, ofProvider } from '../metadata.ts'
import {
  asNamedEvent,
  asRefusal,
  type Payload,
  type PayloadWriter,
  type WireFormat,
  type WriterOptions,
} from '../wire-format.ts'
import { unquoted, type WrittenCall, WrittenCalls } from '../written-calls.ts'
import { WrittenResults } from '../written-results.ts'
import {
  callItem,
  inputName,
  itemId,
  itemOf,
  NAME,
  type OpenItem,
  partName,
  partOf,
  textName,
  usageOf,
} from './write-item.ts'

export const openaiResponsesWriter: WireFormat<'openai-responses'> = {
  name: NAME,
  contentType: 'text/event-stream',
  frame: asNamedEvent,
  end: '',
  refuse: ({ message, code }) =>
    asRefusal({ error: { message, type: code ?? 'server_error', param: null, code: code ?? null } }),
  open: (about) => new ResponsesWriter(about),
}

class ResponsesWriter implements PayloadWriter {
  private readonly about: Required<WriterOptions>
  private readonly calls: WrittenCalls
  private readonly spans = new Map<string, OpenItem>()
  private readonly inputs = new Map<string, Rope>()
  private readonly output: Payload[] = []
  /** Calls that a provider ran, until their results are there. */
  private readonly running = new Map<string, { readonly index: number; readonly item: Payload }>()
  private readonly results = new WrittenResults()
  private items = 0
  private sequence = 0
  private isFirst = true
  private error: Payload | null = null

  constructor(about: Required<WriterOptions>) {
    this.about = about
    this.calls = new WrittenCalls(about)
  }

  write(event: SluiceEvent): readonly Payload[] {
    const payloads = this.payloadsOf(event)
    const isFirst = this.isFirst && payloads.length > 0
    if (isFirst) this.isFirst = false
    const response = isFirst ? this.response('in_progress') : {}
    const opening = isFirst
      ? [
          { type: 'response.created', response },
          { type: 'response.in_progress', response },
        ]
      : []
    return [...opening, ...payloads].map((payload) => ({ ...payload, sequence_number: this.sequence++ }))
  }

  private payloadsOf(event: SluiceEvent): readonly Payload[] {
    switch (event.type) {
      case 'text-start':
        return this.open(event, isRefusal(event.metadata) ? 'refusal' : 'text')
      case 'reasoning-start':
        return this.open(event, 'reasoning')
      case 'text-delta':
      case 'reasoning-delta':
        return this.grow(event.id, event.delta)
      case 'text-end':
      case 'reasoning-end':
        return this.close(event.id, event.metadata)
      case 'tool-input-start':
        this.calls.begin(event)
        this.inputs.set(event.id, new Rope())
        // Whether the tool takes JSON or free text shows with its first piece of input.
        return event.providerExecuted ? this.announce(this.calls.get(event.id)) : []
      case 'tool-input-delta': {
        const grown = this.calls.grow(event)
        return grown === undefined ? [] : this.input(grown.call, grown.text)
      }
      case 'tool-call':
        return this.judge(event)
      case 'tool-result-start':
      case 'tool-result-delta':
      case 'tool-result-end': {
        const result = this.results.add(event)
        return result === undefined ? [] : this.done(result.id, result.content, result.isError)
      }
      case 'custom':
        return event.kind === 'annotation' ? this.annotate(event.value) : []
      case 'error':
        this.error = { code: event.error.code ?? 'server_error', message: event.error.message }
        return [{ type: 'error', ...this.error, param: null }]
      case 'finish':
        return this.finish(event)
      default:
        return []
    }
  }

  // ── text and reasoning ─────────────────────────────────────────────────────────────────────────

  private open(event: SluiceEvent & { id?: string }, kind: OpenItem['kind']): Payload[] {
    const { id: spanId = '', metadata } = event as { id?: string; metadata?: Metadata }
    const index = this.items++
    const own = ofProvider(metadata, NAME).itemId
    const id = typeof own === 'string' ? own : `${kind === 'reasoning' ? 'rs' : 'msg'}_${index}`
    const open: OpenItem = { index, id, kind, content: new Rope(), metadata }
    this.spans.set(spanId, open)
    const item = {
      ...itemOf(open, ''),
      status: 'in_progress',
      ...(kind === 'reasoning' ? { summary: [] } : { content: [] }),
    }
    return [
      { type: 'response.output_item.added', output_index: index, item },
      { ...this.at(open, `${partName(kind)}.added`), part: partOf(kind, '') },
    ]
  }

  private grow(spanId: string, delta: string): Payload[] {
    const open = this.spans.get(spanId)
    if (open === undefined) return []
    open.content.add(delta)
    return [{ ...this.at(open, `${textName(open.kind)}.delta`), delta }]
  }

  private close(spanId: string, metadata: Metadata | undefined): Payload[] {
    const open = this.spans.get(spanId)
    if (open === undefined) return []
    this.spans.delete(spanId)
    open.metadata = metadata ?? open.metadata
    const text = open.content.toString()
    const item = itemOf(open, text)
    this.output[open.index] = item
    return [
      {
        ...this.at(open, `${textName(open.kind)}.done`),
        [open.kind === 'refusal' ? 'refusal' : 'text']: text,
      },
      { ...this.at(open, `${partName(open.kind)}.done`), part: partOf(open.kind, text) },
      { type: 'response.output_item.done', output_index: open.index, item },
    ]
  }

  private at({ index, id, kind }: OpenItem, type: string): Payload {
    const place = kind === 'reasoning' ? { summary_index: 0 } : { content_index: 0 }
    return { type: `response.${type}`, item_id: id, output_index: index, ...place }
  }

  private annotate(annotation: unknown): Payload[] {
    const open = [...this.spans.values()].find(({ kind }) => kind === 'text')
    return open === undefined
      ? []
      : [{ ...this.at(open, 'output_text.annotation.added'), annotation_index: 0, annotation }]
  }

  // ── calls ──────────────────────────────────────────────────────────────────────────────────────

  private announce(call: WrittenCall | undefined): Payload[] {
    if (call === undefined || call.index !== undefined) return []
    call.index = this.items++
    const item = { ...callItem(call), status: 'in_progress' }
    return [{ type: 'response.output_item.added', output_index: call.index, item }]
  }

  private input(call: WrittenCall, json: string): Payload[] {
    if (json === '') return []
    const opening = this.announce(call)
    const delta = call.isText ? unquoted(json) : json
    this.inputs.get(call.id)?.add(delta)
    if (delta === '') return opening
    return [
      ...opening,
      { type: `response.${inputName(call)}.delta`, item_id: itemId(call), output_index: call.index, delta },
    ]
  }

  /** The item of a call that may not run is never done, and not part of the whole response. */
  private judge(event: ToolCall): Payload[] {
    const judged = this.calls.end(event)
    const payloads = judged?.isGood ? this.input(judged.call, judged.rest) : []
    const input = this.inputs.get(event.id)?.toString() ?? ''
    this.inputs.delete(event.id)
    if (!judged?.isGood) return []
    const { call } = judged
    payloads.push(...this.announce(call))
    const field = call.isText ? 'input' : 'arguments'
    const index = call.index ?? 0
    const item = { ...callItem(call), [field]: input, status: 'completed' }
    this.output[index] = item
    payloads.push({
      type: `response.${inputName(call)}.done`,
      item_id: itemId(call),
      output_index: index,
      [field]: input,
    })
    if (call.providerExecuted) this.running.set(call.id, { index, item })
    else payloads.push({ type: 'response.output_item.done', output_index: index, item })
    return payloads
  }

  /** A call that the provider ran is done. */
  private done(id: string, content = '', isError = false): Payload[] {
    const run = this.running.get(id)
    if (run === undefined) return []
    this.running.delete(id)
    const item = { ...run.item, [isError ? 'error' : 'output']: content }
    this.output[run.index] = item
    return [{ type: 'response.output_item.done', output_index: run.index, item }]
  }

  // ── the end ────────────────────────────────────────────────────────────────────────────────────

  private finish({ reason, usage }: SluiceEvent & { type: 'finish' }): Payload[] {
    const payloads = [...this.running.keys()].flatMap((id) => this.done(id))
    const end = (status: string, more: Payload = {}): Payload[] => [
      ...payloads,
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
