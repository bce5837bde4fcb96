/** Random patterns and texts: whether one matches is what the language says. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Automaton } from '../../../src/values/pattern/automaton.ts'
import { Backtracker } from '../../../src/values/pattern/backtracker.ts'
import { readPattern } from '../../../src/values/pattern/syntax.ts'
import { runs } from '../../effort.ts'

describe('the automaton', () => {
  const atoms = fc.constantFrom(
    ...['a', 'b', '-', '.', '😀', 'é', '', '[ab]', '[^a]', '[a-c_]', '[-a]', '[a\\-]', '[^]', '[]', '[\\b]'],
    ...[
      '\\d',
      '\\w',
      '\\s',
      '\\D',
      '\\W',
      '\\S',
      '[\\w.]',
      '[^\\s\\S]',
      '[^\\d\\n]',
      '[😀-😂]',
      '[^😀]',
      '\\0',
    ],
    ...[
      '^',
      '$',
      '\\b',
      '\\B',
      '\\x61',
      '\\u0061',
      '\\n',
      '\\/',
      '/',
      '\\ud83d',
      '\\ude00',
      '\\ud83d\\ude00',
    ],
    ...['[\\ud83d]', '[\\udc00-\\udfff]', '\\u{1f600}', '{', ']', 'a{,2}', '[\\d-z]', '\\-'],
  )

  /** Patterns of every kind of part. */
  const sources = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      atoms,
      fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}${other}`),
      fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(${one}|${other})`),
      fc
        .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{0}', '{2}', '{1,2}', '*?', '{2,}', '{0,3}?'))
        .map(([one, times]) => `(?:${one})${times}`),
    ),
  })).pattern

  const characters = fc.constantFrom(
    ...[
      'a',
      'b',
      'c',
      '-',
      '_',
      ' ',
      '\n',
      '\u2028',
      '1',
      '.',
      '/',
      '{',
      '}',
      ',',
      '2',
      ']',
      '\0',
      '\b',
      'é',
    ],
    ...['😀', '😁', '\ud83d', '\ude00'],
  )
  const texts = fc.array(characters, { maxLength: 8 }).map((all) => all.join(''))

  test('agrees with the language on random patterns and texts', () => {
    let compared = 0
    fc.assert(
      fc.property(
        sources,
        fc.constantFrom('', 'u', 'm', 's', 'i', 'ms', 'mu'),
        fc.array(texts),
        (...made) => {
          const [source, flags, all] = made
          const expression = parsed(source, flags)
          if (expression === undefined) return
          const automaton = new Automaton(expression, { left: 1_000_000 })
          for (const text of all) {
            // V8 also looks for `\B` between the halves of one character, where the standard has no place.
            if (flags.includes('u') && source.includes('\\B') && /[\ud800-\udbff][\udc00-\udfff]/.test(text))
              continue
            expect(automaton.matches(text), JSON.stringify(text)).toBe(expression.test(text))
            compared++
          }
        },
      ),
      { seed: 5, numRuns: runs(5000) },
    )
    expect(compared).toBeGreaterThan(runs(8000))
  })

  /** Undefined if it is no regular expression with these flags, or one of the few spellings that are not understood. */
  function parsed(source: string, flags: string): RegExp | undefined {
    if (!flags.includes('u') && source.includes('\\u{')) return undefined
    try {
      return new RegExp(source, flags)
    } catch {
      return undefined
    }
  }
})

describe('the search', () => {
  const atoms = fc.constantFrom(
    ...['a', 'b', '.', '[ab]', '[^a]', '\\w', '^', '$', '\\b', '\\B', '😀', '()', '(a)', '(b|)'],
    ...['\\1', '\\2', '\\k<n>', '\\p{Lu}', '\\P{L}', '[\\p{Ll}😀]'],
  )

  /** Patterns with every kind of part. */
  const sources = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      atoms,
      fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}${other}`),
      fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
      fc
        .tuple(fc.constantFrom('?=', '?!', '?<=', '?<!', '', '?<n>'), tie('pattern'))
        .map(([kind, inner]) => `(${kind}${inner})`),
      fc
        .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}', '*?', '+?', '??'))
        .map(([inner, times]) => `(?:${inner})${times}`),
    ),
  })).pattern

  const texts = fc
    .array(fc.constantFrom('a', 'b', 'A', '-', '😀', '\n'), { maxLength: 7 })
    .map((all) => all.join(''))

  test('agrees with the language on random patterns and texts', () => {
    let compared = 0
    fc.assert(
      fc.property(sources, fc.constantFrom('u', '', 's', 'mu'), fc.array(texts), (source, flags, all) => {
        const expression = parsed(source, flags)
        if (expression === undefined) return
        const backtracker = new Backtracker(expression, { left: 8_000_000 }, readPattern(expression))
        for (const text of all) {
          // V8 also looks between the halves of one character, where the standard has no place.
          if (/\\[B12k]|\(\?<?!/.test(source) && text.includes('😀')) continue
          expect(backtracker.matches(text), `${expression} ${JSON.stringify(text)}`).toBe(
            expression.test(text),
          )
          compared++
        }
      }),
      { seed: 5, numRuns: runs(40_000) },
    )
    expect(compared).toBeGreaterThan(runs(20_000))
  })

  function parsed(source: string, flags: string): RegExp | undefined {
    // Without the flag, these are old spellings of other characters.
    if (!flags.includes('u') && /\\[pPk]/.test(source)) return undefined
    try {
      const expression = new RegExp(source, flags)
      readPattern(expression)
      return expression
    } catch {
      return undefined
    }
  }
})
