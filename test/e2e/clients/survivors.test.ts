/**
 * Every provider's stream, written in every format and assembled by every client of it: no client fails, and what is lost
 * on the way is what the documentation says. `npm run prove -- clients` writes that table.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../../src/event.ts'
import { findProvider, findWriter } from '../../../src/providers/any.ts'
import { createProviderParser } from '../../../src/providers/provider-parser.ts'
import { createWriter } from '../../../src/providers/write-provider.ts'
import { LocalServer } from './server.ts'
import { marksIn, marksOf, READINGS, type Reading, STREAMS } from './survivors.ts'

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

/** What a client lacks of what the events have. */
async function lost(provider: string, { format, message }: Reading): Promise<string> {
  const events = eventsOf(provider)
  const writer = createWriter(findWriter(format), { id: 'r1', model: 'm', created: 1_700_000_000 })
  const body = events.map((event) => writer.add(event)).join('')
  const got = marksIn(await message(server.serve({ body, type: writer.contentType })))
  const missing = marksOf(events).filter((mark) => !got.includes(mark))
  return missing.length === 0 ? 'all' : `no ${missing.join(', ')}`
}

const providers = Object.keys(STREAMS)
/** Without the whole table, each provider is read by a few of the clients. */
const pairs = providers.flatMap((provider, row) =>
  READINGS.filter((_, column) => isWhole || (row + column) % 3 === 0).map((reading) => ({
    provider,
    reading,
  })),
)

const page = readFileSync(PAGE, 'utf8')
const cells = new Map<string, string>()
const keyOf = (provider: string, { format, client }: Reading): string => `${provider} ${format} ${client}`

describe('what survives', () => {
  test.each(pairs)('of $provider as $reading.format at $reading.client', async ({ provider, reading }) => {
    const cell = await lost(provider, reading)
    cells.set(keyOf(provider, reading), cell)
    // What every format has a place for always arrives.
    expect(cell).not.toMatch(/\b(text|call)\b/)
    if (!isWhole) expect(documented(provider, reading)).toBe(cell)
  })

  test.skipIf(!isWhole)('is written down', () => {
    writeFileSync(PAGE, `${page.split(BEGIN)[0]}${BEGIN}\n${tables()}\n${END}${page.split(END)[1]}`)
  })
})

/** A table for each format: a row for each provider, a column for each client. */
function tables(): string {
  const formats = [...new Set(READINGS.map(({ format }) => format))]
  const tableOf = (format: string): string => {
    const readings = READINGS.filter((reading) => reading.format === format)
    const rows = providers.map((provider) => [
      `\`${provider}\``,
      ...readings.map((reading) => cells.get(keyOf(provider, reading)) ?? ''),
    ])
    const head = [`written as \`${format}\``, ...readings.map(({ client }) => `\`${client}\``)]
    const line = (row: readonly string[]): string => `| ${row.join(' | ')} |\n`
    return line(head) + line(head.map(() => '---')) + rows.map(line).join('')
  }
  return formats.map(tableOf).join('\n')
}

function documented(provider: string, { format, client }: Reading): string | undefined {
  const lines = (page.split(BEGIN)[1]?.split(END)[0] ?? '').split('\n')
  const columns = (line: string | undefined): string[] =>
    line?.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')) ?? []
  const top = lines.findIndex((line) => line.startsWith(`| written as \`${format}\``))
  const row = lines.slice(top).find((line) => line.startsWith(`| \`${provider}\` `))
  return columns(row)[columns(lines[top]).indexOf(`\`${client}\``)]
}
