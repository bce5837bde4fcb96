import { describe, expect, it, test } from 'vitest'
import { apertus } from '../../../src/dialects/apertus.ts'
import { cohereAction } from '../../../src/dialects/cohere-action.ts'
import { functionCalls } from '../../../src/dialects/function-calls.ts'
import { gemma4 } from '../../../src/dialects/gemma4.ts'
import { genericJson } from '../../../src/dialects/generic-json.ts'
import { glm } from '../../../src/dialects/glm.ts'
import { harmony } from '../../../src/dialects/harmony.ts'
import { hermes, jsonMix } from '../../../src/dialects/hermes.ts'
import { inkling } from '../../../src/dialects/inkling.ts'
import { kimiK2 } from '../../../src/dialects/kimi-k2.ts'
import { lfm2 } from '../../../src/dialects/lfm2.ts'
import { llama3Json } from '../../../src/dialects/llama3-json.ts'
import { minimaxM2 } from '../../../src/dialects/minimax-m2.ts'
import { mistralV11 } from '../../../src/dialects/mistral.ts'
import { morphXml } from '../../../src/dialects/morph-xml.ts'
import { pythonic } from '../../../src/dialects/pythonic.ts'
import { qwen3Coder } from '../../../src/dialects/qwen3-coder.ts'
import { sentinel } from '../../../src/dialects/sentinel.ts'
import { shorthand } from '../../../src/dialects/shorthand.ts'
import { toolXml } from '../../../src/dialects/tool-xml.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { foldEvents, parse } from '../../../src/engine/message.ts'
import { createParser, restoreParser } from '../../../src/engine/parser.ts'
import { args, type Dialect, dialect, name, skip, wire } from '../../../src/engine/wire/index.ts'

const TOOLS = [{ name: 'ring', streams: 'who' }, { name: 'now' }]

function runnable(text: string, dialect: Dialect): string[] {
  const { toolCalls } = parse(text, { dialect, tools: TOOLS })
  return toolCalls
    .filter((call) => isExecutable(call))
    .map(({ toolName, input }) => `${toolName} ${JSON.stringify(input)}`)
}

