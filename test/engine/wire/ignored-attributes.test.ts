/** Attributes of a tag that mean nothing. */

import { expect, it, test } from 'vitest'
import { createParser } from '../../../src/engine/parser.ts'
import { ignoredAttributes } from '../../../src/engine/wire/ignored-attributes.ts'
import { dialect, text, wire } from '../../../src/engine/wire/index.ts'
import { ahead } from '../../../src/engine/wire/template.ts'
import { outline } from './outline.ts'

const noted = dialect('noted', {
  reasoning: wire`${ahead(['<note', '<hint'], ' \n')}${ignoredAttributes}>${text}</note>`,
})

test.each([
  ['<note a="b">Hm.</note>Hi.'],
  ['<hint a="b">Hm.</note>Hi.'],
  ['<note a = \'b\' c:d.e-f="">Hm.</note>Hi.'],
  ['<note\n a=">"\n>Hm.</note>Hi.'],
  ['<note >Hm.</note>Hi.'],
])('are read over: %j', (response) => {
  expect(outline(response, { dialect: noted })).toEqual(['thought Hm.', 'text Hi.'])
})

test.each([
  ['<note about it'],
  ['<note a=b>Hm.'],
  ['<note a>Hm.'],
  ['<note a="b"c="d">Hm.'],
  ['<note a="<b>">Hm.'],
  ['<note "a">Hm.'],
  ['<note a="b'],
  [`<note a="${'b'.repeat(40)}">Hm.`],
])('are none, and all is text: %j', (response) => {
  expect(outline(response, { dialect: noted, limits: { tag: 30 } })).toEqual([`text ${response}`])
})

it('are decided at the first character that cannot be', () => {
  const parser = createParser({ dialect: noted })
  const shown = (chunk: string) =>
    parser.push(chunk).flatMap((event) => (event.type === 'text-delta' ? [event.delta] : []))
  expect(shown('<note about ')).toEqual([])
  expect(shown('i').join('')).toBe('<note about i')
})
