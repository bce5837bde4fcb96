/** What is on a terminal at the end is the page of the finished message, for every dialect, provider, cut and timing. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTerminal, pageOf } from '../../src/apps/terminal/index.ts'
import type { SluiceEvent } from '../../src/base/event.ts'
import { foldEvents } from '../../src/engine/message.ts'
import { createSinkParser } from '../../src/engine/parser.ts'
import { findProvider } from '../../src/providers/any.ts'
import { createProviderParser } from '../../src/providers/provider-parser.ts'
import { ManualClock } from '../apps/terminal/clocks.ts'
import { Emulator } from '../apps/terminal/emulator.ts'
import { runs, SEED, sampleOf } from '../effort.ts'
import { ENTRIES, TOOLS } from './entries.ts'
import { messageArbitrary } from './messages.ts'
import { characters } from './observe.ts'
import { PROVIDER_ENTRIES } from './providers.ts'
import { sampleTexts } from './suite.ts'

/** How tabs and the ends of lines come out is the terminal's business. */
const lined = (page: string): string =>
  page
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trimEnd())
    .join('\n')
    .trimEnd()

/** Shows what a parser makes of these chunks, with pauses between them that are different each time. */
async function shown<Chunk>(
  chunks: readonly Chunk[],
  open: (add: (event: SluiceEvent) => void) => { push(chunk: Chunk): void; end(): void },
  pause: number,
): Promise<{ screen: string; page: string }> {
  // So wide that nothing is wrapped: how rows are wrapped has tests of its own.
  const emulator = new Emulator(600, 30)
  const clock = new ManualClock()
  const output = emulator.output()
  const terminal = createTerminal({ stdout: output, stderr: output, clock, tools: TOOLS })
  const events: SluiceEvent[] = []
  const parser = open((event) => {
    events.push(event)
    terminal.add(event)
  })
  for (const [index, chunk] of chunks.entries()) {
    parser.push(chunk)
    await clock.advance(((index + 1) * pause * 7919) % 90)
  }
  parser.end()
  terminal.end()
  const screen = (await emulator.lines()).join('\n')
  emulator.terminal.dispose()
  const page = pageOf(foldEvents(events), { colour: false, tools: TOOLS })
  return { screen: lined(screen), page: lined(page) }
}

describe('the screen at the end is the page of the finished message', () => {
  test.each(sampleOf(ENTRIES, 2, 9))('in $name', async ({ name, options }) => {
    const entry = ENTRIES.find((one) => one.name === name)!
    for (const [index, text] of sampleTexts(entry, runs(8)).entries()) {
      const { screen, page } = await shown(
        characters(text),
        (add) => createSinkParser(add, { ...options, emit: { json: false, arguments: true } }),
        index + 1,
      )
      expect(screen, text).toBe(page)
    }
  })

  test.each(PROVIDER_ENTRIES)('from $name', async (entry) => {
    const hermes = ENTRIES.find(({ name }) => name === 'hermes')!
    const provider = findProvider(entry.name.split(' ')[0]!)
    for (const parts of fc.sample(messageArbitrary(hermes), { seed: SEED, numRuns: runs(8) })) {
      const { screen, page } = await shown(
        entry.write(parts),
        (add) => createProviderParser(add, { provider, emit: { json: false, arguments: true } }),
        parts.length,
      )
      expect(screen).toBe(page)
    }
  })
})
