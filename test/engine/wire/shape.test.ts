/** Calls of a shape that would be read as something else are refused where they are written down. */

import { describe, expect, it, test } from 'vitest'
import { SluiceError } from '../../../src/base/errors.ts'
import { body } from '../../../src/engine/wire/body.ts'
import { dialect } from '../../../src/engine/wire/checked-dialect.ts'
import { elements } from '../../../src/engine/wire/elements.ts'
import { header } from '../../../src/engine/wire/header.ts'
import { args, object } from '../../../src/engine/wire/json.ts'
import { pythonCall } from '../../../src/engine/wire/literal-call.ts'
import { tag } from '../../../src/engine/wire/tag.ts'
import {
  closer,
  each,
  either,
  id,
  key,
  list,
  literal,
  name,
  optional,
  perTool,
  skip,
  type Template,
  text,
  value,
  valueWith,
  wire,
  wrapper,
} from '../../../src/engine/wire/template.ts'
import { outline } from './outline.ts'

const call = object({ name: ['name'], arguments: ['arguments'] })
const pairs = each`<p ${key}>${value}</p>`
const lines = { name: 'lines', read: () => ({}), write: () => '' }
const others = { others: 'arguments' } as const

function problem(call: Template): SluiceError {
  try {
    dialect('mine', { call })
  } catch (error) {
    if (error instanceof SluiceError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const refuses = (what: string, rows: [string, Template][]) =>
  test.each(rows)('%s', (_, template) => {
    const { code, message } = problem(template)
    expect(code).toBe('invalid-template')
    expect(message).toContain(what)
    expect(message).toContain("In the dialect 'mine'")
  })

describe('a call gives its arguments in one way, not', () => {
  refuses('has its arguments in two places', [
    ['as JSON and as pairs', wire`<c ${name}>${args}${pairs}</c>`],
    ['as pairs and as JSON', wire`<c ${name}>${pairs}${args}</c>`],
    ['as JSON twice', wire`<c ${name}>${args}${args}</c>`],
    ['as JSON any number of times', wire`<c ${name}>${each`;${args}`}</c>`],
    ['as JSON and as a value that has a key', wire`<c ${name}>${args}${valueWith({ key: 'a' })}</c>`],
    ['as JSON and as attributes', wire`${tag('c', { fn: 'name' }, others)}${args}</c>`],
    ['as an object and as JSON', wire`<c>${call}${args}</c>`],
    ['as an object and as pairs', wire`<c>${call}${pairs}</c>`],
    ['as a python call and as pairs', wire`<c>${pythonCall}${pairs}</c>`],
    ['as a header and as JSON', wire`<c>${header({ name: ['name'], arguments: 'args' })}${args}</c>`],
    ['as elements and as pairs', wire`<c ${name}><all>${elements('all')}${pairs}</c>`],
    ['as pairs and as a body', wire`<c ${name}>${pairs}<all>${body('all', lines)}</c>`],
    ['as elements and as a body', wire`<c ${name}><a>${elements('a')}<b>${body('b', lines)}</c>`],
    ['as JSON and maybe as pairs', wire`<c ${name}>${args}${optional`<more>${pairs}</more>`}</c>`],
    ['as JSON in a section', wire`<s>${each`<c ${name}>${args}${pairs}</c>`}</s>`],
    ['per tool', wire`${perTool((tool) => wire`<${tool.name}>${args}${pairs}</>`)}`],
  ])
})

describe('a value belongs to a key that comes before it, not', () => {
  refuses('a value has no key', [
    ['to none', wire`<c ${name}>${value}</c>`],
    ['to one behind it', wire`<c ${name}>${each`[${value}:${key}]`}</c>`],
    ['to one that may be missing', wire`<c ${name}>${each`[${optional`${key}:`}=${value}]`}</c>`],
    ['to one that may be forgotten', wire`<c ${name}>${each`[${closer`${key}:`}=${value}]`}</c>`],
    ['to the key of another value', wire`<c ${name}>${each`[${key}=${value};${value}]`}</c>`],
    [
      'to an attribute that may be missing',
      wire`<c ${name}>${each`${tag('p', { n: 'key' }, { optional: ['n'] })}${value}</p>`}</c>`,
    ],
  ])
})

describe('a call has a name before its arguments, not', () => {
  refuses('needs a required `name` before its arguments', [
    ['an id alone', wire`<c ${id}>`],
    ['an id alone before arguments', wire`<c ${id}>${args}</c>`],
    ['an attribute that is an id', wire`${tag('c', { ref: 'id' })}${args}</c>`],
    ['an id, and a name behind the arguments', wire`<c ${id}>${args}${name}</c>`],
    ['a name or an id', wire`<c ${either(wire`n=${name}`, wire`i=${id}`)}>${args}</c>`],
    ['a name that may be missing', wire`<c ${id}${optional` n=${name}`}>${args}</c>`],
    ['an id in each of a section', wire`<s>${each`<c ${id}>${args}</c>`}</s>`],
    ['a name behind attributes', wire`${tag('c', {}, others)}${name};`],
  ])
})

describe('a call has one name, not', () => {
  refuses('a call has two names', [
    ['a name and a python call', wire`<c ${name}>${pythonCall}</c>`],
    ['a name and an object', wire`<c ${name}>${call}</c>`],
    ['an object and a name', wire`<c>${call}${name};`],
    ['an attribute and an object', wire`${tag('c', { fn: 'name' })}${call}</c>`],
    ['a name per tool and an object', wire`${perTool((tool) => wire`<${tool.name}>`)}${call}</>`],
  ])
})

describe('parts that do not belong where they stand are refused', () => {
  refuses('`text` is for reasoning and results', [
    ['text in a call', wire`<c ${name}>${text}</c>`],
    ['text in a call of a section', wire`<s>${each`<c ${name}>${text}</c>`}</s>`],
  ])

  refuses('reads </c> itself', [
    ['a closing tag behind elements', wire`<c ${name}>${elements('c')}</c>`],
    ['one that may be missing', wire`<c ${name}>${elements('c')}${closer`</c>`}`],
    [
      'one on the next line',
      wire`<c ${name}>${body('c', lines)}
        </c>`,
    ],
  ])

  refuses('cannot contain repeated calls', [
    ['a section per tool', wire`${perTool((tool) => wire`<${tool.name}>${each`<c ${id}>${args}</c>`}</>`)}`],
    [
      'a section behind a part per tool',
      wire`${perTool((tool) => wire`<${tool.name}>`)}${each`<c ${name}>`}</>`,
    ],
  ])

  refuses('is outside the `each` that repeats the calls', [
    ['a name', wire`<s ${name}>${each`<c ${id}>${args}</c>`}</s>`],
    ['a value', wire`<s>${each`<c ${name}>`}${valueWith({ key: 'a' })}</s>`],
    ['another section', wire`<s>${each`<c ${name}>`}${each`<d ${name}>`}</s>`],
    ['an attribute', wire`${tag('s', { fn: 'name' })}${each`<c ${id}>${args}</c>`}</s>`],
  ])

  refuses('write it inside `perTool`', [
    ['what follows the name of a tool', wire`<${perTool((tool) => wire`${tool.name}`)}>`],
    ['with arguments', wire`<${perTool((tool) => wire`${tool.name}`)}>${args}</>`],
  ])

  refuses("is one of name, id, key, is-string, type, index, not 'nam'", [
    ['a role that there is not', wire`${tag('c', { fn: 'nam' as 'name' })}</c>`],
  ])

  refuses("without brackets, not '<c>'", [
    ['brackets in the name of a tag', wire`${tag('<c>', { fn: 'name' })}</c>`],
  ])

  refuses('`literal` needs a spelling', [
    ['a literal of nothing', wire`<c ${literal(...([] as unknown as [string]))}${name}>`],
  ])

  it('a template per tool that is none', () => {
    const make = (() => '<c>') as unknown as () => Template
    expect(() => dialect('mine', { call: wire`${perTool(make)}` })).toThrow(
      '`perTool` takes a function that returns a template for each tool; write perTool(({ name }) => wire`…`).',
    )
  })
})

describe('all else goes', () => {
  test.each<[string, Template, string, string]>([
    [
      'a name that is repeated in the closing tag',
      wire`<${name}>${args}</${name}>`,
      '<ls>{"a": 1}</ls>',
      'call ls {"a":1}',
    ],
    [
      'JSON or pairs',
      wire`<c ${name}>${either(args, wire`!${pairs}`)}</c>`,
      '<c ls>!<p a>1</p></c>',
      'call ls {"a":"1"}',
    ],
    [
      'an id that may be missing',
      wire`<c ${name}${optional` #${id}`}>${args}</c>`,
      '<c ls>{}</c>',
      'call ls {}',
    ],
    [
      'pairs in two notations',
      wire`<c ${name}>${pairs}${each`[${key}=${value}]`}</c>`,
      '<c ls><p a>1</p>[b=2]</c>',
      'call ls {"a":"1","b":"2"}',
    ],
    [
      'a key whose value may be missing',
      wire`<c ${name}>${each`[${key}${optional`=${value}`}]`}</c>`,
      '<c ls>[a][b=2]</c>',
      'call ls {"b":"2"}',
    ],
    [
      'attributes and a value',
      wire`${tag('c', { fn: 'name' }, others)}${valueWith({ key: 'b' })}</c>`,
      '<c fn="ls" a="1">2</c>',
      'call ls {"a":"1","b":"2"}',
    ],
    [
      'elements and a value',
      wire`<c ${name}><all>${elements('all')}<n>${valueWith({ key: 'b' })}</n></c>`,
      '<c ls><all><a>x</a></all><n>2</n></c>',
      'call ls {"a":"x","b":"2"}',
    ],
    [
      'sections in a section',
      wire`<s>${each`<g>${each`<c ${name}>`}</g>`}</s>`,
      '<s><g><c ls></g><g><c pwd></g></s>',
      'call ls {}|call pwd {}',
    ],
    [
      'a marker and a list',
      wire`${wrapper`<s>`}<c>${list(call)}</c>`,
      '<s><c>{"name": "ls"}</c>',
      'call ls {}',
    ],
    ['what means nothing', wire`<c ${name}>${skip}</c>`, '<c ls>anything</c>', 'call ls {}'],
  ])('%s', (_, template, response, expected) => {
    expect(outline(response, { dialect: dialect('mine', { call: template }) }).join('|')).toBe(expected)
  })
})
