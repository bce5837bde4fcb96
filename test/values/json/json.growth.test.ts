import { describe, expect, test } from 'vitest'
import { JsonBuilder } from '../../../src/values/json/builder.ts'
import { createJsonParser } from '../../../src/values/json/index.ts'
import { createScanner, type ScannerOptions } from '../../../src/values/json/scanner.ts'
import { growthOf, MOST_GROWTH } from '../../growth.ts'

const LIMITS = { depth: Number.POSITIVE_INFINITY }

interface Case {
  readonly name: string
  readonly size: number
  readonly text: (size: number) => string
  readonly options?: ScannerOptions
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
function read(text: string, options: ScannerOptions): void {
  const scanner = createScanner({ ...options, limits: LIMITS })
  scanner.startCopy()
  const builder = new JsonBuilder()
  for (let i = 0; i < text.length; i++) scanner.read(text, i, i + 1, builder)
  if (scanner.status !== 'done') throw new Error(`${scanner.status} at ${scanner.offset}`)
}

describe('One character at a time, work grows with the text and not with its square:', () => {
  test.each(cases)('$name', async ({ text, size }) => {
    expect(await growthOf((length) => read(text(length), {}), size / 2)).toBeLessThan(MOST_GROWTH)
  })

  test.each(tolerated)('$name (tolerant)', async ({ text, size, options }) => {
    const growth = await growthOf((length) => read(text(length), { tolerant: true, ...options }), size / 2)
    expect(growth).toBeLessThan(MOST_GROWTH)
  })

  test('events and snapshots of a long string', async () => {
    const follow = (text: string) => {
      const parser = createJsonParser({ mode: 'strict' })
      for (let i = 0; i < text.length; i++) {
        parser.push(text[i]!)
        void parser.value
      }
      parser.end()
    }
    const text = (n: number) => `{"content":"${'x'.repeat(n)}"}`
    expect(await growthOf((length) => follow(text(length)), 15_000)).toBeLessThan(MOST_GROWTH)
  })

  test('the end of a text that was cut off in the deep', async () => {
    const cut = (n: number) => {
      const parser = createJsonParser({ mode: 'strict', limits: LIMITS })
      parser.push('['.repeat(n))
      parser.end()
    }
    expect(await growthOf(cut, 10_000)).toBeLessThan(MOST_GROWTH)
  })
})
