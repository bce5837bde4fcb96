import { createSpeaker } from 'sluice/blocks'
import { expect, test } from 'vitest'
import { growthOf, MOST_GROWTH } from '../../../../growth.ts'

const HOSTILE = ['. ', '...', '`', '[', '\n', ' ', '" ', 'a', '。', '```', '- ', '1.', 'ส ', '\n    ', '!"']

test.each(HOSTILE)('%j again and again takes work in proportion to its length', async (scrap) => {
  const growth = await growthOf((size) => {
    const speaker = createSpeaker(() => {}, { links: 'skip', unit: 'clause' })
    const text = scrap.repeat(size / scrap.length)
    for (const delta of text.split('')) speaker.add({ type: 'text-delta', id: 't', delta })
    speaker.end()
  }, 16_000)
  expect(growth).toBeLessThan(MOST_GROWTH)
})