describe('what may not be what was meant does not run', () => {
  test.each<[string, Dialect, string]>([
    [
      'a value that holds its own closer',
      qwen3Coder,
      '<tool_call>\n<function=ring>\n<parameter=who>use </parameter> here</parameter>\n</function>\n</tool_call>',
    ],
    [
      'the same between attributes',
      minimaxM2,
      '<minimax:tool_call><invoke name="ring"><parameter name="who">a</parameter> b</parameter></invoke></minimax:tool_call>',
    ],
    ['a function that prose mentions', qwen3Coder, 'Write <function=ring> to call.'],
    [
      'a header that is broken, with the arguments of the next call',
      harmony,
      '<|start|>assistant to=functions.ring<|channel|><|messsage|>{"who":"A"}<|call|><|start|>assistant to=functions.now<|channel|><|message|>{"who":"B"}<|call|>',
    ],
    [
      'what is skipped in a call, if it holds another',
      dialect('skipping', { call: wire`CALL ${name} (${skip})${args};` }),
      'CALL ring (for CALL now ()){"who":"A"};',
    ],
    [
      'a call behind a thought that a broken call may have closed',
      inkling,
      '<|content_thinking|>Use <|content_invoke_tool_json|>{{"name":"ring"}<|end_message|> or <|content_invoke_tool_json|>{"name":"ring","args":{}}<|end_message|>',
    ],
    [
      'a call in the text of a tool whose tag is broken',
      shorthand,
      '<ring =who"A">call <now></now> then</ring>',
    ],
    [
      'what is skipped before the name of a call, if it holds the opener of another',
      dialect('skipping', { call: wire`<c (${skip}) ${name}>${args}</c>` }),
      '<c (for <c () ring>{"who":"A"}</c>',
    ],
    [
      'a call in a value whose opener is missing',
      glm,
      '<tool_call>ring\n<arg_key>who</arg_key>\n <tool_call>now</tool_call> then</arg_value>\n</tool_call>',
    ],
    [
      'a call in the arguments of one whose name comes too late',
      lfm2,
      `<|tool_call_start|>[${' '.repeat(70_000)}ring(who="Write <|tool_call_start|>[now()]<|tool_call_end|>")]<|tool_call_end|>`,
    ],
    [
      'a call in the arguments of one whose name is too long',
      lfm2,
      `<|tool_call_start|>[${'x'.repeat(300)}(who="Write <|tool_call_start|>[{'name':'now','arguments':{}}]<|tool_call_end|>")]<|tool_call_end|>`,
    ],
    [
      'a guess behind as many harmless repairs as the limit allows',
      hermes,
      `<tool_call>{"name":"ring","arguments":${JSON.stringify(`{"who":"A","l":[${'True,'.repeat(255)}foo bar]}`)}}</tool_call>`,
    ],
    ['a bare call that a sentence explains', pythonic, '[ring(who="Ann")] rings Ann.'],
    ['a bare object that a sentence explains', llama3Json, '{"name":"ring","parameters":{}}\n\nis a call.'],
    ['a bare call before a thought', genericJson, '{"name":"ring","arguments":{}}<think>No.</think>'],
    [
      'arguments that are there twice',
      hermes,
      '<tool_call>{"name":"ring","arguments":{"who":"A"},"parameters":{"who":"B"}}</tool_call>',
    ],
    [
      'arguments under a key that means nothing',
      hermes,
      '<tool_call>{"name":"ring","args":{"who":"A"}}</tool_call>',
    ],
    [
      'a name that is there twice',
      hermes,
      '<tool_call>{"name":"ring","name":"now","arguments":{}}</tool_call>',
    ],
    ['two names in one object', apertus, '<|tools_prefix|>[{"ring":{},"now":{}}]<|tools_suffix|>'],
    ['an attribute that is there twice', shorthand, '<ring a="1" a="2">x</ring>'],
    [
      'a name that a tag has twice',
      functionCalls,
      '<function_calls><invoke name="ring" name="now"></invoke></function_calls>',
    ],
    [
      'the key of an argument that a tag has twice',
      functionCalls,
      '<function_calls><invoke name="ring"><parameter x="1" x="2" name="who" name="from">A</parameter></invoke></function_calls>',
    ],
    ['a key that a header has twice', sentinel, '[[SEG_START {"type":"ring","a":1,"a":2}]]x[[SEG_END]]'],
    ['a bare word in a python call', pythonic, '[ring(who=Ann)]'],
    ['a string in a python call that has to be filled in', pythonic, '[ring(who=f"/{name}")]'],
    ['a number beyond all numbers', pythonic, '[ring(who=1e999)]'],
    [
      'trailing text inside arguments that are a string',
      hermes,
      '<tool_call>{"name":"ring","arguments":"{\\"who\\":1} more"}</tool_call>',
    ],
  ])('%s', (_, dialect, text) => {
    expect(runnable(text, dialect)).toEqual([])
  })

  test.each<[string, Dialect, string, string]>([
    [
      'a call that begins in the middle of another',
      qwen3Coder,
      '<tool_call>\n<function=ring>\n<parameter=who>\nA\n</parameter>\n <tool_call>\n<function=now>\n</function>\n</tool_call>',
      'ring {"who":"A"}',
    ],
    [
      'a key may be quoted',
      gemma4,
      '<|tool_call>call:ring{<|"|>who<|"|>:<|"|>A<|"|>}<tool_call|>',
      'ring {"who":"A"}',
    ],
    [
      'arguments that are an empty string are none',
      hermes,
      '<tool_call>{"name":"now","arguments":""}</tool_call>',
      'now {}',
    ],
    ['a tag that closes itself is a call without arguments', toolXml, '<tool name="now"/>', 'now {}'],
    ['an empty wrapper is no argument', toolXml, '<tool name="now"><arguments/></tool>', 'now {}'],
    [
      'an opener that is there twice changes nothing',
      hermes,
      '<tool_call>\n<tool_call>{"name":"now"}</tool_call>',
      'now {}',
    ],
  ])('%s', (_, dialect, text, expected) => {
    expect(runnable(text, dialect)).toEqual([expected])
  })
})

