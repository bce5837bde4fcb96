import { expect, test } from 'vitest'
import { modelsPage } from '../../scripts/models-page.ts'

test('docs/models.md is what `npm run docs` writes', async () => {
  await expect(modelsPage()).toMatchFileSnapshot('../../docs/models.md')
})
