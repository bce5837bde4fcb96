import { describe, expect, it, test } from 'vitest'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { functionCalls } from '../../../src/dialects/function-calls.ts'
import { hermes } from '../../../src/dialects/hermes.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { foldEvents, parse } from '../../../src/engine/message.ts'
import { createParser } from '../../../src/engine/parser.ts'
import { dialect } from '../../../src/engine/wire/checked-dialect.ts'
import { type Dialect, define } from '../../../src/engine/wire/dialect.ts'
import { header } from '../../../src/engine/wire/header.ts'
import { args, object } from '../../../src/engine/wire/json.ts'
import { tag } from '../../../src/engine/wire/tag.ts'
import {
  closer,
  each,
  key,
  name,
  optional,
  skip,
  space,
  text,
  value,
  wire,
} from '../../../src/engine/wire/template.ts'
import { outline } from './outline.ts'

/** A section of calls in which every closer may be missing. */
const section = dialect('section', {
  call: wire`${optional`<s>`}${each`
    <c ${name}>${each`
    <p ${key}>${value}${closer`</p>`}`}
    ${closer`</c>`}`}
    ${closer`</s>`}`,
  reasoning: wire`<hm>${text}</hm>`,
})

describe('the closer of a call that is cut off with the response', () => {
  const tools = [{ name: 'ls' }]
  const call = '<tool_call>{"name": "ls", "arguments": {}}'

  it.each([
    [`${call}</tool_`, ['call ls {}', 'note stray-markup', 'note missing-closer']],
    [`${call}\n<`, ['call ls {}', 'note stray-markup', 'note missing-closer']],
    // The beginning of another call is what the model wrote last.
    [`${call}</tool_call>\n<tool_c`, ['call ls {}', 'text \n<tool_c']],
  ])('is not shown: %j', (text, expected) => {
    expect(outline(text, { dialect: hermes, tools })).toEqual(expected)
  })
})

describe('a closer that is missing is noted, and the call goes on', () => {
  test.each<[string, string, string[]]>([
    ['none', '<s><c ls><p a>1</p></c></s>.', ['call ls {"a":"1"}', 'text .']],
    [
      'of a call, before the section ends',
      '<s><c ls><p a>1</p></s>.',
      ['repaired ls {"a":"1"}', 'text .', 'note missing-closer'],
    ],
    [
      'of a call, before the next one',
      '<s><c ls><p a>1</p><c cd></c></s>.',
      ['repaired ls {"a":"1"}', 'call cd {}', 'text .', 'note missing-closer'],
    ],
    [
      'of a value, before the next',
      '<s><c ls><p a>1<p b>2</p></c></s>.',
      ['repaired ls {"a":"1","b":"2"}', 'text .', 'note missing-closer'],
    ],
    ['of the section, at the end', '<s><c ls><p a>1</p></c>', ['call ls {"a":"1"}', 'note missing-closer']],
  ])('%s', (_, response, expected) => {
    expect(outline(response, { dialect: section })).toEqual(expected)
  })

  it('but where a value ends is then a guess, and nothing that runs by itself', () => {
    const [guessed] = parse('<s><c ls><p a>1<p b>2</p></c></s>', { dialect: section }).toolCalls
    expect(guessed?.repairs).toMatchObject([{ code: 'missing-closer', class: 'guess' }])
    expect(isExecutable(guessed!)).toBe(false)
    const [certain] = parse('<s><c ls><p a>1</p></s>', { dialect: section }).toolCalls
    expect(certain?.repairs).toMatchObject([{ code: 'missing-closer', class: 'lossless' }])
    expect(isExecutable(certain!)).toBe(true)
  })

  it('and a value that the end cuts off is not complete', () => {
    const [call] = parse('<s><c ls><p a>1</p><p b>2', { dialect: section }).toolCalls
    expect(call).toMatchObject({
      status: 'truncated',
      input: { a: '1', b: '2' },
      error: { code: 'truncated', path: '/b' },
    })
    expect(isExecutable(call!)).toBe(false)
  })
})

describe('a section', () => {
  test.each<[string, string, string[]]>([
    ['may lack its opener', '<c ls></c></s>.', ['call ls {}', 'text .']],
    ['needs a call', '<s></s>.', ['text <s></s>.', 'note not-a-call']],
    [
      'needs a call, not another section',
      '<s><s><c ls></c></s>',
      ['text <s>', 'call ls {}', 'note not-a-call'],
    ],
    ['may have whitespace everywhere', '<s> \n<c ls>\n</c>\t\n</s>.', ['call ls {}', 'text .']],
    [
      'may be interrupted by text, which is shown',
      '<s><c ls></c> and <c cd></c></s>.',
      ['call ls {}', 'text  and ', 'repaired cd {}', 'text .', 'note unexpected-text'],
    ],
    [
      'may be interrupted by reasoning',
      '<s><c ls></c><hm>so</hm>.',
      ['call ls {}', 'thought so', 'text .', 'note unexpected-text'],
    ],
  ])('%s', (_, response, expected) => {
    expect(outline(response, { dialect: section })).toEqual(expected)
  })
})

