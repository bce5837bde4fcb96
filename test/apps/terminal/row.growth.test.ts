import { expect, test } from 'vitest'
import { type Row, type Span, span, wrapRow } from '../../../src/apps/terminal/row.ts'
import { growthOf, MOST_GROWTH } from '../../growth.ts'

const COLUMNS = 80
const WORDS = 64_000

/** One long line in many colours. */
const coloured = (words: number): readonly Span[] =>
  Array.from({ length: words }, (_, index) => span('ab, ', index % 2 === 0 ? 'plain' : 'green'))

const rows: readonly (readonly [string, (words: number) => Row])[] = [
  ['code', (words) => ({ gutter: span('│ '), spans: coloured(words) })],
  ['prose', (words) => ({ gutter: span(''), isProse: true, spans: coloured(words) })],
  [
    'prose without spaces',
    (words) => ({ gutter: span(''), isProse: true, spans: [span('abcd'.repeat(words))] }),
  ],
]

test.each(rows)('9. a long line of %s is wrapped with work in proportion to its length', async (_, rowOf) => {
  const growth = await growthOf((words) => {
    expect(wrapRow(rowOf(words), COLUMNS).length).toBeGreaterThan(words / 25)
  }, WORDS)
  expect(growth).toBeLessThan(MOST_GROWTH)
})
