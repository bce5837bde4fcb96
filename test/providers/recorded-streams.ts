/**
 * The recorded streams of `fixtures/`, as bytes and as payloads. A new recording is under all tests that go through them.
 *
 * @reads test/providers/fixtures/
 */

import { readdirSync, readFileSync } from 'node:fs'
import { bedrockFrames } from './aws-frames.ts'

export interface RecordedStream {
  readonly file: string
  readonly provider: string
  /** As the network brings it. */
  readonly bytes: Uint8Array
  readonly payloads: readonly object[]
}

const FOLDER = new URL('fixtures/', import.meta.url)

export const RECORDED_STREAMS: readonly RecordedStream[] = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name: file }) => recordedStream(file))

function recordedStream(file: string): RecordedStream {
  const provider = file.replace(/\..*/, '')
  const bytes = readFileSync(new URL(file, FOLDER))
  const payloads = payloadsIn(bytes.toString())
  return { file, provider, bytes: sent(provider, payloads) ?? bytes, payloads }
}

function payloadsIn(text: string): object[] {
  if (text.startsWith('[')) return JSON.parse(text) as object[]
  const lines = text.split('\n').map((line) => line.replace(/^data: /, ''))
  return lines.filter((line) => /^[{[]"?[^D]/.test(line)).map((line) => JSON.parse(line) as object)
}

/** Two of them are written down as objects, one in each line. */
function sent(provider: string, payloads: readonly object[]): Uint8Array | undefined {
  if (provider === 'bedrock') return bedrockFrames(payloads)
  if (provider !== 'ai-sdk') return undefined
  return new TextEncoder().encode(payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join(''))
}
