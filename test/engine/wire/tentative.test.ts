import { describe, expect, test } from 'vitest'
import type { SluiceEvent, ToolCall } from '../../../src/base/event.ts'
import { FIXED_LIMITS } from '../../../src/base/limits.ts'
import type { Part } from '../../../src/base/part.ts'
import { apertus } from '../../../src/dialects/apertus.ts'
import { cohereAction } from '../../../src/dialects/cohere-action.ts'
import { deepseekDsml } from '../../../src/dialects/deepseek-dsml.ts'
import { deepseekV3 } from '../../../src/dialects/deepseek-v3.ts'
import { deepseekV31 } from '../../../src/dialects/deepseek-v31.ts'
import { gemma4 } from '../../../src/dialects/gemma4.ts'
import { gigachat3 } from '../../../src/dialects/gigachat3.ts'
import { glm } from '../../../src/dialects/glm.ts'
import { harmony } from '../../../src/dialects/harmony.ts'
import { hermes } from '../../../src/dialects/hermes.ts'
import { hyV3 } from '../../../src/dialects/hy-v3.ts'
import { kimiK2 } from '../../../src/dialects/kimi-k2.ts'
import { kimiK3 } from '../../../src/dialects/kimi-k3.ts'
import { lfm2 } from '../../../src/dialects/lfm2.ts'
import { llama3Json } from '../../../src/dialects/llama3-json.ts'
import { minicpm5 } from '../../../src/dialects/minicpm5.ts'
import { minimaxM2 } from '../../../src/dialects/minimax-m2.ts'
import { minimaxM3 } from '../../../src/dialects/minimax-m3.ts'
import { mistralV11 } from '../../../src/dialects/mistral.ts'
import { qwen3Coder } from '../../../src/dialects/qwen3-coder.ts'
import { seedOss } from '../../../src/dialects/seed-oss.ts'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { parse } from '../../../src/engine/message.ts'
import { createParser, type ParserOptions, restoreParser } from '../../../src/engine/parser.ts'
import { render } from '../../../src/engine/render.ts'
import type { EndReason } from '../../../src/engine/wire/machine.ts'
import { merged } from '../../laws/observe.ts'
import { outline } from './outline.ts'

const TOOLS = [{ name: 'ls' }, { name: 'rm' }]
const LS = '<tool_call>{"name": "ls"}</tool_call>'
const RM = '<tool_call>{"name": "rm"}</tool_call>'

/** What happens, in order: `start 1?` is tentative, `run 1` may run, `guess 1` may not. */
function story(text: string, options: ParserOptions = {}, reason?: EndReason): string[] {
  const parser = createParser({ dialect: hermes, tools: TOOLS, ...options })
  return merged([...parser.push(text), ...parser.end(reason)]).flatMap(line)
}

function line(event: SluiceEvent): string[] {
  const number = 'id' in event ? (event.id?.replace(/\D+/, '') ?? '') : ''
  switch (event.type) {
    case 'tool-input-start':
      return [`start ${number}${event.tentative ? '?' : ''}`]
    case 'tool-input-end':
      return [`end ${number}`]
    case 'tool-call':
      return [
        `${isExecutable(event) ? 'run' : event.status === 'repaired' ? 'guess' : event.status} ${number}`,
      ]
    case 'reasoning-start':
      return ['thought']
    case 'text-delta':
    case 'reasoning-delta':
      return [JSON.stringify(event.delta)]
    case 'finish':
      return [event.reason]
    default:
      return []
  }
}

const callsOf = (text: string, options: ParserOptions): readonly ToolCall[] =>
  parse(text, { tools: TOOLS, ...options }).toolCalls

