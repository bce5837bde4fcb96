/** Reads the wire text of a stream, whatever it is: what a model wrote, a provider's stream, or recorded events. */

import type { Sink, SluiceEvent } from '../../base/event.ts'
import { detect, findDialect } from '../../dialects/index.ts'
import {
  createSinkParser,
  type EmitOptions,
  type ParserOptions,
  restoreSinkParser,
} from '../../engine/parser.ts'
import { part } from './parts.ts'
import { CHAT_TEMPLATE, type Settings } from './settings.ts'

export interface WireReader {
  /** Reads the next characters. In a binary stream each character is one byte. */
  push(text: string): void
  end(): void
  heldBack(): HeldBack
  /** Frames: nothing comes out of a line before it is whole. */
  readonly hasFrames: boolean
}

/** What would come out, or come back, if the stream ended here. */
interface HeldBack {
  /** Characters of text. */
  readonly length: number
  /** Where a marker stands that nothing has followed yet, and that may still come back as text. */
  readonly from?: number
}

/** What is emitted where a stream is shown: each argument by its path. */
export const SHOWN: EmitOptions = { json: false, arguments: true }

export function openReader(settings: Settings, sink: Sink, emit: EmitOptions = SHOWN): WireReader {
  if (settings.form === 'events') return eventsReader(sink)
  const options = { ...parserOptions(settings), emit }
  return settings.form === 'text'
    ? textReader(options, sink)
    : part('providers').openProviderReader(settings.form, options, sink)
}

/** The options that `createParser` and `createProviderParser` take. */
export function parserOptions(settings: Settings): ParserOptions {
  const { tools, start } = settings
  const chosen = dialectOption(settings)
  return {
    ...(chosen !== undefined && { dialect: chosen }),
    ...(tools !== undefined && { tools: tools as NonNullable<ParserOptions['tools']> }),
    ...(start !== 'text' && { start }),
  }
}

/** `auto` is detection in text. A provider's stream is read without a dialect, unless one is chosen. */
function dialectOption({ form, dialect, template = '' }: Settings): ParserOptions['dialect'] {
  if (dialect === 'auto') return form === 'text' ? detect() : undefined
  return dialect === CHAT_TEMPLATE ? part('templates').formatOf(template).dialect : findDialect(dialect)
}

function textReader(options: ParserOptions, events: Sink): WireReader {
  const parser = createSinkParser(events, options)
  return {
    hasFrames: false,
    push: (text) => parser.push(text),
    end: () => parser.end(),
    heldBack: () => waitingIn((sink) => restoreSinkParser(parser.snapshot(), sink, options).end()),
  }
}

/** What comes out at an end. */
export function waitingIn(end: (sink: Sink) => void): HeldBack {
  let length = 0
  let marker: { from?: number } = {}
  end((event) => {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') length += event.delta.length
    if (event.type === 'diagnostic' && event.code === 'empty-call' && event.span !== undefined)
      marker = { from: event.span.start }
  })
  return { length, ...marker }
}

/**
 * Events, one in each line, as a gateway or a recording has them:
 *
 *     data: {"type":"text-delta","id":"text-1","delta":"Hi"}
 */
function eventsReader(sink: Sink): WireReader {
  let line = ''
  const take = (): void => {
    const event = eventIn(line)
    line = ''
    if (event !== undefined) sink(event)
  }
  return {
    hasFrames: true,
    push(text) {
      for (const character of text)
        if (character === '\n') take()
        else line += character
    },
    end: take,
    heldBack: () => ({ length: 0 }),
  }
}

function eventIn(line: string): SluiceEvent | undefined {
  const json = line.replace(/^data: ?/, '').trim()
  if (!json.startsWith('{')) return undefined
  try {
    const event: unknown = JSON.parse(json)
    const isEvent = typeof (event as SluiceEvent).type === 'string'
    return isEvent ? (event as SluiceEvent) : undefined
  } catch {
    return undefined
  }
}
