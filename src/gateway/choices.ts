/**
 * Several answers to one request of Chat Completions (`n`). Each is a run of its own, read and judged by itself; together
 * they are the choices of one answer.
 */

import { isFields } from '../base/fields.ts'
import type { Payload } from '../providers/wire-format.ts'
import { FrameWriter, payloadsIn } from './frames.ts'
import type { Run, Step, Steps } from './gateway-run.ts'
import { gather } from './gather.ts'
import { jsonResponse } from './json-response.ts'
import type { ClientProtocol } from './protocols.ts'
import { beginningOf, failureOf, nonEmpty, type RespondOptions, refuse, streamResponse } from './respond.ts'
import type { RunAbout } from './run-about.ts'

export async function respondChoices(
  runs: readonly Run[],
  protocol: ClientProtocol,
  about: RunAbout,
  options: RespondOptions & { readonly isStreamed: boolean },
): Promise<Response> {
  return options.isStreamed
    ? streamedChoices(runs, protocol, about, options)
    : wholeChoices(runs, protocol, about, options)
}

async function wholeChoices(
  runs: readonly Run[],
  protocol: ClientProtocol,
  about: RunAbout,
  { onLeave }: RespondOptions,
): Promise<Response> {
  try {
    const gathered = await Promise.all(runs.map(({ steps }) => gather(steps, protocol, about)))
    for (const [at, { failure }] of gathered.entries())
      if (failure !== undefined) return refuse(protocol, failureOf(runs[at]!, failure))
    const wholes = gathered.map(({ payloads }) => protocol.whole!(payloads))
    const choices = wholes.flatMap((whole, index) => withIndex(whole, index).choices)
    const usage = wholes.map((whole) => whole.usage).reduce(added)
    const notes = gathered.flatMap((one, choice) => one.notes.map((note) => ({ choice, ...note })))
    const sluice = notes.length > 0 && { sluice: { notes } }
    return jsonResponse({ ...wholes[0], choices, ...(usage !== undefined && { usage }), ...sluice })
  } finally {
    onLeave()
  }
}

async function streamedChoices(
  runs: readonly Run[],
  protocol: ClientProtocol,
  about: RunAbout,
  options: RespondOptions,
): Promise<Response> {
  const { config, onLeave, breakOff } = options
  const beginnings = await Promise.all(runs.map((run) => beginningOf(run)))
  for (const [at, { error }] of beginnings.entries())
    if (error !== undefined) {
      onLeave()
      return refuse(protocol, failureOf(runs[at]!, error))
    }
  const frames = framesOf(
    beginnings.map(({ steps }) => steps),
    protocol,
    about,
    options.hasExtensions,
  )
  return streamResponse(protocol, nonEmpty(frames), { config, onLeave, breakOff, headers: {} })
}

/** The chunks of all choices as they come, one usage for all, and one end. A choice that fails ends them all. */
async function* framesOf(
  choices: readonly Steps[],
  protocol: ClientProtocol,
  about: RunAbout,
  hasExtensions: boolean,
): AsyncGenerator<string, void, undefined> {
  const { frame, end } = protocol.writer
  const writers = choices.map(() => new FrameWriter(protocol, about, { hasExtensions, hasIds: false }))
  let usage: unknown
  let last: Payload | undefined
  let count = 0
  for await (const [index, { n, events }] of merged(choices)) {
    for (const payload of payloadsIn(writers[index]!.record(n, events))) {
      if ('error' in payload) {
        yield frame(payload, count) + end
        return
      }
      if (payload.usage !== undefined) {
        usage = added(usage, payload.usage)
        last = payload
      } else yield frame(withIndex(payload, index), count++)
    }
  }
  yield (last === undefined ? '' : frame({ ...last, usage }, count)) + end
}

function withIndex(payload: Payload, index: number): Payload & { readonly choices: readonly unknown[] } {
  const choices = Array.isArray(payload.choices) ? (payload.choices as object[]) : []
  const own = isFields(payload.sluice) ? { sluice: { choice: index, ...payload.sluice } } : {}
  return { ...payload, ...own, choices: choices.map((choice) => ({ ...choice, index })) }
}

/** Figures add up, also those inside. */
function added(first: unknown, second: unknown): unknown {
  if (typeof first === 'number' && typeof second === 'number') return first + second
  if (!isFields(first) || !isFields(second)) return second ?? first
  const sum: Record<string, unknown> = { ...first }
  for (const [name, value] of Object.entries(second)) sum[name] = added(first[name], value)
  return sum
}

/** What several sources give, as it comes. One that is not asked for waits. */
async function* merged(
  sources: readonly Steps[],
): AsyncGenerator<[index: number, value: Step], void, undefined> {
  const ready: [number, IteratorResult<Step, void>][] = []
  let failure: { readonly error: unknown } | undefined
  let wake = (): void => {}
  const ask = (index: number): void =>
    void sources[index]!.next().then(
      (step) => {
        ready.push([index, step])
        wake()
      },
      (error: unknown) => {
        failure = { error }
        wake()
      },
    )
  try {
    for (const index of sources.keys()) ask(index)
    for (let open = sources.length; open > 0; ) {
      if (ready.length === 0 && failure === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (failure !== undefined) throw failure.error
      const next = ready.shift()
      if (next === undefined) continue
      const [index, step] = next
      if (step.done) open--
      else {
        yield [index, step.value]
        ask(index)
      }
    }
  } finally {
    for (const source of sources) void source.return().catch(() => {})
  }
}
