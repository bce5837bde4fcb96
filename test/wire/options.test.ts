/** Dialects and templates are checked when they are defined. */

import { describe, expect, it, test } from 'vitest'
import { hermes } from '../../src/dialects/hermes.ts'
import { SluiceError } from '../../src/errors.ts'
import { dialect, withReasoning } from '../../src/wire/checked-dialect.ts'
import type { DialectDefinition } from '../../src/wire/dialect.ts'
import {
  closer,
  each,
  extra,
  key,
  name,
  optional,
  type Template,
  text,
  value,
  wire,
  wrapper,
} from '../../src/wire/template.ts'
import { outline } from './outline.ts'

const call = wire`<c ${name}>`

function problem(make: () => unknown): { code: string; message: string } {
  try {
    make()
  } catch (error) {
    if (error instanceof SluiceError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('a dialect is rejected for', () => {
  test.each<[object, string]>([
    [{ neutralise: { '<': 1 } }, "'neutralise['<']' takes a string, not 1."],
    [{ neutralise: { '': '-' } }, "'neutralise' has an empty text to replace."],
  ])('%j', (options, message) => {
    expect(problem(() => dialect('mine', { call, ...options } as DialectDefinition))).toEqual({
      code: 'invalid-dialect',
      message: `In the dialect 'mine': ${message}`,
    })
  })

  test.each<[string, object, string]>([
    ['text', { drop: '<a>' }, '"<a>"'],
    ['a list where one is wanted', { result: [wire`<r>${text}</r>`] }, 'a list'],
    ['nothing', { reasoning: [null] }, 'null'],
  ])('%s instead of a template', (_, options, shown) => {
    const message = `The dialect 'mine' has ${shown} where a template is wanted; write wire\`…\`.`
    expect(problem(() => dialect('mine', { call, ...options } as DialectDefinition)).message).toBe(message)
  })

  it('reasoning of another model that is no template', () => {
    const { message } = problem(() => withReasoning(hermes, '<t>' as unknown as Template))
    expect(message).toBe('The dialect \'hermes\' has "<t>" where a template is wanted; write wire`…`.')
  })

  it('no option that is undefined', () => {
    const options = { untyped: undefined, drop: undefined, strayCloser: undefined }
    const mine = dialect('mine', { call, ...options } as unknown as DialectDefinition)
    expect(mine).toMatchObject({ untyped: 'string', drop: [], strayCloser: 'drop' })
  })
})

it('markup to drop or to ignore may be one template', () => {
  const mine = dialect('mine', { reasoning: wire`<t>${text}</t>`, drop: wire`<a>`, ignore: wire`<i>` })
  expect(outline('x<a>y<t>1<i>2</t>', { dialect: mine })).toEqual(['text xy', 'thought 12'])
})

it('what takes a template in backticks takes one in parentheses, too', () => {
  expect(wire('<', name, '>')).toEqual(wire`<${name}>`)
  expect(each(wire`[${key}=${value}]`)).toEqual(each`[${key}=${value}]`)
  expect(closer('</c>')).toEqual(closer`</c>`)
  expect(optional(name)).toEqual(optional`${name}`)
  expect(wrapper('<s>')).toEqual(wrapper`<s>`)
  expect(extra('<s>')).toEqual(extra`<s>`)
  expect(problem(() => closer(5 as unknown as string)).message).toContain('A template holds text')
})
