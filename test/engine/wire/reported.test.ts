/** What is read, and reported because it is not written as its format has it. */

import { describe, expect, test } from 'vitest'
import { isExecutable } from '../../../src/engine/calls/verdict.ts'
import { parse } from '../../../src/engine/message.ts'
import { args, dialect, name, wire } from '../../../src/engine/wire/index.ts'
import { seen } from '../../../src/engine/wire/seen.ts'
import { reported } from '../../../src/engine/wire/template.ts'
import { outline } from './outline.ts'

const house = dialect('house', {
  call: [wire`CALL ${name};${args}`, wire`CALL ${name}:${reported('stripped-tokens')}${args}`],
  drop: [wire`<a>`, wire`<b>${seen('<a>')}${reported('stray-markup')}`],
})

describe('what is not written as its format has it', () => {
  test.each([
    ['CALL ls;{}', ['call ls {}']],
    ['CALL ls:{}', ['repaired ls {}', 'note stripped-tokens']],
    ['a<a>b', ['text ab']],
    ['a<b><a>b', ['text ab', 'note stray-markup']],
    ['a<b>b', ['text a<b>b']],
  ])('is read, and reported: %s', (text, expected) => {
    expect(outline(text, { dialect: house })).toEqual(expected)
  })

  test('is a guess, if it is a call', () => {
    const [call] = parse('CALL ls:{}', { dialect: house }).toolCalls
    expect(call?.repairs).toEqual([{ code: 'stripped-tokens', class: 'guess', offset: 8 }])
    expect(isExecutable(call!)).toBe(false)
  })

  test('has a span without what was only seen', () => {
    const [note] = parse('a<b><a>b', { dialect: house }).diagnostics
    expect(note?.span).toEqual({ start: 1, end: 4 })
  })
})
