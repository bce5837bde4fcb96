/**
 * Reads the AI SDK's stream of chunks for a user interface, and says events: each argument by its path, while it
 * grows. Nothing is read twice, so that a page can show a file of any length as it is written.
 *
 *     {"type":"tool-input-delta","toolCallId":"c1","inputTextDelta":"{\"path\":\"a."}
 */

import { CallAssembler } from '../../calls/assembler.ts'
import { createToolTable, type ToolDefinitions } from '../../calls/tools.ts'
import type { Event, FinishReason, JsonValue, Sink } from '../../event.ts'
import { DEFAULT_LIMITS } from '../../limits.ts'
import { type BlockChunk, UiBlocks } from './ui-blocks.ts'

/** As much of a `UIMessageChunk` as is read here. */
export interface UiChunkLike {
  readonly type: string
}

/** Every field of the chunks that have a meaning here. */
interface UiChunk extends UiChunkLike, BlockChunk {
  readonly toolCallId?: string
  readonly toolName?: string
  readonly inputTextDelta?: string
  readonly inputEncoding?: string
  readonly input?: unknown
  readonly output?: unknown
  readonly errorText?: string
  readonly preliminary?: boolean
  readonly providerExecuted?: boolean
  readonly finishReason?: string
}

export interface UiEventsOptions {
  readonly tools?: ToolDefinitions
}

/** One call while it grows, each with an assembler of its own, so that calls cannot end each other. */
interface OpenCall {
  readonly toolName: string
  readonly assembler: CallAssembler
  /** Deltas that are not JSON are not read; the input comes whole. */
  readonly isText: boolean
  hasInput: boolean
}

/** What the AI SDK says of an input in the end. */
interface FinalInput {
  readonly input: unknown
  readonly errorText?: string | undefined
  /** The JSON text of an input that has no arguments, where nothing was said of it before. */
  readonly text?: string | undefined
}

/** Takes chunks and says events. The same chunks one by one are the same events, whoever reads them. */
export class UiEventReader {
  private readonly sink: Sink
  private readonly options: UiEventsOptions
  private readonly blocks: UiBlocks
  private readonly calls = new Map<string, OpenCall>()
  /** The tool of each call there was, by its id. */
  private readonly names = new Map<string, string>()
  private final: FinalInput | undefined
  private reason: FinishReason = 'other'
  private hasEnded = false

  constructor(sink: Sink, options: UiEventsOptions = {}) {
    this.sink = sink
    this.options = options
    this.blocks = new UiBlocks(sink)
  }

  add(given: UiChunkLike): void {
    if (this.hasEnded || typeof given?.type !== 'string') return
    const chunk = given as UiChunk
    switch (chunk.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        this.blocks.add('text', chunk)
        break
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.blocks.add('reasoning', chunk)
        break
      case 'tool-input-start':
        // One that comes again says nothing new.
        if (!this.names.has(chunk.toolCallId ?? '')) this.beginCall(chunk)
        break
      case 'tool-input-delta':
        this.growCall(chunk)
        break
      case 'tool-input-available':
      case 'tool-input-error':
        this.endCall(chunk)
        break
      case 'tool-output-available':
        if (chunk.preliminary) this.sink({ type: 'custom', kind: chunk.type, value: chunk })
        else this.result(chunk, shown(chunk.output), false)
        break
      case 'tool-output-error':
        // Where the input never came to an end, nothing was run: the call itself failed.
        if (this.calls.has(chunk.toolCallId ?? '')) this.endCall(chunk)
        else this.result(chunk, chunk.errorText ?? '', true)
        break
      case 'tool-output-denied':
        this.result(chunk, 'It was not allowed to run.', true)
        break
      case 'error':
        this.reason = 'error'
        this.sink({ type: 'error', error: chunk.errorText })
        break
      case 'abort':
        this.reason = 'aborted'
        break
      case 'finish':
        this.reason = this.reasonOf(chunk)
        break
      case 'start':
      case 'start-step':
      case 'finish-step':
        break
      default:
        this.sink({ type: 'custom', kind: chunk.type, value: chunk })
    }
  }

  /** Nothing more comes. A call that was not finished is said to be cut off. */
  end(): void {
    if (this.hasEnded) return
    this.hasEnded = true
    this.blocks.end()
    for (const id of [...this.calls.keys()]) this.finishCall(id, undefined)
    this.sink({ type: 'finish', reason: this.reason })
  }

