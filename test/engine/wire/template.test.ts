import { describe, expect, it, test } from 'vitest'
import { SluiceError } from '../../../src/base/errors.ts'
import { parse } from '../../../src/engine/message.ts'
import { createParser, type ParserOptions } from '../../../src/engine/parser.ts'
import { render } from '../../../src/engine/render.ts'
import { body } from '../../../src/engine/wire/body.ts'
import { dialect, withReasoning } from '../../../src/engine/wire/checked-dialect.ts'
import type { DialectDefinition } from '../../../src/engine/wire/dialect.ts'
import { elements } from '../../../src/engine/wire/elements.ts'
import { args, object } from '../../../src/engine/wire/json.ts'
import { literalCall, pythonCall } from '../../../src/engine/wire/literal-call.ts'
import { type TagBrackets, tag } from '../../../src/engine/wire/tag.ts'
import {
  ahead,
  closer,
  each,
  either,
  id,
  idWithName,
  key,
  list,
  literal,
  name,
  newline,
  optional,
  perTool,
  showTemplate,
  skip,
  space,
  type Template,
  text,
  value,
  valueWith,
  wire,
} from '../../../src/engine/wire/template.ts'
import { outline } from './outline.ts'

/** What a dialect made of these templates reads. */
function read(definition: DialectDefinition, response: string, options: ParserOptions = {}): string[] {
  return outline(response, { ...options, dialect: dialect('mine', definition) })
}

const brackets: TagBrackets = { open: ['[[', '[[ '], close: ']]' }

const reading = (call: Template, response: string): string[] => read({ call }, response)

describe('a template is the wire itself', () => {
  it('character by character', () => {
    expect(reading(wire`CALL ${name} NOW`, 'a CALL ls NOW b')).toEqual(['text a ', 'call ls {}', 'text  b'])
  })

  it('in which a line break with the indentation around it is optional whitespace', () => {
    const call = wire`<c>
      <n>${name}</n>
      </c>`
    for (const response of ['<c><n>ls</n></c>', '<c>\n\n  <n>ls</n>\t</c>', '<c>\r\n<n>ls</n> </c>'])
      expect(reading(call, response)).toEqual(['call ls {}'])
  })

  it('in which a plain space is a space', () => {
    expect(reading(wire`<c ${name}>`, '<c  ls>')).toEqual(['text <c  ls>', 'note not-a-call'])
    expect(reading(wire`<c ${name}>`, '<c\nls>')).toEqual(['text <c\nls>'])
  })

  it('into which strings and other templates can be put', () => {
    const open = '<c>'
    const inner = wire`<n>${name}</n>`
    expect(reading(wire`${open}${inner}</c>`, '<c><n>ls</n></c>')).toEqual(['call ls {}'])
  })
})

