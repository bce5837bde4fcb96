/** `sluice record`: saves a stream with its timing, without the keys that were used to get it. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { messageOf } from '../../base/errors.ts'
import type { StreamEnd } from '../../engine/wire/machine.ts'
import { systemClock } from '../../runs/recording/clock.ts'
import { type RecordingHeader, RecordingWriter } from '../../runs/recording/index.ts'
import { seconds } from '../terminal/card.ts'
import { type Command, Failure, INTERRUPTED, readArguments, splitAtDashes, UsageError } from './command.ts'
import { chunksOf, untilAborted } from './files.ts'
import { harmlessJson, type Io } from './io.ts'
import { openTerminal } from './live-terminal.ts'
import {
  isUrl,
  REQUEST_HELP,
  REQUEST_OPTIONS,
  readHeaders,
  redactedCommand,
  redactedHeaders,
  SecretFilter,
  secretsIn,
  send,
  withoutKeys,
} from './request.ts'

const HELP = `Usage: sluice record [options] --url URL
       sluice record [options] -- COMMAND …
       … | sluice record [options]

Saves a stream with its timing: the response of a URL, the output of a command, or stdin. Keys and
authorisation headers are not saved, even if the response repeats them.

  --output FILE           the file to write (stdout)
  --url URL               the URL to request
${REQUEST_HELP}  --provider NAME         whose stream it is; if missing, 'sluice play' detects it
  --dialect NAME[,NAME]   how the model writes its calls in text
  --note TEXT             anything

Examples:
  sluice record --output answer.jsonl --url https://api.anthropic.com/v1/messages \\
    --header "x-api-key: $KEY" --header 'anthropic-version: 2023-06-01' --body @request.json
  sluice record --output answer.jsonl -- curl -N http://localhost:8080/v1/chat/completions --json @request.json
  sluice play answer.jsonl
`

const OPTIONS = {
  output: { type: 'string' },
  url: { type: 'string' },
  ...REQUEST_OPTIONS,
  provider: { type: 'string' },
  dialect: { type: 'string' },
  note: { type: 'string' },
} as const

/** What is recorded, and how it ended. */
interface Source {
  readonly chunks: AsyncIterable<string | Uint8Array>
  /** Why the source failed, once it is over. */
  readonly failure?: () => Promise<string | undefined>
  readonly header: RecordingHeader
  readonly secrets: readonly string[]
}

export const record: Command = {
  help: HELP,
  options: OPTIONS,
  async run(args, io) {
    const [own, command] = splitAtDashes(args)
    const { values } = readArguments(own, OPTIONS)
    if (command !== undefined && values.url !== undefined)
      throw new UsageError("'--url' and a command cannot be used together.")
    if (command?.length === 0) throw new UsageError("Write the command to run after '--'.")
    if (values.url === undefined && (values.header !== undefined || values.body !== undefined))
      throw new UsageError("'--header' and '--body' are for '--url'.")
    if (values.url !== undefined && !isUrl(values.url))
      throw new UsageError(`'--url' is an address that begins with http:// or https://, not '${values.url}'.`)
    const stop = new AbortController()
    const onSignal = (): void => stop.abort()
    io.on?.('SIGINT', onSignal)
    try {
      const source =
        command !== undefined
          ? fromCommand(command, stop.signal)
          : values.url !== undefined
            ? await fromUrl(values.url, values, stop.signal)
            : { chunks: chunksOf(undefined, io), header: {}, secrets: [] }
      const { provider, dialect, note } = values
      const header = {
        ...(provider !== undefined && { provider }),
        ...(dialect !== undefined && { dialect: dialect.split(',').map((name) => name.trim()) }),
        ...(note !== undefined && { note }),
        ...source.header,
      }
      return await save({ ...source, header }, values.output, io, stop.signal)
    } catch (error) {
      // Ctrl-C came before there was a stream.
      if (error !== stop.signal.reason) throw error
      return INTERRUPTED
    } finally {
      io.off?.('SIGINT', onSignal)
    }
  },
}

async function fromUrl(
  url: string,
  values: { readonly header?: readonly string[]; readonly body?: string },
  signal: AbortSignal,
): Promise<Source> {
  const { body, status, headers } = await send(url, values, signal)
  const sent = readHeaders(values.header)
  return {
    chunks: (body ?? []) as AsyncIterable<Uint8Array>,
    header: {
      request: { url: withoutKeys(url), headers: redactedHeaders(sent) },
      response: { status, headers: redactedHeaders(headers) },
    },
    secrets: secretsIn(sent, url),
  }
}

function fromCommand(command: readonly string[], signal: AbortSignal): Source {
  const child = spawn(command[0]!, command.slice(1), { stdio: ['inherit', 'pipe', 'inherit'], signal })
  const ended = new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(messageOf(error)))
    child.on('close', (code, killedBy) => {
      if (code === 0) resolve(undefined)
      else
        resolve(code === null ? `The command was ended by ${killedBy}.` : `The command ended with ${code}.`)
    })
  })
  return {
    chunks: child.stdout,
    failure: () => ended,
    header: { command: redactedCommand(command) },
    secrets: secretsIn(new Headers(), undefined, command),
  }
}

/** Writes the recording while the stream runs. */
async function save(
  source: Source,
  output: string | undefined,
  io: Io,
  signal: AbortSignal,
): Promise<number> {
  const clock = io.clock ?? systemClock
  const file = output === undefined ? io.stdout : createWriteStream(output)
  if (output !== undefined) await opened(file as NodeJS.EventEmitter, output)
  const { terminal, drained } = openTerminal({ ...io, stdout: file as Io['stdout'] }, {})
  const start = clock.now()
  const writer = new RecordingWriter((line) => file.write(harmlessJson(line)), 'bytes', source.header)
  const filter = new SecretFilter(source.secrets)
  let [count, bytes] = [0, 0]
  const append = (chunk: Uint8Array): void => {
    if (chunk.length === 0) return
    writer.append(clock.now() - start, chunk)
    count++
    bytes += chunk.length
  }
  let reason: StreamEnd = 'finished'
  let failure: string | undefined
  try {
    for await (const chunk of untilAborted(source.chunks, signal)) {
      append(filter.push(chunk))
      terminal.status(`recording · ${inWords(count, bytes)} · ${seconds(clock.now() - start)}`)
      await drained()
    }
    failure = signal.aborted ? undefined : await source.failure?.()
  } catch (error) {
    // A request that is aborted fails, which is what was asked for.
    if (!signal.aborted) failure = messageOf(error)
  }
  append(filter.end())
  if (signal.aborted) reason = 'interrupted'
  else if (failure !== undefined) reason = 'failed'
  writer.end(clock.now() - start, reason, failure)
  terminal.end()
  if (output !== undefined) {
    ;(file as ReturnType<typeof createWriteStream>).end()
    await once(file as NodeJS.EventEmitter, 'finish')
    io.stderr.write(`Recorded ${inWords(count, bytes)} in ${seconds(clock.now() - start)} to ${output}.\n`)
  }
  if (signal.aborted) io.stdin.destroy?.()
  if (failure !== undefined) throw new Failure(`The stream failed, and is recorded up to there: ${failure}`)
  return signal.aborted ? INTERRUPTED : 0
}

async function opened(file: NodeJS.EventEmitter, name: string): Promise<void> {
  try {
    await once(file, 'open')
  } catch (error) {
    throw new Failure(`${name} cannot be written: ${messageOf(error)}.`)
  }
}

const inWords = (count: number, bytes: number): string =>
  `${count} ${count === 1 ? 'chunk' : 'chunks'}, ${bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`}`
