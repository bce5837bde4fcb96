import { describe, expect, test } from 'vitest'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { apertus } from '../../../src/dialects/apertus.ts'
import { dots } from '../../../src/dialects/dots.ts'
import { functiongemma } from '../../../src/dialects/functiongemma.ts'
import { gemma4 } from '../../../src/dialects/gemma4.ts'
import { hermes } from '../../../src/dialects/hermes.ts'
import { jsonTools, jsonToolsOpenAi } from '../../../src/dialects/json-tools.ts'
import { lfm2 } from '../../../src/dialects/lfm2.ts'
import { mistralArray } from '../../../src/dialects/mistral.ts'
import { olmo3 } from '../../../src/dialects/olmo3.ts'
import { pythonic } from '../../../src/dialects/pythonic.ts'
import { qwen3Coder } from '../../../src/dialects/qwen3-coder.ts'
import { createParser, restoreParser } from '../../../src/engine/parser.ts'
import type { Dialect } from '../../../src/engine/wire/dialect.ts'
import { characters, run, said, twoWaySplits } from '../../laws/observe.ts'

type Dialects = Dialect | readonly Dialect[]

const engine = { createParser, restoreParser }

/** The visible text, and each call with its status and its input. */
function shown(events: readonly SluiceEvent[]): string[] {
  const calls = events.flatMap((event) =>
    event.type === 'tool-call' ? [`${event.status} ${event.toolName} ${JSON.stringify(event.input)}`] : [],
  )
  return [said(events, 'text-delta'), ...calls].filter((line) => line !== '')
}

describe('however a text is cut, it says', () => {
  test.each<[string, Dialects, string, string[]]>([
    [
      'all of the text behind an object that is no call, which shows at a backslash',
      jsonTools,
      'See: {"function": {"schema"\\": 1}} and this.',
      ['See: {"function": {"schema"\\": 1}} and this.'],
    ],
    [
      'all of the text behind an object that is no call, which shows at a comment',
      jsonTools,
      'See: {"function": 5// a number\n} and this.',
      ['See: {"function": 5// a number\n} and this.'],
    ],
    [
      'the same where another reading of the opener comes first',
      jsonToolsOpenAi,
      'See: {"function": {"schema"\\": 1}} and this.',
      ['See: {"function": {"schema"\\": 1}} and this.'],
    ],
    [
      'a repaired call behind white space that the second dialect reads',
      [qwen3Coder, hermes],
      '<tool_call>{"name": "f"}</tool_call>\n\n<tool_call>{"name": "f", "arguments": {"a": True,}}</tool_call>',
      ['complete f {}', 'repaired f {"a":true}'],
    ],
    [
      'a repaired call behind white space that the second reading of lfm2 takes',
      lfm2,
      '<|tool_call_start|>[f()]<|tool_call_end|>\n<|tool_call_start|>[{"name": "f", "arguments": {"a": 1,}}]<|tool_call_end|>',
      ['complete f {}', 'repaired f {"a":1}'],
    ],
    [
      'a repaired call behind white space that the second reading of mistral takes',
      mistralArray,
      '[TOOL_CALLS][{"name": "f", "arguments": {}}]\n[TOOL_CALLS]f[ARGS]{"a": 1,}',
      ['complete f {}', 'repaired f {"a":1}'],
    ],
    [
      'a repaired call behind white space that the second reading of dots takes',
      dots,
      '<dots_function_call>{"name": "f", "parameters": {}}</dots_function_call>\n<dots_function_call>{"name": "f", "parameters": {"a": 1,}}</dots_function_call>',
      ['complete f {}', 'repaired f {"a":1}'],
    ],
    [
      'the first input of a call that has two, of which the second is not even JSON',
      apertus,
      '<|tools_prefix|>[{"f": {"a": 1} , "g": {\'b\' ]<|tools_suffix|>',
      ['invalid f {"a":1}'],
    ],
    [
      'the first input of a call that has two, whatever the second one is',
      apertus,
      '<|tools_prefix|>[{"f": {"a": 1} , "g": "x"}]<|tools_suffix|>',
      ['invalid f {"a":1}'],
    ],
  ])('%s', (_, dialect, text, expected) => {
    for (const chunks of [[text], characters(text), ...twoWaySplits(text)])
      expect(shown(run(engine, { dialect }, chunks)), JSON.stringify(chunks)).toEqual(expected)
  })
})

describe('a call that is cut off keeps its partial input when it goes on from a snapshot', () => {
  test.each<[string, Dialect, string]>([
    ['pythonic', pythonic, '[f(a="x", b="ye'],
    ['lfm2', lfm2, '<|tool_call_start|>[f(a="x", b="ye'],
    ['olmo3', olmo3, '<function_calls>\nf(a="x", b="ye'],
    ['gemma4', gemma4, '<|tool_call>call:f{a:<|"|>x<|"|>,b:<|"|>ye'],
    ['functiongemma', functiongemma, '<start_function_call>call:f{a:<escape>x<escape>,b:<escape>ye'],
  ])('%s', (_, dialect, text) => {
    const parser = createParser({ dialect })
    parser.push(text)
    const restored = restoreParser(JSON.parse(JSON.stringify(parser.snapshot())), { dialect })
    expect(shown(restored.end())).toEqual(['truncated f {"a":"x","b":"ye"}'])
  })
})
