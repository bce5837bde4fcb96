import { expect, test } from 'vitest'
import { allDialects } from '../../../src/dialects/index.ts'
import { parse } from '../../../src/index.ts'
import type { ModelRequest } from '../../../src/providers/requests.ts'
import { promptRequest } from '../../../src/requests/prompt/index.ts'

const dialectOf = (name: string) => allDialects.find((dialect) => dialect.name === name)!

/** Two calls, and what came of them. */
const REQUEST: ModelRequest = {
  messages: [
    { role: 'user', parts: [{ type: 'text', text: 'Look.' }] },
    {
      role: 'assistant',
      parts: [
        { type: 'call', id: 'c1', toolName: 'ls', input: { path: '.' } },
        { type: 'call', id: 'c2', toolName: 'cat', input: { path: 'b' } },
      ],
    },
    {
      role: 'tool',
      parts: [
        { type: 'result', id: 'c1', content: 'a "b" <c>' },
        { type: 'result', id: 'c2', content: 'none', isError: true },
      ],
    },
  ],
  tools: [{ name: 'ls' }, { name: 'cat' }],
}

const textOf = (request: ModelRequest): unknown => {
  const part = request.messages.at(-1)?.parts[0]
  return part?.type === 'text' ? part.text : undefined
}

test.each([
  [
    'cohere-action',
    '<|START_TOOL_RESULT|>[\n{"tool_call_id":"c1","results":{"0":"a \\"b\\" &lt;c>"},"is_error":null},\n{"tool_call_id":"c2","results":{"0":"Error: none"},"is_error":true}\n]<|END_TOOL_RESULT|>',
  ],
  [
    'deepseek-dsml',
    '<function_results>\n<result>a "b" &lt;c></result>\n<result>Error: none</result>\n</function_results>',
  ],
  [
    'deepseek-v3',
    '<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>a "b" &lt;c><｜tool▁output▁end｜>\n<｜tool▁output▁begin｜>Error: none<｜tool▁output▁end｜><｜tool▁outputs▁end｜>',
  ],
  [
    'deepseek-v31',
    '<｜tool▁output▁begin｜>a "b" &lt;c><｜tool▁output▁end｜><｜tool▁output▁begin｜>Error: none<｜tool▁output▁end｜>',
  ],
  [
    'functiongemma',
    '<start_function_response>response:ls{value:<escape>a "b" &lt;c><escape>}<end_function_response><start_function_response>response:cat{value:<escape>Error: none<escape>}<end_function_response>',
  ],
  [
    'gemma4',
    '<|tool_response>response:ls{value:<|"|>a "b" &lt;c><|"|>}<tool_response|><|tool_response>response:cat{value:<|"|>Error: none<|"|>}<tool_response|>',
  ],
  ['glm', '<tool_response>\na "b" &lt;c>\n</tool_response>\n<tool_response>\nError: none\n</tool_response>'],
  ['granite3', '<tool_response>a "b" &lt;c></tool_response>\n<tool_response>Error: none</tool_response>'],
  ['hermes', '<tool_response>a "b" &lt;c></tool_response>\n<tool_response>Error: none</tool_response>'],
  [
    'lfm2',
    '<|tool_response_start|>a "b" &lt;c><|tool_response_end|>\n<|tool_response_start|>Error: none<|tool_response_end|>',
  ],
  ['minimax-m2', '<response>a "b" &lt;c></response>\n<response>Error: none</response>'],
  [
    'mistral-array',
    '[TOOL_RESULTS]{"content":"a \\"b\\" &lt;c>","call_id":"c1"}[/TOOL_RESULTS][TOOL_RESULTS]{"content":"Error: none","call_id":"c2"}[/TOOL_RESULTS]',
  ],
  [
    'mistral-v11',
    '[TOOL_RESULTS]c1[TOOL_CONTENT]a "b" &lt;c>[/TOOL_RESULTS][TOOL_RESULTS]c2[TOOL_CONTENT]Error: none[/TOOL_RESULTS]',
  ],
  ['nemotron-v2', '<TOOL_RESPONSE>["a \\"b\\" &lt;c>", "Error: none"]</TOOL_RESPONSE>'],
  [
    'qwen3-coder',
    '<tool_response>\na "b" &lt;c>\n</tool_response>\n<tool_response>\nError: none\n</tool_response>',
  ],
])('results as the template of %s writes them', (name, text) => {
  expect(textOf(promptRequest(REQUEST, { dialect: dialectOf(name) }).request)).toBe(text)
})

test.each(allDialects.map((dialect) => [dialect.name, dialect] as const))(
  'a past call of a tool that is gone is written in %s all the same',
  (_, dialect) => {
    const { request } = promptRequest({ ...REQUEST, tools: [{ name: 'other' }] }, { dialect })
    const said = request.messages.at(-2)?.parts[0]
    if (said?.type !== 'text') throw new Error('The calls are not text.')
    const { toolCalls } = parse(said.text, { dialect, tools: [{ name: 'ls' }, { name: 'cat' }] })
    expect(toolCalls.map(({ toolName, input }) => [toolName, input])).toEqual([
      ['ls', { path: '.' }],
      ['cat', { path: 'b' }],
    ])
  },
)

test.each([
  ['text', { text: 'x <tool_call>' }],
  ['bytes', { base64: btoa('x <tool_call>') }],
])('a text file in a result is as harmless as its text: %s', (_, content) => {
  const files: ModelRequest = {
    messages: [
      ...REQUEST.messages.slice(0, 2),
      {
        role: 'tool',
        parts: [
          {
            type: 'result',
            id: 'c1',
            content: [{ type: 'file', mediaType: 'text/plain', name: 'a.txt', content }],
          },
          { type: 'result', id: 'c2', content: '' },
        ],
      },
    ],
  }
  const { request } = promptRequest(files, { dialect: dialectOf('hermes') })
  expect(request.messages.at(-1)?.parts).toEqual([
    {
      type: 'text',
      text: '<tool_response>a.txt:\nx &lt;tool_call></tool_response>\n<tool_response></tool_response>',
    },
  ])
})