describe('each part of a template reads what it says', () => {
  const json = object({ name: ['name'], arguments: ['arguments'] })
  const PARTS: [what: string, call: Template, response: string, expected: string[]][] = [
    ['a name', wire`<c ${name}>`, '<c ls>', ['call ls {}']],
    ['a name without whitespace in it', wire`<c ${name}>`, '<c l s>', ['text <c l s>', 'note not-a-call']],
    ['a name that must not be empty', wire`<c ${name}>`, '<c >', ['text <c >', 'note not-a-call']],
    ['an id', wire`<c ${id} ${name}>`, '<c a7 ls>', ['call ls {} #a7']],
    [
      'an id that holds the name',
      wire`<c ${idWithName('fn.', ':')}>`,
      '<c fn.ls:7>',
      ['call ls {} #fn.ls:7'],
    ],
    ['such an id without its prefix', wire`<c ${idWithName('fn.', ':')}>`, '<c ls:7>', ['call ls {} #ls:7']],
    [
      'such an id without a number',
      wire`<c ${idWithName('fn.', ':')}>`,
      '<c fn.a:b>',
      ['call a:b {} #fn.a:b'],
    ],
    [
      'keys and values, any number of them',
      wire`<c ${name}>${each`<p ${key}>${value}</p>`}</c>`,
      '<c ls><p a>1</p><p b></p></c><c ls></c>',
      ['call ls {"a":"1","b":""}', 'call ls {}'],
    ],
    [
      'a key with spaces in it',
      wire`<c ${name}>${each`<p=${key}>${value}</p>`}</c>`,
      '<c ls><p=a b>1</p></c>',
      ['call ls {"a b":"1"}'],
    ],
    [
      'a value, whatever it holds but what ends it',
      wire`<c ${name}>${each`<p ${key}>${value}</p>`}</c>`,
      '<c ls><p a><p b></c></ p></p></c>',
      ['repaired ls {"a":"<p b></c></ p>"}'],
    ],
    [
      'a value without the line breaks around it that are markup',
      wire`<c ${name}>${each`<p ${key}>${newline}${value}${newline}</p>`}</c>`,
      '<c ls><p a>\n\n x\n\n</p><p b>y</p><p c>\n</p></c>',
      ['call ls {"a":"\\n x\\n","b":"y","c":"\\n"}'],
    ],
    [
      'a value that is one argument by declaration',
      wire`<c ${name}>${valueWith({ key: 'body' })}</c>`,
      '<c ls>x < y</c>',
      ['call ls {"body":"x < y"}'],
    ],
    [
      'a value whose entities are decoded, once',
      wire`<c ${name}>${valueWith({ key: 'body', entities: true })}</c>`,
      '<c ls>&lt;a&gt; &amp;lt; &#65; &nope; &</c>',
      ['call ls {"body":"<a> &lt; A &nope; &"}'],
    ],
    [
      'a value with sections that are verbatim',
      wire`<c ${name}>${valueWith({ key: 'body', cdata: true, entities: true })}</c>`,
      '<c ls>&lt;<![CDATA[</c>&lt;]]>&gt;</c>',
      ['call ls {"body":"<</c>&lt;>"}'],
    ],
    ['anything, ignored', wire`<c ${name}>${skip}</c>`, '<c ls>what < ever</c>', ['call ls {}']],
    [
      'one of several spellings',
      wire`${literal('<c ', '<call ')}${name}>`,
      '<call ls><c ls>',
      ['call ls {}', 'call ls {}'],
    ],
    ['what may be missing', wire`<c ${name}${optional`!`}>`, '<c ls!><c ls>', ['call ls {}', 'call ls {}']],
    [
      'one of several ways to go on',
      wire`<c ${name}>${either(wire`<a>${valueWith({ key: 'a' })}</a>`, wire`<b>${valueWith({ key: 'b' })}</b>`)}`,
      '<c ls><b>1</b><c ls><a>2</a>',
      ['call ls {"b":"1"}', 'call ls {"a":"2"}'],
    ],
    ['one of several words', wire`<c ${name}${either('!', '?')}>`, '<c ls?>', ['call ls {}']],
    ['arguments as JSON', wire`<c ${name}>${args}</c>`, '<c ls>{"a": [1]}</c>', ['call ls {"a":[1]}']],
    [
      'arguments as JSON in a string',
      wire`<c ${name}>${args}</c>`,
      '<c ls>"{\\"a\\": [1]}"</c>',
      ['repaired ls {"a":[1]}', 'note arguments-as-string'],
    ],
    [
      'a call as JSON',
      wire`<c>${json}</c>`,
      '<c>{"name": "ls", "arguments": {"a": 1}}</c>',
      ['call ls {"a":1}'],
    ],
    [
      'a call as JSON, in any order',
      wire`<c>${json}</c>`,
      '<c>{"arguments": {"a": 1}, "name": "ls"}</c>',
      ['call ls {"a":1}'],
    ],
    [
      'a call as JSON inside another key',
      wire`<c>${object({ name: ['name'], arguments: ['input'], within: ['function'] })}</c>`,
      '<c>{"type": "x", "function": {"name": "ls", "input": {"a": 1}}}</c>',
      ['call ls {"a":1}'],
    ],
    [
      'a call as JSON whose key is its name',
      wire`<c>${object({ nameAsKey: true })}</c>`,
      '<c>{"ls": {"a": 1}}</c>',
      ['call ls {"a":1}'],
    ],
    [
      'several calls with a separator',
      wire`<c>${list(json)}</c>`,
      '<c>{"name": "a"} , {"name": "b"}</c>',
      ['call a {}', 'call b {}'],
    ],
    [
      'several calls with another',
      wire`<c>${list(json, ';')}</c>`,
      '<c>{"name": "a"};{"name": "b"}</c>',
      ['call a {}', 'call b {}'],
    ],
    [
      'a python call',
      wire`<c>${pythonCall}</c>`,
      `<c>ls(a='x', b=[1, None])</c>`,
      ['call ls {"a":"x","b":[1,null]}'],
    ],
    [
      'a call in another notation',
      wire`<c>${literalCall('mine', { open: '{', close: '}', separator: ':', quote: '~' })}</c>`,
      '<c>ls{a:~x"y~,b:{c:true}}</c>',
      ['call ls {"a":"x\\"y","b":{"c":true}}'],
    ],
    [
      'arguments as elements',
      wire`${tag('c', { name: 'name' })}${elements('c')}`,
      '<c name="ls"><a>x</a><b><d>1</d></b></c>',
      ['call ls {"a":"x","b":{"d":1}}'],
    ],
    [
      'such elements with a prefix before every tag, and nothing but text without it',
      wire`${tag('c', { name: 'name' }, { brackets: { open: ['##<'], close: '>' } })}${elements('c', { prefix: '##' })}`,
      '##<c name="ls">##<a>x</a> # ###</a> ##<b>##<d>&lt; # <e>##</d>##<f>1##</f>##</b>##</c>.',
      ['call ls {"a":"x</a> # #","b":{"d":"&lt; # <e>","f":1}}', 'text .'],
    ],
  ]

  test.each(PARTS)('%s', (_, call, response, expected) => {
    expect(reading(call, response)).toEqual(expected)
  })

  it('one template per tool that was given', () => {
    const call = wire`${perTool((tool) => wire`<${tool.name}>${valueWith({ key: tool.streams ?? 'x' })}</${tool.name}>`)}`
    const tools = [{ name: 'save', streams: 'body' }, { name: 'saved' }]
    expect(read({ call }, '<save>a</save><saved>b</saved><saver>c</saver>', { tools })).toEqual([
      'call save {"body":"a"}',
      'call saved {"x":"b"}',
      'text <saver>c</saver>',
    ])
  })

  test.each<[string, Template, string[]]>([
    ['behind a marker of all', wire`<call ${perTool((tool) => wire`${tool.name}>`)}${args}</call>`, []],
    [
      'with a marker of its own before the name',
      wire`${perTool(
        (tool) => wire`<call
        ${tool.name}>${args}</call>`,
      )}`,
      ['note not-a-call'],
    ],
  ])('one template per tool, certain only when the name was read: %s', (_, call, notes) => {
    const tools = [{ name: 'get' }, { name: 'get_time' }]
    expect(read({ call }, '<call me <call get_time>{}</call>', { tools })).toEqual([
      'text <call me ',
      'call get_time {}',
      ...notes,
    ])
  })

  it('one template per tool, certain as soon as the name was read', () => {
    const call = wire`${perTool((tool) => wire`${tag(tool.name, {}, { others: 'arguments' })}</${tool.name}>`)}`
    const tools = [{ name: 'ls' }]
    expect(read({ call }, '<ls path="a">', { tools })).toEqual([
      'truncated ls {"path":"a"}',
      'note truncated-call',
    ])
  })

  it('reasoning, with markers of any kind', () => {
    const reasoning = wire`${literal('<hm>', '<Hm>')}${newline}${text}${newline}</hm>`
    expect(read({ reasoning }, '<Hm>\na < b\n</hm>c')).toEqual(['thought a < b', 'text c'])
  })

  it('results, and what they answer', () => {
    const result = wire`<rs>${each`
      ${either(
        wire`${tag('ok', { of: 'id' })}${text}</ok>`,
        wire`${tag('no', { of: 'id' }, { isError: true })}${text}</no>`,
      )}`}
      </rs>`
    expect(read({ result }, '<rs><ok of="a">1</ok>\n<no of="b"><ok></no></rs>c')).toEqual([
      'result a 1',
      'error b <ok>',
      'text c',
    ])
  })

  it('markup that means nothing', () => {
    expect(read({ drop: [wire`<answer>${newline}`, wire`</answer>`] }, '<answer>\n\nHi</answer>!')).toEqual([
      'text \nHi!',
    ])
  })
})

