import { closer, dialect, each, key, name, value, wire } from 'sluice/dialects'
import { expect, test } from 'vitest'
import { dialectsPage, exampleOf } from '../../scripts/dialects-page.ts'

test('docs/dialects.md is what `npm run docs` writes', async () => {
  await expect(dialectsPage()).toMatchFileSnapshot('../../docs/dialects.md')
})

test('a dialect whose values end with their line has an example, too', () => {
  const lines = dialect('lines', {
    call: wire`@@call ${name}${'\n'}${each`- ${key}: ${value}${'\n'}`}${closer`@@done`}`,
    untyped: 'json',
  })
  expect(exampleOf(lines)).toBe(
    'Let me look.\n@@call get_weather\n- city: Paris\n- days: 2\n@@done\n' +
      '@@call write_file\n- path: note.md\n- content: # Paris\n@@done',
  )
})
