/** Events in, the text of a provider's stream out, as it goes. */

import { holdTentative } from '../calls/hold-tentative.ts'
import { isExecutable } from '../calls/verdict.ts'
import { SluiceError } from '../errors.ts'
import type { SluiceEvent, ToolCall } from '../event.ts'
import { checkOptions, type KnownOptions } from '../options.ts'
import { aiSdkUiFormat } from './ai-sdk-ui/write.ts'
import { anthropicFormat } from './anthropic/write.ts'
import { ollamaFormat } from './ollama/write.ts'
import { openaiChatFormat } from './openai-chat/write.ts'
import { openaiResponsesFormat } from './openai-responses/write.ts'
import type { WireFormat, WriterOptions } from './wire-format.ts'

export const FORMATS: readonly WireFormat[] = [
  openaiChatFormat,
  openaiResponsesFormat,
  anthropicFormat,
  ollamaFormat,
  aiSdkUiFormat,
]

const OPTIONS: KnownOptions<WriterOptions> = {
  id: 'string',
  model: 'string',
  created: 'number',
  allow: 'list',
}

export interface ProviderWriter {
  /** For the header of the response. */
  readonly contentType: string
  /** The text that an event becomes; often none. */
  add(event: SluiceEvent): string
}

/**
 * Makes a writer of a format.
 *
 *     const writer = createWriter('openai-chat', { model: 'mine' })
 *     for await (const event of readProvider(upstream)) response.write(writer.add(event))
 */
export function createWriter(format: string | WireFormat, options: WriterOptions = {}): ProviderWriter {
  checkOptions(options, OPTIONS)
  const { contentType, frame, end, open } = typeof format === 'string' ? findFormat(format) : check(format)
  const {
    id = globalThis.crypto.randomUUID(),
    model = 'unknown',
    created = Math.floor(Date.now() / 1000),
    allow = [],
  } = options
  const payloads = open({ id, model, created, allow })
  let text = ''
  let hasCalls = false
  // No format has a place for a late verdict, and clients run the calls they get: one inside reasoning is written when it is
  // known that it may run, and not at all if it may not.
  const write = holdTentative(
    (event) => {
      if (event.type === 'tool-call') hasCalls = true
      const isWithout = event.type === 'finish' && event.reason === 'tool-calls' && !hasCalls
      text += payloads
        .write(isWithout ? { ...event, reason: 'stop' } : event)
        .map(frame)
        .join('')
    },
    (call) => mayRun(call, allow),
  )
  return {
    contentType,
    add(event) {
      text = ''
      write(event)
      return event.type === 'finish' ? text + end : text
    },
  }
}

/** Writes a stream of events as it comes. */
export async function* writeProvider(
  events: AsyncIterable<SluiceEvent> | Iterable<SluiceEvent>,
  format: string | WireFormat,
  options: WriterOptions = {},
): AsyncGenerator<string, void, undefined> {
  const writer = createWriter(format, options)
  for await (const event of events) {
    const text = writer.add(event)
    if (text !== '') yield text
  }
}

/** The input of a call may be in its deltas alone. */
function mayRun(call: ToolCall, allow: NonNullable<WriterOptions['allow']>): boolean {
  return isExecutable(call.input === null ? { ...call, input: {} } : call, { allow })
}

function check(format: WireFormat): WireFormat {
  if (typeof format?.open === 'function' && typeof format.frame === 'function') return format
  throw new SluiceError('invalid-option', 'A writer takes the name of a format, or a format.')
}

function findFormat(name: string): WireFormat {
  const found = FORMATS.find((format) => format.name === name)
  if (found !== undefined) return found
  const names = FORMATS.map((format) => format.name).join(', ')
  throw new SluiceError('unknown-provider', `Nothing can be written as '${name}'; there are ${names}.`)
}
