/** Dialects and templates are checked when they are defined. */

import { describe, expect, it, test } from 'vitest'
import { SluiceError } from '../../../src/base/errors.ts'
import { hermes } from '../../../src/dialects/hermes.ts'
import { dialect, withReasoning } from '../../../src/engine/wire/checked-dialect.ts'
import type { DialectDefinition } from '../../../src/engine/wire/dialect.ts'
import {
  closer,
  each,
  extra,
  key,
  name,
  optional,
  space,
  type Template,
  text,
  value,
  wire,
  wrapper,
} from '../../../src/engine/wire/template.ts'
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
    [{ neutralise: { '': '-' } }, "'neutralise' cannot replace the empty string."],
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
    ['a word', { guessedCall: 'text' }, '"text"'],
  ])('%s instead of a template', (_, options, shown) => {
    const message = `The dialect 'mine' has ${shown} instead of a template; write wire\`…\`.`
    expect(problem(() => dialect('mine', { call, ...options } as DialectDefinition)).message).toBe(message)
  })

  test.each(['endOfTurn', 'tokens', 'reservedNames', 'aliases'])('no word in %s that is none', (option) => {
    const define = (word: unknown) => () => dialect('mine', { call, [option]: [word] } as DialectDefinition)
    const message = `In the dialect 'mine': '${option}' takes strings of at least one character, not `
    expect(problem(define(3)).message).toBe(`${message}3.`)
    expect(problem(define('')).message).toBe(`${message}"".`)
  })

  const named = wire`<a>${name}</a>`
  const written = wire`<a>${text}</a>`
  const dropped = 'markup without meaning (`drop`, `emptyCall`, `ignore`, `endOfTurn`)'
  test.each<[string, DialectDefinition, string]>([
    ['a call and reasoning', { call: named, reasoning: written }, 'a call and reasoning'],
    ['a call and a result', { call: named, result: written }, 'a call and a result'],
    ['reasoning and a result', { reasoning: written, result: written }, 'reasoning and a result'],
    ['a call and a marker to drop', { call: named, drop: wire`<a>` }, `a call and ${dropped}`],
    ['a call and the same markup to drop', { call: named, drop: named }, `a call and ${dropped}`],
    [
      'reasoning and a token to ignore',
      { reasoning: written, ignore: wire`<a>` },
      `reasoning and ${dropped}`,
    ],
    ['a call and the end of the turn', { call: named, endOfTurn: ['<a>'] }, `a call and ${dropped}`],
  ])('%s that begin with the same marker', (_, definition, both) => {
    expect(problem(() => dialect('mine', definition))).toEqual({
      code: 'invalid-dialect',
      message: `In the dialect 'mine', ${both} both begin with "<a>", and the text after it does not tell them apart; one of them must begin differently.`,
    })
  })

  it('reasoning of another model that begins like a call', () => {
    const { code, message } = problem(() => withReasoning(dialect('mine', { call: named }), written))
    expect([code, message.includes('"<a>"')]).toEqual(['invalid-dialect', true])
  })

  test.each([[''], [' ']])('the name %j', (nothing) => {
    expect(problem(() => dialect(nothing, {}))).toEqual({
      code: 'invalid-dialect',
      message: 'A dialect needs a name; this one is empty.',
    })
  })

  it('no marker of two kinds behind which something tells them apart', () => {
    const mine = dialect('mine', {
      call: wire`<a>${space}<n>${name}</n></a>`,
      result: wire`<a>${space}<r>${text}</r></a>`,
      drop: wire`<a>${space}</a>`,
    })
    const response = '<a><n>ls</n></a>x<a><r>ok</r></a>y<a></a>z'
    expect(outline(response, { dialect: mine })).toEqual([
      'call ls {}',
      'text x',
      'result result-3 ok',
      'text yz',
    ])
  })

  it('reasoning of another model that is no template', () => {
    const { message } = problem(() => withReasoning(hermes, '<t>' as unknown as Template))
    expect(message).toBe('The dialect \'hermes\' has "<t>" instead of a template; write wire`…`.')
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
  expect(problem(() => closer(5 as unknown as string)).message).toContain('A template takes strings')
})
