/** The markers of a call with no call between them. */

import { describe, expect, test } from 'vitest'
import { args, closer, dialect, name, optional, wire } from '../../../src/engine/wire/index.ts'
import { outline } from './outline.ts'

const house = dialect('house', {
  call: wire`<call>
    ${name} ${args}
    ${closer`</call>`}`,
  emptyCall: wire`<call>
    ${optional`none`}
    </call>`,
})

describe('the markers of a call', () => {
  test.each([
    ['around nothing are dropped', 'a <call></call> b', ['text a  b', 'note empty-call']],
    ['around white space are dropped', 'a <call>\n</call> b', ['text a  b', 'note empty-call']],
    ['around what the template declares are dropped', '<call>none</call>', ['note empty-call']],
    ['at the end are dropped', 'a <call>', ['text a ', 'note empty-call']],
    ['at the end, with white space, are dropped', 'a <call>\n', ['text a ', 'note empty-call']],
    ['around other text are text', '<call> <b></call>', ['text <call> <b></call>', 'note not-a-call']],
    ['around a call are its own', '<call>ls {}</call>', ['call ls {}']],
    ['behind a call are dropped', '<call>ls {}</call><call></call>', ['call ls {}', 'note empty-call']],
    ['of which half has come are text', 'a <cal', ['text a <cal']],
    ['before which half a call has come are text', '<call>l', ['text <call>l', 'note not-a-call']],
  ])('%s', (_, text, expected) => {
    expect(outline(text, { dialect: house })).toEqual(expected)
  })

  test('are text where calls are left as text', () => {
    expect(outline('a <call></call>', { dialect: house, calls: false })).toEqual(['text a <call></call>'])
  })
})
