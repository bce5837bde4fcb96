/** A tag that is no call: what it opens is text up to its closer. */

import { describe, expect, test } from 'vitest'
import { SluiceError } from '../../../src/base/errors.ts'
import { dialect, each, key, perTool, tag, value, wire } from '../../../src/engine/wire/index.ts'
import { outline } from './outline.ts'

const NOT_A_CALL = 'note not-a-call'

describe('a tag that takes no other attributes', () => {
  const bare = dialect('bare', {
    call: wire`${tag('call', { fn: 'name' }, { others: 'none' })}</call>`,
  })

  test.each([
    ['is a call without them', '<call fn="ls"></call>', ['call ls {}']],
    ['may hold white space', '<call\n fn = "ls" ></call>', ['call ls {}']],
    ['may close itself', '<call fn="ls" />', ['call ls {}']],
    ['is text with one', '<call fn="ls" a></call>', ['text <call fn="ls" a></call>', NOT_A_CALL]],
    ['is text with the beginning of one', '<call f></call>', ['text <call f></call>', NOT_A_CALL]],
  ])('%s', (_, text, expected) => {
    expect(outline(text, { dialect: bare })).toEqual(expected)
  })

  test('says so where the option is misspelt', () => {
    expect(() => tag('call', {}, { others: 'no' as 'none' })).toThrow(
      new SluiceError('invalid-option', "'others' must be 'arguments' or 'none', not \"no\"."),
    )
  })
})

describe('an element whose tag is no call', () => {
  const named = dialect('named', {
    call: wire`${tag('call', { fn: 'name' })}${each`<arg ${key}>${value}</arg>`}</call>`,
  })
  const ofTools = dialect('of-tools', {
    call: wire`${perTool(({ name }) => wire`${tag(name, {}, { others: 'none' })}</${name}>`)}`,
    ignoreCase: true,
    knownToolsOnly: true,
  })
  const tools = [{ name: 'ls' }, { name: 'rm' }]

  test.each([
    ['is text up to its closer', '<call f="x"><call fn="rm"></call></call>'],
    [
      'may hold elements of its name that close themselves',
      '<call f="x"><call f/><call fn="rm"></call></call>',
    ],
    ['may hold a closer in a CDATA section', '<call f="x"><![CDATA[</call>]]><call fn="rm"></call></call>'],
    ['may have white space in its closer', '<call f="x"><call fn="rm"></call\n></call >'],
    ['may have a tag that is broken', '<call f="x" ="y"><call fn="rm"></call></call>'],
    ['may never be closed', '<call f="x"><call fn="rm"></call>'],
    [
      'may hold tags that only begin alike',
      '<call f="x"><calls></calls></cal></callx><call fn="rm"></call></call>',
    ],
    ['may hold a tag of its name that is broken', '<call f="x"><call <call fn="rm"></call></call>'],
  ])('%s', (_, text) => {
    expect(outline(text, { dialect: named })).toEqual([`text ${text}`, NOT_A_CALL])
  })

  test('is over behind its closer, where no call is certain', () => {
    const text = '<call f="x"></call>'
    expect(outline(`${text}<call fn="ls"></call>`, { dialect: named })).toEqual([
      `text ${text}`,
      'repaired ls {}',
      NOT_A_CALL,
    ])
  })

  test('is none, if another tag begins in its own', () => {
    expect(outline('the <call f tag, <call fn="ls"></call>', { dialect: named })).toEqual([
      'text the <call f tag, ',
      'repaired ls {}',
      NOT_A_CALL,
    ])
  })

  test('closes in either case where the format does not tell them apart', () => {
    const text = '<LS path="a"><rm></rm></ls>'
    expect(outline(`${text}<rm></rm>`, { dialect: ofTools, tools })).toEqual([
      `text ${text}`,
      'repaired rm {}',
      NOT_A_CALL,
    ])
  })

  test('hides nothing where prose mentions a tag without attributes', () => {
    expect(outline('Use <call> so: <call fn="ls"></call>', { dialect: named })).toEqual([
      'text Use <call> so: ',
      'call ls {}',
      NOT_A_CALL,
    ])
  })
})
