import { expect, test } from 'vitest'
import { dialectsPage } from './dialect-page.ts'

test('docs/dialects.md is what `npm run docs` writes', async () => {
  await expect(dialectsPage()).toMatchFileSnapshot('../../docs/dialects.md')
})
