import { describe } from 'vitest'
import { check } from './check.ts'

describe('several strategies at once', () => {
  const sentinel = '[[SEG_START {"type":"run_bash"}]]a[[SEG_END]]'
  const json = '[{"name":"b","args":{}}]'
  const xml = '<run_bash>c</run_bash>'
  const expected = [
    "seg_1 run_bash 'a'",
    "seg_2 text ', '",
    'seg_3 tool_call \'[{"name":"b","args":{}}]\'',
    "seg_4 text '; '",
    "seg_5 run_bash 'c'",
    'run seg_1 run_bash {"command":"a"}',
    'run seg_3 b {}',
    'run seg_5 run_bash {"command":"c"}',
  ]
  describe.each([
    [['xml_tag', 'json_tool', 'sentinel'] as const],
    [['sentinel', 'json_tool', 'xml_tag'] as const],
    [['json_tool', 'sentinel', 'xml_tag'] as const],
  ])('%j', (strategyOrder) => {
    check({ strategyOrder }, [['none hides another', `${sentinel}, ${json}; ${xml}`, expected]])
  })
})

describe('where nothing is a call', () => {
  check({ parseToolCalls: false, strategyOrder: ['xml_tag', 'json_tool', 'sentinel'] }, [
    ['neither is a tool', "<tool name='f'><x>1</x></tool>", ["seg_1 text '<tool name='f'><x>1</x></tool>'"]],
    ['nor a tag that is one', '<run_bash>who</run_bash>', ["seg_1 text '<run_bash>who</run_bash>'"]],
    [
      'nor a sentinel',
      '[[SEG_START {"type":"run_bash"}]]who[[SEG_END]]',
      ['seg_1 text \'[[SEG_START {"type":"run_bash"}]]who[[SEG_END]]\''],
    ],
    ['and thinking is still not text', '<think>hm</think>yes', ["seg_1 reasoning 'hm'", "seg_2 text 'yes'"]],
  ])
})

describe('thinking in the text', () => {
  check({}, [
    [
      'is one segment until something else begins',
      '<think>a</think><think>b</think>c',
      ["seg_1 reasoning 'ab'", "seg_3 text 'c'"],
    ],
    [
      'holds no calls',
      '<think><run_bash>no</run_bash></think><run_bash>yes</run_bash>',
      [
        "seg_1 reasoning '<run_bash>no</run_bash>'",
        "seg_2 run_bash 'yes'",
        'run seg_2 run_bash {"command":"yes"}',
      ],
    ],
    ['keeps a closer that closes nothing', 'a</think>b', ["seg_1 text 'a</think>b'"]],
  ])
})
