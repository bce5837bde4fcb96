import { expect, test } from 'vitest'
import { parse } from '../../../src/engine/message.ts'
import { detectDialect } from '../../../src/requests/templates/index.ts'
import { chatTemplate, KNOWN } from './corpus.ts'

test.each(KNOWN)('finds the dialect of the template $file', ({ file, dialect, reasoning, starts }) => {
  const template = chatTemplate(file)
  const found = detectDialect(template)
  expect(found.dialect.name).toBe(dialect)
  // A template that does not ask whether reasoning is switched on is the same either way.
  const startWith = (thinking: boolean) =>
    template.includes('thinking') ? detectDialect(template, { thinking }).start : found.start
  expect([found.start, startWith(true), startWith(false)]).toEqual(starts)
  if (reasoning !== '') {
    const [open, close] = reasoning.split('…')
    const read = (text: string, start: 'text' | 'reasoning') => parse(text, { dialect: found.dialect, start })
    expect(read(`${open}Hm.${close}`, 'text')).toMatchObject({ reasoning: 'Hm.', text: '' })
    expect(read(`Hm.${close}`, 'reasoning')).toMatchObject({ reasoning: 'Hm.', text: '' })
  }
  expect(found.origin).toBe('detected')
  const proved = found.probes.filter(({ problem }) => problem === undefined).map(({ name }) => name)
  expect(proved).toEqual(expect.arrayContaining(['text', 'one call', 'a call with a hard text']))
})
