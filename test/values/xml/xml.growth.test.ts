import { readElements, readValue } from 'sluice/xml'
import { describe, expect, test } from 'vitest'
import { growthOf, MOST_GROWTH } from '../../growth.ts'

test('a list of rows takes work in proportion to their number', async () => {
  const row = '<item><id>1</id><name>x &amp; y</name></item>'
  const growth = await growthOf((rows) => readValue(`<rows>${row.repeat(rows)}</rows>`), 4000)
  expect(growth).toBeLessThan(MOST_GROWTH)
})

const HOSTILE: readonly [what: string, xml: (count: number) => string][] = [
  ['openers alone', (count) => '<a>'.repeat(count)],
  ['closers alone', (count) => '</a>'.repeat(count)],
  ['openers and closers of other names', (count) => '<a>'.repeat(count) + '</b>'.repeat(count)],
  ['openers whose closers are all at the end', (count) => '<a><b>'.repeat(count) + '</b>'.repeat(count)],
  ['unfinished tags', (count) => '<a b="'.repeat(count)],
  ['unfinished tags in both quotes', (count) => `<a b="${"<a b='".repeat(count)}`],
  ['unfinished tags with spaces', (count) => '<a '.repeat(count)],
  ['unfinished comments', (count) => '<!--'.repeat(count)],
  ['unfinished CDATA', (count) => '<![CDATA['.repeat(count)],
  ['unfinished declarations', (count) => '<?'.repeat(count)],
  [
    'a different name each time',
    (count) => Array.from({ length: count }, (_, index) => `<n${index}>`).join(''),
  ],
  ['brackets', (count) => '<'.repeat(count)],
  ['closers without an end', (count) => '</ '.repeat(count)],
]

describe.each(HOSTILE)('%s', (_, xml) => {
  test.each([
    ['as elements', (text: string) => readElements(text)],
    ['as text', (text: string) => readElements(text, { isText: () => true })],
    ['as text inside an element', (text: string) => readElements(`<t>${text}</t>`, { isText: () => true })],
  ])('%s take work in proportion to their number', async (_, read) => {
    expect(await growthOf((count) => read(xml(count)), 20_000)).toBeLessThan(MOST_GROWTH)
  })
})
