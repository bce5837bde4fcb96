/** `sluice demo`: recorded responses, read as if they came from a model now. */

import type { SluiceEvent, ToolCall } from '../../base/event.ts'
import { findDialect } from '../../dialects/index.ts'
import { isExecutable } from '../../engine/calls/verdict.ts'
import {
  createParser,
  createSinkParser,
  type Parser,
  type ParserOptions,
  restoreParser,
} from '../../engine/parser.ts'
import { replay, type TextRecording } from '../../runs/recording/index.ts'
import { CUT_OFF_RECORDING, TURN_RECORDING } from '../playground/recorded-answers.ts'
import { allDialects } from './all-dialects.ts'
import { type Command, readArguments } from './command.ts'
import { DEMO_TOOLS, PIECE_RECORDING } from './demo-recording.ts'
import { type Io, write } from './io.ts'
import { openTerminal } from './live-terminal.ts'
import { readSpeed } from './play.ts'

const HELP = `Usage: sluice demo [--speed N]

Plays recorded responses: first piece by piece, with the text that arrives, what is held back
and what comes out; then an agent's turn as a person sees it; then a call that is cut off.

  --speed N   2 is twice as fast, 0 does not wait at all (1)

Examples:
  sluice demo
  sluice demo --speed 4
`

const INTRODUCTION = `Sluice parses a language model's text while it streams, here with a call as
Hermes and Qwen write it. Chunks cut tags anywhere; no part of a tag is shown:

`

const TURN = `
The same for an agent's turn of ${TURN_RECORDING.chunks.length} chunks, as a user sees it. The file is
shown while the model writes it, and below it the end of the wire text:

`

const CUT_OFF = `
Now the connection is lost in the middle of a call:

`

const nextSteps = (dialects: number): string => `
Try next:
  echo '<tool_call>{"name": "ls"}</tool_call>' | \\
    npx sluice parse --dialect hermes   your own text, in ${dialects} dialects
  npx sluice dialects                   all dialects, with examples
  npx sluice help                       all commands
  README.md, examples/                  the library in ten lines
`

const OPTIONS = { speed: { type: 'string' } } as const

export const demo: Command = {
  help: HELP,
  options: OPTIONS,
  async run(args, io) {
    const { values } = readArguments(args, OPTIONS)
    const speed = readSpeed(values.speed ?? io.env?.SLUICE_DEMO_SPEED ?? '1')
    await write(io.stdout, INTRODUCTION)
    await playPieces(PIECE_RECORDING, speed, io)
    await write(io.stdout, TURN)
    await playTurn(TURN_RECORDING, speed, io)
    await write(io.stdout, CUT_OFF)
    const calls = await playTurn(CUT_OFF_RECORDING, speed, io)
    await write(io.stdout, calls.map(verdictOn).join(''))
    await write(io.stdout, nextSteps((await allDialects()).length))
    return 0
  },
}

type Speed = number | 'instant'
type DemoRecording = TextRecording & { readonly header: { readonly dialect: string } }

function playing(recording: TextRecording, speed: Speed, io: Io): AsyncIterable<string> {
  return replay(recording, { speed, ...(io.clock && { clock: io.clock }) })
}

function optionsFor({ header }: DemoRecording): ParserOptions {
  return {
    dialect: findDialect(header.dialect),
    start: 'text',
    tools: DEMO_TOOLS,
    emit: { arguments: true, json: false },
  }
}

// ── piece by piece ───────────────────────────────────────────────────────────────────────────────

const COLUMNS = [22, 20, 34] as const

/** Shows a row for each piece: what arrives, what of it is held back, and what comes out. */
async function playPieces(recording: DemoRecording, speed: Speed, io: Io): Promise<void> {
  const options = optionsFor(recording)
  const parser = createParser(options)
  const print = (...cells: readonly string[]): Promise<void> =>
    write(
      io.stdout,
      `${cells
        .map((cell, index) => cell.padEnd(COLUMNS[index]!))
        .join('  ')
        .trimEnd()}\n`,
    )
  await print('what arrives', 'held back', 'what comes out')
  await print(...COLUMNS.map((width) => '─'.repeat(width)))
  let arrived = ''
  for await (const chunk of playing(recording, speed, io)) {
    const events = parser.push(chunk).flatMap(inWords)
    arrived += chunk
    await print(`'${chunk}'`, heldBack(parser, options, arrived), events.join(', '))
  }
  const events = parser.end().flatMap(inWords)
  if (events.length > 0) await print('', '', events.join(', '))
}

/** What would come out as text if the response ended here, or would be a marker that was cut off. */
function heldBack(parser: Parser, options: ParserOptions, arrived: string): string {
  const rest = restoreParser(parser.snapshot(), options).end()
  return rest
    .map((event) => {
      if (event.type === 'text-delta') return event.delta
      const isMarker = event.type === 'diagnostic' && event.code === 'stray-markup'
      return isMarker ? arrived.slice(event.span?.start, event.span?.end) : ''
    })
    .join('')
}

function inWords(event: SluiceEvent): string[] {
  switch (event.type) {
    case 'text-delta':
      return [`text '${event.delta}'`]
    case 'tool-input-start':
      return [`call ${event.toolName}`]
    case 'argument-delta':
      return [`${event.path.join('.')} + '${event.delta}'`]
    case 'tool-call':
      return [event.status]
    default:
      return []
  }
}

// ── a turn ───────────────────────────────────────────────────────────────────────────────────────

/** The introduction and the table, with its head. */
const linesAbove = (): number =>
  `${INTRODUCTION}${TURN}`.split('\n').length + 2 + PIECE_RECORDING.chunks.length

/** Shows a response as it arrives, with the end of the wire text below it, and answers its calls. */
async function playTurn(recording: DemoRecording, speed: Speed, io: Io): Promise<ToolCall[]> {
  // Everything in one output, so that it can be piped whole.
  const { terminal, drained } = openTerminal(
    { ...io, screen: io.stdout },
    { tools: DEMO_TOOLS, linesAbove: linesAbove() },
  )
  const calls: ToolCall[] = []
  const parser = createSinkParser((event) => {
    if (event.type === 'tool-call') calls.push(event)
    terminal.add(event)
  }, optionsFor(recording))
  let wire = ''
  for await (const chunk of playing(recording, speed, io)) {
    wire += chunk
    parser.push(chunk)
    terminal.status(`wire  …${wire.slice(-60)}`)
    await drained()
  }
  parser.end()
  terminal.end()
  await drained()
  return calls
}

function verdictOn(call: ToolCall): string {
  return `\nisExecutable(call) is ${isExecutable(call)}: a call that was cut off never runs.\n`
}
