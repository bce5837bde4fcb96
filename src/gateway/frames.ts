/** A run as the text of a protocol: a pure function of its header and its records, so that every reader gets the same. */

import type { SluiceEvent } from '../event.ts'
import type { Payload } from '../providers/wire-format.ts'
import { createWriter, type ProviderWriter } from '../providers/write-provider.ts'
import { type ClientProtocol, isSse } from './protocols.ts'
import { type RunAbout, responseId } from './run-about.ts'

export interface FrameOptions {
  /** Verdicts, repairs and diagnostics for clients that look. */
  readonly hasExtensions: boolean
  /** Each server-sent event has the position behind it as its id. */
  readonly hasIds: boolean
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

  /** The frames of one record, each with the newlines behind it. */
  record(n: number, events: readonly SluiceEvent[]): string[] {
    const frames = events.flatMap((event) => this.framesOf(event))
    if (!this.options.hasIds || !isSse(this.protocol)) return frames
    return frames.map((frame, index) => `id: ${n}.${index}\n${frame}`)
  }

  private framesOf(event: SluiceEvent): string[] {
    const text = this.beside(event) + this.writer.add(this.shown(event))
    const more = this.options.hasExtensions ? this.extensionOf(event) : undefined
    const own = isSse(this.protocol) ? splitSse(text) : text === '' ? [] : [text]
    // A call's verdict follows the call, and what is odd about the response stands before its end.
    if (more === undefined) return own
    return event.type === 'finish' ? [more, ...own] : [...own, more]
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
  return undefined
}

function splitSse(text: string): string[] {
  // JSON has no newlines of its own.
  return text.split('\n\n').flatMap((frame) => (frame === '' ? [] : [`${frame}\n\n`]))
}

/** The payloads in frames. */
export function payloadsIn(frames: readonly string[]): Payload[] {
  return frames.flatMap((frame) =>
    frame.split('\n').flatMap((line) => {
      const json = line.startsWith('data: ') ? line.slice(6) : line
      return json.startsWith('{') ? [JSON.parse(json) as Payload] : []
    }),
  )
}
