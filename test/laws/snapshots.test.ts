/** A snapshot that is damaged is refused, or what is restored from it reads on. It never throws, and never hangs. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CallAssembler } from '../../src/calls/assembler.ts'
import type { JsonValue } from '../../src/event.ts'
import { createParser, type Parser, restoreParser } from '../../src/parser.ts'
import type { Part } from '../../src/part.ts'
import { Host } from '../calls/host.ts'
import { runs, SEED } from '../effort.ts'
import { DAMAGES, damaged, placesIn, restored } from './damage.ts'
import { ENTRIES, type LawEntry } from './entries.ts'
import { inPieces } from './observe.ts'
import { written } from './suite.ts'

const CALLS: readonly Part[] = [
  { type: 'call', id: 'c1', toolName: 'get_weather', input: { city: 'P&amp;r\\n is', days: 2 } },
  {
    type: 'call',
    id: 'c2',
    toolName: 'search',
    input: { query: 'q "1"', tags: ['a', 'b'], exact: true, limits: { most: 1.5 } },
  },
]

/** From the one with the most in it to one that any dialect can write. */
const MESSAGES: readonly (readonly Part[])[] = [
  [{ type: 'reasoning', text: 'Where? `x`' }, { type: 'text', text: 'Let me < look.' }, ...CALLS],
  [{ type: 'text', text: 'Let me < look.' }, ...CALLS],
  [{ type: 'text', text: 'Let me look.' }, CALLS[0]!],
  CALLS,
  [{ type: 'call', id: 'c1', toolName: 'get_weather', input: { city: 'Paris', days: 2 } }],
]

function textOf(entry: LawEntry): string {
  for (const parts of MESSAGES) {
    const text = written(entry, parts)
    if (text !== undefined) return text
  }
  return entry.witnesses[0]!
}

const EMITS = [{}, { arguments: true, source: true, raw: true }, { input: false, json: false }] as const

/** More than a text of this length can mean. */
const MOST_EVENTS = 10_000

function readOn(parser: Parser, text: string): void {
  let events = 0
  for (const piece of [...inPieces(text, 5), '{"a":[1,"b"]}', '\n</a></b> "x", \'y\') ] } ']) {
    events += parser.push(piece).length
    expect(events).toBeLessThan(MOST_EVENTS)
  }
  expect(events + parser.end().length).toBeLessThan(MOST_EVENTS)
}

describe('a damaged snapshot is refused, or reads on without an error', () => {
  test.each(ENTRIES.map((entry) => [entry.name, entry] as const))('of %s', (_, entry) => {
    const text = textOf(entry)
    fc.assert(
      fc.property(
        fc.nat(text.length),
        fc.constantFrom(...EMITS),
        fc.array(fc.tuple(fc.nat(), fc.nat(DAMAGES - 1)), { minLength: 20, maxLength: 20 }),
        (cut, emit, damages) => {
          const options = { ...entry.options, emit }
          const before = createParser(options)
          before.push(text.slice(0, cut))
          const { machine, ...snapshot } = before.snapshot()
          const places = placesIn(machine)
          for (const [place, damage] of damages) {
            const path = places[place % places.length]!
            const copy = damaged(machine, path, damage)
            if (copy === undefined) continue
            try {
              const after = restored(() => restoreParser({ ...snapshot, machine: copy }, options))
              if (after !== null) readOn(after, text.slice(cut))
            } catch (error) {
              throw new Error(`${path.join('.')} became ${JSON.stringify(copy)}`, { cause: error })
            }
          }
        },
      ),
      { seed: SEED, numRuns: runs(100), endOnFailure: true },
    )
  })
})

test('so is one of native calls', () => {
  const host = new Host({ arguments: true, source: true })
  const before = new CallAssembler(host)
  before.delta({ index: 0, id: 'a', name: 'ls', arguments: '{"p":["x\\n' })
  before.delta({ index: 1, id: 'b', name: 'ls', arguments: '"{\\"p\\": {' })
  before.delta({ index: 2, arguments: '{"p":1' })
  before.delta({ index: 3, id: 'd', name: 'ls', arguments: '{"p":1}' })
  const saved = before.save()
  const places = placesIn(saved)
  fc.assert(
    fc.property(fc.nat(places.length - 1), fc.nat(DAMAGES - 1), (place, damage) => {
      const copy = damaged(saved, places[place]!, damage)
      if (copy === undefined) return
      const other = restored(() => CallAssembler.restore(copy, new Host({ arguments: true, source: true })))
      if (other === null) return
      for (const index of [0, 1, 2, 3]) other.delta({ index, arguments: 'y"]}}"' })
      other.delta({ index: 2, id: 'c', name: 'ls', arguments: '}' })
      other.delta({ id: 'e', name: 'ls', arguments: { p: 1 } })
      other.endAll()
    }),
    { seed: SEED, numRuns: runs(20_000), endOnFailure: true },
  )
})

test('a snapshot that is refused says so', () => {
  const { machine, ...snapshot } = createParser().snapshot()
  const copy = damaged(machine, ['state'], 4) as JsonValue
  expect(() => restoreParser({ ...snapshot, machine: copy })).toThrow(
    "This snapshot is damaged: the field 'state' has a wrong value. Restore one that was kept as it was taken.",
  )
})
