/** The same message as each provider's stream, as segments and as blocks. */

import type { SluiceEvent } from '../../base/event.ts'
import { allWriters } from '../../providers/any.ts'
import { createWriter, eventsWriter } from '../../providers/index.ts'
import { createBlocksView } from '../../views/compat/blocks/index.ts'
import {
  createSegmentsView,
  SEGMENT_EVENTS,
  type SegmentToolDefinition,
} from '../../views/compat/segments/index.ts'
import type { Settings } from './settings.ts'
import { openReader } from './wire-reader.ts'

export const PROTOCOLS: readonly string[] = [
  ...allWriters.map(({ name }) => name),
  eventsWriter.name,
  'segments',
  'blocks',
]

/** What the wire text up to a moment is in a protocol. */
export function writtenAs(protocol: string, settings: Settings, text: string, isEnded: boolean): string {
  const { add, result } = writerOf(protocol, settings)
  const emit = protocol === 'segments' ? SEGMENT_EVENTS : {}
  const reader = openReader(settings, add, emit)
  // Not all at once, so that the writers show how it would come.
  for (let at = 0; at < text.length; at += PIECE) reader.push(text.slice(at, at + PIECE))
  if (isEnded) reader.end()
  return result()
}

/** Characters in a piece. */
const PIECE = 24

interface Writing {
  readonly add: (event: SluiceEvent) => void
  result(): string
}

function writerOf(protocol: string, { tools }: Settings): Writing {
  const lines: string[] = []
  const result = (): string => lines.join('')
  const line = (...values: readonly unknown[]): void =>
    void lines.push(
      `${values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ')}\n`,
    )
  if (protocol === 'segments') {
    const view = createSegmentsView(
      (event) => line(event),
      Array.isArray(tools) ? { tools: tools as SegmentToolDefinition[] } : {},
    )
    return { add: (event) => view.add(event), result }
  }
  if (protocol === 'blocks') {
    const view = createBlocksView({
      onChunk: (chunk, meta) => line('chunk', { chunk, ...meta }),
      onBlock: (event) => line('block', event),
    })
    return { add: (event) => view.add(event), result }
  }
  const format = [...allWriters, eventsWriter].find(({ name }) => name === protocol)!
  const writer = createWriter(format, { id: 'playground', model: 'playground', created: 1_700_000_000 })
  return { add: (event) => void lines.push(writer.add(event)), result }
}