describe('two ways to write a call that begin alike', () => {
  const both = dialect('both', {
    call: [wire`<c>${space}<n>${name}</n></c>`, wire`<c>${name}</c>`],
  })

  test.each<[string, string, string[]]>([
    ['the first', '<c> <n>ls</n></c>.', ['call ls {}', 'text .']],
    ['the second', '<c>ls</c>.', ['call ls {}', 'text .']],
    ['none, where the text comes back whole', '<c> </d>.', ['text <c> </d>.', 'note not-a-call']],
    ['none, before another that is one', '<c> <c>ls</c>', ['text <c> ', 'call ls {}', 'note not-a-call']],
    ['none, because the end came', '<c>l', ['text <c>l', 'note not-a-call']],
  ])('are tried in their order: %s', (_, response, expected) => {
    expect(outline(response, { dialect: both })).toEqual(expected)
  })
})

describe('a call that fails after it was announced', () => {
  const strict = dialect('strict', { call: wire`<c ${name}>${space}${args}</c>` })

  test.each<[string, string, string[]]>([
    [
      'is over at its closer',
      '<c ls>{"a": 1} no</c>.',
      ['invalid ls {"a":1}', 'text .', 'note malformed-call'],
    ],
    [
      'is over at its closer, whatever stands before it',
      '<c ls>no</c>.',
      ['invalid ls {}', 'text .', 'note malformed-call'],
    ],
    [
      'is over where another begins',
      '<c ls>no <c cd>{}</c>.',
      ['invalid ls {}', 'repaired cd {}', 'text .', 'note malformed-call'],
    ],
    ['is over at the end', '<c ls>no', ['invalid ls {}', 'note malformed-call']],
  ])('%s', (_, response, expected) => {
    expect(outline(response, { dialect: strict })).toEqual(expected)
  })

  it('says where it broke, and keeps its source', () => {
    const [call] = parse('Hi <c ls>{"a": 1} no</c>.', { dialect: strict }).toolCalls
    expect(call?.error).toMatchObject({ code: 'malformed', offset: 17 })
    expect(call?.raw).toContain('<c ls>{"a": 1} no')
  })
})

describe('JSON right behind a marker', () => {
  const call = object({ name: ['name'], arguments: ['arguments'] })
  const head = header({ name: ['tool'], arguments: 'arguments' })
  const direct = dialect('direct', { call: wire`<call=${name}>${args}</call>` })
  const spaced = dialect('spaced', { call: wire`<call=${name}>${space}${args}</call>` })
  const whole = dialect('whole', { call: wire`<call>${call}</call>` })
  const headed = dialect('headed', { call: wire`<call>${head}</call>` })

  const cases: [string, Dialect[], string, string[]][] = [
    [
      'that is missing leaves the closer to the call',
      [direct, spaced],
      '<call=ls></call>yes\nmore',
      ['invalid ls {} <call=ls></call>', 'text yes\nmore'],
    ],
    [
      'that is something else leaves the closer to the call',
      [direct, spaced],
      '<call=ls>no: 1</call>yes',
      ['invalid ls {} <call=ls>no: 1</call>', 'text yes'],
    ],
    [
      'that is missing leaves the next call to itself, which may be data',
      [direct, spaced],
      '<call=ls><call=cd>{"to": "b"}</call>yes',
      ['invalid ls {} <call=ls>', 'repaired cd {"to":"b"}', 'text yes'],
    ],
    [
      'may have white space before it',
      [direct, spaced],
      '<call=cd> \n{"to": "b"}</call>yes',
      ['complete cd {"to":"b"}', 'text yes'],
    ],
    [
      'that would name the call is no call if it is missing',
      [whole, headed],
      '<call></call>yes',
      ['text <call></call>yes'],
    ],
  ]
  test.each(
    cases.flatMap(([what, dialects, response, expected]) =>
      dialects.flatMap((one) =>
        [1, 2, 3, 7, response.length].map((size) => [what, one.name, size, one, response, expected] as const),
      ),
    ),
  )('%s: %s, cut every %i characters', (_, __, size, one, response, expected) => {
    const parser = createParser({ dialect: one })
    const events: SluiceEvent[] = []
    for (let at = 0; at < response.length; at += size)
      events.push(...parser.push(response.slice(at, at + size)))
    const { parts } = foldEvents([...events, ...parser.end()])
    const lines = parts.map((part) => {
      if (part.type === 'text') return `text ${part.text}`
      if (part.type !== 'call') return part.type
      const call = `${part.status} ${part.toolName} ${JSON.stringify(part.input)}`
      return part.raw === undefined ? call : `${call} ${part.raw}`
    })
    expect(lines).toEqual(expected)
  })
})

