/** The streams that were recorded, or written down as their providers send them: what they say, and what they ran. */

import { readdirSync, readFileSync } from 'node:fs'
import type { SluiceEvent } from '../../../src/base/event.ts'
import { eventsOf } from '../../providers/told.ts'
import { HOSTED_TOOLS } from './hosted-tools.ts'
import { STREAMS } from './survivors.ts'

export interface Recording {
  readonly name: string
  events(): SluiceEvent[]
}

const FOLDER = new URL('../../providers/fixtures/', import.meta.url)

/** Lines of payloads: those that have no framing of their own when they are recorded. */
const isOfPayloads = (file: string): boolean => /^(bedrock|ai-sdk)\.ndjson$/.test(file)

const FILES: readonly Recording[] = readdirSync(FOLDER, { recursive: true })
  .map(String)
  .filter((file) => /\.(sse|ndjson|json)$/.test(file))
  .sort()
  .map((file) => ({
    name: file,
    events() {
      const text = readFileSync(new URL(file, FOLDER), 'utf8')
      const lines = text.split('\n').filter((line) => line !== '')
      return eventsOf(isOfPayloads(file) ? lines.map((line) => JSON.parse(line) as object) : [text])
    },
  }))

const WRITTEN: readonly Recording[] = Object.entries({ ...STREAMS, ...HOSTED_TOOLS }).map(
  ([name, payloads]) => ({ name, events: () => eventsOf(payloads) }),
)

export const RECORDINGS: readonly Recording[] = [...FILES, ...WRITTEN]
