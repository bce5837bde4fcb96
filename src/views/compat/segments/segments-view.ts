/**
 * The view: events of the engine become segments. A call is shown by its own source, as it arrives; a call of a tool
 * that has a content is shown as that content, decoded, with what it is about as metadata.
 *
 *     tool-input-start write_file      SEGMENT_START write_file { path: 'a.ts' }
 *     argument-end /path 'a.ts'
 *     argument-delta /content 'let'    SEGMENT_CONTENT 'let'
 *     tool-call complete               SEGMENT_END
 */

import type { SluiceEvent, ToolCall, ToolInputStart } from '../../../base/event.ts'
import { checkOption, checkOptions, type KnownOptions } from '../../../base/options.ts'
import { holdTentative } from '../../../engine/calls/hold-tentative.ts'
import { isExecutable } from '../../../engine/calls/verdict.ts'
import { withArguments } from '../../../engine/calls/with-arguments.ts'
import { CallSegment, type SegmentTarget, type StartPolicy } from './call-segment.ts'
import type { SegmentHints } from './hints.ts'
import { SegmentEvent, type SegmentMetadata, type SegmentStatus } from './segment-event.ts'
import { type SegmentTools, ToolSyntaxRegistry } from './tool-syntax.ts'

/** Options of `createSegmentsView`. */
export interface SegmentsViewOptions {
  /** Tools that are shown by their content. */
  readonly tools?: SegmentTools | ToolSyntaxRegistry
  /**
   * When the segment of such a call starts: at once, or not before START can carry all that it should. Without it,
   * native calls start at once, calls in text when that is known, and those of other events when it is known or their content
   * begins.
   */
  readonly start?: 'immediate' | 'deferred' | undefined
  /** Says metadata that comes late as `SEGMENT_METADATA_UPDATED`. */
  readonly metadataUpdates?: boolean | undefined
  /** Takes the markers around a content out of decoded JSON, too. */
  readonly stripMarkers?: boolean | undefined
  /** False: native calls of any tool are shown by their source. */
  readonly streamFiles?: boolean | undefined
}

const OPTIONS: KnownOptions<SegmentsViewOptions> = {
  tools: 'any',
  start: ['immediate', 'deferred'],
  metadataUpdates: 'boolean',
  stripMarkers: 'boolean',
  streamFiles: 'boolean',
}

/** Shows events as segments. */
export interface SegmentsView {
  add(event: SluiceEvent): void
}

/**
 *     const view = createSegmentsView((segment) => socket.send(JSON.stringify(segment)))
 *     for await (const event of sluice(source, { dialect, emit: SEGMENT_EVENTS })) view.add(event)
 */
export function createSegmentsView(
  sink: (event: SegmentEvent) => void,
  options: SegmentsViewOptions = {},
): SegmentsView {
  checkOption('sink', sink, 'function')
  checkOptions(options, OPTIONS)
  return new LiveSegments(sink, options)
}

/** What the view needs of a parser. */
export const SEGMENT_EVENTS = Object.freeze({ json: false, arguments: true, source: true, raw: true })

/** How everything ends that is still open. */
export interface Ending {
  readonly status: SegmentStatus
  readonly detail: SegmentMetadata
}

export class LiveSegments implements SegmentsView, SegmentTarget {
  readonly registry: ToolSyntaxRegistry
  readonly content: (event: SegmentEvent) => void
  private readonly options: SegmentsViewOptions
  /** The text or reasoning that is open. */
  private prose: { readonly id: string; readonly type: 'text' | 'reasoning' } | null = null
  private readonly calls = new Map<string, CallSegment>()
  /** Of calls that have started, and are not shown yet. */
  private readonly hints = new Map<string, SegmentHints>()
  /** The call of the last event: nearly always that of the next one, too. */
  private recent: CallSegment | null = null
  /** The segment that was begun last and is open. */
  private latest: { readonly id: string; readonly type: string } | null = null
  private ending: Ending | null = null

  constructor(sink: (event: SegmentEvent) => void, options: SegmentsViewOptions) {
    this.content = sink
    this.options = options
    this.registry =
      options.tools instanceof ToolSyntaxRegistry ? options.tools : new ToolSyntaxRegistry(options.tools)
  }

  get current(): { readonly id: string; readonly type: string } | null {
    return this.latest
  }

  /** Whether the open segment is one of this type. */
  isOpen(type: 'text' | 'reasoning'): boolean {
    return this.prose?.type === type
  }

  start(event: SegmentEvent): void {
    this.latest = { id: event.segment_id, type: event.segment_type ?? '' }
    this.content(event)
  }

  end(event: SegmentEvent): void {
    if (this.latest?.id === event.segment_id) this.latest = null
    this.content(event)
  }

  /** Whatever ends from now on was not complete, and this is why. */
  endsAs(ending: Ending): void {
    this.ending = ending
  }

