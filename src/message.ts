/** A whole response as one value: what its events add up to. */

import type { Diagnostic, ErrorRecord, Finish, Metadata, SluiceEvent, ToolCall } from './event.ts'
import { createSinkParser, type ParserOptions } from './parser.ts'

/** What a tool answered. */
export interface ToolResult {
  readonly id: string
  readonly toolName?: string
  readonly content: string
  readonly isError?: boolean
  readonly metadata?: Metadata
}

/** One span of the response. A call stands where it began, which is not where its verdict came. */
export type Part =
  | { readonly type: 'text'; readonly text: string; readonly metadata?: Metadata }
  | { readonly type: 'reasoning'; readonly text: string; readonly metadata?: Metadata }
  | { readonly type: 'call'; readonly call: ToolCall }
  | { readonly type: 'result'; readonly result: ToolResult }
  | { readonly type: 'custom'; readonly kind: string; readonly value: unknown }

export interface Message {
  /** All visible text, joined as it stood. */
  text: string
  /** All reasoning, joined as it stood. */
  reasoning: string
  toolCalls: ToolCall[]
  results: ToolResult[]
  /** `other` as long as the response has not ended. */
  finish: Finish
  diagnostics: Diagnostic[]
  /** All parts, in order. */
  parts: Part[]
  /** What the stream failed with, where it did. */
  error?: ErrorRecord
}

/**
 * Reads a whole response at once.
 *
 *     const { text, toolCalls } = parse(response, { dialect: hermes })
 */
export function parse(text: string, options: ParserOptions = {}): Message {
  const fold = new MessageFold()
  const parser = createSinkParser((event) => fold.add(event), options)
  parser.push(text)
  parser.end()
  return fold.message()
}

/** What some events add up to. */
export function foldEvents(events: Iterable<SluiceEvent>): Message {
  const fold = new MessageFold()
  for (const event of events) fold.add(event)
  return fold.message()
}

/** What a stream of events adds up to. */
export async function collect(events: AsyncIterable<SluiceEvent> | Iterable<SluiceEvent>): Promise<Message> {
  const fold = new MessageFold()
  for await (const event of events) fold.add(event)
  return fold.message()
}

/**
 * Adds events up while they come.
 *
 *     const fold = new MessageFold()
 *     for await (const event of sluice(source)) {
 *       fold.add(event)
 *       show(fold.message().text)
 *     }
 *
 * It takes events in any order: a delta whose start it never saw opens a span of its own, an end that ends
 * nothing is passed over, and of two verdicts on one call the first counts.
 */
export class MessageFold {
  private readonly spans: (Span | Part)[] = []
  /** Spans that still grow, and calls that have no verdict yet, by channel and id. */
  private readonly open = new Map<string, Span>()
  private readonly judged = new Set<string>()
  private readonly diagnostics: Diagnostic[] = []
  private finish: Finish = { type: 'finish', reason: 'other' }
  private failure: { readonly error: ErrorRecord } | undefined

  add(event: SluiceEvent): void {
    switch (event.type) {
      case 'text-start':
        this.begin('text', event)
        break
      case 'text-delta':
        this.grow('text', event)
        break
      case 'text-end':
        this.end('text', event)
        break
      case 'reasoning-start':
        this.begin('reasoning', event)
        break
      case 'reasoning-delta':
        this.grow('reasoning', event)
        break
      case 'reasoning-end':
        this.end('reasoning', event)
        break
      case 'tool-result-start':
        this.begin('result', event)
        break
      case 'tool-result-delta':
        this.grow('result', event)
        break
      case 'tool-result-end':
        this.end('result', event)
        break
      case 'tool-input-start':
        if (!this.judged.has(event.id)) this.begin('call', event)
        break
      case 'tool-call':
        this.judge(event)
        break
      case 'custom':
        this.spans.push({ type: 'custom', kind: event.kind, value: event.value })
        break
      case 'diagnostic':
        this.diagnostics.push(event)
        break
      case 'error':
        this.failure = { error: event.error }
        break
      case 'finish':
        this.finish = event
        break
    }
  }

  private begin(channel: Channel, event: SpanEvent): Span {
    const span = new Span(channel, event)
    this.spans.push(span)
    this.open.set(`${channel} ${event.id}`, span)
    return span
  }

  private grow(channel: Channel, event: { readonly id: string; readonly delta: string }): void {
    const span = this.open.get(`${channel} ${event.id}`) ?? this.begin(channel, { id: event.id })
    span.content += event.delta
  }

  private end(channel: Channel, event: SpanEvent): void {
    const key = `${channel} ${event.id}`
    this.open.get(key)?.end(event)
    this.open.delete(key)
  }

  private judge(call: ToolCall): void {
    if (this.judged.has(call.id)) return
    this.judged.add(call.id)
    const key = `call ${call.id}`
    const span = this.open.get(key) ?? this.begin('call', call)
    span.call = call
    this.open.delete(key)
  }

  /** Everything up to now. A call without a verdict is not in it yet. */
  message(): Message {
    const parts = this.spans.flatMap((span) => (span instanceof Span ? span.parts() : [span]))
    return {
      text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      reasoning: parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join(''),
      toolCalls: parts.flatMap((part) => (part.type === 'call' ? [part.call] : [])),
      results: parts.flatMap((part) => (part.type === 'result' ? [part.result] : [])),
      finish: this.finish,
      diagnostics: [...this.diagnostics],
      parts,
      ...this.failure,
    }
  }
}

type Channel = 'text' | 'reasoning' | 'call' | 'result'

/** What the events that begin and end a span have in common. */
interface SpanEvent {
  readonly id: string
  readonly toolName?: string
  readonly isError?: boolean
  readonly metadata?: Metadata
}

/** A span while it grows. */
class Span {
  content = ''
  call: ToolCall | undefined
  private readonly channel: Channel
  private readonly id: string
  private readonly toolName: string | undefined
  private isError: boolean | undefined
  private metadata: Metadata | undefined

  constructor(channel: Channel, { id, toolName, isError, metadata }: SpanEvent) {
    this.channel = channel
    this.id = id
    this.toolName = toolName
    this.isError = isError
    this.metadata = metadata
  }

  end({ isError, metadata }: SpanEvent): void {
    this.isError = isError ?? this.isError
    if (metadata !== undefined) this.metadata = { ...this.metadata, ...metadata }
  }

  /** Nothing, as long as there is nothing to show; an empty span counts where a provider signed it. */
  parts(): Part[] {
    const { channel, id, toolName, content, isError, call } = this
    const metadata = this.metadata && { metadata: this.metadata }
    if (channel === 'call') return call === undefined ? [] : [{ type: 'call', call }]
    if (channel === 'result') {
      const result = { id, ...(toolName !== undefined && { toolName }), content }
      return [
        { type: 'result', result: { ...result, ...(isError !== undefined && { isError }), ...metadata } },
      ]
    }
    return content === '' && metadata === undefined ? [] : [{ type: channel, text: content, ...metadata }]
  }
}
