/** A whole response as one value: what its events add up to. */

import type {
  Diagnostic,
  ErrorRecord,
  Finish,
  Metadata,
  SluiceEvent,
  ToolCall,
  ToolInputStart,
} from '../base/event.ts'
import { mergeMetadata } from '../base/merge-metadata.ts'
import type { CallPart, Part, ResultPart } from '../base/part.ts'
import { Rope } from '../base/rope.ts'
import { GrowingInput } from './calls/growing-input.ts'
import { createSinkParser, type ParserOptions } from './parser.ts'

/**
 * What the events up to now add up to. It never changes: after further events there is another message, in which every
 * part that they did not touch is the same object.
 */
export interface Message {
  /** All visible text, joined as it stood. */
  readonly text: string
  /** All reasoning, joined as it stood. */
  readonly reasoning: string
  /** The verdicts on the calls that have one. */
  readonly toolCalls: readonly ToolCall[]
  readonly results: readonly ResultPart[]
  /** `other` as long as the response has not ended. */
  readonly finish: Finish
  readonly diagnostics: readonly Diagnostic[]
  /** All parts, in order. `render` takes them. */
  readonly parts: readonly Part[]
  /** Absent once the response has ended. */
  readonly state?: 'streaming'
  /** What the stream failed with, where it did. */
  readonly error?: ErrorRecord
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
 *       show(fold.message())
 *     }
 *
 * It takes events in any order: a delta whose start it never saw opens a span of its own, an end that ends
 * nothing is passed over, and of two verdicts on one call the first counts.
 */
export class MessageFold {
  private readonly spans: Span[] = []
  /** Spans that still grow, by channel and id. */
  private readonly texts = new Map<string, TextSpan>()
  /** Calls by id. They stay, because of two verdicts on a call the first counts. */
  private readonly calls = new Map<string, CallSpan>()
  private readonly diagnostics: Diagnostic[] = []
  private finish: Finish = { type: 'finish', reason: 'other' }
  private state: { readonly state?: 'streaming' } = { state: 'streaming' }
  private failure: { readonly error?: ErrorRecord } = {}
  private made: Message | null = null
  private hasNews = true

  add(event: SluiceEvent): void {
    this.hasNews = true
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
        if (!this.calls.has(event.id)) this.addCall(event)
        break
      case 'tool-input-delta':
        this.calls.get(event.id)?.input?.text(event.delta)
        break
      case 'argument-start':
      case 'argument-delta':
      case 'argument-end':
        this.calls.get(event.id)?.input?.argument(event)
        break
      case 'tool-call':
        ;(this.calls.get(event.id) ?? this.addCall(event)).judge(event)
        break
      case 'custom': {
        const part: Part = { type: 'custom', kind: event.kind, value: event.value }
        this.spans.push({ part: () => part })
        break
      }
      case 'diagnostic':
        this.diagnostics.push(event)
        break
      case 'error':
        this.failure = { error: event.error }
        break
      case 'finish':
        for (const span of this.texts.values()) span.end()
        this.finish = event
        this.state = {}
        break
    }
  }

  private begin(channel: TextChannel, event: TextEvent): TextSpan {
    const key = `${channel} ${event.id}`
    this.texts.get(key)?.end()
    const span = new TextSpan(channel, event)
    this.spans.push(span)
    this.texts.set(key, span)
    return span
  }

  private grow(channel: TextChannel, { id, delta }: { readonly id: string; readonly delta: string }): void {
    const span = this.texts.get(`${channel} ${id}`) ?? this.begin(channel, { id })
    span.grow(delta)
  }

  private end(channel: TextChannel, event: TextEvent): void {
    const key = `${channel} ${event.id}`
    this.texts.get(key)?.end(event)
    this.texts.delete(key)
  }

  private addCall(event: ToolInputStart | ToolCall): CallSpan {
    const span = new CallSpan(event)
    this.spans.push(span)
    this.calls.set(event.id, span)
    return span
  }

  /** A call, as far as it is known. */
  call(id: string): CallPart | undefined {
    return this.calls.get(id)?.part()
  }

  /**
   * Everything up to now. The same object as long as no event changed anything. It costs as much as the list of parts is
   * long, and what the open containers of a growing input hold; nothing is done for messages that are not asked for.
   */
  message(): Message {
    if (this.made !== null && !this.hasNews) return this.made
    this.hasNews = false
    const last = this.made
    const parts = this.spans.flatMap((span) => span.part() ?? [])
    const calls = [...this.calls.values()].flatMap(({ verdict }) => verdict ?? [])
    const message: Message = {
      text: textOf(parts, 'text'),
      reasoning: textOf(parts, 'reasoning'),
      toolCalls: kept(last?.toolCalls, calls),
      results: kept(
        last?.results,
        parts.filter((part) => part.type === 'result'),
      ),
      finish: this.finish,
      diagnostics: kept(last?.diagnostics, [...this.diagnostics]),
      parts: kept(last?.parts, parts),
      ...this.state,
      ...this.failure,
    }
    if (last === null || !isSame(last, message)) this.made = message
    return this.made ?? message
  }
}

