/** Text up to a literal, however it is cut. */

import { describe, expect, test } from 'vitest'
import { Literals } from '../../../src/engine/wire/literals.ts'
import { until, untilEnd, untilStart } from '../../../src/engine/wire/until.ts'

const ANYWHERE = { anchored: false, ignoreCase: false }

/** What is written after each piece, the literal that was found, and how much of the last piece was taken. */
function read(literals: Literals, ...pieces: string[]) {
  const state = untilStart()
  const written: string[] = []
  let taken = 0
  for (const piece of pieces) {
    let all = ''
    taken = until(state, literals, piece, 0, piece.length, (text) => {
      all += text
    })
    written.push(all)
    if (state.found !== -1) break
  }
  return { written, found: state.found, taken, held: state.held }
}

describe('text up to a literal', () => {
  const literals = new Literals(['</arg>', '</tool>', '\n</arg>'], ANYWHERE)

  test.each<[name: string, pieces: string[], expected: ReturnType<typeof read>]>([
    ['ends there', ['a</arg>b'], { written: ['a'], found: 0, taken: 7, held: '' }],
    ['ends at the first of them', ['a</tool></arg>'], { written: ['a'], found: 1, taken: 8, held: '' }],
    ['ends at the longest', ['a\n</arg>'], { written: ['a'], found: 2, taken: 8, held: '' }],
    ['may be empty', ['</arg>'], { written: [''], found: 0, taken: 6, held: '' }],
    [
      'holds back what may be one',
      ['a</', 'ar', 'g>b'],
      { written: ['a', '', ''], found: 0, taken: 2, held: '' },
    ],
    [
      'goes on where it was none',
      ['a</', 'art', '></arg>'],
      { written: ['a', '</art', '>'], found: 0, taken: 7, held: '' },
    ],
    [
      'begins again inside what it was none of',
      ['<', '<', '/tool>'],
      { written: ['', '<', ''], found: 1, taken: 6, held: '' },
    ],
    ['has no end yet', ['a\n<'], { written: ['a'], found: -1, taken: 3, held: '\n<' }],
  ])('%s', (_, pieces, expected) => {
    expect(read(literals, ...pieces)).toEqual(expected)
  })

  test('that never ends is all text', () => {
    const state = untilStart()
    const written: string[] = []
    until(state, literals, 'a</ar', 0, 5, (text) => written.push(text))
    untilEnd(state, (text) => written.push(text))
    expect(written).toEqual(['a', '</ar'])
  })

  test('takes no more than it is given', () => {
    const state = untilStart()
    expect(until(state, literals, 'ab</arg>', 1, 4, () => {})).toBe(4)
    expect(state).toEqual({ node: literals.after('</'), held: '</', found: -1 })
  })
})
