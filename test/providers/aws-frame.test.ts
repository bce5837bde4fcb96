import { EventStreamCodec } from '@smithy/eventstream-codec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAwsFrame } from '../../src/providers/framing/aws-frame.ts'
import { SEED } from '../effort.ts'

/** What Amazon's own clients write frames with. */
const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)),
  (text) => new TextEncoder().encode(text),
)

const name = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text !== '__proto__')
const header = fc.oneof(
  fc.record({ type: fc.constant('string' as const), value: fc.string() }),
  fc.record({ type: fc.constant('boolean' as const), value: fc.boolean() }),
  fc.record({ type: fc.constant('byte' as const), value: fc.integer({ min: -128, max: 127 }) }),
  fc.record({ type: fc.constant('short' as const), value: fc.integer({ min: -32768, max: 32767 }) }),
  fc.record({ type: fc.constant('integer' as const), value: fc.integer() }),
  fc.record({ type: fc.constant('binary' as const), value: fc.uint8Array() }),
  fc.record({ type: fc.constant('timestamp' as const), value: fc.date({ noInvalidDate: true }) }),
  fc.record({ type: fc.constant('uuid' as const), value: fc.uuid() }),
)
const message = fc.record({
  headers: fc.dictionary(name, header, { maxKeys: 5 }),
  body: fc.uint8Array(),
})

describe('a frame of Amazon’s event stream', () => {
  test('is read as its own codec writes it', () => {
    fc.assert(
      fc.property(message, ({ headers, body }) => {
        const texts = Object.entries(headers).flatMap(([key, { type, value }]) =>
          type === 'string' ? [[key, value]] : [],
        )
        const read = readAwsFrame(codec.encode({ headers, body }))
        expect(Object.fromEntries(read!.headers)).toEqual(Object.fromEntries(texts))
        expect([...read!.body]).toEqual([...body])
      }),
      { seed: SEED, numRuns: 300 },
    )
  })

  test('is damaged if any byte of it is another one, or if it was cut', () => {
    fc.assert(
      fc.property(message, fc.nat(), fc.integer({ min: 1, max: 255 }), (whole, place, change) => {
        const frame = codec.encode(whole)
        expect(readAwsFrame(frame.slice(0, place % frame.length))).toBeUndefined()
        frame[place % frame.length]! ^= change
        expect(readAwsFrame(frame)).toBeUndefined()
      }),
      { seed: SEED, numRuns: 300 },
    )
  })

  test('whose headers promise more than there is, is damaged, whatever its checksums say', () => {
    // The name of the header would be 200 characters long.
    const wrong = codec.encode({ headers: { a: { type: 'string', value: 'b' } }, body: new Uint8Array(0) })
    wrong[12] = 200
    expect(readAwsFrame(withChecksums(wrong))).toBeUndefined()
    wrong[12] = 1
    wrong[14] = 42 // no such type
    expect(readAwsFrame(withChecksums(wrong))).toBeUndefined()
  })
})

/** The same frame with checksums that fit it. */
function withChecksums(frame: Uint8Array): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset)
  view.setUint32(8, crc32(frame.subarray(0, 8)))
  view.setUint32(frame.length - 4, crc32(frame.subarray(0, -4)))
  return frame
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}
