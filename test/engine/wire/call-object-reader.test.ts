/** Calls that are one JSON object: nothing in it is dropped silently. */

import { describe, expect, test } from 'vitest'
import type { SluiceEvent, ToolCall } from '../../../src/base/event.ts'
import { apertus } from '../../../src/dialects/apertus.ts'
import { genericJson } from '../../../src/dialects/generic-json.ts'
import { glm } from '../../../src/dialects/glm.ts'
import { hermes } from '../../../src/dialects/hermes.ts'
import { jsonTools, jsonToolsGemini, jsonToolsOpenAi } from '../../../src/dialects/json-tools.ts'
import { kimiK2 } from '../../../src/dialects/kimi-k2.ts'
import { llama3Json } from '../../../src/dialects/llama3-json.ts'
import { pythonic } from '../../../src/dialects/pythonic.ts'
import { sentinel } from '../../../src/dialects/sentinel.ts'
import { yamlXml } from '../../../src/dialects/yaml/index.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { foldEvents } from '../../../src/engine/message.ts'
import { createParser, restoreParser } from '../../../src/engine/parser.ts'
import type { Dialect } from '../../../src/engine/wire/index.ts'
import { gemini, readProvider } from '../../../src/providers/index.ts'

const TOOLS = [
  { name: 'rm', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
  { name: 'echo', inputSchema: { type: 'object', properties: { input: { type: 'string' } } } },
  { name: 'free' },
]

/** What comes of a text that is whole, in pieces of some sizes, and through a snapshot after each of them. */
function messagesIn(text: string, dialect: Dialect, tools = TOOLS) {
  return [text.length, 1, 2, 5].map((size) => {
    const options = { dialect, tools, emit: { arguments: size === 5 } }
    let parser = createParser(options)
    const events: SluiceEvent[] = []
    for (let at = 0; at < text.length; at += size) {
      events.push(...parser.push(text.slice(at, at + size)))
      if (size === 2) parser = restoreParser(JSON.parse(JSON.stringify(parser.snapshot())), options)
    }
    return foldEvents([...events, ...parser.end()])
  })
}

function summary({ status, input, repairs, error }: ToolCall): string {
  const guess = repairs.some((repair) => repair.class !== 'lossless') ? ' guess' : ''
  return `${status}${guess} ${JSON.stringify(input)}${error === undefined ? '' : ` ${error.code}`}`
}

function callsIn(text: string, dialect: Dialect, tools = TOOLS): string[] {
  const all = messagesIn(text, dialect, tools).map(({ toolCalls }) => toolCalls.map(summary))
  for (const calls of all) expect(calls).toEqual(all[0])
  return all[0]!
}

describe('keys beside the name', () => {
  test.each([
    [
      'are the input, as a guess',
      '{"name":"rm","path":"a","all":true}',
      'repaired guess {"path":"a","all":true}',
    ],
    ['may come before it', '{"path":"a","name":"rm"}', 'repaired guess {"path":"a"}'],
    [
      'may hold anything',
      '{"name":"rm","a":{"b":[1,{"c":"]}"}]},"d":null,"e":True}',
      'repaired guess {"a":{"b":[1,{"c":"]}"}]},"d":null,"e":true}',
    ],
    ['may be there once', '{"name":"rm","path":"a","path":"b"}', 'invalid guess {"path":"b"} duplicate-key'],
    [
      'are left out beside arguments',
      '{"name":"rm","arguments":{},"all":true,"why":{"a":[1]}}',
      'repaired {}',
    ],
    ['are left out before them', '{"name":"rm","all":true,"arguments":{}}', 'repaired {}'],
    ['are left out with arguments before the name', '{"all":true,"arguments":{},"name":"rm"}', 'repaired {}'],
    [
      'may not stand beside arguments if the tool has one of that name',
      '{"name":"rm","arguments":{},"all":true,"path":"a"}',
      'invalid {} unknown-key',
    ],
    [
      'may not stand before arguments if the tool has one of that name',
      '{"path":"a","arguments":{},"name":"rm"}',
      'invalid {} unknown-key',
    ],
    ['may say nothing', '{"name":"rm","arguments":{},"error":null}', 'complete {}'],
    [
      'may be those of an API',
      '{"type":"function","index":0,"id":"x","name":"rm","arguments":{}}',
      'complete {}',
    ],
    ['may be the type of an API alone', '{"type":"function","name":"rm"}', 'complete {}'],
    ['need not be there', '{"name":"rm"}', 'complete {}'],
  ])('%s', (_, object, expected) => {
    expect(callsIn(`<tool_call>${object}</tool_call>`, hermes)).toEqual([expected])
  })
})

describe('arguments under another key', () => {
  test.each([
    ['{"name":"rm","params":{"path":"a"}}', 'repaired {"path":"a"}'],
    ['{"name":"rm","args":{"path":"a"}}', 'repaired {"path":"a"}'],
    ['{"name":"rm","params":"{\\"path\\":\\"a\\"}"}', 'repaired {"path":"a"}'],
    // Here nothing says which arguments there are.
    ['{"name":"free","params":{"path":"a"}}', 'repaired guess {"path":"a"}'],
    ['{"name":"free","arguments":{"path":"a"},"all":true}', 'repaired guess {"path":"a"}'],
    ['{"args":{"path":"a"},"name":"rm"}', 'repaired guess {"path":"a"}'],
    ['{"name":"rm","args":["/tmp/x"]}', 'invalid ["/tmp/x"] not-an-object'],
    ['{"name":"rm","input":"/tmp/x"}', 'invalid guess {} json'],
    ['{"name":"rm","args":{},"args":{}}', 'invalid {} duplicate-key'],
    ['{"name":"rm","args":{},"arguments":{}}', 'invalid {} duplicate-key'],
    ['{"name":"rm","args":{},"all":true}', 'repaired {}'],
    // Here it is an argument of the tool.
    ['{"name":"echo","input":"hi"}', 'repaired guess {"input":"hi"}'],
  ])('%s', (object, expected) => {
    expect(callsIn(`<tool_call>${object}</tool_call>`, hermes)).toEqual([expected])
  })
})

describe('arguments that are no object', () => {
  test.each<[Dialect, string, string]>([
    [hermes, '<tool_call>{"name":"rm","arguments":7}</tool_call>', 'invalid 7 not-an-object'],
    [hermes, '<tool_call>{"name":"rm","arguments":true}</tool_call>', 'invalid true not-an-object'],
    [hermes, '<tool_call>{"name":"rm","arguments":["a"]}</tool_call>', 'invalid ["a"] not-an-object'],
    [hermes, '<tool_call>{"arguments":7,"name":"rm"}</tool_call>', 'invalid 7 not-an-object'],
    [hermes, '<tool_call>{"arguments":["a"],"name":"rm"}</tool_call>', 'invalid ["a"] not-an-object'],
    [hermes, '<tool_call>{"name":"rm","arguments":"7"}</tool_call>', 'invalid 7 not-an-object'],
    [hermes, '<tool_call>{"name":"rm","arguments":"[1]"}</tool_call>', 'invalid [1] not-an-object'],
    [hermes, '<tool_call>{"name":"rm","arguments":"not JSON"}</tool_call>', 'invalid guess {} json'],
    [apertus, '<|tools_prefix|>[{"rm":7}]<|tools_suffix|>', 'invalid 7 not-an-object'],
    [sentinel, '[[SEG_START {"tool_name":"rm","arguments":["a"]}]][[SEG_END]]', 'invalid {} not-an-object'],
  ])('make a call of $name invalid', (dialect, text, expected) => {
    expect(callsIn(text, dialect)).toEqual([expected])
  })

  test.each([
    '{"name":"rm","arguments":null}',
    '{"name":"rm","arguments":""}',
    '{"arguments":null,"name":"rm"}',
  ])('are none where they say nothing: %s', (object) => {
    for (const { toolCalls } of messagesIn(`<tool_call>${object}</tool_call>`, hermes)) {
      expect(toolCalls[0]?.input).toEqual({})
      expect(isExecutable(toolCalls[0]!)).toBe(true)
    }
  })
})

describe('a number that JSON cannot carry', () => {
  const kimi = (json: string) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.rm:0<|tool_call_argument_begin|>${json}<|tool_call_end|><|tool_calls_section_end|>`
  const glmCall = (value: string) =>
    `<tool_call>rm\n<arg_key>n</arg_key>\n<arg_value>${value}</arg_value>\n</tool_call>`

  test.each<[Dialect, string, string]>([
    [hermes, '<tool_call>{"name":"rm","arguments":{"n":1e400}}</tool_call>', 'invalid {"n":null} number'],
    [
      hermes,
      '<tool_call>{"name":"rm","arguments":{"n":[-1e400]}}</tool_call>',
      'invalid {"n":[null]} number',
    ],
    [hermes, '<tool_call>{"arguments":{"n":1e400},"name":"rm"}</tool_call>', 'invalid {"n":null} number'],
    [hermes, '<tool_call>{"name":"rm","n":1e400}</tool_call>', 'invalid guess {"n":null} number'],
    [kimiK2, kimi('{"n":1e400,"m":1}'), 'invalid {"n":null,"m":1} number'],
    [pythonic, '[rm(n=1e400)]', 'invalid {"n":null} number'],
    [glm, glmCall('[1, 1e400]'), 'invalid {} number'],
    [yamlXml, '<rm>\nn: .inf\n</rm>', 'invalid {} number'],
    [sentinel, '[[SEG_START {"tool_name":"rm","n":1e400}]][[SEG_END]]', 'invalid {} number'],
  ])('makes a call of $name invalid', (dialect, text, expected) => {
    expect(callsIn(text, dialect)).toEqual([expected])
  })

  test('makes a call that a provider sends as a value invalid', async () => {
    const line =
      '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"rm","args":{"n":1e400}}}]},"finishReason":"STOP"}]}'
    const events: SluiceEvent[] = []
    for await (const event of readProvider([`data: ${line}\n\n`], { provider: gemini })) events.push(event)
    expect(foldEvents(events).toolCalls[0]?.status).toBe('invalid')
  })

  test.each<[Dialect, string, string]>([
    [
      hermes,
      '<tool_call>{"name":"rm","arguments":{"n":-0,"m":[-0.0, -0e5]}}</tool_call>',
      '{"n":0,"m":[0,0]}',
    ],
    [hermes, '<tool_call>{"arguments":{"n":-0},"name":"rm"}</tool_call>', '{"n":0}'],
    [kimiK2, kimi('{"n": -0, "m": 1}'), '{"n":0,"m":1}'],
    [pythonic, '[rm(n=-0, m=[-0])]', '{"n":0,"m":[0]}'],
    [glm, glmCall('-0'), '{"n":0}'],
    [glm, glmCall('{"m": [-0]}'), '{"n":{"m":[0]}}'],
    [yamlXml, '<rm>\nn: -0\nm: [-0]\n</rm>', '{"n":0,"m":[0]}'],
  ])('is not −0, which is 0 in a call of $name', (dialect, text, expected) => {
    for (const { toolCalls } of messagesIn(text, dialect))
      expect(toolCalls[0]).toMatchObject({ input: JSON.parse(expected), status: 'complete' })
    const deltas = createParser({ dialect, tools: TOOLS })
    const said = [...deltas.push(text), ...deltas.end()].flatMap((event) =>
      event.type === 'tool-input-delta' ? [event.delta] : [],
    )
    expect(JSON.parse(said.join(''))).toEqual(JSON.parse(expected))
  })
})

describe('an object with a name, where nothing marks a call and no tools are known', () => {
  const DIALECTS: [Dialect][] = [
    [llama3Json],
    [genericJson],
    [jsonTools],
    [jsonToolsOpenAi],
    [jsonToolsGemini],
  ]

  test.each(DIALECTS)('is text in $name if it has other keys', (dialect) => {
    for (const text of ['{"name":"Bob","age":3}', '{"name": "Bob", "tags": ["a"], "args": 1}'])
      for (const message of messagesIn(text, dialect, [])) {
        expect(message.toolCalls).toEqual([])
        expect(message.text).toBe(text)
      }
  })

  test.each(DIALECTS)('is a call in $name if it has arguments, or nothing else', (dialect) => {
    const key = dialect === jsonToolsGemini ? 'args' : 'arguments'
    expect(callsIn(`{"name":"ls","${key}":{"d":"/"}}`, dialect, [])).toEqual(['complete {"d":"/"}'])
    expect(callsIn('{"name":"ls"}', dialect, [])).toEqual(['complete {}'])
  })

  test.each(DIALECTS)('is a guess in $name if there is such a tool', (dialect) => {
    expect(callsIn('{"name":"rm","age":3}', dialect)).toEqual(['repaired guess {"age":3}'])
  })
})
