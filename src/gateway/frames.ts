/** A run as the text of a protocol: a pure function of its header and its records, so that every reader gets the same. */

import type { SluiceEvent } from '../base/event.ts'
import type { Payload } from '../providers/wire-format.ts'
import { createWriter, type ProviderWriter } from '../providers/write-provider.ts'
import { parseWritten } from '../values/numbers/written.ts'
import { UNSTORED } from './gateway-run.ts'
import { noteIn } from './note.ts'
import { type ClientProtocol, isSse } from './protocols.ts'
import { type RunAbout, responseId } from './run-about.ts'

const HIDDEN = ''

export interface FrameOptions {
  /** Verdicts, repairs and diagnostics for clients that look. */
  readonly hasExtensions: boolean
  /** Each server-sent event has the position behind it as its id. */
  readonly hasIds: boolean
}

/** A frame, and where it stands in its record, whether others before it are shown or not. */
export interface Frame {
  readonly at: number
  readonly text: string
}

export class FrameWriter {
  private readonly protocol: ClientProtocol
  private readonly about: RunAbout
  private readonly options: FrameOptions
  private readonly writer: ProviderWriter
  private readonly names: { readonly id: string; readonly model: string; readonly created: number }

  constructor(protocol: ClientProtocol, about: RunAbout, options: FrameOptions) {
    this.protocol = protocol
    this.about = about
    this.options = options
    this.names = {
      id: responseId(protocol, about.id),
      model: about.model,
      created: Math.floor(about.created / 1000),
    }
    this.writer = createWriter(protocol.writer, { ...this.names, allow: about.allow })
  }

  /** The text of one record: all of its frames. */
  text(n: number, events: readonly SluiceEvent[]): string {
    if (this.options.hasIds) return textOf(this.record(n, events))
    // Nobody comes back to a frame of its own, so that none is taken apart.
    let text = ''
    for (const event of events) {
      const own = this.ownOf(event)
      const more = this.extensionOf(event) ?? ''
      text += event.type === 'finish' ? more + own : own + more
    }
    return text
  }

  /** The frames of one record, each with the newlines behind it. */
  record(n: number, events: readonly SluiceEvent[]): Frame[] {
    const hasIds = this.options.hasIds && n !== UNSTORED && isSse(this.protocol)
    return events
      .flatMap((event) => this.framesOf(event))
      .flatMap((text, at) =>
        text === HIDDEN ? [] : [{ at, text: hasIds ? `id: ${n}.${at}\n${text}` : text }],
      )
  }

  private framesOf(event: SluiceEvent): string[] {
    const text = this.ownOf(event)
    const more = this.extensionOf(event)
    const own = isSse(this.protocol) ? splitSse(text) : text === '' ? [] : [text]
    // A call's verdict follows the call, and what is odd about the response stands before its end.
    if (more === undefined) return own
    return event.type === 'finish' ? [more, ...own] : [...own, more]
  }

  /** What the protocol has of an event. */
  private ownOf(event: SluiceEvent): string {
    return noteIn(event) === undefined ? this.beside(event) + this.writer.add(this.shown(event)) : ''
  }

  /** Chat Completions have the usage in a stream only for those who ask. */
  private shown(event: SluiceEvent): SluiceEvent {
    const isHidden = this.protocol.name === 'openai-chat' && !this.about.includesUsage
    if (event.type !== 'finish' || !isHidden) return event
    const { usage: _, ...rest } = event
    return rest
  }

  /** What the writer of the protocol has no place for, and its clients have. */
  private beside(event: SluiceEvent): string {
    if (event.type !== 'custom' || event.kind !== 'logprobs' || this.protocol.name !== 'openai-chat')
      return ''
    const choice = { index: 0, delta: {}, logprobs: event.value, finish_reason: null }
    const chunk = { ...this.names, object: 'chat.completion.chunk', choices: [choice] }
    return `data: ${JSON.stringify(chunk)}\n\n`
  }

  private extensionOf(event: SluiceEvent): string | undefined {
    const sluice = extensionIn(event)
    // It has its number in any case, so that positions mean the same to those who see it and to those who do not.
    if (sluice !== undefined && !this.options.hasExtensions) return HIDDEN
    return sluice && this.protocol.extension({ run: this.about.id, ...sluice }, this.names)
  }
}

/** What the gateway knows of an event beyond what protocols can say. */
export function extensionIn(event: SluiceEvent): Payload | undefined {
  if (event.type === 'tool-call') {
    const { id, toolName, status, repairs, error } = event
    return { verdict: { id, toolName, status, repairs, ...(error && { error }) } }
  }
  if (event.type === 'diagnostic') {
    const { type: _, ...diagnostic } = event
    return { diagnostic }
  }
  return noteIn(event)
}

function splitSse(text: string): string[] {
  // JSON has no newlines of its own.
  return text.split('\n\n').flatMap((frame) => (frame === '' ? [] : [`${frame}\n\n`]))
}

export const textOf = (frames: readonly Frame[]): string => frames.map(({ text }) => text).join('')

/** The payloads in frames. */
export function payloadsIn(frames: readonly Frame[]): Payload[] {
  return frames.flatMap(({ text }) =>
    text.split('\n').flatMap((line) => {
      const json = line.startsWith('data: ') ? line.slice(6) : line
      return json.startsWith('{') ? [parseWritten(json) as Payload] : []
    }),
  )
}
