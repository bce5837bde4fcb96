/**
 * Written is read: each recorded stream, in each format, is assembled by each client of it to what was recorded. A
 * sample here; `npm run prove -- clients` takes all of them.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { READERS } from './readers.ts'
import { RECORDINGS } from './recorded.ts'
import { LocalServer } from './server.ts'
import { checkWritten } from './written-is-read.ts'

const isWhole = process.env.SLUICE_MATRIX === 'write'

let server: LocalServer
beforeAll(async () => {
  server = await LocalServer.open()
})
afterAll(() => server.close())

const pairs = RECORDINGS.flatMap((recording, row) =>
  READERS.filter((_, column) => isWhole || (row + column) % 5 === 0).map((reader) => ({ recording, reader })),
)

describe('recorded streams', () => {
  test.each(pairs)(
    '$recording.name as $reader.format at $reader.client.name',
    async ({ recording, reader }) => {
      const { said, meant } = await checkWritten(recording.events(), reader, server)
      expect(said).toEqual(meant)
    },
  )
})
