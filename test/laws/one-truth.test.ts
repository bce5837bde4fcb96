/** Law 15: two ways of reading the same stream agree on every call, its input and whether it may run. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { prepareCall } from '../../src/engine/calls/prepare.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { foldEvents } from '../../src/engine/message.ts'
import { findProvider } from '../../src/providers/any.ts'
import { createProviderParser } from '../../src/providers/provider-parser.ts'
import { coerceValue } from '../../src/values/schema/coerce-value.ts'
import { type UiChunkLike, UiEventReader } from '../../src/views/ai-sdk/index.ts'
import { runs, SEED } from '../effort.ts'
import { ENTRIES, TOOLS } from './entries.ts'
import { callsIn, LIBRARY, oneTruth, recorded } from './library.ts'
import { messageArbitrary } from './messages.ts'
import { callsOf, characters, run } from './observe.ts'
import { PROVIDER_ENTRIES } from './providers.ts'
import { engineRuns, eventsOf, type Ran, type Response } from './runs.ts'
import { sampleTexts, written } from './suite.ts'
import { aiSdkGenerateRuns, aiSdkStreamRuns, EVENT_VIEWS, providerRuns } from './view-runs.ts'

/** The AI SDK runs what `prepareCall` would: an input with the types of its schema. */
function withTypes({ toolName, input }: Ran): Ran {
  const { inputSchema } = TOOLS.find(({ name }) => name === toolName)!
  return { toolName, input: coerceValue(input, inputSchema).value }
}

describe.each(ENTRIES)('15. $name', (entry) => {
  const { dialect, options } = entry
  const ping = written(entry, [{ type: 'call', toolName: 'ping', input: {} }])!
  const texts = [ping, ...sampleTexts(entry, runs(20))]

  test('agrees with itself whole and streamed, live and from a recording', () => {
    for (const text of texts) {
      expect(oneTruth(LIBRARY, options, text), text).toBeUndefined()
      const live = run(LIBRARY, options, characters(text))
      expect(foldEvents(recorded(LIBRARY, 'events', live)), text).toEqual(foldEvents(live))
    }
  })

  test('agrees with providers and the AI SDK on what may run', async () => {
    let ran = 0
    for (const text of texts) {
      const response: Response = { text, dialect, tools: TOOLS, ending: 'stop' }
      const expected = engineRuns(eventsOf(response))
      expect(providerRuns(response), text).toEqual(expected)
      const typed = expected.map(withTypes)
      expect(await aiSdkStreamRuns(response), text).toEqual(typed)
      expect(await aiSdkGenerateRuns(response), text).toEqual(typed)
      ran += expected.length
    }
    expect(ran).toBeGreaterThan(0)
  })

  test('runs no number that has lost digits', async () => {
    const input = { limits: { most: 9007199254740992 } }
    const exact = written(entry, [{ type: 'call', toolName: 'search', input }])
    if (exact === undefined) return
    const text = exact.replace('9007199254740992', '9007199254740993')
    const response: Response = { text, dialect, tools: TOOLS, ending: 'stop' }
    const events = eventsOf(response)
    const [call] = callsOf(events)
    expect(call?.toolName).toBe('search')
    const ran = [
      await prepareCall(call!, TOOLS),
      await aiSdkStreamRuns(response),
      await aiSdkGenerateRuns(response),
      EVENT_VIEWS.find(({ name }) => name === 'segments')!.runs(events, response),
    ]
    expect(JSON.stringify(ran)).not.toContain('9007199254740992')
  })
})

// ── streams of providers ─────────────────────────────────────────────────────────────────────────

const HERMES = ENTRIES.find(({ name }) => name === 'hermes')!

/** A message, and payloads of it that are left out, doubled or cut off. */
const damagedArbitrary = fc.record({
  parts: messageArbitrary(HERMES),
  edits: fc.array(fc.tuple(fc.constantFrom('drop', 'double', 'cut'), fc.nat()), { maxLength: 2 }),
})

function damaged<Payload>(payloads: readonly Payload[], edits: readonly [string, number][]): Payload[] {
  const result = [...payloads]
  for (const [kind, place] of edits) {
    const at = place % Math.max(1, result.length)
    if (kind === 'cut') result.length = at
    else result.splice(at, kind === 'drop' ? 1 : 0, ...(kind === 'double' ? result.slice(at, at + 1) : []))
  }
  return result
}

describe.each(PROVIDER_ENTRIES)('15. $name', (entry) => {
  const read = (chunks: readonly (Uint8Array | object)[]): SluiceEvent[] => {
    const events: SluiceEvent[] = []
    const parser = createProviderParser((event) => events.push(event), {
      provider: findProvider(entry.name.split(' ')[0]!),
    })
    for (const chunk of chunks) parser.push(chunk)
    parser.end()
    return events
  }

  test('agrees with itself as bytes and as payloads, live and from a recording', () => {
    fc.assert(
      fc.property(damagedArbitrary, ({ parts, edits }) => {
        const frames = damaged(entry.write(parts), edits)
        const live = read(frames)
        expect(callsIn(read(recorded(LIBRARY, 'bytes', frames)))).toEqual(callsIn(live))
        expect(callsIn(recorded(LIBRARY, 'events', live))).toEqual(callsIn(live))
        // The end of some streams is no payload, so that the same edit would not be the same.
        if (edits.length === 0) expect(callsIn(read(entry.payloads(parts)))).toEqual(callsIn(live))
      }),
      { seed: SEED, numRuns: runs(60) },
    )
  })
})

/** Ways in which the AI SDK ends a call instead of making it available. */
const REFUSALS: readonly ((call: object) => object)[] = [
  (call) => ({ ...call, type: 'tool-input-error', errorText: 'no' }),
  (call) => ({ ...call, type: 'tool-output-error', errorText: 'no' }),
  (call) => ({ ...call, type: 'tool-output-denied' }),
]

test('15. the AI SDK UI stream: the provider and the view give the same events', () => {
  const entry = PROVIDER_ENTRIES.find(({ name }) => name === 'ai-sdk-ui')!
  fc.assert(
    fc.property(damagedArbitrary, fc.nat(REFUSALS.length), ({ parts, edits }, refusal) => {
      const chunks = damaged(entry.payloads(parts), edits).map((chunk) =>
        (chunk as UiChunkLike).type === 'tool-input-available' && refusal < REFUSALS.length
          ? REFUSALS[refusal]!(chunk)
          : chunk,
      )
      const [provider, view]: [SluiceEvent[], SluiceEvent[]] = [[], []]
      const parser = createProviderParser((event) => provider.push(event), {
        provider: findProvider('ai-sdk-ui'),
        emit: { json: true, arguments: true },
      })
      const reader = new UiEventReader((event) => view.push(event))
      for (const chunk of chunks) {
        parser.push(chunk)
        reader.add(chunk as UiChunkLike)
      }
      parser.end()
      reader.end()
      expect(view).toEqual(provider)
      // Without damage every refusal arrives.
      if (refusal < REFUSALS.length && edits.length === 0)
        expect(callsOf(view).filter((call) => isExecutable(call))).toEqual([])
    }),
    { seed: SEED, numRuns: runs(200) },
  )
})