describe('nothing is lost or doubled', () => {
  it('gives two calls with one id of the wire two ids', () => {
    const call = '<tool_call>{"id":"a","name":"now"}</tool_call>'
    const { toolCalls } = parse(call + call, { dialect: jsonMix() })
    // The id comes before the name, so that the first call can have it.
    expect(toolCalls.map(({ id, wireId }) => [id, wireId])).toEqual([
      ['a', undefined],
      ['call-1', 'a'],
    ])
  })

  it('never makes an id that the wire has used', () => {
    const text = '<|tool_call_begin|>call-1<|tool_call_argument_begin|>{}<|tool_call_end|>'
    const { toolCalls } = parse(text + text, { dialect: kimiK2 })
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2)
  })

  it('gives the whitespace before an opener back with it', () => {
    const call = '<tool_call>{"name":"now"}</tool_call>'
    expect(parse(`${call}\n\n<tool_call>nope`, { dialect: hermes }).text).toBe('\n\n<tool_call>nope')
  })

  it('knows every reasoning marker a dialect lists', () => {
    expect(parse('<think>a</think>b', { dialect: mistralV11 }).reasoning).toBe('a')
    expect(parse('[THINK]a[/THINK]b', { dialect: mistralV11 }).reasoning).toBe('a')
  })

  test.each<[Dialect, string]>([
    [harmony, '<|channel|>analysis<|message|>so<|start|>assistant<|channel|>final<|message|>Hi<|return|>'],
    [cohereAction, '<|START_THINKING|>so<|START_TEXT|>Hi<|END_TEXT|>'],
  ])('ends reasoning that was not closed where the answer begins', (dialect, written) => {
    const { reasoning, text } = parse(written, { dialect })
    expect([reasoning, text]).toEqual(['so', 'Hi'])
  })

  it('swallows an opener that was pre-filled, behind a line break, too', () => {
    const { reasoning, text } = parse('\n<think>\nso</think>Hi', { dialect: hermes, start: 'reasoning' })
    expect([reasoning, text]).toEqual(['so', 'Hi'])
  })

  it('lets another dialect try where the first finds no call, after a call as well', () => {
    const text =
      '<tool_call>{"name":"now"}</tool_call>\n<tool_call>ring<arg_key>who</arg_key><arg_value>A</arg_value></tool_call>'
    const { toolCalls } = parse(text, { dialect: [hermes, glm], tools: TOOLS })
    expect(toolCalls.map(({ toolName }) => toolName)).toEqual(['now', 'ring'])
  })

  it('reads a tag with a quoted call in it the same however it is cut', () => {
    const text = '<ring><a b="<ring></ring>" <x'
    expect(parse(text, { dialect: morphXml, tools: TOOLS }).toolCalls.map(({ status }) => status)).toEqual([
      'invalid',
    ])
  })

  it('remembers across a snapshot that nothing but its tool can make a bare call one', () => {
    const options = { dialect: qwen3Coder, tools: TOOLS }
    const first = createParser(options)
    const events = first.push('See <function=un')
    const second = restoreParser(JSON.parse(JSON.stringify(first.snapshot())), options)
    events.push(...second.push('known></function>'), ...second.end())
    expect(foldEvents(events).text).toBe('See <function=unknown></function>')
  })
})

describe('an attribute beside the name of a call', () => {
  const tools = [{ name: 'ring', inputSchema: { type: 'object', properties: { who: { type: 'string' } } } }]
  const read = (attribute: string) =>
    parse(`<function_calls><invoke name="ring" ${attribute}></invoke></function_calls>`, {
      dialect: functionCalls,
      tools,
    }).toolCalls[0]!

  test('that is named like an argument makes the call invalid, because it would be left out', () => {
    expect(read('who="A"')).toMatchObject({ status: 'invalid', error: { code: 'unknown-key' } })
  })

  test('means nothing otherwise', () => {
    expect(read('class="A"')).toMatchObject({ status: 'complete', input: {} })
  })
})
