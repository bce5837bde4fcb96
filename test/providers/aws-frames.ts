/** Payloads of Bedrock in Amazon's binary event stream, as Amazon's own codec writes it. */

import { EventStreamCodec } from '@smithy/eventstream-codec'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes)),
  encode,
)

export function bedrockFrames(payloads: readonly object[]): Uint8Array {
  const frames = payloads.map((payload) => {
    const [[type, body] = ['', {}]] = Object.entries(payload)
    const headers = {
      ':event-type': { type: 'string' as const, value: type },
      ':message-type': { type: 'string' as const, value: 'event' },
    }
    return codec.encode({ headers, body: encode(JSON.stringify(body)) })
  })
  return Uint8Array.from(frames.flatMap((frame) => [...frame]))
}