describe('an opening tag', () => {
  const tagged = dialect('tagged', {
    call: wire`${tag(['call', 'my:call'], { name: 'name', id: 'id' }, { optional: ['id'] })}${each`
      ${tag('param', { name: 'key' })}${value}</param>`}
      </call>`,
  })

  test.each<[string, string, string[]]>([
    ['with other quotes', `<call name='ls'></call>`, ['call ls {}']],
    ['without quotes', '<call name=ls></call>', ['call ls {}']],
    ['with spaces around the equals sign', '<call name = "ls" ></call>', ['call ls {}']],
    ['with line breaks', '<call\n  name="ls"\n></call>', ['call ls {}']],
    ['with attributes nobody asked for', '<call a="1" b name="ls" c=2></call>', ['call ls {}']],
    ['with attributes in another order', '<call id="x7" name="ls"></call>', ['call ls {} #x7']],
    ['with `>` in quotes', '<call name="a>b"></call>', ['call a>b {}']],
    ['with entities', '<call name="a&amp;b&quot;"></call>', ['call a&b" {}']],
    ['by its other name', '<my:call name="ls"></call>', ['call ls {}']],
    ['that closes itself', '<call name="ls"/>.', ['call ls {}', 'text .']],
    ['that closes itself after a space', '<call name="ls" />.', ['call ls {}', 'text .']],
    ['of a value that closes itself', '<call name="ls"><param name="a"/></call>', ['call ls {"a":""}']],
    ['whose name only begins alike', '<caller name="ls"></caller>', ['text <caller name="ls"></caller>']],
    [
      'without the attribute it needs',
      '<call id="x"></call>',
      ['text <call id="x"></call>', 'note not-a-call'],
    ],
    ['whose attribute is empty', '<call name=""></call>', ['text <call name=""></call>', 'note not-a-call']],
    [
      'that another tag interrupts',
      '<call name="ls" <b></call>',
      ['text <call name="ls" <b></call>', 'note not-a-call'],
    ],
    ['that never ends', '<call name="ls"', ['text <call name="ls"', 'note not-a-call']],
    [
      'with a thousand attributes',
      `<call ${Array.from({ length: 1000 }, (_, at) => `a${at}="1" `).join('')}name="ls"></call>`,
      ['call ls {}'],
    ],
    [
      'with an attribute that is there twice',
      '<call a="1" a="2" name="ls"></call>',
      ['invalid ls {}', 'note duplicate-key'],
    ],
  ])('%s', (_, response, expected) => {
    expect(outline(response, { dialect: tagged })).toEqual(expected)
  })

  it('may hold arguments', () => {
    const open = dialect('open', {
      call: wire`${tag('call', { name: 'name' }, { others: 'arguments' })}</call>`,
    })
    expect(outline('<call a="1" name="ls" __proto__="2" b></call>', { dialect: open })).toEqual([
      'call ls {"a":"1","__proto__":"2","b":""}',
    ])
  })
})

describe('the end of the response', () => {
  const skipping = {
    call: dialect('skip', { call: wire`CALL (${skip}) ${name};` }),
    markup: dialect('skip', { drop: [wire`CALL (${skip});`] }),
    value: dialect('skip', { drop: [wire`CALL (${value});`] }),
    result: dialect('skip', { result: wire`CALL (${skip})${text};` }),
  }

  test.each(Object.entries(skipping))('gives back what was skipped of a %s', (_, mine) => {
    const notes = mine === skipping.call ? ['note not-a-call'] : []
    expect(outline('So CALL (ab', { dialect: mine })).toEqual(['text So CALL (ab', ...notes])
  })

  it('may come in the middle of a marker that was pre-filled', () => {
    const mine = dialect('mine', { reasoning: wire`abcdef${text}]` })
    for (const response of ['a', 'ab', 'abcde'])
      expect(outline(response, { dialect: mine, start: 'reasoning' })).toEqual([
        `thought ${response}`,
        'note reasoning-not-closed',
      ])
  })
})

describe('what stops a response', () => {
  const bracketed = dialect('bracketed', { call: wire`<${name}>[${args}]` })

  it('does not where it is part of a call', () => {
    expect(outline('<ls>[{}].', { dialect: bracketed, stop: ['>['] })).toEqual(['call ls {}', 'text .'])
  })
})

describe('a section without a result', () => {
  it('is over, and what follows is text however long it is', () => {
    const { text, diagnostics } = parse(`A<function_results></function_results>${'B'.repeat(100)}`, {
      dialect: functionCalls,
      limits: { undecided: 50 },
    })
    expect(text).toBe(`A${'B'.repeat(100)}`)
    expect(diagnostics).toEqual([])
  })
})

describe('a call that says something twice', () => {
  it('has no arguments that could run, whatever its template allows', () => {
    const twice = define('twice', { call: wire`<c ${name}>${args}${each`<p ${key}>${value}</p>`}</c>` })
    expect(outline('<c ls>{"a":1}<p b>2</p></c>', { dialect: twice })).toEqual([
      'invalid ls {"b":"2"}',
      'note duplicate-key',
    ])
  })

  it('has one name, or is no call', () => {
    const named = dialect('named', { call: wire`<c ${name}></${name}>` })
    expect(outline('<c ls></ls><c ls></cd>', { dialect: named })).toEqual([
      'call ls {}',
      'text <c ls></cd>',
      'note not-a-call',
    ])
  })
})
