/** One call as a segment, from its start to the verdict on it. */

import type {
  JsonValue,
  ToolCall,
  ToolInputDelta,
  ToolInputStart,
  ToolSourceDelta,
} from '../../../base/event.ts'
import { FIXED_LIMITS } from '../../../base/limits.ts'
import { Rope } from '../../../base/rope.ts'
import { checkInputNow } from '../../../engine/calls/prepare.ts'
import type { Tool } from '../../../engine/calls/tools.ts'
import { explain } from '../../../engine/calls/verdict.ts'
import { TentativeText } from '../../../engine/wire/tentative-text.ts'
import { stringify } from '../../../values/numbers/stringify.ts'
import type { SegmentHints } from './hints.ts'
import { SegmentEvent, type SegmentMetadata, SegmentType, withoutVerdict } from './segment-event.ts'
import type { Ending } from './segments-view.ts'
import { SourceWindow } from './source-window.ts'
import type { ToolSyntax } from './tool-syntax.ts'
import { isObject } from './wire/read-arguments.ts'

/** At once; when all of START's metadata is known; or when it is known or the content begins, whichever is first. */
export type StartPolicy = 'immediate' | 'deferred' | 'known'

/** Where its events go. */
export interface SegmentTarget {
  start(event: SegmentEvent): void
  content(event: SegmentEvent): void
  end(event: SegmentEvent): void
}

export interface CallSegmentOptions {
  readonly policy: StartPolicy
  /** Headlines without which the call fails, however it is shown. */
  readonly needs: readonly string[]
  /** The tool, whose schema says what it can run with. */
  readonly tool: Tool | undefined
  /** Why no call of this name can run. */
  readonly refusal: string | undefined
  readonly updates: boolean
  readonly strips: boolean
}

export class CallSegment {
  readonly id: string
  /** How the tool is shown; undefined: by its source. */
  private readonly syntax: ToolSyntax | undefined
  private readonly hints: SegmentHints
  private readonly target: SegmentTarget
  private readonly options: CallSegmentOptions
  private readonly metadata: SegmentMetadata
  private readonly window: SourceWindow | null
  /** The content between its markers, and all of it that was shown. */
  private readonly marked: TentativeText | null
  private readonly unmarked = new Rope()
  private isStarted = false
  private hasContent = false
  /** Events came of what it shows: its arguments, or its source. */
  private hasReceived = false
  /** The events that its source is taken from: the JSON text of its input, where the parser emits nothing else. */
  private source: 'tool-source-delta' | 'tool-input-delta' | null = null
  private waiting: Rope | null = null

  constructor(
    { id, toolName }: ToolInputStart,
    syntax: ToolSyntax | undefined,
    hints: SegmentHints,
    target: SegmentTarget,
    options: CallSegmentOptions,
  ) {
    this.id = id
    this.syntax = syntax
    this.hints = hints
    this.target = target
    this.options = options
    // The name of a tool in JSON stands in its source; where the content is shown instead, it must stand here.
    const isBare = hints.toolName === null && (syntax === undefined || hints.metadata !== undefined)
    this.metadata = { ...(isBare ? {} : { tool_name: hints.toolName ?? toolName }), ...hints.metadata }
    this.window =
      syntax === undefined && hints.opener !== undefined ? new SourceWindow(hints.opener, hints.closer) : null
    const markers = options.strips && hints.metadata === undefined ? syntax?.markers : undefined
    this.marked = markers === undefined ? null : new TentativeText({ ...ENDS_BY_ITSELF, markers })
  }

  open(): void {
    if (this.options.policy === 'immediate' || this.isKnown) this.start()
  }

  /** START can carry all that it should. */
  private get isKnown(): boolean {
    const { headlines } = this.syntax ?? {}
    return headlines === undefined || headlines.every((key) => Object.hasOwn(this.metadata, key))
  }

  private start(): void {
    if (this.isStarted || this.hints.silent) return
    this.isStarted = true
    const type = this.syntax?.segmentType ?? SegmentType.TOOL_CALL
    this.target.start(SegmentEvent.startOfCall(this.id, type, { ...this.metadata }))
    const waiting = this.waiting?.toString() ?? ''
    this.waiting = null
    if (waiting !== '') this.emitContent(waiting)
  }

  private emitContent(text: string): void {
    if (this.hints.silent || text === '') return
    this.hasContent = true
    if (this.isStarted) this.target.content(SegmentEvent.content(this.id, text))
    else {
      this.waiting ??= new Rope()
      this.waiting.add(text)
      if (this.waiting.length > FIXED_LIMITS.segmentWaiting) this.start()
    }
  }

  // ── what comes ─────────────────────────────────────────────────────────────────────────────────

