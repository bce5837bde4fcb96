/** `sluice parse`: reads a response and shows what it says, to people or to programs. */

import type { SluiceEvent } from '../../base/event.ts'
import { TextStart } from '../../base/provider-stream.ts'
import { ChunkDecoder } from '../../base/source.ts'
import { MessageFold } from '../../engine/message.ts'
import { createSinkParser, type ParserOptions } from '../../engine/parser.ts'
import { sluice } from '../../engine/stream.ts'
import { parseRecording, replay } from '../../runs/recording/index.ts'
import { createTerminalView } from '../terminal/index.ts'
import { type Command, readArguments, UsageError } from './command.ts'
import { eventInCommandWords } from './command-words.ts'
import { inChunksOf, inPiecesOf, piecesOf, streamOf, textOf } from './files.ts'
import { harmlessJson, type Io, wantsColour, write } from './io.ts'
import { serveLines } from './jsonl.ts'
import { messageJson } from './message-json.ts'
import { dialectOf, eventsIn, READING_OPTIONS, readOptions, type SourceRecording } from './stream-reading.ts'

const HELP = `Usage: sluice parse [options] [file]

Parses a model's text from a file or from stdin, and shows the result while it reads: text,
reasoning, and tool calls with their arguments.

  --dialect NAME[,NAME]   how the model writes its calls; 'sluice dialects' lists the names, and auto
                          detects it. Without it, everything is text
  --model NAME            in place of --dialect: the name of the model, such as Qwen/Qwen3-8B or
                          deepseek-r1:70b; it also says where the response begins
  --provider NAME|auto    the stream is a provider's, such as anthropic or openai-chat, and its text may
                          be in a dialect
  --tools FILE            the tools it may call, as a JSON array
  --start text|reasoning  where the response begins (text)
  --malformed keep|text|drop
                          what happens to the source of a failed call (keep)
  --split N               feeds N characters, or bytes of a provider, at a time, as a slow stream would
  --recording             the file is a recording of a stream, and may name its dialect and provider itself
  --debug                 reports on stderr what was unknown in a provider's stream and ignored

  --json                  writes the whole message as one JSON document
  --events                writes each event as a line of JSON, as soon as it is found
  --jsonl                 answers requests: one JSON object per line of stdin, one answer per line.
                          {"id":"1","dialect":"hermes","tools":[…],"chunks":["…","…"]}
                          also takes "input", "model", "start", "calls", "reasoning" and "malformed",
                          and "provider" with "chunks" or "payloads"

Examples:
  sluice parse --dialect hermes answer.txt
  ollama run qwen3 'What is here?' | sluice parse --model qwen3
  sluice parse --provider auto --json response.sse
  sluice parse --dialect auto --events answer.txt | jq -c 'select(.type == "tool-call")'
`

const OPTIONS = {
  ...READING_OPTIONS,
  split: { type: 'string' },
  recording: { type: 'boolean' },
  provider: { type: 'string' },
  debug: { type: 'boolean' },
  json: { type: 'boolean' },
  events: { type: 'boolean' },
  jsonl: { type: 'boolean' },
} as const

export const parse: Command = {
  help: HELP,
  options: OPTIONS,
  async run(args, io) {
    const { values, file } = readArguments(args, OPTIONS, true)
    const [format, other] = FORMATS.filter((one) => values[one])
    if (other !== undefined) throw new UsageError(`'--${format}' and '--${other}' cannot be used together.`)
    if (format === 'jsonl') {
      if (args.length > 1)
        throw new UsageError("'--jsonl' takes no other arguments: each request says what it wants.")
      return serveLines(io)
    }

    const options = await readOptions(values)
    const split = readSplit(values.split)
    const output = new Output(io)
    const bare = PRINTERS[format ?? 'view'](io, options, output)
    const printer = { ...bare, add: (event: SluiceEvent) => bare.add(eventInCommandWords(event)) }
    const recording = values.recording ? parseRecording(await textOf(file, io), file) : undefined
    if (recording?.kind === 'events') {
      await printEvents(eventsIn(recording, { speed: 'instant' }), printer, output)
      return 0
    }
    const all = {
      ...(recording && !options.dialect && (await dialectOf(recording))),
      ...options,
      emit: printer.emit,
    }
    const provider =
      values.provider ??
      recording?.header.provider ??
      (recording && isProviders(recording) ? 'auto' : undefined)
    if (provider === undefined && values.debug)
      throw new UsageError("'--debug' needs a provider's stream; name the provider with '--provider'.")
    const stream = streamOf(file, io, "add '--recording', or show it with 'sluice play'")
    if (provider !== undefined) {
      const { createProviderParser, providerOption, readProvider } = await import('./providers.ts')
      const debug = values.debug ? { onIgnored: reportIgnored(io) } : {}
      const reading = { provider: providerOption(provider), ...all, ...debug }
      const chunks = recording === undefined ? stream : replay(recording, { speed: 'instant' })
      const cut = split === undefined ? chunks : inChunksOf(split, chunks)
      // A file that cannot be read is our failure; a recorded stream that failed is what is shown.
      if (recording === undefined)
        await print(cut, createProviderParser(printer.add, reading), printer, output)
      else await printEvents(readProvider(cut, reading), printer, output)
    } else {
      if (recording === undefined && options.dialect === undefined) await write(io.stderr, HINT)
      const pieces = recording === undefined ? hinting(piecesOf(stream), io) : textIn(recording)
      const cut = split === undefined ? pieces : inPiecesOf(split, pieces)
      if (recording === undefined) await print(cut, createSinkParser(printer.add, all), printer, output)
      else await printEvents(sluice(cut, all), printer, output)
    }
    return 0
  },
}

