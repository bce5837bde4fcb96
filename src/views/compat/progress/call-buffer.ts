/** One call while its parts come by index: its identity, its progress, and in the end a request or a failure. */

import type { JsonValue } from '../../../base/event.ts'
import { DEFAULT_LIMITS } from '../../../base/limits.ts'
import { Rope } from '../../../base/rope.ts'
import { isSameJson } from '../../../values/schema/json-values.ts'
import {
  type ArgParserOptions,
  IncrementalArgParser,
  type ParsedArguments,
} from './incremental-arg-parser.ts'
import type { ToolCallArgumentProgress, ToolCallFailed, ToolCallRequest } from './progress-event.ts'
import { type TruncationReport, truncationReport } from './truncation-report.ts'

export interface CallBufferOptions extends ArgParserOptions {
  /** Called once for each call, when its id and name are known. */
  readonly onCall?: (call: { readonly id: string; readonly name: string }) => void
}

export class CallBuffer {
  id = ''
  name = ''
  /** It was announced, so that its id stays. */
  isKnown = false

  private readonly index: number
  private readonly options: CallBufferOptions
  private parser: IncrementalArgParser | null = null
  private readonly raw = new Rope()
  /** The arguments as a value, where the provider gave them so. */
  private whole: JsonValue | undefined
  private hasReportedNotAnObject = false

  constructor(index: number, options: CallBufferOptions) {
    this.index = index
    this.options = options
  }

  identify(id: string, name: string): void {
    if (this.name === '') this.name = name
    if (this.id === '' && !this.isKnown) this.id = id
    if (this.id !== '') this.announce()
  }

  /** Announces the call, if it has a name, under a generated id if it has none. */
  private announce(): void {
    if (this.isKnown || this.name === '') return
    if (this.id === '') this.id = `call-${this.index}`
    this.isKnown = true
    this.options.onCall?.({ id: this.id, name: this.name })
  }

  /** Arguments that came as a value. Empty ones are how a call is announced. */
  take(value: JsonValue): void {
    const isEmpty = value === null || (typeof value === 'object' && Object.keys(value).length === 0)
    if (!isEmpty) this.whole = value
  }

  grow(chunk: string): ToolCallArgumentProgress[] {
    this.parser ??= this.open()
    const remaining = (this.options.limits?.call ?? DEFAULT_LIMITS.call) - this.raw.length
    this.raw.add(chunk.length > remaining ? chunk.slice(0, Math.max(0, remaining)) : chunk)
    this.parser.append(chunk)
    return this.progress()
  }

  private open(): IncrementalArgParser {
    const { mode, limits } = this.options
    return new IncrementalArgParser({ ...(mode && { mode }), ...(limits && { limits }) })
  }

  /** The progress that was not reported yet. */
  progress(): ToolCallArgumentProgress[] {
    const { parser } = this
    if (parser === null || this.name === '') return []
    if (parser.isObject === false) {
      if (this.hasReportedNotAnObject) return []
      this.hasReportedNotAnObject = true
      this.announce()
      return [{ type: 'NotAnObject', toolCallId: this.id }]
    }
    const pairs = parser.tryParseNext()
    if (pairs.length > 0) this.announce()
    return pairs.map(([key, value]) => ({
      type: 'ArgumentParsed',
      toolCallId: this.id,
      toolName: this.name,
      key,
      value,
    }))
  }

  flush(): ToolCallRequest | ToolCallFailed {
    this.announce()
    const { id, name } = this
    if (name === '') return this.failed('invalid', 'The call has no name.')
    const parsed = this.parser?.end()
    if (parsed === undefined || parsed.isEmpty)
      return { type: 'ToolCallRequest', id, name, arguments: this.whole ?? {} }
    if (parsed.status === 'truncated') return this.failed('truncated', this.reportOn(parsed).message)
    if (parsed.status === 'invalid')
      return this.failed('invalid', `The arguments are not JSON: ${parsed.message}`)
    if (!parsed.isLossless)
      return this.failed('invalid', 'The arguments are not JSON, and what they mean would be a guess.')
    if (this.whole !== undefined && !isSameJson(this.whole, parsed.value))
      return this.failed('invalid', 'The provider changed arguments that it had sent before.')
    return { type: 'ToolCallRequest', id, name, arguments: parsed.value }
  }

  private failed(status: ToolCallFailed['status'], message: string): ToolCallFailed {
    const { id, name } = this
    return { type: 'ToolCallFailed', id, name, status, message, raw: this.raw.toString() }
  }

  report(): TruncationReport {
    this.announce()
    return { ...this.reportOn(this.parser?.end()), raw: this.raw.toString() }
  }

  private reportOn(parsed: ParsedArguments | undefined): TruncationReport {
    const { inFlight, lastComplete } = parsed ?? {}
    return truncationReport({
      toolCallId: this.id,
      toolName: this.name,
      ...(inFlight !== undefined && { path: inFlight.path }),
      ...(inFlight !== undefined && inFlight.characters > 0 && { characters: inFlight.characters }),
      ...(lastComplete !== undefined && { lastComplete: lastComplete.path }),
    })
  }
}
