/**
 * Segments become invocations: what is to be run, under the id of its segment.
 *
 * A segment of this view brings the verdict on its call along, with all its arguments. Segments from elsewhere (over
 * a socket, from a state of one's own) are read by what they show.
 */

import type { JsonValue, ToolCall } from '../../../base/event.ts'
import { FIXED_LIMITS } from '../../../base/limits.ts'
import { checkOptions, type KnownOptions } from '../../../base/options.ts'
import { Rope } from '../../../base/rope.ts'
import { checkInputNow } from '../../../engine/calls/prepare.ts'
import { valueInput, type WrittenInput } from '../../../engine/calls/written-input.ts'
import { isThere } from './call-segment.ts'
import { SegmentEvent, type SegmentEventDict, type SegmentMetadata, withoutVerdict } from './segment-event.ts'
import { argumentNamed, type SegmentTools, type ToolSyntax, ToolSyntaxRegistry } from './tool-syntax.ts'
import { ANY_CALL, firstCall, type JsonToolParser } from './wire/json-pattern.ts'
import { isObject, readArguments } from './wire/read-arguments.ts'

/** A call that may run. */
export interface ToolInvocation {
  /** The id of the segment. */
  readonly id: string
  readonly name: string
  readonly arguments: { readonly [key: string]: JsonValue }
}

/** Options of `ToolInvocationAdapter`. */
export interface ToolInvocationAdapterOptions {
  /** Schemas that arguments are brought to, and tools that are shown by their content. */
  readonly tools?: SegmentTools | ToolSyntaxRegistry
  /** Segments that are not complete become invocations, too. Default false. */
  readonly invokeIncomplete?: boolean
  /** Reads the JSON of segments that came without a verdict, as over a socket. Without it, the shapes of any provider. */
  readonly jsonToolParser?: JsonToolParser | undefined
}

const OPTIONS: KnownOptions<ToolInvocationAdapterOptions> = {
  tools: 'any',
  invokeIncomplete: 'boolean',
  jsonToolParser: 'object',
}

const UNJUDGED: Pick<SegmentEvent, 'isJudged' | 'call'> = {}

interface Active {
  readonly type: string
  metadata: SegmentMetadata
  /** Null where the verdict will carry everything. */
  readonly content: Rope | null
}

/**
 *     const adapter = new ToolInvocationAdapter()
 *     for (const event of events) {
 *       const invocation = adapter.processEvent(event)
 *       if (invocation !== null) run(invocation)
 *     }
 */
export class ToolInvocationAdapter {
  private readonly registry: ToolSyntaxRegistry
  private readonly invokeIncomplete: boolean
  private readonly jsonToolParser: JsonToolParser
  private readonly active = new Map<string, Active>()

  constructor(options: ToolInvocationAdapterOptions = {}) {
    checkOptions(options, OPTIONS)
    const { tools, invokeIncomplete = false, jsonToolParser = ANY_CALL } = options
    this.jsonToolParser = jsonToolParser
    this.registry = tools instanceof ToolSyntaxRegistry ? tools : new ToolSyntaxRegistry(tools)
    this.invokeIncomplete = invokeIncomplete
  }

  /** Takes an event, or what became of one over a socket. */
  processEvent(event: SegmentEvent | SegmentEventDict): ToolInvocation | null {
    const { segment_id: id, payload = {} } = event
    // A verdict counts only if it was made in this process.
    const { isJudged, call } = event instanceof SegmentEvent ? event : UNJUDGED
    if (event.type === 'SEGMENT_START') {
      const type = event.segment_type ?? ''
      if (type !== 'text' && type !== 'reasoning')
        this.active.set(id, {
          type,
          metadata: payload.metadata ?? {},
          content: isJudged ? null : new Rope(),
        })
      return null
    }
    const segment = this.active.get(id)
    if (segment === undefined) return null
    if (event.type === 'SEGMENT_CONTENT') {
      const { content } = segment
      if (content !== null && content.length < FIXED_LIMITS.segmentContent) content.add(payload.delta ?? '')
      return null
    }
    const { metadata = {} } = payload
    if (event.type !== 'SEGMENT_END') {
      segment.metadata = { ...segment.metadata, ...metadata }
      return null
    }
    this.active.delete(id)
    if (metadata.status !== undefined && !this.invokeIncomplete) return null
    segment.metadata = { ...segment.metadata, ...withoutVerdict(metadata) }
    return call === undefined ? this.fromSegment(id, segment) : this.fromCall(id, segment, call)
  }

  processEvents(events: Iterable<SegmentEvent | SegmentEventDict>): ToolInvocation[] {
    const invocations: ToolInvocation[] = []
    for (const event of events) {
      const invocation = this.processEvent(event)
      if (invocation !== null) invocations.push(invocation)
    }
    return invocations
  }

  reset(): void {
    this.active.clear()
  }

  getActiveSegmentIds(): string[] {
    return [...this.active.keys()]
  }

  private fromCall(id: string, { type }: Active, call: ToolCall): ToolInvocation | null {
    if (call.providerExecuted || call.toolName === '') return null
    const syntax = this.registry.get(call.toolName)
    const name = type === 'tool_call' ? call.toolName : (syntax?.name ?? call.toolName)
    return this.invocation(id, name, call, syntax ?? this.syntaxOf(type))
  }

  private syntaxOf(type: string): ToolSyntax | undefined {
    if (type === 'tool_call') return undefined
    return this.registry.all.find(({ segmentType }) => segmentType === type) ?? this.registry.get(type)
  }

  private invocation(
    id: string,
    name: string,
    written: WrittenInput,
    syntax: ToolSyntax | undefined,
  ): ToolInvocation | null {
    const { table } = this.registry
    if (table.refusalOf(name, 0) !== undefined) return null
    if (syntax?.requires?.some((key) => !isThere(written.input, key))) return null
    const { coerced, issues } = checkInputNow(written, table.get(name) ?? { name })
    if (issues.length > 0 && !this.invokeIncomplete) return null
    return isObject(coerced) ? { id, name, arguments: coerced } : null
  }

  // ── segments from elsewhere ────────────────────────────────────────────────────────────────────

  private fromSegment(id: string, { type, metadata, content }: Active): ToolInvocation | null {
    const body = content?.toString() ?? ''
    const syntax = this.syntaxOf(type)
    if (syntax?.streams === undefined) return this.fromToolCall(id, metadata, body)
    const { tool_name: _, ...given } = metadata
    const named = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [argumentNamed(syntax, key), value]),
    )
    const shown = body === '' ? (named[syntax.streams] ?? '') : body
    return this.invocation(id, syntax.name, { input: { ...named, [syntax.streams]: shown } }, syntax)
  }

  private fromToolCall(id: string, metadata: SegmentMetadata, body: string): ToolInvocation | null {
    const { tool_name: name, arguments: inner, ...beside } = metadata
    if (typeof name !== 'string' || name === '') {
      const call = firstCall(this.jsonToolParser, body)
      return call === undefined
        ? null
        : this.invocation(id, call.name, valueInput(call.arguments), this.registry.get(call.name))
    }
    const schema = this.registry.table.get(name)?.schema
    // Where nothing else can hold the arguments, the header of a sentinel did.
    const shown = inner ?? (body.trim() === '' ? beside : body)
    const given = typeof shown === 'string' ? readArguments(shown, schema) : shown
    return isObject(given) ? this.invocation(id, name, valueInput(given), this.registry.get(name)) : null
  }
}
