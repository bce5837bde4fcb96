/** The closers of a call, written once too often directly behind it. */

import { describe, expect, test } from 'vitest'
import { findDialect } from '../../src/dialects/find.ts'
import { render } from '../../src/engine/render.ts'
import { args, dialect, name, wire } from '../../src/engine/wire/index.ts'
import { outline } from '../engine/wire/outline.ts'
import { TOOLS } from './tools.ts'

const RING = 'call ring {"who":"Ann"}'

/** The call as the dialect writes it. */
const written = (name: string) =>
  render([{ type: 'call', toolName: 'ring', input: { who: 'Ann' } }], {
    dialect: findDialect(name),
    tools: TOOLS,
  })

test.each([
  ['hermes', '</tool_call>'],
  ['longcat', '</longcat_tool_call>'],
  ['qwen3-coder', '</tool_call>'],
  ['qwen3-coder', '</function>'],
  ['seed-oss', '</seed:tool_call>'],
  ['glm', '</tool_call>'],
  ['hy-v3', '</tool_calls>'],
  ['hy-v3', '</tool_call>'],
  ['kimi-k2', '<|tool_calls_section_end|>'],
  ['kimi-k2', '<|tool_call_end|>'],
  ['kimi-k3', '<|close|>tools<|sep|>'],
  ['deepseek-v31', '<｜tool▁calls▁end｜>'],
  ['deepseek-dsml', '</｜DSML｜function_calls>'],
  ['minimax-m2', '</minimax:tool_call>'],
  ['minimax-m2', '</invoke>'],
  ['minimax-m3', ']<]minimax[>[</tool_call>'],
  ['gemma4', '<tool_call|>'],
  ['functiongemma', '<end_function_call>'],
  ['functionary-v31', '</function>'],
  ['minicpm5', '</function>'],
  ['nemotron-v2', '</TOOLCALL>'],
  ['apertus', '<|tools_suffix|>'],
  ['cohere-action', '<|END_ACTION|>'],
  ['internlm2', '<|action_end|>'],
  ['step3', '<｜tool_calls_end｜>'],
  ['tool-calls-array', '</tool_calls>'],
  ['cline-xml', '</ring>'],
])('%s drops a second %s', (name, closer) => {
  const options = { dialect: findDialect(name), tools: TOOLS }
  const call = written(name)
  const isCall = expect.stringContaining(RING)
  const stray = 'note stray-closer'
  expect(outline(`${call}${closer}`, options)).toEqual([isCall, stray])
  expect(outline(`${call}\n${closer}\n${closer}`, options)).toEqual([isCall, stray, stray])
  expect(outline(`${call}${closer}Done.`, options)).toEqual([isCall, 'text Done.', stray])
  // What follows is read as it is behind the call itself.
  expect(outline(`${call}${closer}\n${call}`, options)).toEqual([isCall, isCall, stray])
  // Behind text, it is text.
  expect(outline(`${call}Write ${closer}`, options)).toEqual([isCall, `text Write ${closer}`])
  expect(outline(`Write ${closer}`, options)).toEqual([`text Write ${closer}`])
})

describe('A closer that closes nothing', () => {
  const hermes = { dialect: findDialect('hermes'), tools: TOOLS }
  const call = written('hermes')
  const stray = '</tool_call>'

  test('may hold white space, as the closer does', () => {
    expect(outline(`${call}</tool_call >`, hermes)).toEqual([RING, 'note stray-closer'])
  })

  test('is text in dialects that leave such closers as text', () => {
    const options = { dialect: findDialect('function-calls'), tools: TOOLS }
    expect(outline(`${written('function-calls')}</function_calls>`, options)).toEqual([
      RING,
      'text </function_calls>',
    ])
  })

  test('means that the model went on behind a call inside its reasoning', () => {
    expect(outline(`<think>Hm. ${call}${stray}`, hermes)).toEqual([
      'thought Hm. ',
      'repaired ring {"who":"Ann"}',
      `thought ${stray}`,
      'note inside-reasoning',
      'note reasoning-not-closed',
    ])
  })

  test('means that the model went on behind a call that nothing marks', () => {
    const options = { ...hermes, dialect: [findDialect('generic-json'), findDialect('hermes')] }
    const bare = '{"name": "ring", "arguments": {"who": "Ann"}}'
    expect(outline(bare, options)).toEqual([RING])
    expect(outline(`${bare}${stray}`, options)).toEqual([
      'repaired ring {"who":"Ann"}',
      'note text-behind-call',
      'note stray-closer',
    ])
  })

  test('is no sure end of a call that ends with a bracket', () => {
    const options = { ...hermes, dialect: [findDialect('granite-20b-fc'), findDialect('hermes')] }
    const object = written('granite-20b-fc')
    const uncertain = 'repaired ring {"who":"Ann"}'
    expect(outline(`${object}\n${stray}${call}`, options)).toEqual([RING, RING, 'note stray-closer'])
    expect(outline(`${object}${stray}${call}`, options).slice(0, 2)).toEqual([RING, uncertain])
  })

  test('is text where it is a word or a fence', () => {
    const mine = dialect('mine', { call: wire`RUN ${name} ${args} END` })
    const options = { dialect: mine, tools: TOOLS }
    expect(outline('RUN ring {"who":"Ann"} END END', options)).toEqual([RING, 'text  END'])
  })
})
