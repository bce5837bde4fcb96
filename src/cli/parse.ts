/** `sluice parse`: reads a response and shows what it says, to people or to programs. */

import type { Event } from '../event.ts'
import { MessageFold } from '../message.ts'
import { createSinkParser, type ParserOptions } from '../parser.ts'
import { parseRecording, type Recording, replay } from '../recording/index.ts'
import { ChunkDecoder } from '../source.ts'
import { createTerminalView } from '../terminal/index.ts'
import { type Command, Failure, readArguments, readChoice, UsageError } from './command.ts'
import { findDialects } from './dialects.ts'
import { inPiecesOf, piecesOf, readTools, textOf } from './files.ts'
import { type Io, wantsColour, write } from './io.ts'
import { serveLines } from './jsonl.ts'
import { messageJson } from './message-json.ts'

const HELP = `Usage: sluice parse [options] [file]

Reads what a model wrote, from a file or from stdin, and shows it while it is read: text,
reasoning, and tool calls with their arguments.

  --dialect NAME[,NAME]   how the model writes its calls; 'sluice dialects' lists the names.
                          Without it, everything is text
  --tools FILE            the tools it may call, as a JSON array
  --start text|reasoning  where the response begins (text)
  --malformed keep|text|drop
                          what becomes of the source of a call that failed (keep)
  --split N               feeds N characters at a time, as a slow stream would
  --recording             the file is a recording of a stream, and may name its dialect itself

  --json                  writes the whole message as one JSON document
  --events                writes each event as a line of JSON, as soon as it is found
  --jsonl                 answers requests: one JSON object per line of stdin, one answer per line.
                          {"id":"1","dialect":"hermes","tools":[…],"chunks":["…","…"]}
                          also takes "input", "start", "calls", "reasoning" and "malformed"
`

const OPTIONS = {
  dialect: { type: 'string' },
  tools: { type: 'string' },
  start: { type: 'string' },
  malformed: { type: 'string' },
  split: { type: 'string' },
  recording: { type: 'boolean' },
  json: { type: 'boolean' },
  events: { type: 'boolean' },
  jsonl: { type: 'boolean' },
} as const

export const parse: Command = {
  name: 'parse',
  summary: 'reads a response and shows its text, reasoning and tool calls',
  help: HELP,
  async run(args, io) {
    const { values, file } = readArguments(args, OPTIONS, true)
    const [format, other] = FORMATS.filter((one) => values[one])
    if (other !== undefined) throw new UsageError(`'--${format}' and '--${other}' exclude each other.`)
    if (format === 'jsonl') {
      if (args.length > 1)
        throw new UsageError("'--jsonl' takes no other arguments: each request says what it wants.")
      return serveLines(io)
    }

    const options = await readOptions(values)
    const split = readSplit(values.split)
    const output = new Output(io)
    const printer = PRINTERS[format ?? 'view'](io, options, output)
    if (values.recording) {
      const recording = parseRecording(await textOf(file, io), file)
      if (recording.kind === 'events')
        await printEvents(replay(recording, { speed: 'instant' }), printer, output)
      else {
        const recorded = { ...options, ...(!values.dialect && dialectOf(recording)) }
        await printText(cut(textIn(recording), split), recorded, printer, output)
      }
    } else {
      if (values.dialect === undefined) await write(io.stderr, HINT)
      await printText(cut(piecesOf(file, io), split), options, printer, output)
    }
    return 0
  },
}

const HINT = "No --dialect: everything is read as text. 'sluice dialects' lists the names.\n"

const FORMATS = ['json', 'events', 'jsonl'] as const

async function readOptions(
  values: { [option in 'dialect' | 'tools' | 'start' | 'malformed']?: string | undefined },
) {
  const { dialect, tools } = values
  const start = readChoice('--start', values.start, ['text', 'reasoning'])
  const malformed = readChoice('--malformed', values.malformed, ['keep', 'text', 'drop'])
  return {
    ...(dialect !== undefined && { dialect: findDialects(dialect.split(',')) }),
    ...(tools !== undefined && { tools: await readTools(tools) }),
    ...(start !== undefined && { start }),
    ...(malformed !== undefined && { malformed }),
  } satisfies ParserOptions
}

function readSplit(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new UsageError(`'--split' is a number of characters, not '${value}'.`)
  return Number(value)
}

const cut = (pieces: AsyncIterable<string>, split: number | undefined): AsyncIterable<string> =>
  split === undefined ? pieces : inPiecesOf(split, pieces)

// ── recordings ───────────────────────────────────────────────────────────────────────────────────

type SourceRecording = Exclude<Recording, { kind: 'events' }>

function dialectOf({ header }: SourceRecording): ParserOptions {
  return header.dialect === undefined ? {} : { dialect: findDialects([header.dialect].flat()) }
}

async function* textIn(recording: SourceRecording): AsyncGenerator<string> {
  const { provider } = recording.header
  if (provider !== undefined)
    throw new Failure(
      `This is a recording of the provider '${provider}', and only recorded text can be read yet.`,
    )
  const decoder = new ChunkDecoder()
  for await (const chunk of replay<SourceRecording>(recording, { speed: 'instant' }))
    yield decoder.text(chunk)
  yield decoder.end()
}

// ── printing ─────────────────────────────────────────────────────────────────────────────────────

async function printText(
  pieces: AsyncIterable<string>,
  options: ParserOptions,
  printer: Printer,
  output: Output,
) {
  const parser = createSinkParser((event) => printer.add(event), { ...options, emit: printer.emit })
  for await (const piece of pieces) {
    parser.push(piece)
    await output.flush()
  }
  parser.end()
  printer.end()
  await output.flush()
}

async function printEvents(events: AsyncIterable<Event>, printer: Printer, output: Output) {
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
  /** What it wants to hear of. */
  readonly emit: NonNullable<ParserOptions['emit']>
  add(event: Event): void
  end(): void
}

type MakePrinter = (io: Io, options: ParserOptions, output: Output) => Printer

const PRINTERS: Record<'view' | 'json' | 'events', MakePrinter> = {
  view(io, { tools }, { write }) {
    const view = createTerminalView({ colour: wantsColour(io), write, ...(tools !== undefined && { tools }) })
    return { emit: { json: false, arguments: true }, add: (event) => view.add(event), end: () => view.end() }
  },
  json(_io, _options, { write }) {
    const fold = new MessageFold()
    return {
      emit: { json: false },
      add: (event) => fold.add(event),
      end: () => write(`${JSON.stringify(messageJson(fold.message()), null, 2)}\n`),
    }
  },
  events(_io, _options, { write }) {
    return { emit: {}, add: (event) => write(`${JSON.stringify(event, errorsAsText)}\n`), end() {} }
  },
}

function errorsAsText(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value
}
