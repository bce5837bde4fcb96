/** One text of a response: the parser that reads it, and the view that emits what is in it. */

import type { FinishReason } from '../../base/event.ts'
import { createToolTable } from '../../engine/calls/tools.ts'
import { createSinkParser, type ParserOptions, type SinkParser } from '../../engine/parser.ts'
import type { Interruption } from '../../engine/wire/machine.ts'
import { callClosers } from './closers.ts'
import { callMarkers } from './marker-pairs.ts'
import { type PartsSettings, PartsView, type TextEnd } from './parts-view.ts'
import { RecentText } from './recent-text.ts'
import { UnreadCalls } from './unread-calls.ts'

export interface TextReaderSettings extends PartsSettings {
  readonly parser: ParserOptions
}

export class TextReader {
  private readonly parser: SinkParser
  private readonly view: PartsView
  private readonly unread: UnreadCalls
  private readonly recent = new RecentText()
  private hasEnded = false

  constructor(settings: TextReaderSettings) {
    const { parser, onError, newId, choices } = settings
    const markers = callMarkers(parser)
    const tools = createToolTable(parser.tools)
    const view = new PartsView({
      ...settings,
      tools,
      markers,
      closers: callClosers(parser, true),
      behind: (call) => this.recent.behind(call),
    })
    this.view = view
    this.unread = new UnreadCalls(markers, tools, (message, metadata, isCall) => {
      onError?.(message, metadata)
      // No model reads what is emitted behind a stream that broke off.
      const isOver = view.finish !== 'aborted' && view.finish !== 'error'
      if (isCall && isOver && choices[metadata.reason] === 'emit') view.tellOfUnread(message)
    })
    this.parser = createSinkParser(
      (event) => {
        this.recent.note(event)
        view.add(event)
        this.unread.add(event)
      },
      // The view joins texts of the parser into blocks of its own, so theirs need no ids.
      {
        ...parser,
        generateId: (kind) => (kind === 'text' ? kind : newId(kind)),
        malformed: 'keep',
        emit: { json: true, raw: true },
      },
    )
  }

  /** Whether there was a call so far. */
  get hasCalls(): boolean {
    return this.view.hasCalls
  }

  /** `metadata`: what the provider attached to this piece. */
  push(delta: string, metadata?: unknown): void {
    if (metadata !== undefined) this.view.attach(metadata, delta === '')
    if (!this.hasEnded) {
      this.recent.push(delta, this.view.awaitsClosers)
      this.parser.push(delta)
    }
    // Behind the end of a response there is nothing to call, but the text is shown.
    else if (delta !== '') this.view.text(delta)
  }

  /** Something else may come next. */
  interrupt(by: Interruption, end?: TextEnd): void {
    if (!this.hasEnded) this.parser.interrupt(by)
    this.view.closeText(end)
  }

  /** What the provider attached to the text that comes next. */
  attach(metadata: unknown): void {
    this.view.attach(metadata)
  }

  /** Nothing more comes: what was held back is emitted. */
  end(reason: FinishReason): void {
    if (!this.hasEnded) {
      this.hasEnded = true
      this.view.finish = reason
      this.parser.end(reason)
    }
    this.unread.end()
    this.view.closeText()
  }
}