describe('a call that nothing marks', () => {
  const weakCall = wire`[
    ${list(object({ name: ['name'], arguments: ['arguments'] }))}
    ]`

  it('is one at the start of the response', () => {
    expect(read({ weakCall }, ' [{"name": "ls"}, {"name": "cd"}] ')).toEqual([
      'call ls {}',
      'call cd {}',
      'text  ',
    ])
  })

  it('is a guess if text follows', () => {
    expect(read({ weakCall }, ' [{"name": "ls"}, {"name": "cd"}] b')).toEqual([
      'repaired ls {}',
      'repaired cd {}',
      'text  b',
      'note text-behind-call',
      'note text-behind-call',
    ])
  })

  it('is text anywhere else', () => {
    expect(read({ weakCall }, 'a [{"name": "ls"}]')).toEqual(['text a [{"name": "ls"}]'])
  })

  it('may follow reasoning', () => {
    const reasoning = wire`<hm>${text}</hm>`
    expect(read({ weakCall, reasoning }, '<hm>a</hm>[{"name": "ls"}]')).toEqual(['thought a', 'call ls {}'])
  })

  it.each(['[1, 2]', '[{"a": 1}]', '[]', '[', '[{"name": 5}]'])('is text when in doubt: %s', (response) => {
    expect(read({ weakCall }, response)).toEqual([`text ${response}`])
  })

  it('needs a tool that is there, if tools are given', () => {
    const tools = [{ name: 'ls' }]
    expect(read({ weakCall }, '[{"name": "ls"}]', { tools })).toEqual(['call ls {}'])
    expect(read({ weakCall }, '[{"name": "Oslo"}]', { tools })).toEqual(['text [{"name": "Oslo"}]'])
  })
})

