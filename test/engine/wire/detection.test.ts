import { describe, expect, test } from 'vitest'
import type { SluiceEvent, ToolCall } from '../../../src/base/event.ts'
import {
  allDialects,
  detect,
  detectAmong,
  hermes,
  jsonTools,
  qwen3Coder,
} from '../../../src/dialects/index.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { createParser, type ParserOptions } from '../../../src/engine/parser.ts'
import { render } from '../../../src/engine/render.ts'
import { TOOLS } from '../../laws/entries.ts'
import { merged } from '../../laws/observe.ts'

function read(text: string, options: ParserOptions = {}): SluiceEvent[] {
  const parser = createParser({ dialect: detect(), ...options })
  return merged([...parser.push(text), ...parser.end()])
}

/** What was found, in short. */
function told(text: string, options?: ParserOptions): string[] {
  return read(text, options).flatMap((event): string[] => {
    switch (event.type) {
      case 'text-delta':
        return [`text ${event.delta}`]
      case 'reasoning-delta':
        return [`reasoning ${event.delta}`]
      case 'tool-result-delta':
        return [`result ${event.delta}`]
      case 'tool-call':
        return [
          `${isExecutable(event) ? 'call' : 'no call'} ${event.toolName} ${JSON.stringify(event.input)}`,
        ]
      case 'diagnostic':
        return event.code === 'dialect-detected' ? [`is ${event.dialects?.join(', ')}`] : []
      default:
        return []
    }
  })
}

