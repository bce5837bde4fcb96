/** The record of a reader comes back from a snapshot only as it was taken. */

import { describe, expect, test } from 'vitest'
import { SluiceError } from '../../../src/base/errors.ts'
import type { JsonValue } from '../../../src/base/event.ts'
import { functionCalls, harmony, morphXml, sentinel, toolXml } from '../../../src/dialects/index.ts'
import {
  createParser,
  type ParserOptions,
  type ParserSnapshot,
  restoreParser,
} from '../../../src/engine/parser.ts'
import { define } from '../../../src/engine/wire/dialect.ts'
import { body, name, wire } from '../../../src/engine/wire/index.ts'
import { ToolSyntaxRegistry } from '../../../src/views/compat/segments/tool-syntax.ts'
import { dialectsFor } from '../../../src/views/compat/segments/wire/strategies.ts'

type Fields = { [field: string]: JsonValue }

const registry = new ToolSyntaxRegistry()
const tools = [
  { name: 'ls', inputSchema: { type: 'object', properties: { path: { type: 'string' }, depth: {} } } },
]
const segments = (strategy: 'xml_tag' | 'sentinel'): ParserOptions => ({
  dialect: dialectsFor([strategy], registry, 'any'),
})
const patterns = { patterns: ['{"cmd":'], parser: { parse: () => [{ name: 'ls', arguments: {} }] } }
const lines = define('lines', {
  call: wire`<c ${name}>${body('c', { name: 'lines', read: () => ({ a: 1 }), write: () => '' })}`,
})

/** A text that is cut inside a reader, and its rest. */
const READERS: [name: string, options: ParserOptions, before: string, rest: string][] = [
  ['a span of code', { dialect: toolXml, protectCode: true }, 'a\n```x\nb', '\n```\n'],
  ['attributes of a thought', { dialect: functionCalls }, '<thinking a="b', '">Hm.</thinking>Hi.'],
  ['a label', { dialect: harmony }, '<|start|>assistant to=ls<|channel|>comm', 'entary<|message|>{}<|call|>'],
  ['a body', { dialect: lines }, '<c ls>a</', 'c>'],
  ['a header', { dialect: sentinel }, '[[SEG_START {"type": "ls", "a', 'rguments": {}}]]a[[SEG_END]]'],
  ['a tag', { dialect: toolXml, tools }, '<tool na', 'me="ls"><path>a</path></tool>'],
  ['an element that is no call', { dialect: toolXml, tools }, '<tool nme="a">b</to', 'ol>c'],
  ['the tag of such an element', { dialect: morphXml, tools }, '<ls pth="', 'a"><ls></ls></ls>c'],
  ['a CDATA section in it', { dialect: morphXml, tools }, '<ls a><![CDATA[</ls>]', ']></ls>c'],
  ['a CDATA section of a string', { dialect: morphXml, tools }, '<ls><path> <![CDATA[a]', ']> </path></ls>'],
  ['what begins like one', { dialect: morphXml, tools }, '<ls><path>\n<![CDA', 'TA[a]]></path></ls>'],
  ['white space behind one', { dialect: morphXml, tools }, '<ls><path><![CDATA[a]]>\n', 'b</path></ls>'],
  ['a string element', { dialect: morphXml, tools }, '<ls><path>a</pa', 'th><depth>2</depth></ls>'],
  ['another element', { dialect: morphXml, tools }, '<ls><depth>2</de', 'pth></ls>'],
  ['attributes of an element', { dialect: morphXml, tools }, '<ls><path a="', 'b">c</path></ls>'],
  ['the header of a segment', segments('sentinel'), '[[SEG_START {"type"', ': "run_bash"}]]ls[[SEG_END]]'],
  ['the end of such a header', segments('sentinel'), '[[SEG_START {"type": "run_bash"}]', ']ls[[SEG_END]]'],
  ['the content of a segment', segments('sentinel'), '[[SEG_START {"type": "run_bash"}]]ls[[', 'SEG_END]]'],
  ['the tag of a tool', segments('xml_tag'), '<tool name="run', '_bash"><arg name="command">ls</arg></tool>'],
  ['the argument of a tool', segments('xml_tag'), '<tool name="lookup"><term>o', 'wl</term></tool>'],
  ['what is no argument', segments('xml_tag'), '<tool name="lookup">what is </to', 'ol>'],
  [
    'the content of a tool',
    segments('xml_tag'),
    '<tool name="write_file"><arg name="path">a</arg><arg name="content">b</arg> </to',
    'ol>',
  ],
  ['the content of a shorthand', segments('xml_tag'), '<run_bash>ls</run_', 'bash>'],
  ['a JSON pattern', { dialect: dialectsFor(['json_tool'], registry, patterns) }, '{"cmd": ', '1}'],
]

const WRONG: JsonValue[] = [null, true, -1, 1_000_000, 'x', [], [1], {}, { $rope: 'x' }, { $map: 1 }]

function saved(options: ParserOptions, text: string): ParserSnapshot {
  const parser = createParser(options)
  parser.push(text)
  return parser.snapshot()
}

/** Every record that a value holds, itself included, as a path. */
function recordsIn(value: JsonValue, path: string[] = []): string[][] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return []
  return [path, ...Object.entries(value).flatMap(([field, inner]) => recordsIn(inner, [...path, field]))]
}

function changed(
  value: JsonValue,
  [first, ...path]: string[],
  change: (record: Fields) => Fields,
): JsonValue {
  const record = value as Fields
  return first === undefined ? change(record) : { ...record, [first]: changed(record[first]!, path, change) }
}

describe.each(READERS)('%s', (_, options, before, rest) => {
  const snapshot = saved(options, before)
  const reader = (snapshot.machine as Fields).reader!
  const restored = (damaged: JsonValue) =>
    restoreParser({ ...snapshot, machine: { ...(snapshot.machine as Fields), reader: damaged } }, options)

  test('is refused if a field is missing, or one is there that is not known', () => {
    expect(recordsIn(reader)).not.toEqual([])
    for (const path of recordsIn(reader)) {
      const record = path.reduce<JsonValue>((value, field) => (value as Fields)[field]!, reader) as Fields
      if (Object.keys(record).some((field) => field.startsWith('$'))) continue
      const damages = [
        changed(reader, path, (fields) => ({ ...fields, foreign: 1 })),
        ...Object.keys(record).map((field) => changed(reader, path, ({ [field]: __, ...others }) => others)),
      ]
      for (const damaged of damages)
        expect(() => restored(damaged), JSON.stringify(damaged)).toThrow(
          expect.objectContaining({ code: 'invalid-snapshot' }),
        )
    }
  })

  test('is refused if a field is of another type, and otherwise reads on', () => {
    for (const path of recordsIn(reader)) {
      const record = path.reduce<JsonValue>((value, field) => (value as Fields)[field]!, reader) as Fields
      for (const field of Object.keys(record))
        for (const wrong of WRONG) {
          const damaged = changed(reader, path, (fields) => ({ ...fields, [field]: wrong }))
          try {
            const parser = restored(damaged)
            parser.push(rest)
            parser.end()
          } catch (error) {
            const isRefused = error instanceof SluiceError && error.code === 'invalid-snapshot'
            expect(isRefused ? undefined : error, JSON.stringify(damaged)).toBeUndefined()
          }
        }
    }
  })
})
