/**
 * Handlers: a provider's chunks in, segments and invocations out. They differ only in what they look for in the text.
 *
 *     for await (const chunk of llm.stream(message)) handler.feed(chunk)
 *     handler.finalize()
 */

import { SluiceError } from '../../../base/errors.ts'
import { checkOptions, type KnownOptions } from '../../../base/options.ts'
import { type ChunkResponse, type ChunkResponseFields, callDelta, type ToolCallDelta } from './chunk.ts'
import { checkConfig, ParserConfig } from './config.ts'
import { type ToolInvocation, ToolInvocationAdapter } from './invocation.ts'
import { ResponseReader, SegmentIds } from './response-reader.ts'
import type { SegmentEvent } from './segment-event.ts'
import type { Ending } from './segments-view.ts'
import { configFor, resolveParserName } from './strategy-names.ts'
import { failed, interrupted } from './streaming-parser.ts'
import type { SegmentTools, ToolSyntaxRegistry } from './tool-syntax.ts'

/** The callbacks of a response handler. */
export interface HandlerCallbacks {
  readonly onSegmentEvent?: ((event: SegmentEvent) => void) | undefined
  readonly onToolInvocation?: ((invocation: ToolInvocation) => void) | undefined
  /** What a callback threw. Without it that is written to the console; reading goes on in either case. */
  readonly onCallbackError?: ((error: unknown) => void) | undefined
  /** False: events and invocations are handed to the callbacks and not kept. Default true. */
  readonly keepEvents?: boolean | undefined
}

export const CALLBACKS: KnownOptions<HandlerCallbacks> = {
  onSegmentEvent: 'function',
  onToolInvocation: 'function',
  onCallbackError: 'function',
  keepEvents: 'boolean',
}

/** Options of a handler that parses calls in text. */
export interface StreamingResponseHandlerOptions extends HandlerCallbacks {
  readonly config?: ParserConfig | undefined
  /** `xml`, `json`, `sentinel` or `api_tool_call`; without it the environment's, or `xml`. */
  readonly parserName?: string | undefined
}

const OPTIONS: KnownOptions<StreamingResponseHandlerOptions> = {
  ...CALLBACKS,
  config: 'any',
  parserName: 'any',
}

/** Takes chunks, or plain text, and looks for calls as its strategy says. Native calls are understood in any. */
export class StreamingResponseHandler {
  private readonly callbacks: HandlerCallbacks
  protected readonly config: ParserConfig
  private readonly takesCalls: boolean
  private readonly ids = new SegmentIds()
  private readonly adapter: ToolInvocationAdapter
  private response: ResponseReader
  private isOver = false
  /** Something is being read: what callbacks ask for meanwhile comes after it. */
  private isReading = false
  private asked: (() => void)[] = []
  /** What this step gave. */
  private events: SegmentEvent[] = []
  private allEvents: SegmentEvent[] = []
  private allInvocations: ToolInvocation[] = []

  constructor(options: StreamingResponseHandlerOptions = {}, takesCalls = true) {
    checkOptions(options, OPTIONS)
    const { config, parserName } = options
    if (config !== undefined) checkConfig(config)
    const isGiven = parserName === undefined && config !== undefined
    this.config = isGiven ? config : configFor(resolveParserName(parserName), config)
    this.callbacks = options
    this.takesCalls = takesCalls
    const { tools, invokeIncomplete, jsonToolParser } = this.config
    this.adapter = new ToolInvocationAdapter({ tools, invokeIncomplete, jsonToolParser })
    this.response = this.open()
  }

  private open(): ResponseReader {
    return new ResponseReader(this.config, (event) => this.take(event), this.ids)
  }

  /** The next chunk. What came beside the text is read first: reasoning, then text, then calls. */
  feed(chunk: ChunkResponse | ChunkResponseFields | string): SegmentEvent[] {
    if (this.isOver)
      throw new SluiceError(
        'push-after-end',
        'Cannot feed a handler that was finalized; reset it or make a new one.',
      )
    if (typeof chunk === 'string') return this.step(() => this.response.text(chunk))
    if (typeof chunk === 'object' && chunk !== null) return this.step(() => this.read(chunk))
    throw new SluiceError('invalid-source', `A handler takes chunks or text, not ${String(chunk)}.`)
  }

  /** Does a step, and then the steps that callbacks asked for meanwhile, whose events go to the callbacks only. */
  private step(work: () => void): SegmentEvent[] {
    if (this.isReading) {
      this.asked.push(work)
      return []
    }
    this.isReading = true
    try {
      work()
      for (let next = this.asked.shift(); next !== undefined; next = this.asked.shift()) next()
    } finally {
      this.isReading = false
    }
    return this.taken()
  }

