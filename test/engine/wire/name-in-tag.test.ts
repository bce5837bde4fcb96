/** A name or a key in a tag: white space, quotes and the bar of a tag that closes itself are no part of it. */

import { expect, test } from 'vitest'
import { closer, dialect, each, key, name, value, wire } from '../../../src/engine/wire/index.ts'
import { keyInTag, nameInTag } from '../../../src/engine/wire/template.ts'
import { outline } from './outline.ts'

const parameters = each`<p=${key}>${value}</p>`
const inTag = dialect('in-tag', { call: wire`<f=${nameInTag}>${parameters}${closer`</f>`}` })
const keyed = dialect('keyed', { call: wire`<f=${nameInTag}>${each`<p=${keyInTag}>${value}</p>`}</f>` })
const plain = dialect('plain', { call: wire`<f=${name}>${parameters}${closer`</f>`}` })

test.each([
  [inTag, '<f=ls/></f>', ['call ls {}']],
  [inTag, '<f=ls></f>', ['call ls {}']],
  [inTag, '<f=fs/ls></f>', ['call fs/ls {}']],
  [inTag, '<f=fs/ls/></f>', ['call fs/ls {}']],
  [inTag, '<f=/>', ['text <f=/>', 'note not-a-call']],
  [plain, '<f=ls/></f>', ['call ls/ {}']],
])('the bar at its end is no part of it: %#', (dialect, text, expected) => {
  expect(outline(text, { dialect })).toEqual(expected)
})

test.each([
  ['ls ', '"p"', ['call ls {"p":"1"}']],
  [' ls / ', ' p ', ['call ls {"p":"1"}']],
  ['"ls"', "'p'", ['call ls {"p":"1"}']],
  [`'ls'/`, '" p "', ['call ls {"p":"1"}']],
  ['ls', 'a "p"', ['call ls {"a \\"p\\"":"1"}']],
  ['ls', '"a"b"', ['call ls {"\\"a\\"b\\"":"1"}']],
  ['""', 'p', ['text <f=""><p=p>1</p></f>', 'note not-a-call']],
])('white space and quotes around it are no part of it: %j, %j', (name, key, expected) => {
  expect(outline(`<f=${name}><p=${key}>1</p></f>`, { dialect: keyed })).toEqual(expected)
})
