import { expect, test } from 'vitest'
import type { SluiceEvent } from '../../src/base/event.ts'
import { allWriters, findProvider } from '../../src/providers/any.ts'
import { createProviderParser } from '../../src/providers/provider-parser.ts'
import { createWriter } from '../../src/providers/write-provider.ts'
import { growthOf, MOST_GROWTH } from '../growth.ts'
import { growingEvents, PROVIDER_ENTRIES } from './providers.ts'

const DELTAS = 25_000

const growing = PROVIDER_ENTRIES.filter((entry) => entry.growing !== undefined)

function read(name: string, chunks: readonly (Uint8Array | object)[]): SluiceEvent | undefined {
  let call: SluiceEvent | undefined
  const parser = createProviderParser(
    (event) => {
      if (event.type === 'tool-call') call = event
    },
    { provider: findProvider(name.split(' ')[0]!) },
  )
  for (const chunk of chunks) parser.push(chunk)
  parser.end()
  return call
}

test.each(growing)('9. $name takes work in proportion to the deltas', async ({ name, growing }) => {
  const growth = await growthOf((length) => {
    expect(read(name, growing!(length))).toMatchObject({ status: 'complete' })
  }, DELTAS)
  expect(growth).toBeLessThan(MOST_GROWTH)
})

test('9. bytes take work in proportion to their number', async () => {
  const [entry] = growing
  const growth = await growthOf((length) => {
    const text = entry!.growing!(length).map((payload) => `data: ${JSON.stringify(payload)}\n\n`)
    read(
      entry!.name,
      text.map((one) => new TextEncoder().encode(one)),
    )
  }, DELTAS)
  expect(growth).toBeLessThan(MOST_GROWTH)
})

test.each(allWriters)('9. writing $name takes work in proportion to the deltas', async (format) => {
  const growth = await growthOf((length) => {
    const writer = createWriter(format)
    let written = 0
    for (const event of growingEvents(length)) written += writer.add(event).length
    expect(written).toBeGreaterThan(length)
  }, DELTAS)
  expect(growth).toBeLessThan(MOST_GROWTH)
})
