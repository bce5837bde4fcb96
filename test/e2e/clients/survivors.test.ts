/**
 * Every provider's stream, written in every format and assembled by every client of it: no client fails, and what is lost
 * on the way is what the documentation says. `npm run prove -- clients` writes that table.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { allProviders, allWriters, findProvider, findWriter } from '../../../src/providers/any.ts'
import { createProviderParser } from '../../../src/providers/provider-parser.ts'
import { createWriter } from '../../../src/providers/write-provider.ts'
import { READERS, type Reader } from './readers.ts'
import { LocalServer } from './server.ts'
import { marksIn, marksOf, STREAMS } from './survivors.ts'

const isWhole = process.env.SLUICE_MATRIX === 'write'
const PAGE = new URL('../../../docs/providers.md', import.meta.url)
const [BEGIN, END] = ['<!-- what survives: begin -->\n', '<!-- what survives: end -->']

let server: LocalServer
beforeAll(async () => {
  server = await LocalServer.open()
})
afterAll(() => server.close())

function eventsOf(provider: string): SluiceEvent[] {
  const events: SluiceEvent[] = []
  const parser = createProviderParser((event) => events.push(event), {
    provider: findProvider(provider.split(' ')[0]!),
  })
  for (const payload of STREAMS[provider]!) parser.push(payload)
  parser.end()
  return events
}

/** An agent sends it that runs all calls itself, and not every format has a place for such. */
const isRunByAgent = (provider: string): boolean =>
  eventsOf(provider).every((event) => event.type !== 'tool-call' || event.providerExecuted === true)

/** What a client lacks of what the events have. */
async function lost(provider: string, { format, client }: Reader): Promise<string> {
  const events = eventsOf(provider)
  const writer = createWriter(findWriter(format), { id: 'r1', model: 'm', created: 1_700_000_000 })
  const body = events.map((event) => writer.add(event)).join('')
  const got = marksIn(await client.message(server.serve({ body, type: writer.contentType })))
  const missing = marksOf(events).filter((mark) => !got.includes(mark))
  return missing.length === 0 ? 'all' : `no ${missing.join(', ')}`
}

const providers = Object.keys(STREAMS)

test('every provider and every writer is in the table', () => {
  const names = new Set(providers.map((provider) => provider.split(' ')[0]))
  expect(names).toEqual(new Set(allProviders.map(({ name }) => name)))
  expect(new Set(READERS.map(({ format }) => format))).toEqual(new Set(allWriters.map(({ name }) => name)))
})

/** Without the whole table, each provider is read by a few of the clients. */
const pairs = providers.flatMap((provider, row) =>
  READERS.filter((_, column) => isWhole || (row + column) % 3 === 0).map((reader) => ({
    provider,
    reader,
  })),
)

const page = readFileSync(PAGE, 'utf8')
const cells = new Map<string, string>()
const keyOf = (provider: string, { format, client }: Reader): string => `${provider} ${format} ${client.name}`

describe('what survives', () => {
  test.each(pairs)('of $provider as $reader.format at $reader.client.name', async ({ provider, reader }) => {
    const cell = await lost(provider, reader)
    cells.set(keyOf(provider, reader), cell)
    // What every format has a place for always arrives: text, and the calls that the application is to run.
    expect(cell).not.toMatch(isRunByAgent(provider) ? /\btext\b/ : /\b(text|call)\b/)
    if (!isWhole) expect(documented(provider, reader)).toBe(cell)
  })

  test.skipIf(!isWhole)('is written down', () => {
    writeFileSync(PAGE, `${page.split(BEGIN)[0]}${BEGIN}\n${tables()}\n${END}${page.split(END)[1]}`)
  })
})

/** A table for each format: a column for each client, a row for the providers that lose the same. */
function tables(): string {
  const formats = [...new Set(READERS.map(({ format }) => format))]
  const tableOf = (format: string): string => {
    const readers = READERS.filter((reader) => reader.format === format)
    const rows = new Map<string, string[]>()
    for (const provider of providers) {
      const row = readers.map((reader) => cells.get(keyOf(provider, reader)) ?? '').join(' | ')
      rows.set(row, [...(rows.get(row) ?? []), `\`${provider}\``])
    }
    const head = [`written as \`${format}\``, ...readers.map(({ client }) => `\`${client.name}\``)]
    const line = (row: readonly string[]): string => `| ${row.join(' | ')} |\n`
    const body = [...rows].map(([row, names]) => line([names.join(', '), row]))
    return line(head) + line(head.map(() => '---')) + body.join('')
  }
  return formats.map(tableOf).join('\n')
}

function documented(provider: string, { format, client }: Reader): string | undefined {
  const lines = (page.split(BEGIN)[1]?.split(END)[0] ?? '').split('\n')
  const columns = (line: string | undefined): string[] =>
    line?.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')) ?? []
  const top = lines.findIndex((line) => line.startsWith(`| written as \`${format}\``))
  const row = lines.slice(top + 1).find((line) => columns(line)[0]?.split(', ').includes(`\`${provider}\``))
  return columns(row)[columns(lines[top]).indexOf(`\`${client.name}\``)]
}