describe('a call inside reasoning', () => {
  test.each<[string, string, string[]]>([
    ['stands if the model stops', `<think>Hm.${LS}`, ['start 2?', 'end 2', 'run 2', 'tool-calls']],
    ['stands before white space', `<think>Hm.${LS} \n\n`, ['start 2?', 'end 2', 'run 2', 'tool-calls']],
    [
      'stands before another call, and so does that one',
      `<think>Hm.${LS}\n${RM}`,
      ['start 2?', 'end 2', 'start 3?', 'end 3', 'run 2', 'run 3', 'tool-calls'],
    ],
    [
      'stands before the end of the turn',
      `<think>Hm.${LS}\n<|im_end|>\n`,
      ['start 2?', 'end 2', 'run 2', 'tool-calls'],
    ],
    [
      'is a guess if the thought goes on, and so is the white space part of it',
      `<think>Hm.${LS}\nNo.</think>`,
      ['start 2?', 'end 2', 'guess 2', 'thought', '"\\nNo."', 'tool-calls'],
    ],
    [
      'is a guess if the thought ends behind it',
      `<think>Hm.${LS}</think>Done.`,
      ['start 2?', 'end 2', 'guess 2', '"Done."', 'tool-calls'],
    ],
    [
      'is a guess if the thought goes on behind the end of the turn',
      `<think>Hm.${LS}<|im_end|>x`,
      ['start 2?', 'end 2', 'guess 2', 'thought', '"x"', 'tool-calls'],
    ],
    [
      'is a guess with all calls before it',
      `<think>Hm.${LS}${RM}.`,
      ['start 2?', 'end 2', 'start 3?', 'end 3', 'guess 2', 'guess 3', 'thought', '"."', 'tool-calls'],
    ],
    [
      'says nothing of a later one',
      `<think>Hm.${LS} or ${RM}`,
      ['start 2?', 'end 2', 'guess 2', 'thought', '" or "', 'start 4?', 'end 4', 'run 4', 'tool-calls'],
    ],
    [
      'says nothing of one behind the reasoning',
      `<think>Hm.${LS}</think>${RM} Done.`,
      ['start 2?', 'end 2', 'guess 2', 'start 3', 'end 3', 'run 3', '" Done."', 'tool-calls'],
    ],
    [
      'is a guess before the beginning of a marker',
      `<think>Hm.${LS}<tool_c`,
      ['start 2?', 'end 2', 'guess 2', 'thought', '"<tool_c"', 'tool-calls'],
    ],
    [
      'is a guess before a call that was cut off',
      `<think>Hm.${LS}<tool_call>{"name": "rm", "arg`,
      ['start 2?', 'end 2', 'start 3?', 'end 3', 'guess 2', 'truncated 3', 'tool-calls'],
    ],
  ])('%s', (_, text, expected) => {
    expect(story(text)).toEqual(['thought', '"Hm."', ...expected])
  })

  test('is a guess before a marker that was cut off, although that begins with what stops a response', () => {
    const call = '<|tool_call>call:ls{}'
    const options = { dialect: gemma4, start: 'reasoning', stop: ['<tool'] } as const
    expect(story(`${call}<tool_ca`, options)).toEqual([
      'thought',
      'start 2?',
      'end 2',
      'guess 2',
      'tool-calls',
    ])
    expect(story(`${call}<tool_call|>e`, options)).toContain('guess 2')
    expect(story(`${call}<tool`, options)).toContain('run 2')
  })

  test.each<[EndReason, string]>([
    ['stop', 'run 2'],
    ['tool-calls', 'run 2'],
    ['length', 'guess 2'],
    ['content-filter', 'guess 2'],
    ['other', 'guess 2'],
    ['aborted', 'guess 2'],
    ['error', 'guess 2'],
    ['interrupted', 'guess 2'],
    ['failed', 'guess 2'],
  ])('at the end by %s is %s', (reason, expected) => {
    expect(story(`<think>Hm.${LS}`, {}, reason)).toContain(expected)
  })

  test('stands where a stop literal ends the response behind it', () => {
    const said = story(`<think>Hm.${LS}\nEND and more`, { stop: ['END'] })
    expect(said).toEqual(['thought', '"Hm."', 'start 2?', 'end 2', 'run 2', 'tool-calls'])
  })

  test('says why it is a guess', () => {
    const text = `<think>Hm.${LS}</think>`
    const { diagnostics } = parse(text, { dialect: hermes, tools: TOOLS })
    expect(callsOf(text, { dialect: hermes })[0]!.repairs).toEqual([
      { code: 'inside-reasoning', class: 'guess', offset: 10 },
    ])
    expect(diagnostics.map(({ code, id }) => [code, id])).toEqual([['inside-reasoning', 'call-2']])
  })

  test('leaves the verdict open when the provider sends a call, and is a guess before anything else', () => {
    const parser = createParser({ dialect: hermes, tools: TOOLS })
    parser.push(`<think>Hm.${LS}\n`)
    expect(parser.interrupt('call')).toEqual([])
    expect(parser.interrupt('call')).toEqual([])
    expect(restoreParser(parser.snapshot(), { dialect: hermes, tools: TOOLS }).end().flatMap(line)).toEqual([
      'run 2',
      'tool-calls',
    ])
    expect(parser.interrupt().flatMap(line)).toEqual(['guess 2'])
  })

  test('is a guess, with all others, where too many wait', () => {
    const calls = LS.repeat(FIXED_LIMITS.tentativeCalls + 2)
    const said = story(`<think>${calls}`)
    expect(said.filter((word) => word.startsWith('run'))).toEqual([])
    expect(said.filter((word) => word.startsWith('guess'))).toHaveLength(FIXED_LIMITS.tentativeCalls + 2)
    const { diagnostics } = parse(`<think>${calls}`, { dialect: hermes, tools: TOOLS })
    expect(diagnostics.filter(({ code }) => code === 'limit-reached')).toHaveLength(1)
  })

  test('that failed is part of the thought where its text is wanted', () => {
    const broken = '<tool_call>{"name": "ls", "arguments": {"a": 1, "a": 2}}</tool_call>'
    expect(outline(`<think>Hm.${broken} So.</think>Hi.`, { dialect: hermes, malformed: 'text' })).toEqual([
      'thought Hm.',
      'invalid ls {"a":2}',
      `thought ${broken.slice(0, -'</tool_call>'.length)} So.`,
      'text Hi.',
      'note duplicate-key',
    ])
  })
})