describe('what a dialect says of its own', () => {
  const call = wire`<c ${name}>${each`<p ${key}>${value}</p>`}</c>`
  const reasoning = wire`<hm>${text}</hm>`

  it('whether a call inside reasoning ends it', () => {
    const response = '<hm>a<c ls></c>b</hm>c'
    expect(read({ call, reasoning }, response)).toEqual(['thought a<c ls></c>b', 'text c'])
    expect(read({ call, reasoning, callEndsReasoning: true }, response)).toEqual([
      'thought a',
      'repaired ls {}',
      'thought b',
      'text c',
      'note inside-reasoning',
    ])
    expect(read({ call, reasoning, callEndsReasoning: true }, '<hm>a<c ls></c>')).toEqual([
      'thought a',
      'call ls {}',
    ])
  })

  it('and then only when the call is certain', () => {
    const response = '<hm>a<c l s>b</hm>c'
    expect(read({ call, reasoning, callEndsReasoning: true }, response)).toEqual([
      'thought a<c l s>b',
      'text c',
      'note not-a-call',
    ])
  })

  it('what a closer that closes nothing is', () => {
    expect(read({ reasoning }, 'a</hm>b')).toEqual(['text ab', 'note stray-closer'])
    expect(read({ reasoning, strayCloser: 'text' }, 'a</hm>b')).toEqual(['text a</hm>b'])
  })

  it('what a value without a type is', () => {
    const response = '<c ls><p a>[1]</p><p b>x</p></c>'
    expect(read({ call }, response)).toEqual(['call ls {"a":"[1]","b":"x"}'])
    expect(read({ call, untyped: 'json' }, response)).toEqual(['call ls {"a":[1],"b":"x"}'])
  })

  it('whether letters match in either case', () => {
    expect(read({ call }, '<C ls></c>')).toEqual(['text <C ls></c>'])
    expect(read({ call, ignoreCase: true }, '<C ls></C>')).toEqual(['call ls {}'])
  })

  it.each<[string, Template, string]>([
    [
      'elements',
      wire`${perTool((tool) => wire`<${tool.name}>${elements(tool.name, { wrapper: 'args' })}`)}`,
      '<LS><ARGS><a>1</a></Args></LS>',
    ],
    [
      'a body',
      wire`<c ${name}>${body('c', { name: 'x', read: () => ({ a: 1 }), write: () => '' })}`,
      '<C ls>a=1</C>',
    ],
  ])('whether letters match in either case, also behind %s', (_, call, response) => {
    const tools = [{ name: 'ls' }]
    expect(read({ call, ignoreCase: true }, response, { tools })).toEqual(['call ls {"a":1}'])
    expect(read({ looseCall: call, ignoreCase: true }, response, { tools })).toEqual(['call ls {"a":1}'])
  })

  it('whether only tools that were given are tools', () => {
    const tools = [{ name: 'ls' }]
    expect(read({ call, knownToolsOnly: true }, '<c ls></c><c cd></c>', { tools })).toEqual([
      'call ls {}',
      'text <c cd></c>',
      'note not-a-call',
    ])
  })

  it.each([
    ['a word', wire`<to ${name}>${args}`, '<to user>Hi.<to ls>{}', wire`<to ${space}user>`],
    [
      'JSON',
      wire`<c>${object({ name: ['name'], arguments: ['arguments'] })}`,
      '<c>{"name": "user"}Hi.<c>{"name": "ls"}',
      wire`<c>${space}{"name": "user"}`,
    ],
    [
      'the template of a tool',
      wire`<to ${perTool(({ name }) => wire`${name}>`)}`,
      '<to user>Hi.<to ls>',
      wire`<to user>`,
    ],
  ])('which names are no tools, where the name is %s', (_, call, response, drop) => {
    const tools = [{ name: 'ls' }, { name: 'user' }]
    const reservedNames = ['user']
    expect(read({ call, drop, reservedNames }, response, { tools })).toEqual(['text Hi.', 'call ls {}'])
    expect(read({ call, reservedNames }, response, { tools }).slice(0, 2)).toEqual([
      `text ${response.slice(0, response.indexOf('<', 1))}`,
      'call ls {}',
    ])
  })

  it('that reasoning may begin as a call does, and is told apart by what follows', () => {
    const call = wire`<to ${name}>${args}`
    const definition = { call, reasoning: wire`<to ${space}me>${text}<end>`, reservedNames: ['me'] }
    expect(read(definition, '<to me>Hm.<end>Hi.')).toEqual(['thought Hm.', 'text Hi.'])
    expect(read(definition, '<to ls>{}<to me>Hm.<end><to ls>{}')).toEqual([
      'call ls {}',
      'thought Hm.',
      'call ls {}',
    ])
    expect(read(definition, 'a <to me> b')).toEqual(['text a ', 'thought  b', 'note reasoning-not-closed'])
    expect(read(definition, 'a <to me, b')).toEqual(['text a <to me, b', 'note not-a-call'])
    expect(read(definition, '<to me>a', { start: 'reasoning' })).toEqual([
      'thought a',
      'note repeated-opener',
      'note reasoning-not-closed',
    ])
    const { diagnostics } = parse('a <to me>b', { dialect: dialect('mine', definition) })
    expect(diagnostics.map(({ span }) => span)).toEqual([{ start: 2, end: 10 }])
  })

  it('and that its reasoning is an axis of its own', () => {
    const other = withReasoning(dialect('mine', { call, reasoning }), wire`[[${text}]]`)
    expect(outline('[[a]]<hm>b</hm><c ls></c>', { dialect: other })).toEqual([
      'thought a',
      'text <hm>b</hm>',
      'call ls {}',
    ])
  })
})

