/** Calls with nothing where their arguments should be. */

import { describe, expect, test } from 'vitest'
import { findDialect } from '../../src/dialects/find.ts'
import { parse } from '../../src/engine/message.ts'
import { outline } from '../engine/wire/outline.ts'
import { TOOLS } from './tools.ts'

const FENCE = '```'

describe.each([
  {
    name: 'kimi-k2',
    open: '<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>',
    end: '<|tool_call_end|>',
    close: '<|tool_calls_section_end|>',
    id: ' #functions.now:0',
  },
  {
    name: 'deepseek-v31',
    open: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>',
    end: '<｜tool▁call▁end｜>',
    close: '<｜tool▁calls▁end｜>',
    id: '',
  },
  {
    name: 'deepseek-v3',
    open: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n${FENCE}json\n`,
    end: `${FENCE}<｜tool▁call▁end｜>`,
    close: '<｜tool▁calls▁end｜>',
    id: '',
  },
])('$name', ({ name, open, end, close, id }) => {
  const options = { dialect: findDialect(name), tools: TOOLS }

  test.each(['', '\n', ' \n'])('has no arguments between its markers and %j', (space) => {
    const text = `${open}${space}${end}${close}`
    expect(outline(text, options)).toEqual([`repaired now {}${id}`, 'note empty-arguments'])
    expect(parse(text, options).parts).toMatchObject([
      { repairs: [{ code: 'empty-arguments', class: 'lossless' }] },
    ])
  })

  test('is cut off where the marker that ends it is', () => {
    for (let length = 0; length < end.length; length++) {
      const [call, ...notes] = outline(open + end.slice(0, length), options)
      expect([call, notes.at(-1)], `${length}`).toEqual([`truncated now {}${id}`, 'note truncated-call'])
    }
  })

  test('is invalid where that marker is missing', () => {
    expect(outline(open + close, options)).toEqual([`invalid now {}${id}`, 'note malformed-call'])
  })
})
