/** Four times the text takes about four times the time, however it comes. The limit is generous: a square would be 16. */

import { describe, expect, test } from 'vitest'
import { JsonBuilder } from '../../src/json/builder.ts'
import { createJsonParser } from '../../src/json/index.ts'
import { type AnyScannerOptions, createScanner } from '../../src/json/patient-scanner.ts'

const LIMITS = { depth: Number.POSITIVE_INFINITY }

interface Case {
  readonly name: string
  readonly size: number
  readonly text: (size: number) => string
  readonly options?: AnyScannerOptions
}

const cases: readonly Case[] = [
  { name: 'a long string', size: 50_000, text: (n) => `{"content":"${'x'.repeat(n)}"}` },
  { name: 'a long string of escapes', size: 10_000, text: (n) => `["${'\\n\\u00e9'.repeat(n)}"]` },
  { name: 'a long number', size: 20_000, text: (n) => `[${'7'.repeat(n)}]` },
  { name: 'deep arrays', size: 25_000, text: (n) => '['.repeat(n) + ']'.repeat(n) },
  { name: 'deep objects', size: 10_000, text: (n) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}` },
  { name: 'whitespace', size: 50_000, text: (n) => `[1,${' '.repeat(n)}2]` },
  { name: 'many keys', size: 5_000, text: (n) => `{${Array.from({ length: n }, (_, k) => `"k${k}":1`)}}` },
  { name: 'a long key', size: 25_000, text: (n) => `{"${'k'.repeat(n)}":1}` },
  { name: 'many short values', size: 15_000, text: (n) => `[${'"a",'.repeat(n)}1]` },
]

const tolerated: readonly Case[] = [
  { name: 'a long key of bad escapes', size: 10_000, text: (n) => `{"${'\\q'.repeat(n)}":1}` },
  { name: 'a long unquoted run', size: 25_000, text: (n) => `[${'a/'.repeat(n)}]` },
  { name: 'many comments', size: 5_000, text: (n) => `[${'/*c*/'.repeat(n)}1]` },
  { name: 'raw newlines in a string', size: 20_000, text: (n) => `["${'a\n'.repeat(n)}"]` },
  { name: 'arrays that are never closed', size: 20_000, text: (n) => `{"a":${'['.repeat(n)}}` },
  { name: 'commas', size: 15_000, text: (n) => `[${','.repeat(n)}1]` },
  {
    name: 'quotes inside a string',
    size: 10_000,
    text: (n) => `["${'a" ", '.repeat(n)}b"]`,
    options: { stringClose: 'delimiter' },
  },
]

/** Reads one character at a time, copying and building. */
function read(text: string, options: AnyScannerOptions): void {
  const scanner = createScanner({ ...options, limits: LIMITS })
  scanner.startCopy()
  const builder = new JsonBuilder()
  for (let i = 0; i < text.length; i++) scanner.read(text, i, i + 1, builder)
  if (scanner.status !== 'done') throw new Error(`${scanner.status} at ${scanner.offset}`)
}

/** In milliseconds of work, not of waiting: other programs share this machine. */
function fastest(run: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let k = 0; k < 4; k++) {
    const start = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

function expectLinear(once: () => void, fourTimes: () => void): void {
  let [short, long] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let ratio = Number.POSITIVE_INFINITY
  // A collection of garbage at a bad moment is not a square, and is gone when both are run again.
  for (let attempt = 0; attempt < 4 && ratio >= 8; attempt++) {
    short = Math.min(short, fastest(once))
    long = Math.min(long, fastest(fourTimes))
    ratio = long / Math.max(short, 0.5)
  }
  expect(ratio).toBeLessThan(8)
}

describe('One character at a time, time grows with the text and not with its square:', () => {
  test.each(cases)('$name', ({ text, size }) => {
    const [once, fourTimes] = [text(size / 2), text(2 * size)]
    expectLinear(
      () => read(once, {}),
      () => read(fourTimes, {}),
    )
  })

  test.each(tolerated)('$name (tolerant)', ({ text, size, options }) => {
    const [once, fourTimes] = [text(size / 2), text(2 * size)]
    expectLinear(
      () => read(once, { tolerant: true, ...options }),
      () => read(fourTimes, { tolerant: true, ...options }),
    )
  })

  test('events and snapshots of a long string', () => {
    const follow = (text: string) => () => {
      const parser = createJsonParser({ mode: 'strict' })
      for (let i = 0; i < text.length; i++) {
        parser.push(text[i]!)
        void parser.value
      }
      parser.end()
    }
    const text = (n: number) => `{"content":"${'x'.repeat(n)}"}`
    expectLinear(follow(text(15_000)), follow(text(60_000)))
  })

  test('the end of a text that was cut off in the deep', () => {
    const cut = (n: number) => () => {
      const parser = createJsonParser({ mode: 'strict', limits: LIMITS })
      parser.push('['.repeat(n))
      parser.end()
    }
    expectLinear(cut(10_000), cut(40_000))
  })
})

test('100,000 nested arrays are read when the limit allows it', () => {
  const parser = createJsonParser({ mode: 'strict', limits: { depth: 100_000 } })
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  parser.push(deep)
  parser.end()
  expect(parser.status).toBe('complete')
})