  /** `hints`: what a dialect of this view knows of a call that starts. */
  add(event: SluiceEvent, hints?: SegmentHints): void {
    if (hints !== undefined && event.type === 'tool-input-start') this.hints.set(event.id, hints)
    this.inOrder(event)
  }

  /** Segments follow each other, so a call whose verdict waits is shown when it is there. */
  private readonly inOrder = holdTentative(withArguments((event) => this.take(event)))

  private take(event: SluiceEvent): void {
    switch (event.type) {
      case 'text-delta':
        this.emitProse('text', event.id, event.delta)
        break
      case 'reasoning-delta':
        this.emitProse('reasoning', event.id, event.delta)
        break
      case 'text-end':
        if (this.prose?.type === 'text') this.endProse()
        break
      case 'tool-input-start':
        this.endProse()
        this.calls.set(event.id, this.open(event))
        break
      case 'tool-source-delta':
      case 'tool-input-delta':
        this.segmentOf(event.id)?.grow(event)
        break
      case 'argument-delta':
        if (event.path.length === 1) this.segmentOf(event.id)?.argumentGrew(event.path[0]!, event.delta)
        break
      case 'argument-start':
        if (event.path.length === 1) this.segmentOf(event.id)?.argumentBegan(event.path[0]!)
        break
      case 'argument-end':
        if (event.path.length === 1)
          this.segmentOf(event.id)?.argumentEnded(String(event.path[0]!), event.value)
        break
      case 'tool-call':
        this.judge(event)
        break
      case 'finish':
        this.finish()
        break
    }
  }

  /** Reasoning goes on under one id until something else begins, however it was cut in pieces. */
  private emitProse(type: 'text' | 'reasoning', id: string, delta: string): void {
    const { prose } = this
    if (prose === null || prose.type !== type) {
      this.endProse()
      this.prose = { id, type }
      this.start(SegmentEvent.start(id, type))
    }
    this.content(SegmentEvent.content(this.prose!.id, delta))
  }

  /** Emits an event that a state of the user made. */
  emit(event: SegmentEvent): void {
    if (event.event_type === 'SEGMENT_START') this.start(event)
    else if (event.event_type === 'SEGMENT_END') this.end(event)
    else this.content(event)
  }

  /** Ends the open text or reasoning. */
  endProse(): void {
    const { prose, ending } = this
    if (prose === null) return
    this.prose = null
    this.end(SegmentEvent.end(prose.id, ending === null ? {} : statusOf(ending)))
  }

  private open(event: ToolInputStart): CallSegment {
    const hints = this.hints.get(event.id) ?? NO_HINTS
    this.hints.delete(event.id)
    const syntax = hints.syntax ?? this.registry.get(event.toolName)
    const isShown =
      !hints.generic &&
      syntax?.streams !== undefined &&
      !(hints.native && (this.options.streamFiles === false || syntax.api === false))
    const { start, metadataUpdates, stripMarkers } = this.options
    const { table } = this.registry
    const segment = new CallSegment(event, isShown ? syntax : undefined, hints, this, {
      policy: start ?? startPolicy(hints),
      needs: syntax?.requires?.filter((key) => syntax.headlines?.includes(key)) ?? [],
      tool: table.get(event.toolName),
      refusal: table.refusalOf(isShown ? syntax.name : event.toolName, 0)?.message,
      updates: metadataUpdates ?? false,
      strips: stripMarkers ?? false,
    })
    segment.open()
    return segment
  }

  private segmentOf(id: string): CallSegment | undefined {
    if (this.recent?.id === id) return this.recent
    const segment = this.calls.get(id)
    if (segment !== undefined) this.recent = segment
    return segment
  }

  private judge(call: ToolCall): void {
    const segment = this.calls.get(call.id)
    this.calls.delete(call.id)
    if (segment === this.recent) this.recent = null
    segment?.close(call, this.ending !== null && call.status === 'truncated' ? this.ending : verdictOn(call))
  }

  private finish(): void {
    this.endProse()
    this.calls.clear()
    this.hints.clear()
  }
}

const NO_HINTS: SegmentHints = {}

/** What the document of each mode says: in text START has the path, a native call starts at once. */
function startPolicy({ native, syntax }: SegmentHints): StartPolicy {
  if (native) return 'immediate'
  return syntax === undefined ? 'known' : 'deferred'
}

function verdictOn(call: ToolCall): Ending | null {
  if (call.status === 'truncated') return { status: 'incomplete', detail: {} }
  if (call.status === 'invalid')
    return { status: 'failed', detail: call.error === undefined ? {} : { error: call.error.message } }
  // Something had to be guessed, and the call may not run unless the user allows it.
  return isExecutable({ ...call, providerExecuted: false })
    ? null
    : { status: 'failed', detail: { error: 'Part of the call was guessed.' } }
}

function statusOf({ status, detail }: Ending): SegmentMetadata {
  return { status, ...detail }
}
