/** Unquoted values in calls that are written like a literal of some language. */

import { describe, expect, test } from 'vitest'
import { functiongemma } from '../../../src/dialects/functiongemma.ts'
import { gemma4 } from '../../../src/dialects/gemma4.ts'
import { lfm2 } from '../../../src/dialects/lfm2.ts'
import { olmo3 } from '../../../src/dialects/olmo3.ts'
import { pythonic } from '../../../src/dialects/pythonic.ts'
import { yamlXml } from '../../../src/dialects/yaml/index.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { foldEvents } from '../../../src/engine/message.ts'
import { createParser, restoreParser } from '../../../src/engine/parser.ts'
import type { Dialect } from '../../../src/engine/wire/index.ts'

const TOOLS = [
  {
    name: 'send',
    inputSchema: {
      type: 'object',
      properties: {
        zip: { type: 'string' },
        count: { type: 'integer' },
        any: {},
        opt: { type: ['string', 'null'] },
        either: { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'array' }] },
        open: { type: ['string', 'number'] },
        to: {
          type: 'object',
          properties: { zip: { $ref: '#/$defs/zip' }, lines: { type: 'array', items: { type: 'string' } } },
        },
        mixed: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }] },
      },
      $defs: { zip: { type: 'string' } },
    },
  },
]

const WRITTEN: [Dialect, (args: string, separator: string) => string][] = [
  [gemma4, (args) => `<|tool_call>call:send{${args}}<tool_call|>`],
  [functiongemma, (args) => `<start_function_call>call:send{${args}}<end_function_call>`],
  [pythonic, (args) => `[send(${args.replace(':', '=')})]`],
  [lfm2, (args) => `<|tool_call_start|>[send(${args.replace(':', '=')})]<|tool_call_end|>`],
  [olmo3, (args) => `<function_calls>\nsend(${args.replace(':', '=')})\n</function_calls>`],
]

/** The call in a text that comes in pieces of some size, through a snapshot after each. */
function callIn(text: string, dialect: Dialect, size = text.length) {
  const options = { dialect, tools: TOOLS, emit: { arguments: true } }
  let parser = createParser(options)
  const events = []
  for (let at = 0; at < text.length; at += size) {
    events.push(...parser.push(text.slice(at, at + size)))
    if (size < text.length) parser = restoreParser(JSON.parse(JSON.stringify(parser.snapshot())), options)
  }
  events.push(...parser.end())
  return foldEvents(events).toolCalls[0]!
}

describe.each(WRITTEN)('$name', (dialect, write) => {
  test.each([
    ['zip:01234', '{"zip":"01234"}'],
    ['zip:1.10', '{"zip":"1.10"}'],
    ['zip:12_34', '{"zip":"12_34"}'],
    ['zip:1e5', '{"zip":"1e5"}'],
    ['zip:1e400', '{"zip":"1e400"}'],
    ['zip:0x1F', '{"zip":"0x1F"}'],
    ['zip:+4915112345678', '{"zip":"+4915112345678"}'],
    ['zip:-0', '{"zip":"-0"}'],
    ['zip:12345678901234567890', '{"zip":"12345678901234567890"}'],
    ['to:{"zip":01234}', '{"to":{"zip":"01234"}}'],
    ['to:{"lines":[1.10,007]}', '{"to":{"lines":["1.10","007"]}}'],
    ['mixed:[007,007]', '{"mixed":[7,"007"]}'],
    ['opt:01234', '{"opt":"01234"}'],
    ['opt:3.10', '{"opt":"3.10"}'],
    ['opt:+49123', '{"opt":"+49123"}'],
    ['opt:1_000', '{"opt":"1_000"}'],
    ['opt:0x1f', '{"opt":"0x1f"}'],
    ['either:01234', '{"either":"01234"}'],
  ])('keeps the characters of %s where a string may stand and no number', (args, input) => {
    const text = write(args, ':')
    for (const size of [text.length, 1, 3]) {
      const call = callIn(text, dialect, size)
      expect(JSON.stringify(call.input)).toBe(input)
      expect(call.status).toBe('repaired')
      expect(isExecutable(call)).toBe(true)
    }
  })

  test.each([
    ['count:007', '{"count":7}'],
    ['any:1.10', '{"any":1.1}'],
    ['zip:None', '{"zip":null}'],
    ['opt:None', '{"opt":null}'],
    ['opt:True', '{"opt":true}'],
    ['either:True', '{"either":true}'],
    ['open:3.10', '{"open":3.1}'],
    ['other:1_000', '{"other":1000}'],
  ])('reads %s as the value it is', (args, input) => {
    const call = callIn(write(args, ':'), dialect, 1)
    expect(JSON.stringify(call.input)).toBe(input)
    expect(call.status).toBe('complete')
  })
})

