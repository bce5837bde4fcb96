/**
 * Proxies lose payloads, send them twice and out of order. Whichever payload is missing, comes again or stands elsewhere: no
 * call runs that did not run before, and no text is lost or shown twice that the stream itself tells apart. What no reader
 * can know is listed with its reason.
 */

import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { createProviderParser } from '../../src/providers/provider-parser.ts'
import { isFull } from '../effort.ts'
import { added, type MessageStream, runsIn, STREAMED, spread } from './message-streams.ts'
import { reading } from './told.ts'

// ── the edits ────────────────────────────────────────────────────────────────────────────────────

/** One payload of a stream is dropped, sent once more before another one, or moved there. */
interface Edit {
  readonly how: 'drop' | 'double' | 'move'
  readonly from: number
  /** The payload of the stream that it comes before; its length: it comes last. */
  readonly to: number
}

function editsOf(count: number): Edit[] {
  const places = Array.from({ length: count + 1 }, (_, to) => to)
  return places
    .slice(0, count)
    .flatMap((from): Edit[] => [
      { how: 'drop', from, to: from },
      ...places.map((to): Edit => ({ how: 'double', from, to })),
      ...places.filter((to) => to !== from && to !== from + 1).map((to): Edit => ({ how: 'move', from, to })),
    ])
}

/** All of them take a while. What is dropped or doubled on the spot is most like what a network does. */
function triedOf(count: number): Edit[] {
  const all = editsOf(count)
  if (isFull) return all
  const onTheSpot = all.filter(({ how, from, to }) => how === 'drop' || (how === 'double' && to === from))
  return [...spread(onTheSpot, 4), ...spread(all, 0.05)]
}

/** The numbers of the payloads as they come. */
function orderOf({ how, from, to }: Edit, count: number): number[] {
  const order = Array.from({ length: count }, (_, at) => at).flatMap((at) => {
    const isGone = at === from && how !== 'double'
    return [...(at === to && how !== 'drop' ? [from] : []), ...(isGone ? [] : [at])]
  })
  return to === count && how !== 'drop' ? [...order, from] : order
}

// ── what a stream says ───────────────────────────────────────────────────────────────────────────

const CHANNELS = ['text', 'reasoning', 'tool-result'] as const

interface Said {
  readonly events: SluiceEvent[]
  /** For each payload, and for the end, how many events there were behind it. */
  readonly counts: number[]
}

function said(provider: string, payloads: readonly object[]): Said {
  const events: SluiceEvent[] = []
  const parser = createProviderParser((event) => events.push(event), reading({ provider }))
  const counts = payloads.map((payload) => {
    parser.push(payload)
    return events.length
  })
  parser.end()
  return { events, counts: [...counts, events.length] }
}

const textIn = (events: readonly SluiceEvent[], channel: string): string =>
  events.map((event) => (event.type === `${channel}-delta` && 'delta' in event ? event.delta : '')).join('')

/** The same characters, in any order. */
function isSameText(one: string, other: string): boolean {
  const sorted = (text: string): string => [...text].sort().join('')
  return one === other || (one.length === other.length && sorted(one) === sorted(other))
}

/** The payloads between which a call is open: its first one, and that of its verdict. */
interface OpenCall {
  readonly tool: string
  readonly begin: number
  readonly end: number
}

function openCalls({ events, counts }: Said): OpenCall[] {
  const payloadOf = (at: number): number => counts.findIndex((count) => at < count)
  return events.flatMap((event, at) => {
    if (event.type !== 'tool-call') return []
    const begin = events.findIndex(
      ({ type, ...other }) => type === 'tool-input-start' && 'id' in other && other.id === event.id,
    )
    return [{ tool: event.toolName, begin: payloadOf(begin), end: payloadOf(at) }]
  })
}

// ── what cannot be known ─────────────────────────────────────────────────────────────────────────

interface Finding {
  readonly stream: MessageStream
  readonly edit: Edit
  readonly calls: readonly OpenCall[]
  /** The tool that runs with something else, or how a text differs. */
  readonly what: { readonly tool: string } | 'text is lost' | 'text is doubled'
}

/** These neither number the pieces of arguments nor send them whole in the end. */
const UNNUMBERED = ['openai-chat', 'anthropic', 'bedrock', 'cohere', 'langchain', 'ag-ui', 'gemini']

