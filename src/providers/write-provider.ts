/** Events in, the text of a provider's stream out, as it goes. */

import { SluiceError } from '../base/errors.ts'
import type { SluiceEvent, ToolCall } from '../base/event.ts'
import { checkOptions, described, type KnownOptions } from '../base/options.ts'
import { holdTentative } from '../engine/calls/hold-tentative.ts'
import { isExecutable } from '../engine/calls/verdict.ts'
import type { WireFormat, WriterOptions } from './wire-format.ts'

export const WRITER_OPTIONS: KnownOptions<WriterOptions> = {
  id: 'string',
  model: 'string',
  created: 'number',
  allow: 'list',
}

/** Writes the events of one response as text. `createWriter` creates it. */
export interface ProviderWriter {
  /** The `content-type` of the response. */
  readonly contentType: string
  /** Returns the text of an event, which may be empty. */
  add(event: SluiceEvent): string
}

/**
 * Makes a writer of a format.
 *
 *     const writer = createWriter(openaiChatWriter, { model: 'mine' })
 *     for await (const event of events) response.write(writer.add(event))
 */
export function createWriter(format: WireFormat, options: WriterOptions = {}): ProviderWriter {
  checkFormat(format)
  checkOptions(options, WRITER_OPTIONS)
  const { contentType, frame, end, open, takesLateVerdicts } = format
  const {
    id = globalThis.crypto.randomUUID(),
    model = 'unknown',
    created = Math.floor(Date.now() / 1000),
    allow = [],
  } = options
  const payloads = open({ id, model, created, allow })
  let text = ''
  let count = 0
  let hasCalls = false
  // Tentative calls that turned out to be the provider's own.
  const theirs = new Set<string>()
  // Other formats have no place for a late verdict, and clients run the calls they get: a tentative one is written when it is
  // known who runs it and that it may run, and not at all if it may not.
  const writeNow = (event: SluiceEvent): void => {
    const written = payloads.write(event)
    const opening = count === 0 && written.length > 0 ? (payloads.opening?.() ?? []) : []
    for (const payload of [...opening, ...written]) text += frame(payload, count++)
  }
  const writeJudged = (event: SluiceEvent): void => {
    if (event.type === 'tool-call') hasCalls = true
    if (event.type === 'finish' && event.reason === 'tool-calls' && !hasCalls)
      writeNow({ ...event, reason: 'stop' })
    else if (event.type === 'tool-input-start' && theirs.delete(event.id))
      writeNow({ ...event, providerExecuted: true })
    else writeNow(event)
  }
  const accepts = (call: ToolCall): boolean => {
    if (call.providerExecuted) theirs.add(call.id)
    return call.providerExecuted === true || mayRun(call, allow)
  }
  const write = takesLateVerdicts ? writeNow : holdTentative(writeJudged, accepts)
  return {
    contentType,
    add(event) {
      text = ''
      write(event)
      return event.type === 'finish' ? text + end : text
    },
  }
}

/** Writes a stream of events as text. */
export async function* writeProvider(
  events: AsyncIterable<SluiceEvent> | Iterable<SluiceEvent>,
  format: WireFormat,
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

function checkFormat(format: unknown): void {
  const { open, frame } = Object(format) as Partial<WireFormat>
  if (typeof open === 'function' && typeof frame === 'function') return
  const hint =
    typeof format === 'string'
      ? `and not its name: import it from 'sluice/providers', or pass findWriter(${JSON.stringify(format)}) from 'sluice/providers/any'`
      : `such as openaiChatWriter of 'sluice/providers', not ${described(format)}`
  throw new SluiceError('invalid-option', `A stream is written by a writer ${hint}.`)
}