describe('what functiongemma quotes', () => {
  test.each<[args: string, input: string, verdict: 'runs' | 'guess', status: 'complete' | 'repaired']>([
    ['zip:<escape>3<escape>', '{"zip":"3"}', 'runs', 'complete'],
    ['to:{lines:[<escape>null<escape>]}', '{"to":{"lines":["null"]}}', 'runs', 'complete'],
    ['opt:<escape>3<escape>', '{"opt":"3"}', 'runs', 'complete'],
    ['any:<escape>Paris<escape>', '{"any":"Paris"}', 'runs', 'complete'],
    ['any:<escape>{x} "y"<escape>', '{"any":"{x} \\"y\\""}', 'runs', 'complete'],
    ['any:<escape><escape>', '{"any":""}', 'runs', 'complete'],
    ['count:<escape>three<escape>', '{"count":"three"}', 'runs', 'complete'],
    ['count:<escape>2.5<escape>', '{"count":"2.5"}', 'runs', 'complete'],
    ['count:<escape>3<escape>', '{"count":3}', 'runs', 'repaired'],
    ['count:<escape> -3\n<escape>', '{"count":-3}', 'runs', 'repaired'],
    ['mixed:[<escape>7<escape>,<escape>7<escape>]', '{"mixed":[7,"7"]}', 'runs', 'repaired'],
    ['to:<escape>{"zip": "1"}<escape>', '{"to":{"zip":"1"}}', 'runs', 'repaired'],
    ['any:<escape>3<escape>', '{"any":"3"}', 'guess', 'repaired'],
    ['other:<escape>true<escape>', '{"other":"true"}', 'guess', 'repaired'],
    ['other:<escape>[1]<escape>', '{"other":"[1]"}', 'guess', 'repaired'],
    ['opt:<escape>null<escape>', '{"opt":"null"}', 'guess', 'repaired'],
    ['open:<escape>3.10<escape>', '{"open":"3.10"}', 'guess', 'repaired'],
  ])(
    'is of the type that the schema wants, and a guess where it may be of two: %j',
    (args, input, verdict, status) => {
      const text = `<start_function_call>call:send{${args}}<end_function_call>`
      for (const size of [text.length, 1, 3]) {
        const call = callIn(text, functiongemma, size)
        expect(JSON.stringify(call.input)).toBe(input)
        expect(call.status).toBe(status)
        expect(isExecutable(call)).toBe(verdict === 'runs')
      }
    },
  )

  test('is a string elsewhere', () => {
    const call = callIn('<|tool_call>call:send{count:<|"|>3<|"|>}<tool_call|>', gemma4)
    expect(call).toMatchObject({ status: 'complete', input: { count: '3' } })
  })

  test('passes on while it arrives where it can only be a string', () => {
    const parser = createParser({ dialect: functiongemma, tools: TOOLS })
    const before = '<start_function_call>call:send{any:<escape>'
    expect(parser.push(`${before}Pa`).at(-1)).toMatchObject({ type: 'tool-input-delta', delta: '"any":"Pa' })
    expect(parser.push('ris')).toMatchObject([{ type: 'tool-input-delta', delta: 'ris' }])
  })

  test('is cut off before its type is known', () => {
    const call = callIn('<start_function_call>call:send{zip:<escape>a<escape>,count:<escape>3', functiongemma)
    expect(call).toMatchObject({ status: 'truncated', input: { zip: 'a' } })
  })

  test('is a guess where its closing quote is missing', () => {
    const call = callIn('<start_function_call>call:send{count:<escape>3}<end_function_call>', functiongemma)
    expect(call).toMatchObject({ status: 'repaired', input: { count: '3}' } })
    expect(isExecutable(call)).toBe(false)
  })
})