describe('settles on the dialect of', () => {
  const TEXTS: readonly [dialects: string, text: string][] = [
    ['hermes', '<tool_call>{"name":"ping","arguments":{}}</tool_call>'],
    ['qwen3-coder', '<tool_call>\n<function=ping>\n</function>\n</tool_call>'],
    ['glm', '<tool_call>ping\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>'],
    ['hy-v3', '<tool_calls><tool_call>ping<tool_sep>\n</tool_call></tool_calls>'],
    ['hermes, granite3', '<tool_call>[{"name":"ping","arguments":{}}]'],
    ['tool-calls-array', '<tool_calls>[{"name":"ping","arguments":{}}]</tool_calls>'],
    ['function-calls', '<function_calls>\n<invoke name="ping">\n</invoke>\n</function_calls>'],
    ['olmo3', '<function_calls>\nping()\n</function_calls>'],
    ['functionary-v31', '<function=ping>{"a": 1}</function>'],
    [
      'deepseek-v31',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>ping<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      'deepseek-v3',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>ping\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    // A tool may have the name that another dialect writes before all names.
    [
      'deepseek-v31',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    ['mistral-array, mistral-v11', '[TOOL_CALLS]ping[ARGS]{}'],
    ['mistral-array, mistral-v11', '[TOOL_CALLS] [{"name":"ping","arguments":{}}]'],
  ]
  test.each(TEXTS)('%s', (dialects, text) => {
    const found = told(text)
    expect(found.filter((line) => line.startsWith('is '))).toEqual([`is ${dialects}`])
    expect(found.filter((line) => line.startsWith('call '))).toHaveLength(1)
  })
})

describe('every dialect', () => {
  /** Calls of these are marked by nothing, so that they are not found, or found only with tools. */
  const UNMARKED = ['json-tools', 'json-tools-gemini', 'json-tools-openai']
  /** Dialects that read the same calls alike; where they do not, the calls are guesses. */
  const ALIKE: Readonly<Record<string, string>> = {
    'cline-xml': 'cline-xml, morph-xml, shorthand',
    'morph-xml': 'cline-xml, morph-xml, shorthand',
    sijawara: 'cline-xml, morph-xml, shorthand',
    shorthand: 'cline-xml, morph-xml, shorthand',
    'mistral-array': 'mistral-array, mistral-v11',
    'mistral-v11': 'mistral-array, mistral-v11',
    'generic-json': 'generic-json, prompted',
    prompted: 'prompted, pythonic',
    xlam: 'hermes, granite3',
    // These are no candidates.
    'k-exaone-2': 'qwen3-coder',
    'ui-tars': 'qwen3-coder',
  }
  const dialects = allDialects.filter(({ name }) => !UNMARKED.includes(name))

  test.each(dialects)('$name is found by its own call, and read the same', (dialect) => {
    const parts = [{ type: 'call', toolName: 'ping', input: {} }] as const
    const text = render(parts, { dialect, tools: TOOLS })
    const found = read(text, { tools: TOOLS })
    const isReport = (event: SluiceEvent) => event.type === 'diagnostic' && event.code === 'dialect-detected'
    expect(found.filter(isReport)).toMatchObject([
      { dialects: (ALIKE[dialect.name] ?? dialect.name).split(', ') },
    ])
    expect(merged(found.filter((event) => !isReport(event)))).toEqual(read(text, { dialect, tools: TOOLS }))
  })
})

describe('without a certain dialect', () => {
  test('everything is text', () => {
    expect(told('See <b>here</b>: [1] {"a": 2}.')).toEqual(['text See <b>here</b>: [1] {"a": 2}.'])
  })

  test('a list that is no call is passed on at once where no tools are known', () => {
    const parser = createParser({ dialect: detect() })
    const said = parser.push('[1, 2').map((event) => ('delta' in event ? event.delta : ''))
    expect(said.join('')).toBe('[1, 2')
  })

  test('a sentence that opens a thought in some dialects is passed on as it comes', () => {
    const parser = createParser({ dialect: detect(), tools: TOOLS })
    const said = [...'Here is my thought'].map((character) =>
      parser
        .push(character)
        .map((event) => ('delta' in event ? event.delta : ''))
        .join(''),
    )
    expect(said).toEqual([...'Here is my thought'])
  })

  test('a marker that opens no call is text', () => {
    expect(told('Models write <tool_call> and then JSON.')).toEqual([
      'text Models write ',
      'text <tool_call> and then JSON.',
    ])
  })

  test('reasoning is reasoning, and settles nothing', () => {
    expect(told('<think>Hm.</think>Yes.')).toEqual(['reasoning Hm.', 'text Yes.'])
    expect(told('[THINK]Hm.[/THINK]<tool_call>{"name":"ping"}</tool_call>')).toEqual([
      'reasoning Hm.',
      'is hermes',
      'call ping {}',
    ])
  })

  test('a token that ends a turn does so if nothing follows', () => {
    expect(told('Yes.<|im_end|>\n')).toEqual(['text Yes.'])
    expect(told('<s>old</s> new')).toEqual(['text <s>old</s> new'])
  })

  test('what is held back becomes text when something else comes in between', () => {
    const parser = createParser({ dialect: detect() })
    const events = [...parser.push('<tool_call>{"na'), ...parser.interrupt('call'), ...parser.push('me"')]
    expect(events.flatMap((event) => ('delta' in event ? [event.delta] : []))).toEqual([
      '<tool_call>{"na',
      'me"',
    ])
  })
})

describe('what is ambiguous does not run', () => {
  test('a call in a result', () => {
    const call = '<tool_call>{"name":"ping","arguments":{}}</tool_call>'
    expect(told(`<tool_response>${call}</tool_response>`)).toEqual([`result ${call}`])
  })

  test('a call without the marker around it', () => {
    expect(told('<function=ping>\n<parameter=a>\n1\n</parameter>\n</function>', { tools: TOOLS })).toEqual([
      'is qwen3-coder, seed-oss',
      'no call ping {"a":"1"}',
    ])
  })

  test('a call that two dialects read differently', () => {
    const text = '<search><query>a &lt; b</query></search>'
    expect(told(text, { tools: TOOLS })).toEqual([
      'is cline-xml, morph-xml',
      'no call search {"query":"a &lt; b"}',
    ])
  })

  test('a call in reasoning that one of the candidates would not end', () => {
    expect(told('<think>Hm. [TOOL_CALLS]ping{}')).toEqual([
      'reasoning Hm. ',
      'is mistral-v11',
      'no call ping {}',
    ])
    const call = '<think>Hm. <tool_call>{"name":"ping"}</tool_call>'
    expect(told(call)).toEqual(['reasoning Hm. ', 'is hermes', 'no call ping {}'])
    expect(told(call, { dialect: detectAmong([qwen3Coder, hermes]) })).toEqual([
      'reasoning Hm. ',
      'is hermes',
      'call ping {}',
    ])
  })

  test('a call behind a sentence that opens reasoning in one of the candidates', () => {
    expect(told('Here is my thought process: <|tool_call|>[{"name":"ping","arguments":{}}]')).toEqual([
      'text Here is my thought process: ',
      'is granite3',
      'no call ping {}',
    ])
  })

  test('a call that is a slip in one dialect and valid in another', () => {
    const found = told('<write_file>\na</path>\n<content>b</content>\n</write_file>', { tools: TOOLS })
    expect(found.filter((line) => line.startsWith('call '))).toEqual([])
  })

  test('a call behind the end of a turn', () => {
    expect(told('Yes.<|eom_id|>No. <|python_start|>[ping()]<|python_end|>', { tools: TOOLS })).toEqual([
      'text Yes.<|eom_id|>No. ',
      'is pythonic',
      'no call ping {}',
    ])
  })

  test('a call inside JSON that may be a call itself', () => {
    const inner = '<tool_call><function=ping></function></tool_call>'
    expect(told(`{"name": "note", "arguments": {"text": "${inner}"}}`)).toEqual([
      'text {"name": "note", "arguments": {"text": "',
      'is qwen3-coder',
      'no call ping {}',
      'text "}}',
    ])
  })

  test('a call that nothing marks, of a tool that is not there', () => {
    const call = '{"name": "ping", "arguments": {}}'
    expect(told(call, { tools: TOOLS })).toEqual([
      'is generic-json, llama3-json, prompted, theta',
      'call ping {}',
    ])
    expect(told(call, { tools: [] })).toEqual([`text ${call}`])
    expect(told(call.replace('ping', 'pong'), { tools: TOOLS })).toEqual([
      `text ${call.replace('ping', 'pong')}`,
    ])
  })
})

test('the markers of other dialects are text once the dialect is certain', () => {
  const other = '<|tool_call_begin|>functions.ls:0<|tool_call_argument_begin|>{}<|tool_call_end|>'
  expect(told(`<tool_call>{"name":"ping"}</tool_call>${other}`)).toEqual([
    'is hermes',
    `text ${other}`,
    'call ping {}',
  ])
})

test('a prefill is read as all that it can be', () => {
  const start = { prefill: '<tool_call>\n' }
  expect(told('{"name":"ping"}</tool_call>', { start })).toEqual(['is hermes', 'call ping {}'])
  expect(told('<function=ping></function></tool_call>', { start })).toEqual([
    'is qwen3-coder',
    'call ping {}',
  ])
  expect(told('is a marker.', { start: { prefill: 'A <tool_call> ' } })).toEqual(['text is a marker.'])
})

test('a response may begin inside reasoning', () => {
  expect(told('Hm.</think><tool_call>{"name":"ping"}</tool_call>', { start: 'reasoning' })).toEqual([
    'reasoning Hm.',
    'is hermes',
    'call ping {}',
  ])
})

test('readings of the same text share the ids that are generated', () => {
  let count = 0
  const generateId = (kind: string) => `${kind}-${++count}`
  // The first was for text, which the marker might have been.
  const calls = read('[TOOL_CALLS]ping{}', { generateId }).filter(
    (event): event is ToolCall => event.type === 'tool-call',
  )
  expect(calls.map(({ id }) => id)).toEqual(['call-2'])
})

test('the list of candidates may be short, and only has dialects that can be found', () => {
  const dialect = detectAmong([qwen3Coder, hermes])
  expect(told('[TOOL_CALLS]ping{}', { dialect })).toEqual(['text [TOOL_CALLS]ping{}'])
  expect(() => detect([jsonTools])).toThrow("The dialect 'json-tools' cannot be detected")
  expect(() => detect([])).toThrow('detect() takes a list of dialects')
})

test('keeps the text that was held because of a bracket when a marker follows it', () => {
  const events = read(' [TOOL_CALLS]ping{"', { tools: TOOLS })
  expect(events.slice(0, 3)).toEqual([
    { type: 'text-start', id: 'text-1' },
    { type: 'text-delta', id: 'text-1', delta: ' ' },
    { type: 'text-end', id: 'text-1' },
  ])
})

test('reports a closer that closes nothing once, also where a call might have begun before it', () => {
  const events = read('<think>a</think>\n[\n{"name":"write_</think>b', { tools: TOOLS })
  const reported = events.flatMap((event) => (event.type === 'diagnostic' ? [event.code] : []))
  expect(reported).toEqual(['stray-closer'])
})
