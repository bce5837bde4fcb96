/** Reasoning and markup that ordinary text could begin with: read only where content begins. */

import { describe, expect, test } from 'vitest'
import { args, dialect, name, text, wire } from '../../../src/engine/wire/index.ts'
import { label } from '../../../src/engine/wire/label.ts'
import { seen } from '../../../src/engine/wire/seen.ts'
import { ahead, reported } from '../../../src/engine/wire/template.ts'
import { outline } from './outline.ts'

const words = dialect('words', {
  reasoning: wire`<think>${text}</think>`,
  weakReasoning: wire`${reported('stripped-tokens')}${ahead('thought', 'ABC')}${text}so`,
  call: wire`CALL ${name} ${args}`,
  weakDrop: wire`final:`,
})

const headed = dialect('headed', {
  drop: [wire`<m>${label}${seen('<k')}`, wire`<k1>`, wire`<k2>`],
  weakDrop: wire`${label}${seen('<k')}`,
  call: wire`CALL ${name} ${args}`,
})

describe('reasoning that a word opens', () => {
  test.each([
    ['is read where content begins', 'thoughtA b so c', ['thought A b ', 'text  c', 'note stripped-tokens']],
    [
      'may stand behind other reasoning',
      '<think>x</think>thoughtA so',
      ['thought x', 'thought A ', 'note stripped-tokens'],
    ],
    ['is not closed', 'thoughtA b', ['thought A b', 'note stripped-tokens', 'note reasoning-not-closed']],
    ['is text where its lookahead is missing', 'thought a so b', ['text thought a so b']],
    ['is text behind text', 'x thoughtA so', ['text x thoughtA so']],
    ['is text if half of it has come', 'thou', ['text thou']],
    ['has no closer without an opener', 'a so b', ['text a so b']],
    ['holds no call', 'thoughtA CALL ls {} so', ['thought A CALL ls {} ', 'note stripped-tokens']],
  ])('%s', (_, written, expected) => {
    expect(outline(written, { dialect: words })).toEqual(expected)
  })
})

describe('markup that nothing marks', () => {
  test.each([
    ['final:a', ['text a']],
    ['a final:b', ['text a final:b']],
    ['fin', ['text fin']],
  ])('is dropped where content begins: %s', (written, expected) => {
    expect(outline(written, { dialect: words })).toEqual(expected)
  })

  test.each([
    ['one<k1>a', ['text a']],
    ['<k1>a', ['text a']],
    [' one<k1>a', ['text a']],
    ['one two<k1>a', ['text one twoa']],
    ['one', ['text one']],
    ['one ', ['text one ']],
    ['one<', ['text one<']],
    ['one<m>two<k2>a', ['text onea']],
    ['CALL ls {}', ['call ls {}']],
  ])('can be a word before a marker: %s', (written, expected) => {
    expect(outline(written, { dialect: headed })).toEqual(expected)
  })
})
