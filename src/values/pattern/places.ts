/** The places in a text that a pattern asks for, such as `^` and `\\b`. */

import type { Assertion, PatternSyntax } from './syntax.ts'

/** What stands beside a place. */
export type Neighbour = 'edge' | 'word' | 'newline' | 'other'

export function neighbourOf(sets: ReadonlySet<number>, { wordSet, lineSet }: PatternSyntax): Neighbour {
  if (sets.has(wordSet)) return 'word'
  return sets.has(lineSet) ? 'newline' : 'other'
}

export function isPlace(is: Assertion, before: Neighbour, after: Neighbour): boolean {
  switch (is) {
    case 'start':
      return before === 'edge'
    case 'end':
      return after === 'edge'
    case 'line-start':
      return before === 'edge' || before === 'newline'
    case 'line-end':
      return after === 'edge' || after === 'newline'
    case 'word-boundary':
      return (before === 'word') !== (after === 'word')
    case 'no-word-boundary':
      return (before === 'word') === (after === 'word')
  }
}
