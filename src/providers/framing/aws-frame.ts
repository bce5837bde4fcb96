/**
 * One frame of Amazon's event stream, whole:
 *
 *     length · length of headers · checksum of both │ headers │ body │ checksum of all before it
 *
 * A header is its name, a type and a value. Only those that are text say anything about the event.
 */

export interface AwsFrame {
  readonly headers: ReadonlyMap<string, string>
  readonly body: Uint8Array
}

/** Two lengths and their checksum. */
const PRELUDE = 12
const CHECKSUM = 4

const STRING = 7
const BYTES = 6
/** How many bytes a value has, by its type: true, false, 1, 2, 4 and 8 bytes, a time, a UUID. Others say it themselves. */
const SIZES: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 }

/** Undefined for a frame that is damaged. */
export function readAwsFrame(frame: Uint8Array): AwsFrame | undefined {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const end = frame.length - CHECKSUM
  if (end < PRELUDE || view.getUint32(0) !== frame.length) return undefined
  const bodyAt = PRELUDE + view.getUint32(4)
  if (bodyAt > end) return undefined
  if (view.getUint32(PRELUDE - CHECKSUM) !== crc32(frame, PRELUDE - CHECKSUM)) return undefined
  if (view.getUint32(end) !== crc32(frame, end)) return undefined
  const headers = readHeaders(view, PRELUDE, bodyAt)
  return headers && { headers, body: frame.subarray(bodyAt, end) }
}

function readHeaders(view: DataView, from: number, end: number): Map<string, string> | undefined {
  const headers = new Map<string, string>()
  let at = from
  /** The next so many bytes, as text. */
  const take = (length: number): string => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length)
    at += length
    return new TextDecoder().decode(bytes)
  }
  while (at < end) {
    const nameLength = view.getUint8(at++)
    // A type follows the name.
    if (at + nameLength >= end) return undefined
    const name = take(nameLength)
    const type = view.getUint8(at++)
    const isMeasured = type === STRING || type === BYTES
    if (isMeasured && at + 2 > end) return undefined
    const length = isMeasured ? view.getUint16(at) : SIZES[type]
    if (isMeasured) at += 2
    if (length === undefined || at + length > end) return undefined
    const value = take(length)
    if (type === STRING) headers.set(name, value)
  }
  return headers
}

/** The checksum of gzip and zlib, of the first so many bytes. */
function crc32(bytes: Uint8Array, length: number): number {
  let crc = ~0
  for (let at = 0; at < length; at++) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[at]!) & 0xff]!
  return ~crc >>> 0
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})
