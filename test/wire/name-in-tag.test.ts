/** A name in a tag that may close itself. */

import { expect, test } from 'vitest'
import { closer, dialect, each, key, name, value, wire } from '../../src/wire/index.ts'
import { nameInTag } from '../../src/wire/template.ts'
import { outline } from './outline.ts'

const parameters = each`<p=${key}>${value}</p>`
const inTag = dialect('in-tag', { call: wire`<f=${nameInTag}>${parameters}${closer`</f>`}` })
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
