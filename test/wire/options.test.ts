/** What a dialect is made with is looked at where it is given, not when the first text is read. */

import { describe, expect, it, test } from 'vitest'
import { hermes } from '../../src/dialects/hermes.ts'
import { SluiceError } from '../../src/errors.ts'
import { body } from '../../src/wire/body.ts'
import { dialect, withReasoning } from '../../src/wire/checked-dialect.ts'
import { object } from '../../src/wire/checked-object.ts'
import type { DialectDefinition } from '../../src/wire/dialect.ts'
import { elements } from '../../src/wire/elements.ts'
import type { ElementsOptions } from '../../src/wire/elements-syntax.ts'
import { header } from '../../src/wire/header.ts'
import { literalCall } from '../../src/wire/literal-call.ts'
import { tag } from '../../src/wire/tag.ts'
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

describe('an option of a dialect that cannot be is refused', () => {
  test.each<[object, string]>([
    [{ untyped: 'number' }, "'untyped' is 'string' or 'json', not \"number\"."],
    [{ strayCloser: 'keep' }, "'strayCloser' is 'drop' or 'text', not \"keep\"."],
    [{ ignoreCase: 'yes' }, '\'ignoreCase\' takes a boolean, not "yes".'],
    [{ knownToolsOnly: 1 }, "'knownToolsOnly' takes a boolean, not 1."],
    [{ callEndsReasoning: 'yes' }, '\'callEndsReasoning\' takes a boolean, not "yes".'],
    [{ dropEndsReasoning: null }, "'dropEndsReasoning' takes a boolean, not null."],
    [{ neutralise: '<' }, '\'neutralise\' takes an object, not "<".'],
    [{ neutralise: { '<': 1 } }, "'neutralise['<']' takes a string, not 1."],
    [{ neutralise: { '': '-' } }, "'neutralise' has an empty text to replace."],
    [{ aliases: 'other' }, '\'aliases\' takes a list, not "other".'],
    [{ example: 5 }, "'example' takes a string, not 5."],
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

  it('also other reasoning that is no template', () => {
    const { message } = problem(() => withReasoning(hermes, '<t>' as unknown as Template))
    expect(message).toBe('The dialect \'hermes\' has "<t>" where a template is wanted; write wire`…`.')
  })

  it('and one that is undefined is not given', () => {
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

describe('an option of a part that cannot be is refused', () => {
  const wrong = (options: object) => options as never
  const notation = { name: 'x', read: () => ({}), write: () => '' }

  test.each<[string, () => unknown, string]>([
    [
      'a header whose name is no list',
      () => header(wrong({ name: 'tool', arguments: 'a' })),
      '\'name\' takes a list, not "tool".',
    ],
    [
      'a header without a name',
      () => header(wrong({ arguments: 'a' })),
      "'name' takes a list, not undefined.",
    ],
    [
      'a header without arguments',
      () => header(wrong({ name: ['a'] })),
      "'arguments' takes a string, not undefined.",
    ],
    [
      'a header with another key',
      () => header(wrong({ nmae: ['a'] })),
      "There is no key of a header 'nmae'; there are name, arguments, others.",
    ],
    ['an object without keys', () => object(wrong({})), "'name' takes a list, not undefined."],
    [
      'an object of nothing',
      () => object(wrong(undefined as never)),
      "'keys' takes an object, not undefined.",
    ],
    [
      'an object without arguments',
      () => object(wrong({ name: ['a'] })),
      "'arguments' takes a list, not undefined.",
    ],
    [
      'an object whose keys are no lists',
      () => object(wrong({ name: 'name', arguments: 'arguments' })),
      '\'name\' takes a list, not "name".',
    ],
    [
      'an object with another key',
      () => object(wrong({ name: ['name'], args: ['args'] })),
      "There is no key of an object 'args'; there are name, arguments, id, within, ignore, needsArguments.",
    ],
    [
      'a separator of several characters',
      () => literalCall('x', { open: '(', close: ')', separator: '=>' }),
      '\'separator\' of a literal call is one character, not "=>".',
    ],
    [
      'brackets of several characters',
      () => literalCall('x', { open: '<<', close: '>>', separator: '=' }),
      '\'open\' of a literal call is one character, not "<<".',
    ],
    [
      'a literal call without a syntax',
      () => literalCall('x', wrong({})),
      "'open' of a literal call is one character, not undefined.",
    ],
    [
      'an option that a tag does not have',
      () => tag('c', {}, wrong({ other: 'arguments' })),
      "There is no option of a tag 'other'; there are others, optional, isError, brackets.",
    ],
    [
      'another use of attributes',
      () => tag('c', {}, wrong({ others: 'ignore' })),
      "'others' is 'arguments', not \"ignore\".",
    ],
    [
      'brackets that do not open',
      () => tag('c', {}, { brackets: wrong({ open: [], close: ']' }) }),
      "'brackets' are what opens a tag, in all its spellings, and what closes it; write { open: ['['], close: ']' }.",
    ],
    [
      'brackets that do not close',
      () => tag('c', {}, { brackets: { open: ['['], close: '' } }),
      "'brackets' are what opens a tag, in all its spellings, and what closes it; write { open: ['['], close: ']' }.",
    ],
    [
      'one bracket where all its spellings are wanted',
      () => tag('c', {}, { brackets: wrong({ open: '[', close: ']' }) }),
      '\'open\' takes a list, not "[".',
    ],
    [
      'elements of nothing',
      () => elements(undefined as unknown as string),
      "'tag' takes a string, not undefined.",
    ],
    [
      'an option that elements do not have',
      () => elements('c', { trim: true } as ElementsOptions),
      "There is no option of elements 'trim'; there are nameAttribute, wrapper, numbers, strings, trimmed, prefix, once.",
    ],
    [
      'a body without a notation',
      () => body('c', undefined as unknown as typeof notation),
      "'notation' takes an object, not undefined.",
    ],
    [
      'a notation that cannot be read',
      () => body('c', wrong({ ...notation, read: 'yaml' })),
      '\'read\' takes a function, not "yaml".',
    ],
  ])('%s', (_, make, message) => {
    expect(problem(make)).toEqual({ code: 'invalid-option', message })
  })
})
