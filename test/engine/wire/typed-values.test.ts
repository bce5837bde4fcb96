/** What models do to values that are untyped text: a list in pieces, or JSON that is escaped twice. */

import { describe, expect, test } from 'vitest'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { parse } from '../../../src/engine/message.ts'
import { createParser, restoreParser } from '../../../src/engine/parser.ts'
import { dialect, each, key, name, valueWith, wire } from '../../../src/engine/wire/index.ts'
import { outline } from './outline.ts'

const house = dialect('house', {
  call: wire`<call ${name}>${each`<p ${key}>${valueWith({ repeats: true, escaped: true })}</p>`}</>`,
})
const plain = dialect('plain', { call: wire`<call ${name}>${each`<p ${key}>${valueWith({})}</p>`}</>` })

const properties = {
  tags: { type: 'array', items: { type: 'string' } },
  lines: { type: 'array', items: { type: 'integer' } },
  any: { type: ['array', 'string'] },
  options: { type: 'object' },
  city: { type: 'string' },
} as const
const tools = [{ name: 'f', inputSchema: { type: 'object', properties } }]

describe('an argument whose schema wants a list', () => {
  test.each([
    [
      'is one in pieces',
      '<call f><p tags>a</p><p tags>b</p></>',
      ['repaired f {"tags":["a","b"]}', 'note arguments-repaired'],
    ],
    [
      'has items of its own type',
      '<call f><p lines>1</p><p lines>2</p></>',
      ['repaired f {"lines":[1,2]}', 'note arguments-repaired'],
    ],
    [
      'is left as it is, if it comes once',
      '<call f><p tags>a</p><p city>x</p></>',
      ['call f {"tags":"a","city":"x"}'],
    ],
    [
      'goes on behind it',
      '<call f><p tags>a</p><p tags>b</p><p city>x</p></>',
      ['repaired f {"tags":["a","b"],"city":"x"}', 'note arguments-repaired'],
    ],
    ['is there twice, if it is a list', '<call f><p tags>["a"]</p><p tags>b</p></>', null],
    ['is there twice, if a list follows', '<call f><p tags>a</p><p tags>["b"]</p></>', null],
    ['is there twice, with another between', '<call f><p tags>a</p><p city>x</p><p tags>b</p></>', null],
    ['is there twice, if it may be a string', '<call f><p any>a</p><p any>b</p></>', null],
    ['is there twice, if it is another string', '<call f><p city>a</p><p city>b</p></>', null],
  ])('%s', (_, text, expected) => {
    if (expected === null) expect(outline(text, { dialect: house, tools }).at(-1)).toBe('note duplicate-key')
    else expect(outline(text, { dialect: house, tools })).toEqual(expected)
  })

  test('is a guess in pieces', () => {
    const [call] = parse('<call f><p tags>a</p><p tags>b</p></>', { dialect: house, tools }).toolCalls
    expect(call?.repairs).toEqual([{ code: 'repeated-key', class: 'guess', offset: 0 }])
    expect(isExecutable(call!)).toBe(false)
  })

  test('is not certain while more of it may come', () => {
    expect(outline('<call f><p city>x</p><p tags>a</p><p tag', { dialect: house, tools })[0]).toBe(
      'truncated f {"city":"x"}',
    )
  })

  test('is not read in pieces where that is not declared', () => {
    expect(outline('<call f><p tags>a</p><p tags>b</p></>', { dialect: plain, tools }).at(-1)).toBe(
      'note duplicate-key',
    )
  })

  test('is kept in a snapshot', () => {
    const options = { dialect: house, tools }
    const parser = createParser(options)
    parser.push('<call f><p tags>a</p>')
    const restored = restoreParser(JSON.parse(JSON.stringify(parser.snapshot())), options)
    const call = [...restored.push('<p tags>b</p></>'), ...restored.end()].find(
      ({ type }) => type === 'tool-call',
    )
    expect(call).toMatchObject({ input: { tags: ['a', 'b'] } })
  })
})

