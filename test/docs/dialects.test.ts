import { expect, test } from 'vitest'
import { dialectsPage } from './dialect-page.ts'

// `npm run docs` writes the file anew.
test('docs/dialects.md says what the dialects are', async () => {
  await expect(dialectsPage()).toMatchFileSnapshot('../../docs/dialects.md')
})
