/** `sluice demo`: a recorded response, read as if it came from a model now. */

import { findDialect } from '../dialects/index.ts'
import { createSinkParser } from '../parser.ts'
import { replay } from '../recording/index.ts'
import { createTerminalView } from '../terminal/index.ts'
import { type Command, readArguments, UsageError } from './command.ts'
import { DEMO_RECORDING, DEMO_TOOLS } from './demo-recording.ts'
import { type Io, wantsColour, write } from './io.ts'

const HELP = `Usage: sluice demo [--speed N]

Shows an agent's turn that was recorded: a stream of small pieces, in which tags are cut in
the middle, and what Sluice makes of it while it arrives.

  --speed N   2 is twice as fast, 0 does not wait at all (1)
`

export const demo: Command = {
  name: 'demo',
  summary: 'shows a recorded stream as it is read',
  help: HELP,
  async run(args, io) {
    const { values } = readArguments(args, { speed: { type: 'string' } })
    const speed = readSpeed(values.speed ?? io.env?.SLUICE_DEMO_SPEED ?? '1')
    const { header, chunks } = DEMO_RECORDING
    await write(
      io.stdout,
      `A recorded ${header.dialect} stream, in ${chunks.length} pieces of 1 to 8 characters:\n\n`,
    )
    await write(io.stdout, `\n${await play(speed, io)}\n`)
    return 0
  },
}

/** Shows the recording, and answers in one sentence what was in it. */
async function play(speed: number | 'instant', io: Io): Promise<string> {
  let shown = ''
  const view = createTerminalView({
    colour: wantsColour(io),
    tools: DEMO_TOOLS,
    write: (text) => {
      shown += text
    },
  })
  const flush = (): Promise<void> => {
    const text = shown
    shown = ''
    return write(io.stdout, text)
  }
  let events = 0
  const verdicts: string[] = []
  const parser = createSinkParser(
    (event) => {
      events++
      if (event.type === 'tool-call') verdicts.push(`${event.toolName} ${event.status}`)
      view.add(event)
    },
    {
      dialect: findDialect(DEMO_RECORDING.header.dialect),
      tools: DEMO_TOOLS,
      emit: { json: false, arguments: true },
    },
  )
  for await (const chunk of replay(DEMO_RECORDING, { speed, ...(io.clock && { clock: io.clock }) })) {
    parser.push(chunk)
    await flush()
  }
  parser.end()
  view.end()
  await flush()
  return `That was ${events} events and ${verdicts.length} calls: ${verdicts.join(', ')}.`
}

function readSpeed(value: string): number | 'instant' {
  const speed = Number(value)
  if (value === 'instant' || (value.trim() !== '' && speed === 0)) return 'instant'
  if (!(speed > 0)) throw new UsageError(`The speed is a number such as 1 or 2.5, not '${value}'.`)
  return speed
}