const CALL: Part = { type: 'call', id: 'functions.ls:0', toolName: 'ls', input: {} }
const around = (dialect: ParserOptions['dialect'] & object, text: string) =>
  render(
    [
      { type: 'reasoning', text },
      { type: 'text', text: 'Done.' },
    ],
    { dialect: dialect as typeof hermes, tools: TOOLS },
  )

describe('a call in a thought that is closed later', () => {
  const ending = [
    qwen3Coder,
    hermes,
    glm,
    kimiK2,
    kimiK3,
    deepseekDsml,
    gemma4,
    minimaxM2,
    mistralV11,
    seedOss,
    hyV3,
  ]
  const others = [apertus, cohereAction, deepseekV3, deepseekV31, lfm2, minicpm5, minimaxM3, harmony]
  test.each([...ending, ...others])('does not run in $name, and the thought stays one', (dialect) => {
    const call = render([CALL], { dialect, tools: TOOLS })
    const [open = '', close = ''] = around(dialect, '\u0001').split('\u0001')
    const text = `${open}I must not do ${call} here${close}`
    const { parts } = parse(text, { dialect, tools: TOOLS })
    expect(callsOf(text, { dialect }).filter((one) => isExecutable(one))).toEqual([])
    expect(parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('')).toBe('Done.')
  })

  test.each(ending)('does run in $name if the model stopped there', (dialect) => {
    const call = render([CALL], { dialect, tools: TOOLS })
    const [open = ''] = around(dialect, '\u0001').split('\u0001')
    expect(callsOf(`${open}I must do ${call}`, { dialect }).filter((one) => isExecutable(one))).toHaveLength(
      1,
    )
  })
})

describe('a token that ends the turn', () => {
  test.each([
    [hermes, '<|im_end|>'],
    [qwen3Coder, '<|endoftext|>'],
    [glm, '<|observation|>'],
    [glm, '<|user|>'],
    [deepseekV3, '<｜end▁of▁sentence｜>'],
    [seedOss, '<seed:eos>'],
    [minimaxM2, '[e~['],
    [mistralV11, '</s>'],
    [gigachat3, '</s>'],
    [llama3Json, '<|eot_id|>'],
    [llama3Json, '<|eom_id|>'],
    [gemma4, '<end_of_turn>'],
    [cohereAction, '<|END_OF_TURN_TOKEN|>'],
  ])('of $name is no text', (dialect, token) => {
    const { text, finish, diagnostics } = parse(`Hi.${token}\n`, { dialect })
    expect([text, finish.rawReason, diagnostics]).toEqual(['Hi.', token, []])
  })

  test('ends the response, whatever the server lets through behind it', () => {
    expect(outline(`Hi.<|im_end|>\n<|im_start|>assistant\n${LS}`, { dialect: hermes })).toEqual([
      'text Hi.',
      'note text-after-stop',
    ])
  })

  test('takes white space between a call and itself with it', () => {
    expect(outline(`${LS}\n<|im_end|>`, { dialect: hermes })).toEqual(['call ls {}'])
  })

  test('means nothing inside reasoning', () => {
    expect(outline('<think>a<|im_end|>b</think>c', { dialect: hermes })).toEqual(['thought ab', 'text c'])
  })
})
