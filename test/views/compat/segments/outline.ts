/** Segments in a form that a person can write down, and texts cut in every way. */

import { type SegmentEvent, ToolInvocationAdapter, type ToolInvocationAdapterOptions } from 'sluice/segments'

/**
 * One line per segment, in the order they began, and one per invocation:
 *
 *     seg_1 write_file {"path":"a.ts"} 'let a = 1' end {"status":"incomplete"}
 *     run seg_1 write_file {"path":"a.ts","content":"let a = 1"}
 *
 * The metadata of the end is told only where it is not that of the start.
 */
export function outline(events: readonly SegmentEvent[], options?: ToolInvocationAdapterOptions): string[] {
  const segments = new Map<string, { start: string; metadata: string; content: string; end: string }>()
  const adapter = new ToolInvocationAdapter(options)
  const runs: string[] = []
  for (const event of events) {
    const { type, segment_id: id, segment_type, payload } = event.toDict()
    const metadata = payload.metadata === undefined ? '' : ` ${JSON.stringify(payload.metadata)}`
    if (type === 'SEGMENT_START') {
      if (segments.has(id)) throw new Error(`${id} started twice`)
      segments.set(id, { start: `${id} ${segment_type}${metadata}`, metadata, content: '', end: ' open' })
    }
    const segment = segments.get(id)
    if (segment === undefined) throw new Error(`${id} never started`)
    if (type !== 'SEGMENT_START' && segment.end !== ' open') throw new Error(`${id} goes on after its end`)
    if (type === 'SEGMENT_CONTENT') {
      if (payload.delta === '') throw new Error(`${id} has an empty piece`)
      segment.content += payload.delta
    }
    if (type === 'SEGMENT_METADATA_UPDATED') segment.start += ` later${metadata}`
    if (type === 'SEGMENT_END') segment.end = metadata === segment.metadata ? '' : ` end${metadata}`
    const invocation = adapter.processEvent(event)
    if (invocation !== null)
      runs.push(`run ${invocation.id} ${invocation.name} ${JSON.stringify(invocation.arguments)}`)
  }
  const lines = [...segments.values()].map(({ start, content, end }) => `${start} ${quoted(content)}${end}`)
  return [...lines, ...runs]
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}'`
}

/** A text whole, in two pieces cut at every place, and in single characters. */
export function everyCut(text: string): string[][] {
  const halves = Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => [
    text.slice(0, index + 1),
    text.slice(index + 1),
  ])
  return [[text], ...halves, text.split('')]
}