/** Strings are joined one by one, because a long string must not be copied for each delta. */
function textOf(parts: readonly Part[], type: 'text' | 'reasoning'): string {
  let text = ''
  for (const part of parts) if (part.type === type) text += part.text
  return text
}

/** The list as it was, where it would be the same. */
function kept<T>(before: readonly T[] | undefined, now: readonly T[]): readonly T[] {
  if (before === undefined || before.length !== now.length) return now
  return before.every((item, index) => item === now[index]) ? before : now
}

function isSame(one: Message, other: Message): boolean {
  // The text is in the parts, and comparing it would look at all of it.
  const { text: _text, reasoning: _reasoning, ...fields } = other
  return (
    one.state === other.state &&
    Object.entries(fields).every(([name, value]) => one[name as keyof Message] === value)
  )
}

// ── what a message is made of, while it grows ────────────────────────────────────────────────────

interface Span {
  /** The same object as long as nothing changed; null as long as there is nothing to show. */
  part(): Part | null
}

type TextChannel = 'text' | 'reasoning' | 'result'

/** What the events that begin and end text have in common. */
interface TextEvent {
  readonly id: string
  readonly toolName?: string
  readonly isError?: boolean
  readonly metadata?: Metadata
}

class TextSpan implements Span {
  private readonly channel: TextChannel
  private readonly id: string
  private readonly toolName: string | undefined
  private readonly content = new Rope()
  private isError: boolean | undefined
  private metadata: Metadata | null
  private state: { readonly state?: 'streaming' } = { state: 'streaming' }
  private made: Part | null = null

  constructor(channel: TextChannel, { id, toolName, isError, metadata }: TextEvent) {
    this.channel = channel
    this.id = id
    this.toolName = toolName
    this.isError = isError
    this.metadata = metadata ?? null
  }

  grow(delta: string): void {
    this.content.add(delta)
    this.made = null
  }

  end({ isError, metadata }: Partial<TextEvent> = {}): void {
    this.isError = isError ?? this.isError
    this.metadata = mergeMetadata(this.metadata, metadata)
    this.state = {}
    this.made = null
  }

  part(): Part | null {
    this.made ??= this.make()
    return this.made
  }

  private make(): Part | null {
    const { channel, id, toolName, content, isError, state } = this
    const metadata = this.metadata && { metadata: this.metadata }
    if (channel !== 'result') {
      // An empty span counts only where a provider signed it.
      if (content.length === 0 && metadata === null) return null
      return { type: channel, text: content.toString(), ...state, ...metadata }
    }
    return {
      type: 'result',
      id,
      ...(toolName !== undefined && { toolName }),
      content: content.toString(),
      ...(isError !== undefined && { isError }),
      ...state,
      ...metadata,
    }
  }
}

class CallSpan implements Span {
  private made: CallPart
  /** What is known of the input; null once there is a verdict, which has it. */
  input: GrowingInput | null = new GrowingInput()
  verdict: ToolCall | null = null

  constructor({ id, toolName, providerExecuted, metadata, ...event }: ToolInputStart | ToolCall) {
    const isTentative = event.type === 'tool-input-start' && event.tentative === true
    this.made = {
      type: 'call',
      id,
      toolName,
      input: null,
      state: 'streaming',
      ...(isTentative && { tentative: true }),
      ...(providerExecuted !== undefined && { providerExecuted }),
      ...(metadata !== undefined && { metadata }),
    }
  }

  judge(verdict: ToolCall): void {
    if (this.verdict !== null) return
    const metadata = mergeMetadata(this.made.metadata ?? null, verdict.metadata)
    this.verdict = metadata === null ? verdict : { ...verdict, metadata }
    this.input = null
    this.made = { ...this.verdict, type: 'call' }
  }

  part(): CallPart {
    const input = this.input?.snapshot()
    if (input !== undefined && input !== this.made.input) this.made = { ...this.made, input }
    return this.made
  }
}
