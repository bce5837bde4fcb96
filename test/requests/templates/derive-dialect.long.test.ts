import { expect, test } from 'vitest'
import { deriveDialect, detectDialect, UnprovedDialectError } from '../../../src/requests/templates/index.ts'
import { chatTemplate, KNOWN, UNDERIVED } from './corpus.ts'
import { shownCalls } from './shown-calls.ts'
import { UNKNOWN_FORMATS } from './unknown-formats.ts'

test.each(UNKNOWN_FORMATS)('derives a dialect from a template with $name', ({ template, call, start }) => {
  expect(() => detectDialect(template)).toThrow(UnprovedDialectError)
  const found = deriveDialect(template)
  expect(shownCalls(found.dialect)).toBe(call)
  expect(found).toMatchObject({ start, origin: 'derived' })
})

const FILES = [...KNOWN.map(({ file }) => file), 'solar-open']
const REFUSED = UNDERIVED.map(([file]) => file)

test.each(FILES.filter((file) => !REFUSED.includes(file)))(
  'derives a dialect from the template %s, as if none were known',
  (file) => {
    const { probes, origin } = deriveDialect(chatTemplate(file))
    expect(origin).toBe('derived')
    const proved = probes.filter(({ problem }) => problem === undefined).map(({ name }) => name)
    expect(proved).toEqual(expect.arrayContaining(['text', 'one call', 'a call with a hard text']))
  },
)

test.each(UNDERIVED)('refuses to derive a dialect from the template %s', (file, problem) => {
  expect(() => deriveDialect(chatTemplate(file))).toThrow(problem)
})