describe('what may be missing at the end of a call', () => {
  const call = wire`CALL ${name} ${args}${optional`
    ;`}`

  test.each<[string, string[]]>([
    ['CALL ls {}', ['call ls {}']],
    ['CALL ls {};', ['call ls {}']],
    ['CALL ls {} and so on', ['call ls {}', 'text  and so on']],
    ['CALL ls {}\n; and so on', ['call ls {}', 'text  and so on']],
    ['CALL ls {}CALL cd {};', ['call ls {}', 'call cd {}']],
  ])('%j', (response, expected) => {
    expect(reading(call, response)).toEqual(expected)
  })
})

describe('a tag that closes itself', () => {
  const open = tag('c', { name: 'name' })

  test.each<[string, Template]>([
    ['has no closer', wire`${open}${closer`</c>`}`],
    ['has no arguments', wire`${open}${args}${closer`</c>`}`],
    ['has no arguments, and nothing between', wire`${open}${args}</c>`],
  ])('%s', (_, call) => {
    const calls = '<c name="ls"/><c name="cd"/>'
    expect(reading(call, `${calls} b`)).toEqual(['call ls {}', 'call cd {}', 'text  b'])
    expect(reading(wire`<s>${each`${call}`}</s>`, `<s>${calls}</s> b`)).toEqual([
      'call ls {}',
      'call cd {}',
      'text  b',
    ])
  })
})

test('a tag with a prefix closes itself, too', () => {
  const open = tag('c', { name: 'name' }, { brackets: { open: ['#<'], close: '>' } })
  const call = wire`${open}${args}${closer`#</c>`}`
  expect(reading(call, '#<c name="ls"/>#<c name="cd">{}#</c> b')).toEqual([
    'call ls {}',
    'call cd {}',
    'text  b',
  ])
})

describe('a tag with brackets of its own', () => {
  const calls = wire`${tag('c', { fn: 'name', n: 'index' }, { brackets, optional: ['n'] })}${each`
    ${tag('p', { key: 'key', is: 'type' }, { brackets, optional: ['is'] })}${value}[[/p]]`}
    ${closer`[[/c]]`}`

  test.each<[string, string, string[]]>([
    ['has attributes as any tag', '[[c fn="ls" n="1"]][[/c]] b', ['call ls {}', 'text  b']],
    ['may have another opening bracket', '[[ c fn=ls]][[/c]]', ['call ls {}']],
    ['may hold its brackets in quotes', '[[c fn="a]]b"]][[/c]]', ['call a]]b {}']],
    ['cannot close itself', '[[c fn="ls"/]][[/c]]', ['text [[c fn="ls"/]][[/c]]', 'note not-a-call']],
    ['has a name that is exact', '[[cd fn="ls"]][[/c]]', ['text [[cd fn="ls"]][[/c]]']],
    ['has brackets that are whole', '[[c fn="ls"] ]', ['text [[c fn="ls"] ]', 'note not-a-call']],
    ['is no tag of XML', '<c fn="ls">', ['text <c fn="ls">']],
  ])('%s', (_, response, expected) => {
    expect(reading(calls, response)).toEqual(expected)
  })

  test.each<[string, string, string]>([
    ['a string', '[[p key=a is=string]]1[[/p]]', 'call ls {"a":"1"}'],
    ['a number', '[[p key=a is=number]]1[[/p]]', 'call ls {"a":1}'],
    ['an object', '[[p key=a is=object]]{"b": [1]}[[/p]]', 'call ls {"a":{"b":[1]}}'],
    ['something else', '[[p key=a is=list]][1, 2][[/p]]', 'call ls {"a":[1,2]}'],
    ['nothing', '[[p key=a]]1[[/p]]', 'call ls {"a":"1"}'],
    [
      'something of each value by itself',
      '[[p key=a is=number]]1[[/p]][[p key=b]]1[[/p]]',
      'call ls {"a":1,"b":"1"}',
    ],
  ])('can say that a value is %s', (_, written, expected) => {
    expect(reading(calls, `[[c fn="ls"]]${written}[[/c]]`)).toEqual([expected])
  })

  it('that promises another type than a string makes text a guess', () => {
    expect(reading(calls, '[[c fn="ls"]][[p key=a is=date]]today[[/p]][[/c]]')).toEqual([
      'repaired ls {"a":"today"}',
      'note json-repaired',
    ])
  })

  it('is written with what it says', () => {
    const input = { a: '1', b: 1, c: true, d: null, e: [1], f: { g: 1 } }
    const call = { type: 'call', toolName: 'ls', input } as const
    expect(
      render([call, { ...call, input: {} }], { dialect: dialect('mine', { call: calls }) }).split('\n'),
    ).toEqual([
      '[[c fn="ls" n="1"]]',
      '[[p key="a" is="string"]]1[[/p]]',
      '[[p key="b" is="number"]]1[[/p]]',
      '[[p key="c" is="boolean"]]true[[/p]]',
      '[[p key="d" is="null"]]null[[/p]]',
      '[[p key="e" is="array"]][1][[/p]]',
      '[[p key="f" is="object"]]{"g":1}[[/p]]',
      '[[/c]]',
      '[[c fn="ls" n="2"]]',
      '[[/c]]',
    ])
  })
})

