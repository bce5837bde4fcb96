/** Every provider's stream: payloads that are changed, as objects and as bytes. */

import fc from 'fast-check'
import type { JsonValue, SluiceEvent } from '../../src/base/event.ts'
import { findProvider } from '../../src/providers/any.ts'
import { createProviderParser, restoreProviderParser } from '../../src/providers/provider-parser.ts'
import { ENTRIES, TOOLS } from '../laws/entries.ts'
import { wellFormedEvents } from '../laws/laws.ts'
import { messageArbitrary } from '../laws/messages.ts'
import { comparable, merged } from '../laws/observe.ts'
import { changedByJson } from '../laws/plain.ts'
import { PROVIDER_ENTRIES, type ProviderEntry } from '../laws/providers.ts'
import { mutateList, smallerLists } from './mutate-json.ts'
import type { Random } from './random.ts'
import type { Target } from './target.ts'
import { outlineOf } from './text-targets.ts'

type Chunk = Uint8Array | object

/** Messages with markup in them, which means nothing here. */
const HERMES = ENTRIES.find(({ name }) => name === 'hermes')!

const providerOf = ({ name }: ProviderEntry) => findProvider(name.split(' ')[0]!)

function read(entry: ProviderEntry, chunks: readonly Chunk[], turn = 0): SluiceEvent[] {
  const options = {
    provider: providerOf(entry),
    tools: TOOLS,
    emit: { json: true, arguments: true, raw: true },
  }
  const events: SluiceEvent[] = []
  let parser = createProviderParser((event) => events.push(event), options)
  for (const [at, chunk] of chunks.entries()) {
    parser.push(chunk)
    if (turn === 0 || (at + 1) % turn !== 0) continue
    const snapshot = JSON.parse(JSON.stringify(parser.snapshot()))
    parser = restoreProviderParser(snapshot, (event) => events.push(event), options)
  }
  parser.end()
  return events
}

/** The payloads as they come over the wire; nothing for framings that are not text. */
function bytesOf(entry: ProviderEntry, payloads: readonly JsonValue[]): Uint8Array | undefined {
  const { framing } = providerOf(entry)
  const frame =
    framing === 'sse'
      ? (json: string) => `data: ${json}\n\n`
      : framing === 'lines'
        ? (json: string) => `${json}\n`
        : undefined
  if (frame === undefined) return undefined
  return new TextEncoder().encode(payloads.map((payload) => frame(JSON.stringify(payload))).join(''))
}

function inPieces(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}

/** Half a surrogate pair that a payload holds is passed on as it is. */
const hasHalfPair = (payloads: readonly JsonValue[]): boolean =>
  /\p{Cs}/u.test(
    JSON.stringify(payloads).replace(/\\u([\da-f]{4})/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    ),
  )

/** What is said of the first payloads is the beginning of what is said of all. */
function regret(entry: ProviderEntry, payloads: readonly object[]): string | undefined {
  const events: SluiceEvent[] = []
  const parser = createProviderParser((event) => events.push(event), {
    provider: providerOf(entry),
    tools: TOOLS,
    emit: { json: true, arguments: true, raw: true },
  })
  const asSaid: string[] = []
  for (const payload of payloads) {
    parser.push(payload)
    for (const event of events.slice(asSaid.length)) asSaid.push(JSON.stringify(event))
  }
  const changed = asSaid.findIndex((said, index) => said !== JSON.stringify(events[index]))
  return changed === -1 ? undefined : `4. no regret: ${asSaid[changed]} was changed`
}

function violation(entry: ProviderEntry, payloads: readonly JsonValue[]): string | undefined {
  // A provider's client yields objects.
  const objects = payloads.filter((payload) => typeof payload === 'object' && payload !== null) as object[]
  const whole = read(entry, objects)
  const form = wellFormedEvents(whole)
  if (form !== undefined && !(form.startsWith('a surrogate pair') && hasHalfPair(payloads)))
    return `6. well formed: ${form}`
  const unplain = changedByJson(whole)
  if (unplain !== undefined) return `14. plain: ${unplain}`
  for (const turn of [1, 3]) {
    const [got, wanted] = [JSON.stringify(read(entry, objects, turn)), JSON.stringify(whole)]
    if (got !== wanted) return `13. resumable, every ${turn}:\n  got    ${got}\n  wanted ${wanted}`
  }
  const regretted = regret(entry, objects)
  if (regretted !== undefined) return regretted
  const bytes = bytesOf(entry, payloads)
  if (bytes === undefined) return undefined
  const fromBytes = comparable(read(entry, [bytes]))
  for (const size of [1, 7, 64]) {
    const cut = comparable(read(entry, inPieces(bytes, size)))
    if (cut !== fromBytes) return `1. split invariance, ${size} bytes:\n  whole ${fromBytes}\n  cut   ${cut}`
  }
  return undefined
}

function target(entry: ProviderEntry): Target<JsonValue[]> {
  const donors = (random: Random): JsonValue[] =>
    random.of(PROVIDER_ENTRIES).payloads([
      { type: 'text', text: 'Hm.' },
      { type: 'call', toolName: 'ping', input: {} },
      { type: 'call', toolName: 'get_weather', input: { city: 'é' } },
    ]) as JsonValue[]
  return {
    name: `provider ${entry.name}`,
    seeds: (random) =>
      fc
        .sample(messageArbitrary(HERMES), { seed: random.below(2 ** 31), numRuns: 8 })
        .map((parts) => JSON.parse(JSON.stringify(entry.payloads(parts))) as JsonValue[]),
    mutate: (payloads, random, other) =>
      mutateList(payloads, random, random.onceIn(5) ? donors(random) : other).slice(0, 60),
    violation: (payloads) => violation(entry, payloads),
    outline: (payloads) =>
      outlineOf(
        merged(read(entry, payloads.filter((one) => typeof one === 'object' && one !== null) as object[])),
      ),
    smaller: smallerLists,
  }
}

export const PROVIDER_TARGETS: readonly Target<JsonValue[]>[] = PROVIDER_ENTRIES.map(target)
