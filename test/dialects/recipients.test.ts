/** Messages that say who they are for: the model itself, the user, or a tool. */

import { describe, expect, it, test } from 'vitest'
import { functionaryV32 } from '../../src/dialects/functionary-v32.ts'
import { museGlimmer } from '../../src/dialects/muse-glimmer.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { parse } from '../../src/engine/message.ts'
import type { ParserOptions } from '../../src/engine/parser.ts'
import { render } from '../../src/engine/render.ts'
import { outline } from '../engine/wire/outline.ts'
import { BOTH_CALLS, TOOLS } from './tools.ts'

type Row = [what: string, response: string, expected: string[], options?: ParserOptions]

describe('muse-glimmer', () => {
  const to = (recipient: string, body: string): string => ` to=${recipient}<|message|>${body}`
  const next = '<|eom|><|start|>assistant'
  const invoke = (name: string, parameters: Record<string, string>): string =>
    [
      '<atem:function_calls>',
      `<atem:invoke name="${name}">`,
      ...Object.entries(parameters).map(
        ([key, value]) => `<atem:parameter name="${key}">${value}</atem:parameter>`,
      ),
      '</atem:invoke>',
      '</atem:function_calls>',
    ].join('\n')
  const call = (name: string, parameters: Record<string, string>): string =>
    to(name, invoke(name, parameters))
  const now = call('now', {})

  test.each<Row>([
    [
      'a thought, a text and two calls',
      `${[
        to('self', 'Two jobs.'),
        to('user', 'On it.'),
        call('book', { hotel: 'Ritz', nights: '3' }),
        call('ring', { who: 'Ann' }),
      ].join(next)}<|eot|>`,
      ['thought Two jobs.', 'text On it.', ...BOTH_CALLS],
    ],
    ['an answer without the space of its header', 'to=user<|message|>Hi.<|eot|>', ['text Hi.']],
    ['a response that begins with all of its header', `<|start|>assistant${now}<|eot|>`, ['call now {}']],
    ['a thought behind a call', `${now}${next}${to('self', 'Hm.')}<|eom|>`, ['call now {}', 'thought Hm.']],
    ['an answer behind a call', `${now}${next}${to('user', 'Hi.')}`, ['call now {}', 'text Hi.']],
    ['a recipient that goes on as text', ' to=selfish<b>a', ['text  to=selfish<b>a', 'note not-a-call']],
    ['text that has no header', 'Hi. Write to=now to them.', ['text Hi. Write to=now to them.']],
    [
      'markup that the user is shown as text',
      to('user', `Write this:\n${invoke('now', {})}<|eot|>`),
      [`text Write this:\n${invoke('now', {})}`],
    ],
    [
      'markup at the start of an answer as text',
      to('user', `${invoke('now', {})}<|eot|>`),
      [`text ${invoke('now', {})}`],
    ],
    [
      'markup in a thought as part of it',
      to('self', `${invoke('now', {})}${next}${to('user', 'Hi.')}`),
      [`thought ${invoke('now', {})}`, 'text Hi.'],
    ],
    ['a header in the middle of a text as text', to('user', `Hi.${now}`), [`text Hi.${now}`]],
    [
      'a thought whose end is missing, before an answer',
      `${to('self', 'Hm.')}<|start|>assistant${to('user', 'Hi.')}`,
      ['thought Hm.', 'text Hi.'],
    ],
    [
      'a thought whose end is missing, before a call',
      `${to('self', 'Hm.')}<|start|>assistant${now}<|eot|>`,
      ['thought Hm.', 'call now {}'],
    ],
    [
      'a call whose last closers are missing',
      to(
        'ring',
        '<atem:function_calls><atem:invoke name="ring"><atem:parameter name="who">Ann</atem:parameter></atem:invoke>',
      ),
      ['call ring {"who":"Ann"}', 'note missing-closer', 'note missing-closer'],
    ],
    [
      'a call that is cut off',
      to('ring', '<atem:function_calls><atem:invoke name="ring"><atem:parameter name="who">An'),
      ['truncated ring {"who":"An"}', 'note truncated-call'],
    ],
    [
      'values by their schema, and without one as JSON where they are',
      call('other', { a: '[1]', b: '01', c: 'x' }),
      ['call other {"a":[1],"b":"01","c":"x"}', 'note missing-closer'],
      { tools: [] },
    ],
    [
      'a call to another tool than the message is for as text',
      to('now', invoke('ring', { who: 'Ann' })),
      [`text ${to('now', invoke('ring', { who: 'Ann' }))}`, 'note not-a-call'],
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: museGlimmer, tools: TOOLS, ...options })).toEqual(expected)
  })

  it.each(['self', 'user'])('has no tool named %s', (name) => {
    const response = to(name, invoke(name, {}))
    expect(parse(response, { dialect: museGlimmer }).toolCalls).toEqual([])
  })

  it('runs a call behind an answer and a thought', () => {
    const response = [to('self', 'Hm.'), to('user', 'crypto=aes, goto=now'), now].join(next)
    const [one] = parse(response, { dialect: museGlimmer, tools: TOOLS }).toolCalls
    expect(one?.repairs).toEqual([])
    expect(isExecutable(one!)).toBe(true)
  })

  it('is written as the model writes it', () => {
    const parts = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'call', toolName: 'ring', input: { who: 'Ann' } },
    ] as const
    expect(render(parts, { dialect: museGlimmer, tools: TOOLS })).toBe(
      '<|start|>assistant to=self<|message|>Hm.<|eom|><|start|>assistant to=ring<|message|><atem:function_calls>\n' +
        '<atem:invoke name="ring">\n<atem:parameter name="who">Ann</atem:parameter>\n</atem:invoke>\n' +
        '</atem:function_calls><|eom|>',
    )
  })
})

