import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Utf8Decoder } from '../../src/json/utf8.ts'
import { SEED } from './texts.ts'

function decoded(bytes: Uint8Array, size: number): string {
  const decoder = new Utf8Decoder()
  let text = ''
  for (let at = 0; at < bytes.length; at += size) text += decoder.decode(bytes.subarray(at, at + size))
  return text + decoder.end()
}

describe(`Bytes (seed ${SEED})`, () => {
  test('are read as the platform would read them, however they are cut', () => {
    const bytes = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text)),
      fc.uint8Array(),
      fc
        .array(
          fc.constantFrom(0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0x80, 0x90, 0x9f, 0xa0, 0xbf, 0xbb, 0x41, 0xff),
        )
        .map((all) => Uint8Array.from(all)),
    )
    fc.assert(
      fc.property(bytes, (any) => {
        const expected = new TextDecoder().decode(any)
        for (const size of [1, 2, 3, 1000]) expect(decoded(any, size)).toBe(expected)
      }),
      { seed: SEED, numRuns: 3000 },
    )
  })

  test('may be many', () => {
    const text = 'aé😀'.repeat(20_000)
    expect(decoded(new TextEncoder().encode(text), 1_000_000)).toBe(text)
  })
})
