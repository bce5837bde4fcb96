import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { WORDS } from '../../../src/apps/cli/command-words.ts'

const SOURCE = new URL('../../../src/', import.meta.url)
const TABLE = 'apps/cli/command-words.ts'

/** All modules of the library, as text. */
const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && file !== TABLE)
  .map((file) => readFileSync(new URL(file, SOURCE), 'utf8'))

test.each(WORDS.map(([library]) => library))('the library says: %s', (words) => {
  expect(sources.filter((source) => source.includes(words))).not.toEqual([])
})
