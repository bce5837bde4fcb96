/** The page at the end is the page of the finished message, for every dialect and provider and for every cut. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTerminalView, pageOf } from '../../src/apps/terminal/index.ts'
import type { SluiceEvent } from '../../src/base/event.ts'
import { foldEvents } from '../../src/engine/message.ts'
import { createSinkParser } from '../../src/engine/parser.ts'
import { findProvider } from '../../src/providers/any.ts'
import { createProviderParser } from '../../src/providers/provider-parser.ts'
import { runs, SEED } from '../effort.ts'
import { ENTRIES, type LawEntry, TOOLS } from './entries.ts'
import { messageArbitrary } from './messages.ts'
import { characters, inPieces } from './observe.ts'
import { PROVIDER_ENTRIES } from './providers.ts'
import { sampleTexts } from './suite.ts'

const VIEW = { colour: false, tools: TOOLS }

/** What a view shows of events at the end. */
function shown(events: readonly SluiceEvent[]): string {
  let page = ''
  const view = createTerminalView({
    ...VIEW,
    write: (text) => {
      page += text
    },
  })
  for (const event of events) view.add(event)
  view.end()
  return page
}

/**
 * A page that is only appended to differs for three reasons. Of a key that is there twice it has shown the first value, too.
 * A verdict of a parser that emits no arguments keeps nothing of a failed call but its source. And JavaScript puts keys that
 * are numbers first, so that a message does not say where they stood.
 */
const differs = (events: readonly SluiceEvent[], keepsInput: boolean): boolean =>
  events.some(
    (event) =>
      event.type === 'tool-call' &&
      (event.error?.code === 'duplicate-key' ||
        (event.error !== undefined && !keepsInput) ||
        Object.keys(event.input ?? {}).some((key) => /^\d+$/.test(key))),
  )

function eventsOf({ options }: LawEntry, chunks: readonly string[], emit: object): SluiceEvent[] {
  const events: SluiceEvent[] = []
  const parser = createSinkParser((event) => events.push(event), { ...options, emit })
  for (const chunk of chunks) parser.push(chunk)
  parser.end()
  return events
}

describe('the page at the end is that of the finished message', () => {
  test.each(ENTRIES)('in $name', (entry) => {
    for (const text of sampleTexts(entry, runs(40)))
      for (const chunks of [[text], characters(text), inPieces(text, 5)])
        for (const emit of [{ json: false, arguments: true }, {}]) {
          const events = eventsOf(entry, chunks, emit)
          if (!differs(events, 'arguments' in emit))
            expect(shown(events), text).toBe(pageOf(foldEvents(events), VIEW))
        }
  })

  test.each(PROVIDER_ENTRIES)('from $name', (entry) => {
    const hermes = ENTRIES.find(({ name }) => name === 'hermes')!
    for (const parts of fc.sample(messageArbitrary(hermes), { seed: SEED, numRuns: runs(40) })) {
      const events: SluiceEvent[] = []
      const provider = findProvider(entry.name.split(' ')[0]!)
      const parser = createProviderParser((event) => events.push(event), {
        provider,
        emit: { json: false, arguments: true },
      })
      for (const chunk of entry.write(parts)) parser.push(chunk)
      parser.end()
      if (!differs(events, true)) expect(shown(events)).toBe(pageOf(foldEvents(events), VIEW))
    }
  })
})
