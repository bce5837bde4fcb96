/** Markup with a word in it that means nothing, up to a marker that is only seen. */

import { expect, test } from 'vitest'
import { dialect } from '../../../src/engine/wire/checked-dialect.ts'
import { label } from '../../../src/engine/wire/label.ts'
import { seen } from '../../../src/engine/wire/seen.ts'
import { showTemplate, wire } from '../../../src/engine/wire/template.ts'
import { outline } from './outline.ts'

const template = wire`<to ${label}${seen('<')}`
const mine = dialect('mine', { drop: [template, wire`<x>`] })

test.each<[string, string, string[]]>([
  ['is dropped with its word', 'a<to b_1.c:d-e<x>f', ['text af']],
  ['is dropped without a word', 'a<to <x>f', ['text af']],
  ['leaves alone what it only saw', 'a<to b<y>f', ['text a<y>f']],
  ['can come again', 'a<to b<to c<x>f', ['text af']],
  ['is text where something else follows', 'a<to b c<x>', ['text a<to b c']],
  ['is text where the word has other characters', 'a<to é<x>', ['text a<to é']],
  ['is text where the end comes first', 'a<to b', ['text a<to b']],
])('such markup %s', (_, response, expected) => {
  expect(outline(response, { dialect: mine })).toEqual(expected)
})

test('a word that is too long is text', () => {
  const response = `<to ${'b'.repeat(20)}<x>`
  expect(outline(response, { dialect: mine, limits: { name: 20 } })).toEqual([])
  expect(outline(response, { dialect: mine, limits: { name: 19 } })).toEqual([`text <to ${'b'.repeat(20)}`])
})

test('it is shown without what is only seen', () => {
  expect(showTemplate(template.nodes)).toBe('<to ${label}')
})