  /** The next piece of its source. */
  grow({ type, delta }: ToolSourceDelta | ToolInputDelta): void {
    if (this.syntax !== undefined) return
    this.source ??= type
    if (this.source !== type) return
    this.hasReceived = true
    this.emitContent(this.window === null ? delta : this.window.push(delta))
  }

  argumentBegan(key: string | number): void {
    if (this.syntax !== undefined) this.hasReceived = true
    if (key === this.syntax?.streams && this.options.policy === 'known') this.start()
  }

  argumentGrew(key: string | number, delta: string): void {
    if (key !== this.syntax?.streams) return
    if (this.marked === null) this.emitContent(delta)
    else this.marked.read(delta, 0, delta.length, this.emitUnmarked)
  }

  private readonly emitUnmarked = (text: string): void => {
    this.unmarked.add(text)
    this.emitContent(text)
  }

  argumentEnded(key: string, value: JsonValue): void {
    const { syntax } = this
    if (syntax === undefined) return
    if (key === syntax.streams) {
      // A content that is no text is shown as the JSON it is.
      if (typeof value !== 'string') this.emitContent(JSON.stringify(value))
      else this.marked?.end(this.emitUnmarked)
      return
    }
    const isShown = syntax.headlines?.includes(key) || Object.hasOwn(syntax.details ?? {}, key)
    if (!isShown || Object.hasOwn(this.metadata, key)) return
    this.metadata[key] = value
    if (!this.isStarted) {
      if (this.isKnown) this.start()
    } else if (this.options.updates && !this.hints.silent)
      this.target.content(SegmentEvent.metadataUpdated(this.id, { [key]: value }))
  }

  // ── the end ────────────────────────────────────────────────────────────────────────────────────

  close(call: ToolCall, ending: Ending | null): void {
    if (this.hints.silent) return
    if (!this.hasReceived && ending === null) this.emitWhole(call.input)
    if (this.window !== null) this.emitContent(this.window.end())
    if (ending !== null) this.marked?.end(this.emitUnmarked)
    if (ending !== null && call.status !== 'truncated') this.emitInside(call.raw ?? '')
    this.start()
    const why = ending ?? this.complaint(call)
    const known = withoutVerdict(this.metadata)
    if (this.hints.native && this.syntax !== undefined) delete known.tool_name
    const status = why === null ? {} : { status: why.status, ...why.detail }
    this.target.end(SegmentEvent.end(this.id, { ...known, ...status }, this.stripped(call, why === null)))
  }

  /** The parser emitted nothing that this segment shows, so that all of it comes with the verdict. */
  private emitWhole(input: JsonValue): void {
    if (!isObject(input)) return
    if (this.syntax === undefined && Object.keys(input).length > 0) this.emitContent(stringify(input))
    for (const [key, value] of Object.entries(input)) {
      if (typeof value === 'string') this.argumentGrew(key, value)
      this.argumentEnded(key, value)
    }
  }

  /** Of a call that went wrong before it had any content, what was written is shown: it would be lost otherwise. */
  private emitInside(source: string): void {
    if (this.hasContent || this.syntax === undefined) return
    const window = new SourceWindow(this.hints.opener ?? 0, this.hints.closer)
    this.emitContent(window.push(source))
    this.emitContent(window.end())
  }

  /** Why a call cannot be run although it is complete, if it cannot. */
  private complaint(call: ToolCall): Ending | null {
    const { input } = call
    const { needs, tool, refusal } = this.options
    if (refusal !== undefined && !call.providerExecuted) return failedWith(refusal)
    if (!isObject(input)) return failedWith('The arguments are not an object.')
    const missing = needs.find((key) => !isThere(input, key))
    if (missing !== undefined) return failedWith(`The argument '${missing}' is missing.`)
    if (tool === undefined || call.providerExecuted) return null
    const { issues } = checkInputNow(call, tool)
    return issues.length === 0 ? null : failedWith(explain(call, { issues }))
  }

  /** The call with the content as it was shown. The source of one that is complete is not wanted any more. */
  private stripped({ raw, ...call }: ToolCall, isComplete: boolean): ToolCall {
    const { marked, syntax } = this
    const judged: ToolCall = isComplete || raw === undefined ? call : { ...call, raw }
    const { input } = call
    if (marked === null || syntax?.streams === undefined || !isObject(input)) return judged
    if (typeof input[syntax.streams] !== 'string') return judged
    return { ...judged, input: { ...input, [syntax.streams]: this.unmarked.toString() } }
  }
}

/** A content of JSON: its markers are in it, and no tag closes it. */
const ENDS_BY_ITSELF = { close: '', end: '', follows: [], endings: [], limit: FIXED_LIMITS.markerSpace }

function failedWith(error: string): Ending {
  return { status: 'failed', detail: { error } }
}

export function isThere(input: JsonValue, key: string): boolean {
  return isObject(input) && Object.hasOwn(input, key) && input[key] !== '' && input[key] !== null
}