describe('a section whose markers are backticks', () => {
  const json = object({ name: ['name'], arguments: ['arguments'] })
  const call = wire`CALLS${each`
    ${json}`}
    ${closer`\`\`\``}`
  const response = 'CALLS\n{"name": "ls"}\n{"name": "cd"}\n```\nDone.'

  it.each([false, true])('is read where code is protected, too: %s', (protectCode) => {
    expect(read({ call }, response, { protectCode })).toEqual(['call ls {}', 'call cd {}', 'text \nDone.'])
  })

  it('protects the code around it', () => {
    expect(read({ call }, '`CALLS` `CALLS {"name": "ls"}`', { protectCode: true })).toEqual([
      'text `CALLS` `CALLS {"name": "ls"}`',
    ])
  })
})

test('a line break that ends a value is written as a string', () => {
  const lines = dialect('lines', {
    call: wire`CALL ${name}${'\n'}${each`${key}: ${value}${'\n'}`}END`,
  })
  expect(parse('CALL f\na: 1\nb: two words\nEND', { dialect: lines }).toolCalls).toMatchObject([
    { toolName: 'f', input: { a: '1', b: 'two words' }, status: 'complete' },
  ])
})

describe('a template that cannot work is refused, and the message shows it', () => {
  const problem = (definition: DialectDefinition): { code: string; message: string } => {
    try {
      createParser({ dialect: dialect('mine', definition) })
    } catch (error) {
      if (error instanceof SluiceError) return { code: error.code, message: error.message }
      throw error
    }
    throw new Error('nothing was thrown')
  }

  test.each<[string, DialectDefinition, string[]]>([
    ['nothing names the call', { call: wire`<c>${args}</c>` }, ['required `name`', '<c>${args}</c>']],
    ['it is empty', { call: wire`` }, ['required `name`']],
    [
      'the name comes behind the arguments',
      { call: wire`<c>${args} ${name}</c>` },
      ['`name` before its arguments', '<c>${args} ${name}</c>'],
    ],
    [
      'the name comes behind keys and values',
      { call: wire`<c>${each`<p ${key}>${value}</p>`}${name}</c>` },
      ['`name` before its arguments'],
    ],
    [
      "a tool's name would hide a longer one",
      { call: wire`${perTool((tool) => wire`!${tool.name}${args}`)}` },
      ['"!tools" never matches', '"!tool" matches first'],
    ],
    [
      'a value never ends',
      { call: wire`<c ${name}>${valueWith({ key: 'x' })}` },
      ['the last part of a call has no end', '<c ${name}>${value}'],
    ],
    [
      'a name never ends',
      { call: wire`call ${name}` },
      ['the last part of a call has no end', 'call ${name}'],
    ],
    [
      'a repeated value never ends',
      { call: wire`<c ${name}>${each`<p ${key}>${value}`}` },
      ['the last part of a call has no end', '${each`<p ${key}>${value}`}'],
    ],
    [
      'only something that may be missing ends it',
      { call: wire`<c ${name} ${args}${optional` #${id}>`}` },
      ['the last part of a call has no end', '${optional` #${id}>`}'],
    ],
    [
      'it can be empty up to its closer',
      { call: wire`${optional`<c>`}${name}</c>` },
      ["In the dialect 'mine'", 'empty up to its closer', '${optional`<c>`}${name}</c>'],
    ],
    ['nothing opens it', { call: wire`${name}(x)` }, ['must begin with a required marker', '${name}(x)']],
    ['markup to drop can be empty', { drop: [wire`${optional`x`}`] }, ['must begin with a required marker']],
    [
      'it goes on in two ways with the same text',
      { call: wire`<c ${name}>${either(wire`<b>${valueWith({ key: 'x' })}</b>`, wire`<b>${skip}</c>`)}` },
      ['Two alternatives', '<b>'],
    ],
    [
      'a marker hides another',
      { call: [wire`<a${name}>`, wire`<ab${name}>`] },
      ['"<ab" never matches', '"<a" matches first'],
    ],
    [
      'free whitespace stands before what ends a value',
      {
        call: wire`<c ${name}>${valueWith({ key: 'x' })}
      </c>`,
      },
      [
        "write ${'\\n'} for a line break that ends the value, or ${newline} for one before the marker that ends it.",
      ],
    ],
    [
      'a value on a line of its own has nothing else that ends it',
      {
        call: wire`CALL ${name}${each`
          ${key}: ${value}`}
          END`,
      },
      ["its closing marker; write ${'\\n'} for a line break that ends the value. Its templates"],
    ],
    [
      'a reader stands directly behind text that is skipped',
      { call: wire`<c ${name}>${skip}${args}</c>` },
      ['needs a marker after it; write one before ${args}'],
    ],
    [
      'it may be missing',
      { call: wire`<c ${name}>${skip}${optional`${args}`}</c>` },
      ['needs a marker after it; write one before ${args}'],
    ],
    [
      'a word stands directly behind a value',
      { call: wire`<c ${name}>${valueWith({ key: 'x' })}${id}</c>` },
      ['needs a marker after it; write one before ${id}'],
    ],
    ['what is repeated can be empty', { call: wire`<c ${name}>${each`${optional`x`}`}</c>` }, ['empty']],
    [
      'reasoning has no text',
      { reasoning: wire`<hm></hm>` },
      ['opening marker, ${text} and a closing marker'],
    ],
    ['reasoning never ends', { reasoning: wire`<hm>${text}` }, ['closing marker', '<hm>${text}']],
    ['reasoning never begins', { reasoning: wire`${text}</hm>` }, ['opening marker', '${text}</hm>']],
    [
      'a part per tool stands in a part of a call',
      { call: wire`<c ${name}>${optional`${perTool((tool) => wire`${tool.name};`)}`}</c>` },
      ["In the dialect 'mine', `perTool` can only stand at the top level of a call"],
    ],
    [
      'a part per tool stands in reasoning',
      { reasoning: wire`<hm>${text}${perTool((tool) => wire`${tool.name};`)}</hm>` },
      ["In the dialect 'mine', `perTool` can only stand at the top level of a call"],
    ],
    [
      'a part per tool stands in markup to drop',
      { drop: wire`<d>${optional`${perTool((tool) => wire`${tool.name};`)}`}` },
      ["In the dialect 'mine', `perTool` can only stand at the top level of a call"],
    ],
  ])('%s', (_, definition, fragments) => {
    const { code, message } = problem(definition)
    expect(code).toBe('invalid-template')
    for (const fragment of fragments) expect(message).toContain(fragment)
  })

  it('finds the name of a tool in the markup only, and not in how a template is written', () => {
    const call = wire`CALL ${optional`x `}${perTool((tool) => wire`${tool.name};`)}${args}`
    const options = { tools: [{ name: 'optional' }, { name: 'ls' }] }
    expect(read({ call }, 'CALL x other;', options)).toEqual(['text CALL x other;'])
    expect(read({ call }, 'CALL x optional;{}', options)).toEqual(['call optional {}'])
  })

  describe('also a template per tool, for the tools that are given', () => {
    const call = wire`${perTool(({ name }) => {
      if (name === 'endless') return wire`<${name}>${valueWith({ key: 'x' })}`
      if (name === 'empty') return wire`<${name}>${each`${optional`x`}`}</>`
      return wire`<${name}>${args}</>`
    })}`
    const mine = dialect('mine', { call })

    test.each<[tool: string, message: string]>([
      ['endless', "In the dialect 'mine', the last part of a call has no end; write a marker after it"],
      ['empty', "In the dialect 'mine': A repeated template must not match empty text."],
    ])('%s', (tool, message) => {
      const tools = [{ name: 'ls' }, { name: tool }]
      for (const dialect of [mine, withReasoning(mine, wire`<hm>${text}</hm>`)])
        expect(() => createParser({ dialect, tools })).toThrow(
          expect.objectContaining({ code: 'invalid-template', message: expect.stringContaining(message) }),
        )
    })

    it('but no other', () => {
      expect(outline('<ls>{}</>', { dialect: mine, tools: [{ name: 'ls' }] })).toEqual(['call ls {}'])
      expect(outline('<ls>', { dialect: mine, tools: [{ name: 'empty' }], calls: false })).toEqual([
        'text <ls>',
      ])
    })
  })

  test.each<[string, unknown]>([
    ['5', 5],
    ['null', null],
    ['undefined', undefined],
    ['function object', object],
  ])('a placeholder that is none: %s', (shown, placeholder) => {
    const nonsense = placeholder as string
    const message = `not ${shown} after "<c "`
    expect(() => wire`<c ${nonsense}>`).toThrow(message)
    expect(() => wire`<c ${nonsense}${name}>`).toThrow(message)
    expect(() => either(nonsense)).toThrow(`not ${shown}`)
  })

  it('an option that a dialect does not have', () => {
    const definition = { cal: wire`<c ${name}>` } as DialectDefinition
    expect(() => dialect('mine', definition)).toThrow(
      "The dialect 'mine' has no option 'cal'; did you mean 'call'?",
    )
  })
})

describe('a marker that is one only before certain characters', () => {
  const lists = dialect('lists', {
    looseCall: wire`${ahead('[', '{ ')}${space}${object({ name: ['name'], arguments: ['args'] })}${space}]`,
  })
  const doubled = dialect('doubled', { call: wire`[[@${name}]]` })
  const said = (text: string) => {
    const parser = createParser({ dialect: [lists, doubled] })
    return [...parser.push(text), ...parser.end()].flatMap((event) =>
      event.type === 'text-delta' ? [event.delta] : event.type === 'tool-call' ? [event.toolName] : [],
    )
  }

  test.each<[string, string[]]>([
    ['[{"name": "ls"}]', ['ls']],
    ['[ {"name": "ls"} ]', ['ls']],
    ['[[@ls]]', ['ls']],
    ['[[[@ls]]', ['[', 'ls']],
    ['[1] [x', ['[1] [x']],
    ['[', ['[']],
  ])('%s', (text, expected) => {
    expect(said(text)).toEqual(expected)
  })
})

describe('a call object whose name alone does not make a call', () => {
  const keys = { arguments: ['args'], within: ['tool'], ignore: ['id'], needsArguments: true } as const
  const bare = dialect('bare', { looseCall: wire`${object({ name: ['name'], ...keys })}` })
  const said = (pieces: string[]) => {
    const parser = createParser({ dialect: bare })
    const events = [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()]
    const text = events.map((event) => (event.type === 'text-delta' ? event.delta : '')).join('')
    return [text, ...events.flatMap((event) => (event.type === 'tool-call' ? [event.toolName] : []))]
  }

  test.each<[string, string[]]>([
    ['{"name": "ls", "args": {}}', ['', 'ls']],
    ['{"args": {}, "name": "ls"}', ['', 'ls']],
    ['{"id": 1, "name": "ls", "args": {}}', ['', 'ls']],
    ['{"tool": {"name": "ls"}}', ['', 'ls']],
    ['{"name": "Ada", "age": 36}', ['{"name": "Ada", "age": 36}']],
    ['{"name": "Ada", "id": 1}', ['{"name": "Ada", "id": 1}']],
    ['{"name": "Ada"}', ['{"name": "Ada"}']],
    ['{"name": "Ada"', ['{"name": "Ada"']],
  ])('%s', (text, expected) => {
    expect(said([text])).toEqual(expected)
    expect(said(text.split(''))).toEqual(expected)
  })
})

describe('literals that are repeated', () => {
  const digits = dialect('digits', { ignore: [wire`<co ${each`${literal('0', '1', ',')}`}>`] })
  test.each([
    ['a<co >b', 'ab'],
    ['a<co 0,1>b', 'ab'],
    ['a<co 0,2>b', 'a<co 0,2>b'],
  ])('%s', (text, expected) => {
    const visible = (chunks: readonly string[]) => {
      const parser = createParser({ dialect: digits })
      return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]
        .map((event) => (event.type === 'text-delta' ? event.delta : ''))
        .join('')
    }
    expect(visible([text])).toBe(expected)
    expect(visible(text.split(''))).toBe(expected)
  })
})

