import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { resolveLimits } from '../../../src/base/limits.ts'
import { CallAssembler } from '../../../src/engine/calls/assembler.ts'
import type { CallSettings } from '../../../src/engine/calls/call.ts'
import { runs, SEED } from '../../effort.ts'
import { Host } from './host.ts'

/** Strings of every kind of character that means something in JSON, and long enough to be read in runs. */
const strings = fc.string({
  unit: fc.constantFrom(...'abcdefgh ', '"', '\\', '\n', '\u0001', 'é', '😀', '\u2028', '{', '}'),
  maxLength: 80,
})
const inputs = fc.dictionary(fc.constantFrom('path', 'content', 'a"b'), fc.oneof(strings, fc.array(strings)))

/** The JSON text of an input as providers write it: whole, escaped throughout, cut off, or with a character too many. */
const texts = fc
  .tuple(inputs, fc.constantFrom('whole', 'escaped', 'cut', 'broken'), fc.nat(), fc.constantFrom(...'"\\x}'))
  .map(([input, how, at, odd]) => {
    const json = JSON.stringify(input)
    const place = 2 + (at % Math.max(1, json.length - 2))
    if (how === 'cut') return json.slice(0, place)
    if (how === 'broken') return json.slice(0, place) + odd + json.slice(place)
    return how === 'whole'
      ? json
      : json.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
  })

/** Lengths of the pieces, over and over. */
const cuts = fc.array(fc.integer({ min: 1, max: 17 }), { minLength: 1, maxLength: 5 })

function piecesOf(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += lengths[(pieces.length - 1) % lengths.length]!)
    pieces.push(text.slice(at, at + lengths[pieces.length % lengths.length]!))
  return pieces
}

/** What was said of each call, by the kind of telling; deltas that follow each other are one. */
function joined(events: readonly SluiceEvent[]): Map<string, object[]> {
  const said = new Map<string, object[]>()
  for (const event of events) {
    if (!('id' in event)) continue
    const kind = event.type.startsWith('argument') ? 'argument' : 'delta' in event ? event.type : 'call'
    const list = said.get(`${event.id} ${kind}`) ?? []
    said.set(`${event.id} ${kind}`, list)
    const last = list.at(-1)
    if (last !== undefined && 'delta' in last && 'delta' in event) last.delta += event.delta
    else list.push({ ...event })
  }
  return said
}

/** Two calls, of which one gets its arguments in these pieces; a snapshot is taken after every so many deltas. */
function told(pieces: readonly string[], settings: Partial<CallSettings>, every = Number.POSITIVE_INFINITY) {
  const host = new Host(settings)
  let calls = new CallAssembler(host)
  const deltas = [
    { index: 0, id: 'a', name: 'write' },
    { index: 1, id: 'b', name: 'write', arguments: '{"path": "other' },
    ...pieces.map((piece) => ({ index: 0, arguments: piece })),
    { index: 1, arguments: ' file"}' },
  ]
  for (const [index, delta] of deltas.entries()) {
    calls.delta(delta)
    if ((index + 1) % every === 0)
      calls = CallAssembler.restore(JSON.parse(JSON.stringify(calls.save())), host)
  }
  calls.endAll()
  return joined(host.events)
}

describe('the arguments of a provider’s call are the same in any pieces', () => {
  test.each<[what: string, settings: Partial<CallSettings>]>([
    ['as JSON text', {}],
    ['as JSON text of which nothing is kept', { input: false }],
    ['one by one', { json: false, arguments: true }],
    ['in every way at once', { arguments: true, source: true, raw: true }],
    ['up to a limit', { limits: resolveLimits({ call: 40 }) }],
  ])('%s', (_, settings) => {
    fc.assert(
      fc.property(texts, cuts, fc.integer({ min: 1, max: 9 }), (text, lengths, every) => {
        const whole = told([text], settings)
        const pieces = piecesOf(text, lengths)
        expect(told(pieces, settings)).toEqual(whole)
        expect(told(pieces, settings, every)).toEqual(whole)
      }),
      { seed: SEED, numRuns: runs(150) },
    )
  })
})
