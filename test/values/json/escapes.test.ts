/** Backslashes that escape nothing: lossless only where the text of the string is certain. */

import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { hermes } from '../../../src/dialects/hermes.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { foldEvents } from '../../../src/engine/message.ts'
import { createParser, restoreParser } from '../../../src/engine/parser.ts'
import { JsonBuilder } from '../../../src/values/json/builder.ts'
import { JsonScanner } from '../../../src/values/json/scanner.ts'

const ROWS: [written: string, value: string, classes: string[]][] = [
  [String.raw`\d+`, '\\d+', ['lossless']],
  [String.raw`a\d\w\s`, 'a\\d\\w\\s', ['lossless']],
  [String.raw`\d \"x\" \\n \/`, '\\d "x" \\n /', ['lossless']],
  [String.raw`\1`, '\\1', ['lossless']],
  [String.raw`\d\n`, '\\d\n', ['lossless', 'guess']],
  [String.raw`\n\d`, '\n\\d', ['guess']],
  [String.raw`C:\docs\notes`, 'C:\\docs\notes', ['lossless', 'guess']],
  [
    String.raw`a long text with a tab\t in it, and then \d`,
    'a long text with a tab\t in it, and then \\d',
    ['guess'],
  ],
  [
    String.raw`\d and then a long text with a tab\t in it`,
    '\\d and then a long text with a tab\t in it',
    ['lossless', 'guess'],
  ],
  [
    String.raw`\\n a text with an escaped backslash \\t and \d`,
    '\\n a text with an escaped backslash \\t and \\d',
    ['lossless'],
  ],
  [String.raw`\dA`, '\\dA', ['lossless']],
  [`\\d\\u0041`, '\\dA', ['lossless', 'guess']],
  [`\\u0041\\d`, 'A\\d', ['guess']],
  [`\\u004 and \\d`, '\\u004 and \\d', ['guess']],
  [String.raw`\$`, '\\$', ['guess']],
  [String.raw`\d\$`, '\\d\\$', ['lossless', 'guess']],
  [String.raw`\x41`, '\\x41', ['guess']],
  [String.raw`\0`, '\\0', ['guess']],
  [String.raw`\'\d`, "'\\d", ['lossless', 'lossless']],
]

describe('a backslash that escapes nothing', () => {
  test.each(ROWS)('in %j', (written, value, classes) => {
    const text = `<tool_call>{"name":"f","arguments":{"a":"\\n","re":"${written}","b":"\\n"}}</tool_call>`
    for (const emit of [{}, { arguments: true }, { json: false, arguments: true }])
      for (const size of [1, 2, 3, 7, 16, 17, 40, text.length]) {
        const options = { dialect: hermes, emit }
        let parser = createParser(options)
        const events: SluiceEvent[] = []
        for (let at = 0; at < text.length; at += size) {
          events.push(...parser.push(text.slice(at, at + size)))
          if (size === 3) parser = restoreParser(JSON.parse(JSON.stringify(parser.snapshot())), options)
        }
        const [call] = foldEvents([...events, ...parser.end()]).toolCalls
        expect(call?.input).toEqual({ a: '\n', re: value, b: '\n' })
        expect(call?.repairs.map((repair) => repair.class)).toEqual(classes)
        expect(isExecutable(call!)).toBe(!classes.includes('guess'))
      }
  })

  test.each(ROWS)('in the key %j', (written, key, classes) => {
    const text = `{"${written}":1}`
    for (const size of [1, 3, text.length]) {
      const found: string[] = []
      const builder = new JsonBuilder()
      builder.repair = (_, repairClass) => found.push(repairClass)
      const scanner = new JsonScanner()
      for (let at = 0; at < text.length; at += size) {
        const piece = text.slice(at, at + size)
        scanner.read(piece, 0, piece.length, builder)
      }
      expect(builder.value).toEqual({ [key]: 1 })
      expect(found).toEqual(classes)
    }
  })
})