describe('yaml-xml', () => {
  test.each([
    ['zip: 01234', '{"zip":"01234"}'],
    ['zip: 1.10', '{"zip":"1.10"}'],
    ['zip: true', '{"zip":"true"}'],
    ['to:\n  zip: 0x1F\n  lines: [1e5, +49]', '{"to":{"zip":"0x1F","lines":["1e5","+49"]}}'],
    ['mixed:\n- 007\n- 007', '{"mixed":[7,"007"]}'],
    ['any: 1.10', '{"any":1.1}'],
    ['zip: ~', '{"zip":null}'],
    ['opt: 01234', '{"opt":"01234"}'],
    ['opt: true', '{"opt":"true"}'],
    ['opt: ~', '{"opt":null}'],
    ['either: true', '{"either":true}'],
    ['other: {01: a}', '{"other":{"01":"a"}}'],
  ])('reads %j', (yaml, input) => {
    const call = callIn(`<send>\n${yaml}\n</send>`, yamlXml, 1)
    expect(JSON.stringify(call.input)).toBe(input)
    expect(call.status).toBe('complete')
  })
})

describe.each(WRITTEN)('parentheses in $name', (dialect, write) => {
  test.each([
    ['any:([1,2])', '{"any":[[1,2]]}'],
    ['any:(1)', '{"any":[1]}'],
    ['any:[(1, 2), (3)]', '{"any":[[1,2],[3]]}'],
  ])('around the one value in %s are a guess', (args, input) => {
    const text = write(args, ':')
    for (const size of [text.length, 1, 3]) {
      const call = callIn(text, dialect, size)
      expect(JSON.stringify(call.input)).toBe(input)
      expect(call.repairs.map(({ code }) => code)).toEqual(['parentheses'])
      expect(isExecutable(call)).toBe(false)
    }
  })

  test.each([
    ['any:()', '{"any":[]}'],
    ['any:(1,)', '{"any":[1]}'],
    ['any:(1, (2, 3))', '{"any":[1,[2,3]]}'],
  ])('are a tuple in %s', (args, input) => {
    const text = write(args, ':')
    for (const size of [text.length, 1, 3]) {
      const call = callIn(text, dialect, size)
      expect(JSON.stringify(call.input)).toBe(input)
      expect(isExecutable(call)).toBe(true)
    }
  })
})

describe('an escape in a Python string', () => {
  test.each([
    [String.raw`\033[31m`, '\x1b[31m'],
    [String.raw`\012`, '\n'],
    [String.raw`\101\1018`, 'AA8'],
    [String.raw`\0`, '\0'],
    [String.raw`\08\7x\18`, '\x008\x07x\x018'],
    [String.raw`\400\777`, '\u0100\u01ff'],
  ])('%s gives a character by its octal number', (written, zip) => {
    const text = `[send(zip='${written}')]`
    for (const size of [text.length, 1, 3])
      expect(callIn(text, pythonic, size)).toMatchObject({ status: 'complete', input: { zip } })
  })

  test('gives a character by its name, which is a guess', () => {
    const text = String.raw`[send(zip='\N{BULLET} a')]`
    for (const size of [text.length, 1, 3]) {
      const call = callIn(text, pythonic, size)
      expect(call).toMatchObject({ status: 'repaired', input: { zip: '\\N{BULLET} a' } })
      expect(call.repairs).toEqual([{ code: 'invalid-escape', class: 'guess', offset: 0 }])
    }
  })

  test.each([
    [String.raw`\xZZ`, '\\xZZ'],
    [String.raw`\x4`, '\\x4'],
    [String.raw`a\u12 b`, 'a\\u12 b'],
    [String.raw`C:\Users`, 'C:\\Users'],
    [String.raw`\U0011FFFF`, '\\U0011FFFF'],
  ])('%s is an error in Python, so that what it means is a guess', (written, zip) => {
    const text = `[send(zip='${written}')]`
    for (const size of [text.length, 1, 3]) {
      const call = callIn(text, pythonic, size)
      expect(call).toMatchObject({ status: 'repaired', input: { zip } })
      expect(call.repairs).toEqual([{ code: 'invalid-escape', class: 'guess', offset: 0 }])
      expect(isExecutable(call)).toBe(false)
    }
  })
})
