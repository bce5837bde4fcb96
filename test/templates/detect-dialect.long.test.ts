import { expect, test } from 'vitest'
import { detectDialect } from '../../src/templates/index.ts'
import { chatTemplate, KNOWN } from './corpus.ts'

test.each(KNOWN)('finds the dialect of the template $file', ({ file, dialect, start }) => {
  const found = detectDialect(chatTemplate(file))
  expect({ dialect: found.dialect.name, start: found.start }).toEqual({ dialect, start })
  expect(found.origin).toBe('detected')
  const proved = found.probes.filter(({ problem }) => problem === undefined).map(({ name }) => name)
  expect(proved).toEqual(expect.arrayContaining(['text', 'one call', 'a call with a hard text']))
})