  /** Fields of a wrong type are ignored: wrong data never throws. */
  private read({ reasoning, content, tool_calls }: ChunkResponseFields): void {
    if (typeof reasoning === 'string') this.response.reasoning(reasoning)
    if (typeof content === 'string') this.response.text(content)
    if (!this.takesCalls || !Array.isArray(tool_calls)) return
    for (const delta of tool_calls as readonly (ToolCallDelta | null)[])
      if (typeof delta === 'object' && delta !== null) this.response.call(callDelta(delta))
  }

  /** The response is over. Doing it again does nothing. */
  finalize(): SegmentEvent[] {
    return this.end(null)
  }

  /** The response was stopped: what is open ends as `interrupted`. Nothing that was held back is lost. */
  finalizeInterrupted(reason?: string): SegmentEvent[] {
    return this.end(interrupted(reason))
  }

  /** The response failed: what is open ends as `failed`. */
  finalizeFailed(error?: unknown): SegmentEvent[] {
    return this.end(failed(error))
  }

  private end(ending: Ending | null): SegmentEvent[] {
    if (this.isOver) return []
    this.isOver = true
    return this.step(() => this.response.end(ending))
  }

  /** Everything is as it was at first, except that no id comes again. */
  reset(): void {
    this.isOver = false
    this.step(() => {
      this.events = []
      this.allEvents = []
      this.allInvocations = []
      this.adapter.reset()
      this.response = this.open()
    })
  }

  getAllEvents(): SegmentEvent[] {
    return [...this.allEvents]
  }

  getAllInvocations(): ToolInvocation[] {
    return [...this.allInvocations]
  }

  private take(event: SegmentEvent): void {
    const { onSegmentEvent, onToolInvocation, keepEvents = true } = this.callbacks
    this.events.push(event)
    if (keepEvents) this.allEvents.push(event)
    if (onSegmentEvent !== undefined) this.notify(() => onSegmentEvent(event))
    const invocation = this.adapter.processEvent(event)
    if (invocation === null) return
    if (keepEvents) this.allInvocations.push(invocation)
    if (onToolInvocation !== undefined) this.notify(() => onToolInvocation(invocation))
  }

  /** A callback that throws, now or later, must not leave the response half read. */
  private notify(callback: () => unknown): void {
    try {
      const result = callback()
      if (result instanceof Promise) result.catch((error: unknown) => this.complain(error))
    } catch (error) {
      this.complain(error)
    }
  }

  private complain(error: unknown): void {
    try {
      const { onCallbackError = console.error } = this.callbacks
      onCallbackError(error)
    } catch (worse) {
      console.error(worse)
    }
  }

  private taken(): SegmentEvent[] {
    const { events } = this
    this.events = []
    return events
  }
}

/** Looks for calls in the text. */
export class ParsingStreamingResponseHandler extends StreamingResponseHandler {}

/** Options of a handler that parses nothing. */
export interface PassThroughStreamingResponseHandlerOptions extends HandlerCallbacks {
  readonly segmentIdPrefix?: string | undefined
}

const PASS_THROUGH_OPTIONS: KnownOptions<PassThroughStreamingResponseHandlerOptions> = {
  ...CALLBACKS,
  segmentIdPrefix: 'string',
}

/** Looks for nothing: all text is one segment, and there are no calls. */
export class PassThroughStreamingResponseHandler extends StreamingResponseHandler {
  constructor(options: PassThroughStreamingResponseHandlerOptions = {}) {
    checkOptions(options, PASS_THROUGH_OPTIONS)
    const { segmentIdPrefix = uniquePrefix('pt'), ...callbacks } = options
    const config = new ParserConfig({ segmentIdPrefix, parseToolCalls: false, parseReasoning: false })
    super({ ...callbacks, config }, false)
  }
}

/** Options of a handler for calls that the provider's API sends. */
export interface ApiToolCallStreamingResponseHandlerOptions extends HandlerCallbacks {
  readonly segmentIdPrefix?: string | undefined
  readonly tools?: SegmentTools | ToolSyntaxRegistry | undefined
  readonly config?: ParserConfig | undefined
}

const API_OPTIONS: KnownOptions<ApiToolCallStreamingResponseHandlerOptions> = {
  ...PASS_THROUGH_OPTIONS,
  tools: 'any',
  config: 'any',
}

/** Calls come from the provider's own stream; the text is text. */
export class ApiToolCallStreamingResponseHandler extends StreamingResponseHandler {
  constructor(options: ApiToolCallStreamingResponseHandlerOptions = {}) {
    checkOptions(options, API_OPTIONS)
    const { config = new ParserConfig(), tools, segmentIdPrefix, ...callbacks } = options
    checkConfig(config)
    const prefix = segmentIdPrefix ?? (config.segmentIdPrefix || uniquePrefix('turn'))
    const own = config.with({
      segmentIdPrefix: prefix,
      parseToolCalls: false,
      ...(tools !== undefined && { tools }),
    })
    super({ ...callbacks, config: own })
  }
}

/** A prefix that no other response has. */
export function uniquePrefix(word: string): string {
  return `${word}_${crypto.randomUUID().replaceAll('-', '')}:`
}