/** Says each thing that is ignored once. */
function reportIgnored(io: Io): (what: string) => void {
  const reported = new Set<string>()
  return (what) => {
    if (!reported.has(what)) io.stderr.write(`Ignored unknown part of the stream: ${what}\n`)
    reported.add(what)
  }
}

const HINT =
  "No --dialect: everything is read as text. --dialect auto finds out which one it is, 'sluice dialects' lists the names, and --model takes the name of a model.\n"

const PROVIDER_HINT =
  "This is a provider's stream, and not the text of a model: --provider auto finds out whose it is.\n"

/** The same pieces. If they turn out to be a provider's stream, the hint is written. */
async function* hinting(pieces: AsyncIterable<string>, io: Io): AsyncGenerator<string> {
  const start = new TextStart()
  for await (const piece of pieces) {
    const isKnown = start.refusal !== undefined
    start.accept(piece)
    if (!isKnown && start.refusal !== undefined) await write(io.stderr, PROVIDER_HINT)
    yield piece
  }
}

const FORMATS = ['json', 'events', 'jsonl'] as const

function readSplit(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new UsageError(`'--split' is a number of characters, not '${value}'.`)
  return Number(value)
}

// ── recordings ───────────────────────────────────────────────────────────────────────────────────

/** Whether a recording that names no provider holds a provider's stream. */
function isProviders(recording: SourceRecording): boolean {
  const start = new TextStart()
  const decoder = new ChunkDecoder()
  return recording.chunks.some(({ chunk }) => {
    start.accept(decoder.text(chunk))
    return start.refusal !== undefined
  })
}

async function* textIn(recording: SourceRecording): AsyncGenerator<string> {
  const decoder = new ChunkDecoder()
  for await (const chunk of replay<SourceRecording>(recording, { speed: 'instant' }))
    yield decoder.text(chunk)
  yield decoder.end()
}

// ── printing ─────────────────────────────────────────────────────────────────────────────────────

async function print<Chunk>(
  chunks: AsyncIterable<Chunk>,
  parser: { push(chunk: Chunk): void; end(): void },
  printer: Printer,
  output: Output,
) {
  for await (const chunk of chunks) {
    parser.push(chunk)
    await output.flush()
  }
  parser.end()
  printer.end()
  await output.flush()
}

async function printEvents(events: AsyncIterable<SluiceEvent>, printer: Printer, output: Output) {
  for await (const event of events) {
    printer.add(event)
    await output.flush()
  }
  printer.end()
  await output.flush()
}

/** Collects what a printer writes, because printers do not wait. */
class Output {
  private readonly io: Io
  private text = ''

  constructor(io: Io) {
    this.io = io
  }

  readonly write = (text: string): void => {
    this.text += text
  }

  flush(): Promise<void> {
    const { text } = this
    this.text = ''
    return write(this.io.stdout, text)
  }
}

interface Printer {
  /** The events it needs. */
  readonly emit: NonNullable<ParserOptions['emit']>
  readonly add: (event: SluiceEvent) => void
  end(): void
}

type MakePrinter = (io: Io, options: ParserOptions, output: Output) => Printer

const PRINTERS: Record<'view' | 'json' | 'events', MakePrinter> = {
  view(io, { tools }, { write }) {
    const view = createTerminalView({ colour: wantsColour(io), write, ...(tools !== undefined && { tools }) })
    return {
      emit: { json: false, arguments: true },
      add: (event) => view.add(event),
      end: () => view.end(),
    }
  },
  json(_io, _options, { write }) {
    const fold = new MessageFold()
    return {
      emit: { json: false },
      add: (event) => fold.add(event),
      end: () => write(`${harmlessJson(JSON.stringify(messageJson(fold.message()), null, 2))}\n`),
    }
  },
  events(_io, _options, { write }) {
    return {
      emit: {},
      add: (event) => write(`${harmlessJson(JSON.stringify(event, errorsAsText))}\n`),
      end() {},
    }
  },
}

function errorsAsText(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value
}
