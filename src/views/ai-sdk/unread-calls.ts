/**
 * Reports calls that are text because no name could be read in them:
 *
 *     <tool_call>not JSON</tool_call>
 *
 * The diagnostic `not-a-call` comes right before their text. Such a call ends with its closing marker, or where the
 * format has none, with the span of the diagnostic.
 */

import type { Diagnostic, SluiceEvent } from '../../base/event.ts'
import { FIXED_LIMITS } from '../../base/limits.ts'
import { Rope } from '../../base/rope.ts'
import type { ToolTable } from '../../engine/calls/tools.ts'
import { tableOf } from '../../engine/wire/literals.ts'
import { until, untilEnd, untilStart } from '../../engine/wire/until.ts'
import type { FailureMetadata } from './failures.ts'
import type { MarkerPair } from './marker-pairs.ts'

/** A marker that opened no call. */
interface Unread {
  readonly opener: string
  /** Empty where the format has none. */
  readonly closer: string
  /** Of the span that the engine gave back. */
  readonly length: number
}

/**
 * `isCall`: it is more than a mention of the marker, because it was closed, or because the text ends while it is read.
 */
export type OnUnread = (message: string, metadata: UnreadMetadata, isCall: boolean) => void

export interface UnreadMetadata extends FailureMetadata {
  readonly reason: 'malformed' | 'truncated'
}

export class UnreadCalls {
  private readonly pairs: readonly MarkerPair[]
  private readonly tools: ToolTable
  private readonly onUnread: OnUnread
  private open: Unread | null = null
  /** The source of what is open. */
  private source = new Rope()
  /** The search for its closing marker. */
  private text = untilStart()

  constructor(pairs: readonly MarkerPair[], tools: ToolTable, onUnread: OnUnread) {
    this.pairs = pairs
    this.tools = tools
    this.onUnread = onUnread
  }

  add(event: SluiceEvent): void {
    if (event.type === 'text-delta') this.read(event.delta)
    else if (event.type === 'text-end') this.end()
    else if (event.type === 'reasoning-delta') this.open = null
    else if (event.type === 'diagnostic' && event.code === 'not-a-call') this.begin(event)
  }

  private begin({ opener = '', span = { start: 0, end: 0 } }: Diagnostic): void {
    if (this.open !== null) return
    const closer = this.pairs.find(({ open }) => opener.startsWith(open))?.close ?? ''
    this.open = { opener, closer, length: span.end - span.start }
    this.source = new Rope()
    this.text = untilStart()
  }

  private read(delta: string): void {
    if (this.open === null) return
    const { opener, closer, length } = this.open
    let at = 0
    if (this.source.length === 0) {
      // The text begins with the marker, or with white space before it.
      at = delta.indexOf(opener) + opener.length
      if (at < opener.length) return
      this.source.add(opener)
    }
    if (closer === '') {
      this.keep(delta.slice(at, at + length - opener.length))
      this.report('malformed', true)
      return
    }
    until(this.text, tableOf(closer), delta, at, delta.length, this.keep)
    if (this.text.found === -1) return
    this.keep(closer)
    this.report('malformed', true)
  }

  private readonly keep = (text: string): void => {
    if (this.source.length < FIXED_LIMITS.unreadCall) this.source.add(text)
  }

  /** The text is over. */
  end(): void {
    if (this.open === null) return
    const { opener, length } = this.open
    untilEnd(this.text, this.keep)
    this.report('truncated', length > opener.length && this.source.length <= length)
  }

  private report(reason: 'malformed' | 'truncated', isCall: boolean): void {
    const message = this.problem(reason)
    this.open = null
    this.onUnread(message, { toolCall: this.source.toString(), toolName: '', toolCallId: '', reason }, isCall)
  }

  private problem(reason: 'malformed' | 'truncated'): string {
    const tool = /^<(\S+)\s$/.exec(this.open?.opener ?? '')?.[1]
    if (tool !== undefined && this.tools.has(tool))
      return `The call of \`${tool}\` cannot be read: the attributes in its tag are not read. It was not run. Send the whole call again in the form that was asked for.`
    return reason === 'truncated'
      ? 'The text ends in a call that names no tool. It was not run. Send the whole call again.'
      : 'The call cannot be read: it names no tool. It was not run. Send the whole call again in the form that was asked for.'
  }
}
