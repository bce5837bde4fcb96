/** One text of a response: the parser that reads it, and the view that emits what is in it. */

import { createSinkParser, type ParserOptions, type SinkParser } from '../../parser.ts'
import type { EndReason, Interruption } from '../../wire/machine.ts'
import { callMarkers } from './marker-pairs.ts'
import { type PartsSettings, PartsView, type TextEnd } from './parts-view.ts'
import { UnreadCalls } from './unread-calls.ts'

export interface TextReaderSettings extends PartsSettings {
  readonly parser: ParserOptions
}

export class TextReader {
  private readonly parser: SinkParser
  private readonly view: PartsView
  private readonly unread: UnreadCalls | null
  private hasEnded = false

  constructor(settings: TextReaderSettings) {
    const { parser, onError, newId } = settings
    const markers = callMarkers(parser)
    const view = new PartsView({ ...settings, markers })
    this.view = view
    const unread = onError === undefined ? null : new UnreadCalls(markers, onError)
    this.unread = unread
    this.parser = createSinkParser(
      (event) => {
        view.add(event)
        unread?.add(event)
      },
      // The view joins texts of the parser into blocks of its own, so theirs need no ids; and it keeps the input as
      // the JSON text it is, so the value is not needed.
      {
        ...parser,
        generateId: (kind) => (kind === 'text' ? kind : newId(kind)),
        malformed: 'keep',
        emit: { json: true, raw: true, input: false },
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
    if (!this.hasEnded) this.parser.push(delta)
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
  end(reason: EndReason): void {
    if (!this.hasEnded) {
      this.hasEnded = true
      this.parser.end(reason)
    }
    this.view.closeText()
    this.unread?.end()
  }
}