describe('functionary-v32', () => {
  test.each<Row>([
    [
      'a text and two calls',
      'all\nOn it.>>>book\n{"hotel": "Ritz", "nights": 3}>>>ring\n{"who": "Ann"}<|eot_id|>',
      ['text On it.', ...BOTH_CALLS],
    ],
    ['a call alone', 'ring\n{"who": "Ann"}', ['call ring {"who":"Ann"}']],
    ['a response that begins with all of its header', '>>>now\n{}', ['call now {}']],
    ['an answer behind a call', 'now\n{}>>>all\nHi.', ['call now {}', 'text Hi.']],
    ['calls on lines of their own', 'now\n{}\n>>>now\n{}', ['call now {}', 'call now {}']],
    ['text without a header', 'Hi. That is all\nof it.', ['text Hi. That is all\nof it.']],
    ['a name without arrows in the middle of a text as text', 'all\nHi.\nnow\n{}', ['text Hi.\nnow\n{}']],
    ['a session of Python as text', 'all\n>>> now\n{}\n>>>print(1)\n1', ['text >>> now\n{}\n>>>print(1)\n1']],
    ['code for python as text', 'python\nprint(1)', ['text python\nprint(1)']],
    ['a name that no tool has as text', 'rm\n{"path": "/"}', ['text rm\n{"path": "/"}']],
    ['a name that prose follows as text', 'now\nis the time.', ['text now\nis the time.']],
    [
      'an object that is cut off',
      'ring\n{"who": "An',
      ['truncated ring {"who":"An"}', 'note truncated-call'],
    ],
    [
      'a tool whose name is reserved as an answer',
      'all\n{"a": 1}',
      ['text {"a": 1}'],
      { tools: [{ name: 'all' }] },
    ],
  ])('reads %s', (_, response, expected, options) => {
    expect(outline(response, { dialect: functionaryV32, tools: TOOLS, ...options })).toEqual(expected)
  })

  it('is written as the model writes it', () => {
    const parts = [
      { type: 'call', toolName: 'ring', input: { who: 'Ann' } },
      { type: 'call', toolName: 'now', input: {} },
    ] as const
    expect(render(parts, { dialect: functionaryV32, tools: TOOLS })).toBe(
      '>>>ring\n{"who":"Ann"}\n>>>now\n{}',
    )
  })
})
