import { describe, expect, it, test } from 'vitest'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { parse } from '../../../src/engine/message.ts'
import { dialect } from '../../../src/engine/wire/checked-dialect.ts'
import { args } from '../../../src/engine/wire/json.ts'
import {
  each,
  key,
  literal,
  name,
  perTool,
  space,
  text,
  value,
  wire,
} from '../../../src/engine/wire/template.ts'
import { outline } from './outline.ts'

const tools = [{ name: 'ls' }, { name: 'list' }]

/** Messages with a recipient. The prompt ends behind `<s>`. */
const letters = dialect('letters', {
  reasoning: wire`<s>${literal(' to ', 'to ')}${space}me>${text}<end>`,
  call: wire`<s>${literal(' to ', 'to ')}${name}>${args}`,
  drop: wire`<s>${literal(' to ', 'to ')}${space}you>`,
  prefilled: '<s>',
  reservedNames: ['me', 'you'],
})

/** The prompt ends behind `>>>`, and the tool's name follows. */
const arrows = dialect('arrows', {
  call: wire`${perTool(({ name }) => wire`>>>${name}${'\n'}`)}${each`
    --${key}=${value};`}end`,
  drop: wire`>>>text${'\n'}`,
  prefilled: '>>>',
})

describe('a response that begins inside a marker', () => {
  test.each([
    ['with the rest of it', ' to ls>{}', ['call ls {}']],
    ['with the rest of another spelling', 'to ls>{}', ['call ls {}']],
    ['with all of it', '<s> to ls>{}', ['call ls {}']],
    ['in reasoning', ' to me>Hm.<end><s> to you>Hi.', ['thought Hm.', 'text Hi.']],
    ['in markup without meaning', ' to you>Hi. to ls>{}', ['text Hi. to ls>{}']],
    ['with text', 'Hi.<s> to ls>{}', ['text Hi.', 'call ls {}']],
    ['with the rest, and is over', ' to', ['text  to']],
    ['with something like the rest', ' to one', ['text  to one', 'note not-a-call']],
    ['with a recipient that goes on', ' to mess<b>a', ['text  to mess<b>a', 'note not-a-call']],
    ['with white space', '\n to ls>{}', ['text \n to ls>{}']],
    ['and is empty', '', []],
  ])('%s', (_, response, expected) => {
    expect(outline(response, { dialect: letters, tools })).toEqual(expected)
  })

  test.each([
    ['a name', 'ls\n--a=1;end', ['call ls {"a":"1"}']],
    ['a longer name', 'list\nend', ['call list {}']],
    ['no name', 'lists\nend', ['text lists\nend']],
    ['a name, which is no marker later on', 'text\nls\nend', ['text ls\nend']],
  ])('that a tool has: %s', (_, response, expected) => {
    expect(outline(response, { dialect: arrows, tools })).toEqual(expected)
  })

  it('has no other markers for the rest of the response', () => {
    const [call] = parse('ls\n--a=list\n;end', { dialect: arrows, tools }).toolCalls
    expect(call?.input).toEqual({ a: 'list\n' })
    expect(isExecutable(call!)).toBe(true)
  })

  it('is told with places that count from its first character', () => {
    const { toolCalls } = parse(' to ls>{}', { dialect: letters, tools, emit: { raw: true } })
    expect(toolCalls[0]).toMatchObject({ span: { start: 0, end: 9 }, raw: ' to ls>{}' })
  })

  it('may begin inside reasoning, or behind a prefill of the caller', () => {
    expect(outline('Hm.<end>Hi.', { dialect: letters, tools, start: 'reasoning' })).toEqual([
      'thought Hm.',
      'text Hi.',
    ])
    expect(outline(' to ls>{}', { dialect: letters, tools, start: { prefill: '<s>' } })).toEqual([
      'call ls {}',
    ])
  })

  it('is read beside the calls of another dialect', () => {
    const options = { dialect: [arrows, letters], tools }
    expect(outline('ls\nend<s> to ls>{}', options)).toEqual(['call ls {}', 'call ls {}'])
    expect(outline(' to ls>{}>>>ls\nend', options)).toEqual(['call ls {}', 'call ls {}'])
  })
})
