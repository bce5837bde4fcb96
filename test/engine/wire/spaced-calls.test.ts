/** White space around calls that is markup. */

import { describe, expect, test } from 'vitest'
import { createParser } from '../../../src/engine/parser.ts'
import { args, closer, dialect, name, text, wire } from '../../../src/engine/wire/index.ts'
import { outline } from './outline.ts'

const definition = {
  reasoning: wire`<think>${text}</think>`,
  call: wire`<call ${name}>${args}${closer`</call>`}`,
  endOfTurn: ['<end>'],
}
const spaced = dialect('spaced', { ...definition, spacedCalls: true })
const plain = dialect('plain', definition)

const LS = '<call ls>{}</call>'

describe('white space is markup', () => {
  test.each([
    ['before the first call', `\n\n${LS}`, ['call ls {}']],
    ['behind the last call', `${LS}\n\n`, ['call ls {}']],
    ['behind a call that lacks its closer', '<call ls>{}\n\n', ['call ls {}', 'note missing-closer']],
    ['between calls', `${LS}\n\n${LS}`, ['call ls {}', 'call ls {}']],
    ['between reasoning and a call', `<think>x</think>\n\n${LS}`, ['thought x', 'call ls {}']],
    ['between later reasoning and a call', `a<think>x</think>\n${LS}`, ['text a', 'thought x', 'call ls {}']],
    ['before the end of the turn', `${LS}\n<end>\n`, ['call ls {}']],
  ])('%s', (_, written, expected) => {
    expect(outline(written, { dialect: spaced })).toEqual(expected)
  })
})

describe('white space is text', () => {
  test.each([
    ['between text and a call', `a\n\n${LS}`, ['text a\n\n', 'call ls {}']],
    ['between a call and text', `${LS}\n\na`, ['call ls {}', 'text \n\na']],
    ['before text', '\n\na', ['text \n\na']],
    ['before what is no call', '\n<call >', ['text \n<call >', 'note not-a-call']],
    ['before half a marker', `${LS}\n<ca`, ['call ls {}', 'text \n<ca']],
    ['behind reasoning that no call follows', 'a<think>x</think>\n', ['text a', 'thought x', 'text \n']],
    ['alone', '\n\n', ['text \n\n']],
  ])('%s', (_, written, expected) => {
    expect(outline(written, { dialect: spaced })).toEqual(expected)
  })

  test.each([
    [`\n${LS}\n`, ['text \n', 'call ls {}', 'text \n']],
    [`<think>x</think>\n${LS}`, ['thought x', 'text \n', 'call ls {}']],
  ])('where it is not declared, or in one dialect of two: %#', (written, expected) => {
    expect(outline(written, { dialect: plain })).toEqual(expected)
    expect(outline(written, { dialect: [spaced, plain] })).toEqual(expected)
  })
})

test('waits for the next character, and no longer', () => {
  const parser = createParser({ dialect: spaced })
  expect(parser.push('\n ')).toEqual([])
  expect(parser.push('a').map((event) => (event.type === 'text-delta' ? event.delta : ''))).toEqual([
    '',
    '\n ',
    'a',
  ])
})
