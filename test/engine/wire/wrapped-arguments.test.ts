/** One argument that holds all of them. */

import { describe, expect, test } from 'vitest'
import { findDialect } from '../../../src/dialects/find.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { parse } from '../../../src/engine/message.ts'
import { dialect, each, key, name, valueWith, wire } from '../../../src/engine/wire/index.ts'
import { outline } from './outline.ts'

const house = dialect('house', {
  call: wire`<${name}>${each`[${key}=${valueWith({ wrappers: ['arguments', 'input'] })}]`}</>`,
})

const properties = { path: { type: 'string' }, line: { type: 'integer' } }
const tools = [
  { name: 'read', inputSchema: { type: 'object', properties } },
  { name: 'ask', inputSchema: { type: 'object', properties: { input: { type: 'string' } } } },
  { name: 'free' },
]

describe('an argument that the tool does not have', () => {
  test.each([
    [
      'and that holds all of them, is left out',
      '<read>[arguments={"path":"a","line":2}]</>',
      ['repaired read {"path":"a","line":2}', 'note arguments-repaired'],
    ],
    [
      'and that holds none, is left out',
      '<read>[input={}]</>',
      ['repaired read {}', 'note arguments-repaired'],
    ],
    [
      'stays if the tool lacks one of its members',
      '<read>[arguments={"path":"a","url":"b"}]</>',
      ['call read {"arguments":"{\\"path\\":\\"a\\",\\"url\\":\\"b\\"}"}'],
    ],
    ['stays if it is no object', '<read>[input=7]</>', ['call read {"input":"7"}']],
    ['stays if it is text', '<read>[input=Ann]</>', ['call read {"input":"Ann"}']],
    [
      'stays behind another',
      '<read>[line=2][input={"path":"a"}]</>',
      ['call read {"line":2,"input":"{\\"path\\":\\"a\\"}"}'],
    ],
    [
      'stays if its key is not declared',
      '<read>[body={"path":"a"}]</>',
      ['call read {"body":"{\\"path\\":\\"a\\"}"}'],
    ],
    [
      'can give one that follows once more',
      '<read>[input={"path":"a"}][path=b]</>',
      ['invalid read {"path":"a"}', 'note arguments-repaired', 'note duplicate-key'],
    ],
  ])('%s', (_, text, expected) => {
    expect(outline(text, { dialect: house, tools })).toEqual(expected)
  })

  test.each([
    ['the tool has it', '<ask>[input={"a":1}]</>', ['call ask {"input":"{\\"a\\":1}"}']],
    ['nothing is known of the tool', '<free>[input={"a":1}]</>', ['call free {"input":"{\\"a\\":1}"}']],
  ])('is an argument like others if %s', (_, text, expected) => {
    expect(outline(text, { dialect: house, tools })).toEqual(expected)
  })

  test.each([
    [
      'deepseek-dsml',
      '<｜DSML｜function_calls><｜DSML｜invoke name="read"><｜DSML｜parameter name="arguments" string="false">{"path":"a"}</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>',
    ],
    ['minicpm5', '<function name="read"><param name="arguments">{"path":"a"}</param></function>'],
    [
      'qwen3-coder',
      '<tool_call><function=read><parameter=arguments>\n{"path":"a"}\n</parameter></function></tool_call>',
    ],
    [
      'seed-oss',
      '<seed:tool_call><function=read><parameter=parameters>{"path":"a"}</parameter></function></seed:tool_call>',
    ],
    ['glm', '<tool_call>read<arg_key>input</arg_key><arg_value>{"path":"a"}</arg_value></tool_call>'],
    [
      'hy-v3',
      '<tool_calls><tool_call>read<tool_sep><arg_key>properties</arg_key><arg_value>{"path":"a"}</arg_value></tool_call></tool_calls>',
    ],
    [
      'minimax-m2',
      '<minimax:tool_call><invoke name="read"><parameter name="arguments">{"path":"a"}</parameter></invoke></minimax:tool_call>',
    ],
    [
      'dots',
      '<dots_function_call><invoke name="read"><parameter name="arguments">{"path":"a"}</parameter></invoke></dots_function_call>',
    ],
    [
      'step3',
      '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="read"><steptml:parameter name="arguments">{"path":"a"}</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
    ],
  ])('is left out in %s, and the call is a guess', (name, text) => {
    const [call] = parse(text, { dialect: findDialect(name), tools }).toolCalls
    expect(call?.input).toEqual({ path: 'a' })
    expect(call?.repairs.map(({ code }) => code)).toEqual(['wrapped-arguments'])
    expect(isExecutable(call!)).toBe(false)
  })
})
