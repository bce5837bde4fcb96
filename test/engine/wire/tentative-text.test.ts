/** Text that may hold its own closer: one counts only before what can follow it. */

import { describe, expect, test } from 'vitest'
import { checkedState, copyState } from '../../../src/base/plain-state.ts'
import { type TentativeSyntax, TentativeText } from '../../../src/engine/wire/tentative-text.ts'

const PLAIN: TentativeSyntax = {
  close: '</arg>',
  end: '</tool>',
  follows: ['</arguments>', '</tool>', '<arg '],
  endings: ['</arguments>', '</tool>'],
  markers: undefined,
  limit: 100,
}
const MARKED: TentativeSyntax = { ...PLAIN, markers: { start: '[[', end: ']]' } }

/** The content, what is left of the tag behind it, and where it ended: the same for every way to cut it in two. */
function read(syntax: TentativeSyntax, text: string) {
  const ends = Array.from({ length: text.length }, (_, cut) => {
    let content = ''
    const write = (piece: string) => {
      content += piece
    }
    let value = new TentativeText(syntax)
    let at = value.read(text, 0, cut, write)
    if (at === cut && !value.isClosed) {
      value = new TentativeText(syntax, checkedState(TentativeText.shape, copyState(value.state)))
      at = value.read(text, cut, text.length, write)
    }
    if (!value.isClosed) value.end(write)
    const { rest, isClosed, isUnclosed } = value
    return {
      content,
      rest,
      behind: text.slice(at),
      ...(!isClosed && { isOpen: true }),
      ...(isUnclosed && { isUnclosed }),
    }
  })
  for (const end of ends) expect(end).toEqual(ends[0])
  return ends[0]!
}

describe('a closer', () => {
  test.each<[name: string, shape: TentativeSyntax, text: string, expected: object]>([
    ['counts before the end', PLAIN, 'a</arg></tool>!', { content: 'a', rest: '</tool>', behind: '!' }],
    [
      'counts before another argument',
      PLAIN,
      'a</arg> \n<arg x',
      { content: 'a', rest: '<arg ', behind: 'x' },
    ],
    [
      'is content before anything else',
      PLAIN,
      'say </arg> here</arg></tool>',
      { content: 'say </arg> here', rest: '</tool>', behind: '' },
    ],
    [
      'is content before itself',
      PLAIN,
      'a</arg></arg></tool>',
      { content: 'a</arg>', rest: '</tool>', behind: '' },
    ],
    ['is in any case', PLAIN, 'a</ARG></Tool>', { content: 'a', rest: '</Tool>', behind: '' }],
    [
      'may be missing before the end',
      PLAIN,
      'a</tool>',
      { content: 'a', rest: '</tool>', behind: '', isUnclosed: true },
    ],
    ['counts at the end of the text', PLAIN, 'a</arg>', { content: 'a', rest: '', behind: '', isOpen: true }],
    [
      'counts only behind the end marker',
      MARKED,
      '\n[[\na</arg><arg b\n]]</arg>x',
      { content: 'a</arg><arg b\n', rest: '', behind: 'x' },
    ],
    [
      'counts without the end marker before the end of all',
      MARKED,
      '[[a\n</arg></arguments>',
      { content: 'a', rest: '</arguments>', behind: '' },
    ],
    [
      'counts where no marker begins the content',
      MARKED,
      'a</arg></tool>',
      { content: 'a', rest: '</tool>', behind: '' },
    ],
  ])('%s', (_, shape, text, expected) => {
    expect(read(shape, text)).toEqual(expected)
  })
})

test('nothing is held back of text that can be no closer', () => {
  const value = new TentativeText(PLAIN)
  const written: string[] = []
  for (const piece of ['let a', ' = 1 <', '/ar', 't>'])
    value.read(piece, 0, piece.length, (text) => written.push(text))
  expect(written).toEqual(['let a', ' = 1 ', '</art>'])
})
