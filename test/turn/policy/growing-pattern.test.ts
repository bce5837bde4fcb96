import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Certainty, GrowingPattern } from '../../../src/turn/policy/growing-pattern.ts'

/** After how many characters it is certain what becomes of the text, and what. */
function certainAt(pattern: GrowingPattern, text: string): [at: number, Certainty] {
  let state = pattern.start
  for (let at = 0; ; at++) {
    const certainty = pattern.certainty(state)
    if (certainty !== 'not-yet' || at === text.length) return [at, certainty]
    state = pattern.next(state, text.charCodeAt(at))
  }
}

const [NOTHING, ANYTHING] = ['[]', '[^]']

describe('it is certain', () => {
  test.each([
    [/rm -rf/, 'x; rm -rf /', [9, 'yes']],
    [/rm -rf/, 'x; rm -r', [8, 'not-yet']],
    [/^src\//, 'src/a', [4, 'yes']],
    [/^src\//, 'sRc/a', [2, 'no']],
    [/^src\//i, 'sRc/a', [4, 'yes']],
    [/\.ts$/, 'a.ts', [4, 'not-yet']],
    [/^[a-z]+$/, 'ab1', [3, 'no']],
    [/\brm\b/, 'farm rm x', [8, 'yes']],
    [/\brm\b/, 'rm', [2, 'not-yet']],
    [/^a{2,3}$/, 'aaaa', [4, 'no']],
    [/^/, 'a', [0, 'yes']],
    [/a^/, 'a', [0, 'no']],
    [new RegExp(NOTHING), 'a', [0, 'no']],
    [new RegExp(ANYTHING), 'a', [1, 'yes']],
    [/^#/m, 'a\n#', [3, 'yes']],
    [/^.$/s, '\nx', [2, 'no']],
    [/^.$/, '\n', [1, 'no']],
    [/\u00e4|\x41|\0/, 'ä', [1, 'yes']],
    [/(?<year>\d{4})/, '2024', [4, 'yes']],
    [/[\w-]{3}/, 'a-b', [3, 'yes']],
    [/x{,2}/, 'x{,2}', [5, 'yes']],
    [/x{000000000000000000000000000002}/, 'xx', [2, 'yes']],
  ] as [RegExp, string, [number, Certainty]][])('of %s in %j: %j', (pattern, text, certain) => {
    expect(certainAt(new GrowingPattern(pattern), text)).toEqual(certain)
  })
})

describe('refused is', () => {
  test.each([
    [/(?=a)/, 'The pattern /(?=a)/ uses lookaround, which cannot be decided while the text still grows.'],
    [/(?<!a)b/, 'The pattern /(?<!a)b/ uses lookaround, which cannot be decided while the text still grows.'],
    [/(a)\1/, 'The pattern /(a)\\1/ uses a backreference, which can take exponential time to match.'],
    [/\p{L}/u, "The pattern /\\p{L}/u has the flag 'u'. Only i, m and s are supported."],
    [/a\cA/, 'The pattern /a\\cA/ has unsupported syntax at character 4.'],
    [/(a|b)*a(a|b){20}/, 'The pattern /(a|b)*a(a|b){20}/ needs too many states. Make it simpler.'],
    [/(x{100}){100}/, 'The pattern /(x{100}){100}/ needs too many states. Make it simpler.'],
  ])('%s', (pattern, message) => {
    expect(() => new GrowingPattern(pattern)).toThrow(
      expect.objectContaining({ code: 'unsafe-pattern', message }),
    )
  })

  test('a pattern of more than a thousand characters', () => {
    expect(() => new GrowingPattern(new RegExp('a'.repeat(1025)))).toThrow(/is longer than 1024 characters/)
  })
})

test('a pattern over which others despair takes time in proportion to the text', () => {
  const growing = new GrowingPattern(/^(a+)+$/)
  expect(certainAt(growing, `${'a'.repeat(100_000)}b`)).toEqual([100_001, 'no'])
})

// ── brute force ──────────────────────────────────────────────────────────────────────────────────

const LETTERS = ['a', 'b', ' ', '\n']

/** Patterns over a few letters, of every kind of part. */
const patterns = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\s', '^', '$', '\\b', '\\B', ''),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}${other}`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '*?', '{2,}'))
      .map(([one, times]) => `(?:${one})${times}`),
  ),
})).pattern

const flags = fc.constantFrom('', 'm', 's', 'i', 'ms')

/** All texts of up to so many letters. */
function textsUpTo(length: number): string[] {
  let last = ['']
  const all = ['']
  for (let step = 0; step < length; step++) {
    last = last.flatMap((text) => LETTERS.map((letter) => text + letter))
    all.push(...last)
  }
  return all
}

test('it is certain exactly where every text that goes on, or none, matches', () => {
  const LONGEST = 5
  const rests = textsUpTo(LONGEST)
  fc.assert(
    fc.property(patterns, flags, fc.constantFrom(...textsUpTo(3)), (source, flag, text) => {
      const expression = new RegExp(source, flag)
      const growing = new GrowingPattern(expression)
      // What can be told apart at all is told apart by a text shorter than there are states.
      fc.pre(growing.size <= LONGEST + 1)
      const results = new Set(rests.map((rest) => expression.test(text + rest)))
      const expected = results.size === 2 ? 'not-yet' : results.has(true) ? 'yes' : 'no'
      let state = growing.start
      for (const letter of text) state = growing.next(state, letter.charCodeAt(0))
      expect(growing.certainty(state)).toBe(expected)
    }),
    { seed: 6, numRuns: 400, maxSkipsPerRun: 1000 },
  )
})
