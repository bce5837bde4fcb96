/**
 * Law 17: a message is true at every moment. After each event its parts are prefixes of what they become, no message
 * that was handed out changes, what an event does not touch is the same object, and the last message is what `parse`
 * gives.
 */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue, SluiceEvent } from '../../src/base/event.ts'
import type { Part } from '../../src/base/part.ts'
import { foldEvents, type Message, MessageFold, parse } from '../../src/engine/message.ts'
import { createParser, type EmitOptions } from '../../src/engine/parser.ts'
import { render } from '../../src/engine/render.ts'
import { findProvider } from '../../src/providers/any.ts'
import { createProviderParser } from '../../src/providers/provider-parser.ts'
import { runs, SEED, sampleOf } from '../effort.ts'
import { ENTRIES } from './entries.ts'
import { messageArbitrary } from './messages.ts'
import { inPieces } from './observe.ts'
import { PROVIDER_ENTRIES } from './providers.ts'
import { sampleTexts, written } from './suite.ts'

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Freezes a value and all that it holds, so that changing it throws. */
function freeze(value: unknown): void {
  if (!isContainer(value) || Object.isFrozen(value)) return
  Object.freeze(value)
  Object.values(value).forEach(freeze)
}

/** Whether `final` can be `value` grown on: only what was added last may have become longer. */
function isPrefix(value: JsonValue, final: JsonValue): boolean {
  if (typeof value === 'string') return typeof final === 'string' && final.startsWith(value)
  if (!isContainer(value) || !isContainer(final)) return value === final
  if (Array.isArray(value) !== Array.isArray(final)) return false
  const grown = Object.entries(value).filter(([key, inner]) => !isEqual(inner, final[key]))
  return (
    grown.length <= 1 &&
    grown.every(
      ([key, inner]) => Object.hasOwn(final, key) && isPrefix(inner as JsonValue, final[key] as JsonValue),
    )
  )
}

/** What is equal in two values, and still not the same object. */
function copied(before: unknown, after: unknown, place = ''): string[] {
  if (!isContainer(before) || !isContainer(after) || before === after) return []
  if (isEqual(before, after)) return [place]
  return Object.keys(before).flatMap((key) => copied(before[key], after[key], `${place}/${key}`))
}

const textOf = (part: Part): string =>
  part.type === 'result' ? part.content : 'text' in part ? part.text : ''

function hold(events: readonly SluiceEvent[]): Message {
  const fold = new MessageFold()
  const seen: Message[] = []
  for (const event of events) {
    fold.add(event)
    const message = fold.message()
    freeze(message)
    const before = seen.at(-1)
    // A verdict has an input of its own, and the end of the response ends whatever is open.
    if (before !== undefined && event.type !== 'tool-call') {
      expect(copied(before, message)).toEqual([])
      const changed = before.parts.filter((part, index) => part !== message.parts[index])
      if (event.type !== 'finish') expect(changed.length).toBeLessThanOrEqual(1)
    }
    seen.push(message)
  }
  const last = fold.message()
  for (const message of seen)
    for (const [index, part] of message.parts.entries()) {
      const final = last.parts[index]!
      expect(final.type).toBe(part.type)
      expect(textOf(final).startsWith(textOf(part))).toBe(true)
      if (part.type !== 'call' || final.type !== 'call' || part.input === null) continue
      // The input of a call that is invalid is what was certain of it in the end, and may be less.
      if (final.status === 'invalid') continue
      if (!isPrefix(part.input, final.input)) expect(part.input, 'is no prefix').toEqual(final.input)
    }
  expect(last.parts.filter((part) => part.type !== 'custom' && part.state !== undefined)).toEqual([])
  expect(last).toEqual(foldEvents(events))
  return last
}

/** An id that the wire did not have is in it once the part was written, and moves what follows. */
function withoutPlace(part: Part): object {
  if (part.type !== 'call') return part
  const { id: _id, wireId: _wireId, span: _span, ...rest } = part
  return rest
}

const EMITTED: readonly [string, EmitOptions][] = [
  ['JSON text', {}],
  ['arguments', { json: false, arguments: true }],
  ['both', { arguments: true }],
]

describe.each(sampleOf(ENTRIES, 4, 9))('17. $name', (entry) => {
  test.each(EMITTED)('holds with %s', (_, emit) => {
    const options = { ...entry.options, emit }
    for (const text of sampleTexts(entry, runs(20))) {
      const parser = createParser(options)
      const events = [...inPieces(text, 3).flatMap((piece) => parser.push(piece)), ...parser.end()]
      expect(hold(events), text).toEqual(parse(text, options))
    }
  })

  test('gives parts that render takes', () => {
    const { dialect, options } = entry
    for (const parts of fc.sample(messageArbitrary(entry), { seed: SEED, numRuns: runs(40) })) {
      const text = written(entry, parts)
      if (text === undefined) continue
      const given = parse(text, options).parts
      const again = parse(render(given, { dialect, tools: options.tools! }), options).parts
      expect(again.map(withoutPlace), text).toEqual(given.map(withoutPlace))
    }
  })
})

const HERMES = ENTRIES.find(({ name }) => name === 'hermes')!

describe.each(PROVIDER_ENTRIES)('17. $name', (entry) => {
  test.each(EMITTED)('holds with %s', (_, emit) => {
    fc.assert(
      fc.property(messageArbitrary(HERMES), (parts) => {
        const events: SluiceEvent[] = []
        const provider = findProvider(entry.name.split(' ')[0]!)
        const parser = createProviderParser((event) => events.push(event), { provider, emit })
        for (const chunk of entry.write(parts)) parser.push(chunk)
        parser.end()
        hold(events)
      }),
      { seed: SEED, numRuns: runs(60) },
    )
  })
})
