/** `sluice play`: a recording at the pace at which it came, or faster, with pause and step. */

import type { SluiceEvent } from '../../base/event.ts'
import type { ParserOptions } from '../../engine/parser.ts'
import {
  Playback,
  parseRecording,
  type Recording,
  type ReplayOptions,
  replay,
} from '../../runs/recording/index.ts'
import { seconds } from '../terminal/card.ts'
import { attendKeys } from '../terminal/keys.ts'
import { type Command, INTERRUPTED, readArguments, UsageError } from './command.ts'
import { eventInCommandWords } from './command-words.ts'
import { textOf } from './files.ts'
import { type Io, write } from './io.ts'
import { openTerminal, readShowing, SHOWING_HELP, SHOWING_OPTIONS } from './live-terminal.ts'
import {
  dialectOf,
  eventsIn,
  READING_OPTIONS,
  RECORDING_HELP,
  readLive,
  readOptions,
} from './stream-reading.ts'

const HELP = `Usage: sluice play [options] FILE

Plays a recording as a person would have seen the stream. 'sluice record' makes one.

  --speed N               2 is twice as fast, 0 does not wait at all (1)
${RECORDING_HELP}${SHOWING_HELP}
Keys, at a terminal:
  space  pauses and goes on     .  one step     + -  faster, slower     r  folds reasoning     q  leaves

Examples:
  sluice play answer.jsonl
  sluice play --speed 4 --fold answer.jsonl
  sluice play --speed 0 answer.jsonl > answer.md
`

const OPTIONS = {
  speed: { type: 'string' },
  ...READING_OPTIONS,
  provider: { type: 'string' },
  ...SHOWING_OPTIONS,
} as const

/** 256 times as fast is as fast as anyone can look. */
const FASTEST = 256
const SLOWEST = 1 / 16

export const play: Command = {
  help: HELP,
  options: OPTIONS,
  async run(args, io) {
    const { values, file } = readArguments(args, OPTIONS, true)
    const speed = readSpeed(values.speed ?? '1')
    const recording = await readRecording(file, io)
    const options = await readOptions(values)
    const playback = new Playback(speed === 'instant' ? 1 : speed, io.clock)
    const leave = new AbortController()
    const { terminal, drained } = openTerminal(io, {
      ...readShowing(values),
      ...(options.tools !== undefined && { tools: options.tools }),
      now: playback.now,
      onLeave: () => leave.abort(),
    })
    const length = recording.end?.at ?? recording.chunks.at(-1)?.at ?? 0
    const report = (): void => {
      const state = playback.isPaused ? 'paused' : `${playback.speed}×`
      const keys = playback.isPaused ? 'space goes on' : 'space pauses'
      const at = seconds(Math.min(playback.now(), length))
      terminal.status(`${state} · ${at} of ${seconds(length)} · ${keys}`)
    }
    const onSignal = (): void => terminal.interrupt()
    io.on?.('SIGINT', onSignal)
    const release = attendKeys(io.stdin, (key) => {
      if (key === ' ') playback.isPaused ? playback.resume() : playback.pause()
      else if (key === '.' || key === '\x1b[C') playback.step()
      else if (key === '+') playback.setSpeed(Math.min(FASTEST, playback.speed * 2))
      else if (key === '-') playback.setSpeed(Math.max(SLOWEST, playback.speed / 2))
      else if (key === 'q') terminal.interrupt()
      else terminal.key(key)
      if (speed !== 'instant') report()
    })
    try {
      const pace = speed === 'instant' ? { speed } : { clock: playback }
      for await (const event of eventsOf(recording, { ...options }, values.provider, {
        ...pace,
        signal: leave.signal,
      })) {
        terminal.add(eventInCommandWords(event))
        if (release !== undefined && speed !== 'instant') report()
        await drained()
      }
    } finally {
      terminal.end()
      release?.()
      io.off?.('SIGINT', onSignal)
    }
    return leave.signal.aborted ? INTERRUPTED : 0
  },
}

/** A recording, however much of it can be read: broken lines are reported. */
export async function readRecording(file: string | undefined, io: Io): Promise<Recording> {
  if (file === undefined && io.stdin.isTTY)
    throw new UsageError("Name the file of a recording; 'sluice record' makes one.")
  const problems: string[] = []
  const recording = parseRecording(await textOf(file, io), file, (problem) => problems.push(problem))
  for (const problem of problems.slice(0, MOST_PROBLEMS)) await write(io.stderr, `${problem}\n`)
  if (problems.length > MOST_PROBLEMS)
    await write(io.stderr, `… and ${problems.length - MOST_PROBLEMS} more lines that cannot be read.\n`)
  return recording
}

const MOST_PROBLEMS = 5

/** The events of a recording, as they were or as they are read now. */
async function* eventsOf(
  recording: Recording,
  options: ParserOptions,
  provider: string | undefined,
  pace: ReplayOptions,
): AsyncGenerator<SluiceEvent> {
  if (recording.kind === 'events') {
    yield* eventsIn(recording, pace)
    return
  }
  const all = { ...(options.dialect === undefined && (await dialectOf(recording))), ...options }
  yield* await readLive(replay(recording, pace), {
    options: all,
    provider: provider ?? recording.header.provider,
    ...(pace.signal && { signal: pace.signal }),
  })
}

export function readSpeed(value: string): number | 'instant' {
  const speed = Number(value)
  if (value === 'instant' || (value.trim() !== '' && speed === 0)) return 'instant'
  if (!(speed > 0)) throw new UsageError(`The speed is a number such as 1 or 2.5, not '${value}'.`)
  return speed
}
