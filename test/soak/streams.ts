/** Responses of all kinds on their way at once, each read by a parser of its own and compared with what was sent. */

import fc from 'fast-check'
import type { SluiceEvent } from '../../src/base/event.ts'
import { isExecutable } from '../../src/engine/calls/verdict.ts'
import { createSinkParser } from '../../src/engine/parser.ts'
import { findProvider } from '../../src/providers/any.ts'
import { createProviderParser } from '../../src/providers/provider-parser.ts'
import { SEED } from '../effort.ts'
import { ENTRIES, TOOLS } from '../laws/entries.ts'
import { messageArbitrary } from '../laws/messages.ts'
import { inPieces } from '../laws/observe.ts'
import { PROVIDER_ENTRIES } from '../laws/providers.ts'
import { written } from '../laws/suite.ts'

/** What is read, and how. */
interface Script {
  readonly chunks: readonly (string | object)[]
  open(sink: (event: SluiceEvent) => void): { push(chunk: never): void; end(): void }
}

/** Some responses in every dialect and from every provider. Strings of the chunks are shared by all who read them. */
export function scripts(perKind: number): Script[] {
  const settings = { seed: SEED, numRuns: perKind }
  const inText = ENTRIES.flatMap((entry) =>
    fc.sample(messageArbitrary(entry), settings).flatMap((parts): Script[] => {
      const text = written(entry, parts)
      if (text === undefined || text === '') return []
      return [{ chunks: inPieces(text, 6), open: (sink) => createSinkParser(sink, entry.options) as never }]
    }),
  )
  const messages = fc.sample(messageArbitrary(ENTRIES[0]!), settings)
  const native = PROVIDER_ENTRIES.flatMap((entry) =>
    messages.map((parts): Script => {
      const provider = findProvider(entry.name.split(' ')[0]!)
      return {
        chunks: entry.write(parts),
        open: (sink) => createProviderParser(sink, { provider, tools: TOOLS }) as never,
      }
    }),
  )
  return [...inText, ...native]
}

/** One response on its way. Of its events only a sum is kept, as a server would hand them on. */
class Stream {
  private at = 0
  private sum = 0
  private readonly script: Script
  private readonly parser: ReturnType<Script['open']>

  constructor(script: Script) {
    this.script = script
    this.parser = script.open((event) => {
      this.sum = (Math.imul(this.sum, 31) + weightOf(event)) | 0
    })
  }

  /** Reads the next chunk; false when there is none. */
  step(): boolean {
    const { chunks } = this.script
    if (this.at === chunks.length) {
      this.parser.end()
      return false
    }
    this.parser.push(chunks[this.at++] as never)
    return true
  }

  get hasMore(): boolean {
    return this.at < this.script.chunks.length
  }

  get result(): number {
    return this.sum
  }
}

/** What an event says, as a number. */
function weightOf(event: SluiceEvent): number {
  const text =
    'delta' in event ? event.delta : event.type === 'tool-call' ? `${isExecutable(event)}` : event.type
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
  return sum
}

/** What a response gives when it is read alone. */
function resultAlone(script: Script): number {
  const stream = new Stream(script)
  while (stream.step());
  return stream.result
}

/**
 * Reads so many responses, so many at once, each a chunk at a time. Answers how many gave something else than alone.
 * `onTenth` is called at the end of each tenth, while all of them are on their way.
 */
export function soak(all: readonly Script[], atOnce: number, total: number, onTenth: () => void): number {
  const expected = all.map(resultAlone)
  let begun = 0
  let wrong = 0
  let done = 0
  const begin = (): { stream: Stream; kind: number } => {
    const kind = begun++ % all.length
    return { stream: new Stream(all[kind]!), kind }
  }
  const open = Array.from({ length: atOnce }, begin)
  // They do not all stand at the same place.
  for (const [at, { stream }] of open.entries())
    for (let step = at % 7; step > 0 && stream.hasMore; step--) stream.step()
  while (done < total)
    for (let at = 0; at < atOnce && done < total; at++) {
      const { stream, kind } = open[at]!
      if (stream.step()) continue
      if (stream.result !== expected[kind]) wrong++
      open[at] = begin()
      if (++done % (total / 10) === 0) onTenth()
    }
  return wrong
}
