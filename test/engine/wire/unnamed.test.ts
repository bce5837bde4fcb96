/** Calls that the wire gives no name. */

import { describe, expect, test } from 'vitest'
import { parse } from '../../../src/engine/message.ts'
import { args, dialect, idWithName, name, space, wire } from '../../../src/engine/wire/index.ts'
import { seen } from '../../../src/engine/wire/seen.ts'
import { unnamed } from '../../../src/engine/wire/template.ts'
import { isExecutable, prepareCall } from '../../../src/index.ts'
import { outline } from './outline.ts'

const house = dialect('house', {
  call: [wire`CALL ${name};${args}`, wire`CALL ${space}${seen('{')}${unnamed}${args}`],
})
const numbered = dialect('numbered', { call: wire`CALL ${idWithName('f.', ':')} ${args}` })

const one = [{ name: 'ls' }]
const two = [{ name: 'ls' }, { name: 'rm' }]

describe('a call without a name', () => {
  test.each([
    ['is one of the only tool, as a guess', one, ['repaired ls {"a":1}', 'note missing-name']],
    ['is invalid where there are several tools', two, ['invalid  {"a":1}', 'note missing-name']],
    ['is invalid where no tools are given', undefined, ['invalid  {"a":1}', 'note missing-name']],
  ])('%s', (_, tools, expected) => {
    expect(outline('CALL {"a": 1}', { dialect: house, ...(tools && { tools }) })).toEqual(expected)
  })

  test('never runs by default', async () => {
    const [guessed] = parse('CALL {}', { dialect: house, tools: one }).toolCalls
    expect(isExecutable(guessed!)).toBe(false)
    expect((await prepareCall(guessed!, one)).ok).toBe(false)
    expect(guessed?.repairs).toEqual([{ code: 'missing-name', class: 'guess', offset: 0 }])
    const [invalid] = parse('CALL {}', { dialect: house }).toolCalls
    expect(invalid?.error?.code).toBe('no-name')
    expect(isExecutable(invalid!, { allow: ['guess', 'place-uncertain'] })).toBe(false)
  })

  test('is text where nothing of it follows', () => {
    expect(outline('CALL me.', { dialect: house, tools: one })).toEqual(['text CALL me.', 'note not-a-call'])
  })
})

describe('an id that holds no name', () => {
  test.each([
    ['CALL 0 {}', one, ['repaired ls {} #0', 'note missing-name']],
    ['CALL f.:0 {}', one, ['repaired ls {} #f.:0', 'note missing-name']],
    ['CALL 0 {}', two, ['invalid  {} #0', 'note missing-name']],
    ['CALL f.ls:0 {}', two, ['call ls {} #f.ls:0']],
    ['CALL ls {}', two, ['call ls {} #ls']],
    ['CALL ls0 {}', one, ['invalid ls0 {} #ls0', 'note unknown-tool']],
  ])('%s', (text, tools, expected) => {
    expect(outline(text, { dialect: numbered, tools })).toEqual(expected)
  })
})