  /** The first major says no reason, and what went wrong before is not put right by the end. */
  private reasonOf({ finishReason }: UiChunk): FinishReason {
    if (finishReason === undefined) return this.reason === 'other' ? 'stop' : this.reason
    return REASONS.find((reason) => reason === finishReason) ?? 'other'
  }

  // ── calls ──────────────────────────────────────────────────────────────────────────────────────

  private beginCall(chunk: UiChunk): OpenCall {
    const { toolCallId = '', toolName = '', providerExecuted, inputEncoding } = chunk
    const assembler = new CallAssembler({
      settings: {
        tools: createToolTable(this.options.tools),
        limits: DEFAULT_LIMITS,
        json: true,
        arguments: true,
        source: false,
        raw: false,
        input: true,
        malformed: 'keep',
      },
      emit: (event) => this.sink(this.judged(event)),
      newId: () => toolCallId,
      report: (code, message, offset, id) =>
        this.sink({
          type: 'diagnostic',
          code,
          message,
          span: { start: offset, end: offset },
          ...(id && { id }),
        }),
      beforeCall: () => {},
      sayText: () => {},
    })
    const call = { toolName, assembler, isText: inputEncoding === 'text', hasInput: false }
    this.calls.set(toolCallId, call)
    this.names.set(toolCallId, toolName)
    assembler.delta({ id: toolCallId, name: toolName, providerExecuted })
    return call
  }

  private growCall({ toolCallId = '', inputTextDelta = '' }: UiChunk): void {
    const call = this.calls.get(toolCallId)
    if (call === undefined || call.isText || typeof inputTextDelta !== 'string' || inputTextDelta === '')
      return
    call.hasInput = true
    call.assembler.delta({ id: toolCallId, arguments: inputTextDelta })
  }

  /** The AI SDK has read the input, and says what it is, or what is wrong with it. */
  private endCall(chunk: UiChunk): void {
    const { toolCallId = '', input, errorText } = chunk
    // A chunk that comes again, for a call that was over.
    if (!this.calls.has(toolCallId) && this.names.has(toolCallId)) return
    const call = this.calls.get(toolCallId) ?? this.beginCall(chunk)
    const text = call.hasInput || input === null ? undefined : jsonOf(input)
    const hasArguments = typeof input === 'object' && text !== undefined
    if (hasArguments) call.assembler.delta({ id: toolCallId, arguments: text })
    this.finishCall(toolCallId, { input, errorText, ...(!hasArguments && { text }) })
  }

  private finishCall(id: string, final: FinalInput | undefined): void {
    const call = this.calls.get(id)
    this.calls.delete(id)
    this.final = final
    if (final === undefined && !call?.hasInput) call?.assembler.delta({ id, arguments: '{' })
    call?.assembler.endAll()
    this.final = undefined
  }

  /** The verdict as the AI SDK gave it. */
  private judged(event: Event): Event {
    const { final } = this
    if (event.type === 'tool-input-delta' && final?.text !== undefined) return { ...event, delta: final.text }
    if (event.type !== 'tool-call' || final === undefined) return event
    const { error: _, ...call } = event
    const input = (final.input ?? call.input) as JsonValue
    if (final.errorText === undefined) return { ...call, input, status: 'complete', repairs: [] }
    const isCutOff = call.status === 'truncated' && final.input === undefined
    return {
      ...call,
      input,
      status: isCutOff ? 'truncated' : 'invalid',
      error: { code: isCutOff ? 'truncated' : 'input', message: final.errorText, offset: 0 },
    }
  }

  private result({ toolCallId = '' }: UiChunk, content: string, isError: boolean): void {
    const toolName = this.names.get(toolCallId)
    this.sink({
      type: 'tool-result-start',
      id: toolCallId,
      ...(toolName !== undefined && { toolName }),
      ...(isError && { isError }),
    })
    if (content !== '') this.sink({ type: 'tool-result-delta', id: toolCallId, delta: content })
    this.sink({ type: 'tool-result-end', id: toolCallId, ...(isError && { isError }) })
  }
}

const REASONS: readonly FinishReason[] = [
  'stop',
  'length',
  'tool-calls',
  'content-filter',
  'error',
  'aborted',
  'other',
]

function shown(output: unknown): string {
  return typeof output === 'string' ? output : (jsonOf(output) ?? '')
}

/** On a server a value may be anything that a tool has, and not all of it can be written. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
