import { describe } from 'vitest'
import { check } from './check.ts'

describe('JSON in the default shapes', () => {
  check({ strategyOrder: ['json_tool'], jsonProfile: 'default' }, [
    [
      'is a call with the text around it',
      'see {"tool": {"function": "cat", "parameters": {"f": "a"}}} ok',
      [
        "seg_1 text 'see '",
        'seg_2 tool_call \'{"tool": {"function": "cat", "parameters": {"f": "a"}}}\'',
        "seg_3 text ' ok'",
        'run seg_2 cat {"f":"a"}',
      ],
    ],
    [
      'is text if it is no call, to the last character',
      '{ "cells": [ {"n": 2} ], "tool": 1 }',
      ['seg_1 text \'{ "cells": [ {"n": 2} ], "tool": 1 }\''],
    ],
    ['is text if it never said what it is', '{"func', ["seg_1 text '{\"func'"]],
    [
      'is cut off',
      '{"tool": {"function": "cat"',
      ['seg_1 tool_call \'{"tool": {"function": "cat"\' end {"status":"incomplete"}'],
    ],
    [
      'may hold quotes and braces in its texts',
      '{"tool": {"function": "cat", "parameters": {"f": "2\\" }}}"}}} then',
      [
        'seg_1 tool_call \'{"tool": {"function": "cat", "parameters": {"f": "2\\\\" }}}"}}}\'',
        "seg_2 text ' then'",
        'run seg_1 cat {"f":"2\\" }}}"}',
      ],
    ],
    [
      'may name the function in an object of its own',
      '{"function": {"name": "cat", "arguments": {}}}',
      ['seg_1 tool_call \'{"function": {"name": "cat", "arguments": {}}}\'', 'run seg_1 cat {}'],
    ],
    [
      'may be a list of calls',
      '[{"tool": {"function": "a", "parameters": {}}}, {"tool": {"function": "b", "parameters": {}}}] ok',
      [
        'seg_1 tool_call \'[{"tool": {"function": "a", "parameters": {}}}\'',
        'seg_2 tool_call \'{"tool": {"function": "b", "parameters": {}}}]\'',
        "seg_3 text ' ok'",
        'run seg_1 a {}',
        'run seg_2 b {}',
      ],
    ],
    [
      'may follow a brace that is none of it',
      '{{"tool": {"function": "a", "parameters": {}}}',
      [
        "seg_1 text '{'",
        'seg_2 tool_call \'{"tool": {"function": "a", "parameters": {}}}\'',
        'run seg_2 a {}',
      ],
    ],
    [
      'is a file if its tool has a content',
      '{"tool": {"function": "write_file", "parameters": {"path": "/a", "content": "1\\n2"}}}',
      [
        'seg_1 write_file {"tool_name":"write_file","path":"/a"} \'1\\n2\'',
        'run seg_1 write_file {"path":"/a","content":"1\\n2"}',
      ],
    ],
  ])
})

describe("JSON in OpenAI's shapes", () => {
  check({ strategyOrder: ['json_tool'], jsonProfile: 'openai' }, [
    [
      'is a list under a key',
      '{"tool_calls":[{"function":{"name":"cat","arguments":{"f":"a"}}}]}',
      [
        'seg_1 tool_call \'{"tool_calls":[{"function":{"name":"cat","arguments":{"f":"a"}}}]}\'',
        'run seg_1 cat {"f":"a"}',
      ],
    ],
    [
      'is a list under another key, with white space',
      '{ "tools" : [ {"name": "cat", "parameters": {"f": "a"}} ] } ok',
      [
        'seg_1 tool_call \'{ "tools" : [ {"name": "cat", "parameters": {"f": "a"}} ] }\'',
        "seg_2 text ' ok'",
        'run seg_1 cat {"f":"a"}',
      ],
    ],
    [
      'is a list under a key, before others that are text',
      '{"tool_calls":[{"name":"x","arguments":{}},{"name":"y","arguments":{}}],"stop":1} ok {"name":"z","arguments":{}}',
      [
        'seg_1 tool_call \'{"tool_calls":[{"name":"x","arguments":{}}\'',
        'seg_2 tool_call \'{"name":"y","arguments":{}}]\'',
        'seg_3 text \'"stop":1} ok \'',
        'seg_4 tool_call \'{"name":"z","arguments":{}}\' end {"status":"failed","error":"Part of the call was guessed."}',
        'run seg_1 x {}',
        'run seg_2 y {}',
      ],
    ],
    [
      'is one call in a wrapper',
      '{"tool":{"function":{"name":"cat","arguments":{"f":"a"}}}}',
      [
        'seg_1 tool_call \'{"tool":{"function":{"name":"cat","arguments":{"f":"a"}}}}\'',
        'run seg_1 cat {"f":"a"}',
      ],
    ],
    [
      'is as many invocations as there are calls, each under its own id',
      '{"tool_calls":[{"function":{"name":"x","arguments":{}}},{"function":{"name":"y","arguments":{}}}]}',
      [
        'seg_1 tool_call \'{"tool_calls":[{"function":{"name":"x","arguments":{}}}\'',
        'seg_2 tool_call \'{"function":{"name":"y","arguments":{}}}]}\'',
        'run seg_1 x {}',
        'run seg_2 y {}',
      ],
    ],
    [
      'may hold the arguments as a text of JSON',
      '{"function": {"name": "cat", "arguments": "{\\"f\\": \\"a\\"}"}}',
      [
        'seg_1 tool_call \'{"function": {"name": "cat", "arguments": "{\\\\"f\\\\": \\\\"a\\\\"}"}}\'',
        'run seg_1 cat {"f":"a"}',
      ],
    ],
    [
      'is text where a list holds no calls',
      '{"tools":[]} and {"tool_calls": [1]}',
      ['seg_1 text \'{"tools":[]} and {"tool_calls": [1]}\''],
    ],
  ])
})

describe("JSON in Gemini's shapes", () => {
  check({ strategyOrder: ['json_tool'], jsonProfile: 'gemini' }, [
    [
      'is a list of calls',
      '[{"name":"cat","args":{"f":"a"}}]z',
      ['seg_1 tool_call \'[{"name":"cat","args":{"f":"a"}}]\'', "seg_2 text 'z'", 'run seg_1 cat {"f":"a"}'],
    ],
    [
      'may be two calls with text between them',
      '{"name":"cat","args":{}} and {"name":"ls","args":{}}',
      [
        'seg_1 tool_call \'{"name":"cat","args":{}}\'',
        "seg_2 text ' and '",
        'seg_3 tool_call \'{"name":"ls","args":{}}\'',
        'run seg_1 cat {}',
        'run seg_3 ls {}',
      ],
    ],
    [
      'is text if nothing says what the name is to be called with',
      '{"name":"Ada","age":36} {"name":"Ada"} [{"name": "Ada", "id": 1}]',
      ['seg_1 text \'{"name":"Ada","age":36} {"name":"Ada"} [{"name": "Ada", "id": 1}]\''],
    ],
  ])
})

describe('JSON in any shape, where tools are known', () => {
  check({ strategyOrder: ['json_tool'], tools: [{ name: 'cat' }] }, [
    [
      'is a call only of one of them',
      '{"name": "Ada"} {"name": "cat"} {"arguments": {"f": 1}, "name": "cat"}',
      [
        'seg_1 text \'{"name": "Ada"} \'',
        'seg_2 tool_call \'{"name": "cat"}\'',
        'seg_3 tool_call \'{"arguments": {"f": 1}, "name": "cat"}\'',
        'run seg_2 cat {}',
        'run seg_3 cat {"f":1}',
      ],
    ],
  ])
})
