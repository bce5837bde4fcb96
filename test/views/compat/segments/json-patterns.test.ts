/** Calls as JSON in a shape of the user's own. */

import { describe, expect, test } from 'vitest'
import {
  ParserConfig,
  type SegmentEvent,
  StreamingParser,
  ToolInvocationAdapter,
} from '../../../../src/views/compat/segments/index.ts'
import { check } from './check.ts'
import { outline } from './outline.ts'

const jsonToolParser = {
  parse(json: string) {
    const value = JSON.parse(json)
    return [value].flat().map(({ cmd, with: args = {} }) => ({ name: cmd, arguments: args }))
  },
}
const PATTERNS = { strategyOrder: ['json_tool'], jsonToolPatterns: ['{"cmd":', '[{"cmd":'] } as const

describe('JSON that begins like a pattern', () => {
  check({ ...PATTERNS, jsonToolParser }, [
    [
      'is the call that the parser finds',
      'Look: {"cmd": "ls", "with": {"d": "/"}} done',
      [
        "seg_1 text 'Look: '",
        'seg_2 tool_call \'{"cmd": "ls", "with": {"d": "/"}}\'',
        "seg_3 text ' done'",
        'run seg_2 ls {"d":"/"}',
      ],
    ],
    [
      'may have whitespace in it',
      '{ "cmd" : "ls" }',
      ['seg_1 tool_call \'{ "cmd" : "ls" }\'', 'run seg_1 ls {}'],
    ],
    [
      'may be a list, of which the first call counts',
      '[ {"cmd":"ls"}]',
      ['seg_1 tool_call \'[ {"cmd":"ls"}]\'', 'run seg_1 ls {}'],
    ],
    [
      'is text where the parser finds no call',
      '{"cmd": 5} and {"cmd": ""}',
      ['seg_1 text \'{"cmd": 5} and {"cmd": ""}\''],
    ],
    ['is text where it is no JSON', '{"cmd": nope}', ['seg_1 text \'{"cmd": nope}\'']],
    ['is text where it is cut off', '{"cmd": "ls"', ['seg_1 text \'{"cmd": "ls"\'']],
    ['is text inside other JSON', '{"x": {"cmd": "ls"}}', ['seg_1 text \'{"x": {"cmd": "ls"}}\'']],
  ])
})

describe('other JSON', () => {
  check({ ...PATTERNS, jsonToolParser }, [
    [
      'is text, whatever providers write',
      '{"name": "ls", "arguments": {}}',
      ['seg_1 text \'{"name": "ls", "arguments": {}}\''],
    ],
  ])
})

describe('patterns without a parser', () => {
  check({ strategyOrder: ['json_tool'], jsonToolPatterns: ['{"name":'] }, [
    [
      'read the shapes of all providers',
      '{"name": "ls", "args": {"d": "/"}} {"tool": {"function": "a", "parameters": {}}}',
      [
        'seg_1 tool_call \'{"name": "ls", "args": {"d": "/"}}\'',
        'seg_2 text \' {"tool": {"function": "a", "parameters": {}}}\'',
        'run seg_1 ls {"d":"/"}',
      ],
    ],
  ])
})

test('a list stands beside sentinels', () => {
  const config = new ParserConfig({ ...PATTERNS, strategyOrder: ['json_tool', 'sentinel'], jsonToolParser })
  const events = new StreamingParser(config).feedAndFinalize('[[SEG_START {"type":"run_bash"}]]ls[[SEG_END]]')
  expect(outline(events)).toEqual(["seg_1 run_bash 'ls'", 'run seg_1 run_bash {"command":"ls"}'])
})

test('segments that came over a socket are read by the same parser', () => {
  const config = new ParserConfig({ ...PATTERNS, jsonToolParser })
  const sent = new StreamingParser(config)
    .feedAndFinalize('{"cmd":"ls"}')
    .map((event: SegmentEvent) => JSON.parse(JSON.stringify(event.toDict())))
  expect(new ToolInvocationAdapter({ jsonToolParser }).processEvents(sent)).toEqual([
    { id: 'seg_1', name: 'ls', arguments: {} },
  ])
  expect(new ToolInvocationAdapter().processEvents(sent)).toEqual([])
})

test('a pattern that no JSON begins with is refused', () => {
  expect(() => new ParserConfig({ jsonToolPatterns: ['cmd'] })).toThrow(
    `'jsonToolPatterns' takes what a call begins with, such as '{"cmd":' or '[{"cmd":', not "cmd".`,
  )
})
