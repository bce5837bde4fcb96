/** `sluice inspect`: explains a recording. */

import { counted } from '../terminal/growing-lines.ts'
import { sanitise } from '../terminal/sanitise.ts'
import { type Command, readArguments, UsageError } from './command.ts'
import { type Inspection, inspectRecording } from './inspection.ts'
import { harmlessJson, type Io, write } from './io.ts'
import { openTerminal } from './live-terminal.ts'
import { readRecording } from './play.ts'
import { dialectOf, READING_OPTIONS, RECORDING_HELP, readOptions } from './stream-reading.ts'

const HELP = `Usage: sluice inspect [options] FILE

Analyses a recording: when text, reasoning, calls and each argument arrived, which possible markup was held back
and for how long, verdicts, repairs and diagnostics.

  --svg                   writes a timeline as SVG
  --json                  writes all figures as JSON
${RECORDING_HELP}
Examples:
  sluice inspect answer.jsonl
  sluice inspect --svg answer.jsonl > answer.svg
  sluice inspect --json answer.jsonl | jq .first
`

const OPTIONS = {
  svg: { type: 'boolean' },
  json: { type: 'boolean' },
  provider: { type: 'string' },
  ...READING_OPTIONS,
} as const

export const inspect: Command = {
  help: HELP,
  options: OPTIONS,
  async run(args, io) {
    const { values, file } = readArguments(args, OPTIONS, true)
    if (values.svg && values.json) throw new UsageError("'--svg' and '--json' cannot be used together.")
    const recording = await readRecording(file, io)
    const options = await readOptions(values)
    const { terminal } = openTerminal({ ...io, stdout: SILENT }, {})
    let inspection: Inspection
    try {
      inspection = await inspectRecording(
        recording,
        {
          ...(recording.kind !== 'events' && options.dialect === undefined && (await dialectOf(recording))),
          ...options,
        },
        values.provider ?? recording.header.provider,
        (share) => terminal.status(`reading · ${Math.round(share * 100)} %`),
      )
    } finally {
      terminal.end()
    }
    if (values.json) await write(io.stdout, `${harmlessJson(JSON.stringify(inspection, null, 2))}\n`)
    else if (values.svg) {
      const { drawTimeline } = await import('./timeline-svg.ts')
      await write(io.stdout, drawTimeline(inspection, file ?? 'stdin'))
    } else await explain(inspection, file ?? 'stdin', io)
    return 0
  },
}

const SILENT: Io['stdout'] = { write: () => true }

async function explain(inspection: Inspection, name: string, io: Io): Promise<void> {
  await write(io.stdout, sanitise(explanation(inspection, name), 'visualise'))
}

export function explanation(inspection: Inspection, name: string): string {
  const { first, spans, calls, heldBack, diagnostics, finish, error, end } = inspection
  const lines: string[] = []
  const row = (label: string, words: string): void => {
    lines.push(`${label.padEnd(11)} ${words}`.trimEnd())
  }
  const ended =
    end === undefined ? 'no end was recorded' : `${end.reason}${end.error ? `: ${end.error}` : ''}`
  row('Recording', `${name}: ${inspection.kind}, read as ${inspection.form}`)
  row(
    'Stream',
    `${counted(inspection.chunks.length, 'chunk')}, ${counted(inspection.bytes, 'byte')}, ${ms(inspection.duration)}, ${ended}`,
  )
  const firsts = Object.entries(first).map(([what, at]) => `${what} ${ms(at!)}`)
  row('First', firsts.length === 0 ? 'nothing came' : firsts.join(' · '))
  lines.push('', `${'at'.padStart(10)} ${'for'.padStart(10)}  what`)
  for (const { from, to, words } of timelineOf(spans, calls))
    lines.push(`${ms(from).padStart(10)} ${ms(to - from).padStart(10)}  ${words}`)
  lines.push('')
  row(
    'Held back',
    heldBack.times === 0
      ? 'nothing'
      : `${counted(heldBack.times, 'time')}, at most ${counted(heldBack.mostCharacters, 'character')}, ${ms(heldBack.longestMs)} at a time, ${ms(heldBack.totalMs)} in all`,
  )
  const repairs = calls.flatMap(({ toolName, repairs }) =>
    repairs.map((repair) => `${repair.code} (${repair.class}) in ${toolName}`),
  )
  row('Repairs', repairs.length === 0 ? 'none' : repairs.join(', '))
  row('Diagnostics', diagnostics.length === 0 ? 'none' : '')
  for (const { at, code, message } of diagnostics) lines.push(`${ms(at).padStart(10)}  ${code}: ${message}`)
  if (error !== undefined) row('Failed', error)
  if (finish !== undefined) {
    const { inputTokens, outputTokens } = finish.usage ?? {}
    const usage = outputTokens === undefined ? '' : ` · ${inputTokens ?? '?'} tokens in, ${outputTokens} out`
    row('Finish', `${finish.reason}${usage}`)
  }
  return `${lines.join('\n')}\n`
}

interface TimelineRow {
  readonly from: number
  readonly to: number
  readonly words: string
}

/** In the order in which they began. The arguments of a call stand below it, also where another call grew meanwhile. */
function timelineOf(spans: Inspection['spans'], calls: Inspection['calls']): TimelineRow[] {
  const said = spans.map(({ kind, from, to, characters }): TimelineRow[] => [
    { from, to, words: `${kind}, ${counted(characters, 'character')}` },
  ])
  const called = calls.map((call): TimelineRow[] => [
    {
      from: call.from,
      to: call.to,
      words: `call ${call.toolName}: ${call.status || 'no verdict'}${call.error ? ` (${call.error.message})` : ''}`,
    },
    ...call.arguments.map(({ key, from, to, characters, isComplete }) => ({
      from,
      to,
      words: `  ${key}, ${counted(characters, 'character')}${isComplete ? '' : ', cut off'}`,
    })),
  ])
  return [...said, ...called].sort(([one], [other]) => one!.from - other!.from).flat()
}

export function ms(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`
}