const isInside = (call: OpenCall | undefined, at: number): boolean =>
  call !== undefined && at > call.begin && at <= call.end

const EXCEPTIONS: readonly (readonly [why: string, isOne: (finding: Finding) => boolean])[] = [
  [
    'Nothing numbers the pieces of arguments: those of a call that lack one, or hold one twice or in another order, may be JSON all the same.',
    ({ stream, edit: { how, from, to }, calls, what }) => {
      if (typeof what === 'string' || !UNNUMBERED.includes(stream.provider)) return false
      const call = calls.find(
        ({ tool, begin, end }) => tool === what.tool && isInside({ tool, begin, end }, from),
      )
      return call !== undefined && (how === 'drop' || isInside(call, to))
    },
  ],
  [
    'A piece that comes when its call is over is too late: the verdict was given, and is not taken back.',
    ({ stream, edit: { how, from, to }, calls, what }) => {
      if (typeof what === 'string' || !UNNUMBERED.includes(stream.provider)) return false
      return (
        how === 'move' &&
        calls.some((call) => call.tool === what.tool && isInside(call, from) && to > call.end)
      )
    },
  ],
  [
    'Pieces and ends of Gemini name no call: in the midst of another one they are taken for its own.',
    ({ stream, edit: { how, from, to }, calls, what }) => {
      if (typeof what === 'string' || stream.what !== 'gemini with patches' || how === 'drop') return false
      const isPiece = calls.some((call) => isInside(call, from))
      return isPiece && calls.some((call) => call.tool === what.tool && isInside(call, to))
    },
  ],
  [
    'What Claude Code repeats, whole messages and the result, comes behind what it repeats. Ahead of it, it is new, and what follows may be another turn.',
    ({ stream, edit: { how, from }, what }) => {
      const payload = stream.payloads[from] as { type?: string }
      const isRepetition = payload.type === 'assistant' || payload.type === 'result'
      return stream.provider === 'claude-code' && how !== 'drop' && isRepetition && what === 'text is doubled'
    },
  ],
]

const met = new Set<string>()

function isKnown(finding: Finding): boolean {
  const [why] = EXCEPTIONS.find(([, isOne]) => isOne(finding)) ?? []
  if (why !== undefined) met.add(why)
  return why !== undefined
}

// ── the laws ─────────────────────────────────────────────────────────────────────────────────────

describe.each(STREAMED)('$what', (stream) => {
  const { provider, payloads } = stream
  const before = said(provider, payloads)
  const runsBefore = runsIn(before.events)
  const calls = openCalls(before)

  /** What each payload said in a channel, and the end. */
  const pieces = CHANNELS.map((channel) =>
    before.counts.map((count, at) => textIn(before.events.slice(before.counts[at - 1] ?? 0, count), channel)),
  )

  function findingsOf(edit: Edit): string[] {
    const order = orderOf(edit, payloads.length)
    const { events } = said(
      provider,
      order.map((at) => payloads[at]!),
    )
    const found = added(runsIn(events), runsBefore).map(
      (run) => [{ tool: run.split(' ')[0]! }, `runs ${run}`] as const,
    )
    const texts = CHANNELS.flatMap((channel, number) => {
      const text = textIn(events, channel)
      // What comes in pieces may be meant twice; what is whole somewhere may be restored.
      const moved = [...order, payloads.length].map((at) => pieces[number]![at]).join('')
      if ([moved, pieces[number]!.join('')].some((one) => isSameText(one, text))) return []
      const what = text.length < moved.length ? 'text is lost' : 'text is doubled'
      return [[what, `${what}: ${text}`] as const]
    })
    return [...found, ...texts].flatMap(([what, line]) =>
      isKnown({ stream, edit, calls, what }) ? [] : [`${edit.how} ${edit.from} to ${edit.to} ${line}`],
    )
  }

  test('runs nothing else, and says the same, if a payload is lost, doubled or moved', () => {
    expect(triedOf(payloads.length).flatMap(findingsOf)).toEqual([])
  })
})

test.runIf(isFull)('all exceptions are met', () => {
  expect([...met].sort()).toEqual(EXCEPTIONS.map(([why]) => why).sort())
})