describe('JSON that is escaped once more', () => {
  test.each([
    ['[\\"a\\"]', { tags: ['a'] }, 'guess'],
    ['"[\\"a\\"]"', { tags: ['a'] }, 'lossless'],
    ['[\\"a\\\\nb\\"]', { tags: ['a\nb'] }, 'guess'],
    ['["a"]', { tags: ['a'] }, undefined],
    ['\\"a\\"', { tags: '\\"a\\"' }, undefined],
  ])('%s', (written, input, repair) => {
    const [call] = parse(`<call f><p tags>${written}</p></>`, { dialect: house, tools }).toolCalls
    expect(call?.input).toEqual(input)
    expect(call?.repairs).toEqual(repair ? [{ code: 'escaped-json', class: repair, offset: 0 }] : [])
  })

  test.each([
    [
      'is an object, too',
      '<call f><p options>{\\"a\\": 1}</p></>',
      ['repaired f {"options":{"a":1}}', 'note json-repaired'],
    ],
    ['is a string where one is wanted', '<call f><p city>"[1]"</p></>', ['call f {"city":"\\"[1]\\""}']],
    ['is a string where one may be', '<call f><p any>"[1]"</p></>', ['call f {"any":"\\"[1]\\""}']],
  ])('%s', (_, text, expected) => {
    expect(outline(text, { dialect: house, tools })).toEqual(expected)
  })
})

describe('a value without a schema that may be JSON', () => {
  const free = dialect('free', {
    call: wire`<call ${name}>${each`<p ${key}>${valueWith({})}</p>`}</>`,
    untyped: 'json',
  })

  /** The deltas of its JSON text, where it comes in characters. */
  const streamed = (text: string): string[] => {
    const parser = createParser({ dialect: free })
    const events = [...text].flatMap((character) => parser.push(character))
    return events.flatMap((event) => (event.type === 'tool-input-delta' ? [event.delta] : []))
  }

  test.each([
    ['streams if its first character begins none', 'Hi y', ['{"a":"', 'H', 'i', ' ', 'y']],
    ['streams with the white space before it', '\n /x', ['{"a":"', '\\n /', 'x']],
    ['streams if its first word is another one', 'trut', ['{"a":"', 'trut']],
    ['streams behind a word of JSON', 'nullx', ['{"a":"', 'nullx']],
    ['waits as a word of JSON', 'true', []],
    ['waits as a number', '2024-11', []],
    ['waits in quotes', '"a"', []],
    ['waits in brackets', '[x', []],
    ['waits as white space', '  ', []],
  ])('%s', (_, value, expected) => {
    expect(streamed(`<call f><p a>${value}`)).toEqual(expected)
  })

  test.each([
    ['Hi "you"\n', 'Hi "you"\n'],
    ['  /x ', '  /x '],
    ['tru', 'tru'],
    ['true', true],
    [' null ', null],
    ['2', 2],
    ['2024-11', '2024-11'],
    ['{"b": 1}', { b: 1 }],
    ['{b}', '{b}'],
    ['', ''],
    [' ', ' '],
  ])('%j is %j', (value, expected) => {
    const { toolCalls } = parse(`<call f><p a>${value}</p><p b>x</p></>`, { dialect: free })
    expect(toolCalls).toMatchObject([{ status: 'complete', input: { a: expected, b: 'x' } }])
  })

  test('is found to be text wherever a snapshot is taken', () => {
    const text = '<call f><p a>\n trip</p><p b>x</p></>'
    const whole = parse(text, { dialect: free }).toolCalls
    for (let cut = 0; cut < text.length; cut++) {
      const parser = createParser({ dialect: free })
      const before = parser.push(text.slice(0, cut))
      const rest = restoreParser(parser.snapshot(), { dialect: free })
      const events = [...before, ...rest.push(text.slice(cut)), ...rest.end()]
      expect(events.filter((event) => event.type === 'tool-call')).toEqual(whole)
    }
  })
})
