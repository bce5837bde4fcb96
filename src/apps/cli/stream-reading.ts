/** How a stream is read: the options that several commands share, and what they make of a source. */

import { errorRecord, SluiceError } from '../../base/errors.ts'
import type { SluiceEvent } from '../../base/event.ts'
import { detect, dialectFor } from '../../dialects/index.ts'
import { isModelDialect, recordedDialect } from '../../dialects/recorded-dialect.ts'
import type { ParserOptions } from '../../engine/parser.ts'
import { type EventStream, sluice } from '../../engine/stream.ts'
import {
  type EventsRecording,
  type Recording,
  type ReplayOptions,
  replay,
} from '../../runs/recording/index.ts'
import { Failure, readChoice, UsageError } from './command.ts'
import { inCommandWords } from './command-words.ts'
import { dialectOption, findDialects } from './dialects.ts'
import { abortOf, readTools } from './files.ts'

export const READING_OPTIONS = {
  dialect: { type: 'string' },
  model: { type: 'string' },
  tools: { type: 'string' },
  start: { type: 'string' },
  malformed: { type: 'string' },
} as const

/** The help of these options where a recording may say the same by itself. */
export const RECORDING_HELP = `  --provider NAME         whose stream it is, if the recording does not say
  --dialect NAME[,NAME]   how the model writes its calls, if the recording does not say
  --model NAME            in place of --dialect: the name of the model
  --tools FILE            the tools, as a JSON array
  --start text|reasoning  where the response begins (text)
  --malformed keep|text|drop
                          what happens to the source of a failed call (keep)
`

export type SourceRecording = Exclude<Recording, { kind: 'events' }>

/** Recorded events. A stream that failed before its events were over is shown as one that failed. */
export async function* eventsIn(
  recording: EventsRecording,
  pace: ReplayOptions,
): AsyncGenerator<SluiceEvent> {
  let isFinished = false
  try {
    for await (const event of replay(recording, pace)) {
      isFinished ||= event.type === 'finish'
      yield event
    }
  } catch (error) {
    if (isFinished) return
    if (!pace.signal?.aborted) yield { type: 'error', error: errorRecord(error) }
    yield { type: 'finish', reason: pace.signal?.aborted ? 'aborted' : 'error' }
  }
}

export async function dialectOf({ header }: SourceRecording): Promise<ParserOptions> {
  const { dialect, start, protectCode } = header
  if (dialect === undefined) return {}
  return {
    dialect: isModelDialect(dialect) ? recordedDialect(dialect) : await findDialects([dialect].flat()),
    // A run of the gateway is read with the options of its upstream.
    ...(start === 'reasoning' && { start }),
    ...(protectCode === true && { protectCode }),
  }
}

export async function readOptions(
  values: { [option in 'dialect' | 'model' | 'tools' | 'start' | 'malformed']?: string | undefined },
) {
  const { dialect, model, tools } = values
  if (dialect !== undefined && model !== undefined)
    throw new UsageError("'--dialect' and '--model' cannot be used together.")
  const start = readChoice('--start', values.start, ['text', 'reasoning'])
  const malformed = readChoice('--malformed', values.malformed, ['keep', 'text', 'drop'])
  return {
    ...(dialect !== undefined && { dialect: await dialectOption(dialect) }),
    ...(model !== undefined && formatOf(model)),
    ...(tools !== undefined && { tools: await readTools(tools) }),
    ...(start !== undefined && { start }),
    ...(malformed !== undefined && { malformed }),
  } satisfies ParserOptions
}

/** What the model writes, and where its response begins. An unknown name is an error of use. */
function formatOf(model: string) {
  try {
    const { dialect, start } = dialectFor(model)
    return { dialect, start }
  } catch (error) {
    throw error instanceof SluiceError ? new UsageError(inCommandWords(error.message)) : error
  }
}

// ── streams whose form is found out ──────────────────────────────────────────────────────────────

export interface LiveOptions {
  readonly options: ParserOptions
  /** What `--provider` says, or a recording. */
  readonly provider: string | undefined
  readonly signal?: AbortSignal
}

/**
 * The events of a stream. Without a provider it is found out whether it is one's stream or what a model wrote, and without
 * a dialect which one that is in.
 */
export async function readLive(
  source: AsyncIterable<string | Uint8Array>,
  { options, provider, signal }: LiveOptions,
): Promise<EventStream> {
  const all = { emit: { json: false, arguments: true }, ...options, ...(signal && { signal }) }
  const { isProvider, chunks } = await looked(source, signal)
  if (provider === undefined && !isProvider) return sluice(chunks, { dialect: detect(), ...all })
  const { providerOption, readProvider } = await import('./providers.ts')
  return readProvider(chunks, { provider: providerOption(provider ?? 'auto'), ...all })
}

/** Characters that say what a stream is. */
const ENOUGH = 16

/** Looks at the beginning of a stream, and gives all of it on. */
async function looked(
  source: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<{ isProvider: boolean; chunks: AsyncIterable<string | Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]()
  const begun: IteratorResult<string | Uint8Array>[] = []
  const failure: { error?: unknown } = {}
  let start = ''
  const decoder = new TextDecoder()
  const abort = signal && abortOf(signal)
  while (start.trimStart().length < ENOUGH && !signal?.aborted) {
    try {
      const next = iterator.next()
      const step = await (abort === undefined ? next : Promise.race([next, abort]))
      if (step === null) break
      begun.push(step)
      if (step.done) break
      start += typeof step.value === 'string' ? step.value : decoder.decode(step.value, { stream: true })
    } catch (error) {
      // A file that cannot be read is our failure; a stream that breaks off is what is shown.
      if (error instanceof Failure || error instanceof UsageError) throw error
      failure.error = error
      break
    }
  }
  async function* all(): AsyncGenerator<string | Uint8Array> {
    try {
      for (const step of begun) if (!step.done) yield step.value
      if ('error' in failure) throw failure.error
      if (begun.at(-1)?.done) return
      for (let step = await iterator.next(); !step.done; step = await iterator.next()) yield step.value
    } finally {
      await iterator.return?.()
    }
  }
  return { isProvider: isProvidersStart(start.trimStart()), chunks: all() }
}

/** The fields of server-sent events, JSON, or the zero bytes of a binary frame. */
export function isProvidersStart(start: string): boolean {
  return /^(data:|event:|id:|retry:|:|\{\s*"|\[\s*\{)/.test(start) || start.startsWith('\0')
}
