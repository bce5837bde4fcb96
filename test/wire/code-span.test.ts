import { describe, expect, test } from 'vitest'
import type { Call } from '../../src/calls/call.ts'
import { DEFAULT_LIMITS } from '../../src/limits.ts'
import { codeSpan } from '../../src/wire/code-span.ts'

const SETTINGS = { weak: false, limits: DEFAULT_LIMITS }
/** A span of code has no call to write to. */
const NO_CALL = null as unknown as Call

/** How much of a text that begins with a backtick is code; `open` when the end of it did not come. */
function span(text: string): number | 'open' {
  const reader = codeSpan.create(SETTINGS)
  const at = reader.read(text, 0, text.length, NO_CALL)
  return reader.status === 'done' ? at : 'open'
}

/** The same, restored from plain data before every character. */
function spanInPieces(text: string): number | 'open' {
  let reader = codeSpan.create(SETTINGS)
  for (let at = 0; at < text.length; at++) {
    reader = codeSpan.restore(JSON.parse(JSON.stringify(reader.save())), SETTINGS)
    const next = reader.read(text, at, at + 1, NO_CALL)
    if (reader.status === 'done') return next
  }
  return 'open'
}

describe('a span of code ends', () => {
  test.each<[string, string, number | 'open']>([
    ['at the same backtick', '`a` b', 3],
    ['at the end of the line, when nothing closes it', '`a b\nc`', 4],
    ['not at a longer run', '`a``b` c', 6],
    ['at two backticks that two opened', '``a`b`` c', 7],
    ['at three or more that three opened', '```a```` b', 8],
    ['not at the end of a line, when it is a fence', '```\na\n``\nb\n``` c', 14],
    ['not at a shorter fence', '````\n```\n', 'open'],
    ['not before its closing run is over', '`a`', 'open'],
    ['not while its opening run is counted', '``', 'open'],
  ])('%s: %j', (_, text, expected) => {
    expect(span(text)).toBe(expected)
    expect(spanInPieces(text)).toBe(expected)
  })
})

test('a span of code may be cut off by the end', () => {
  const reader = codeSpan.create(SETTINGS)
  reader.read('```\na', 0, 5, NO_CALL)
  reader.end(NO_CALL)
  expect(reader.status).toBe('done')
})