describe('a template is shown as a person would write it', () => {
  test.each<[Template, string]>([
    [wire`<c ${name}>`, '<c ${name}>'],
    [
      wire`<c>
        ${args}
        </c>`,
      '<c>\n${args}\n</c>',
    ],
    [wire`<c>${space}${id}${skip}</c>`, '<c>${space}${id}${skip}</c>'],
    [wire`<c ${idWithName('fn.', ':')}>`, "<c ${idWithName('fn.', ':')}>"],
    [
      wire`<c ${name}>${each`<p ${key}>${newline}${value}${newline}${closer`</p>`}`}</c>`,
      '<c ${name}>${each`<p ${key}>${newline}${value}${newline}${closer`</p>`}`}</c>',
    ],
    [wire`${tag('invoke', { name: 'name' })}${optional`!`}`, '<invoke name="${name}">${optional`!`}'],
    [wire`${tag('c', { fn: 'name', n: 'index' }, { brackets })}`, '[[c fn="${name}" n="${index}"]]'],
    [wire`${object({ name: ['tool'], arguments: ['input'] })}`, '${object({ tool, input })}'],
    [wire`${literal('<a>', '<b>')}${text}`, '<a>${text}'],
    [wire`${either(wire`a`, wire`b`)}`, '${either(`a`, `b`)}'],
    [wire`${ahead('[', '{ ')}${args}`, '[${args}'],
    [
      wire`${perTool((tool) => wire`<${tool.name}>${elements(tool.name)}`)}`,
      '<${name}>${elements}</${name}>',
    ],
  ])('%j', (template, expected) => {
    expect(showTemplate(template.nodes)).toBe(expected)
  })
})
