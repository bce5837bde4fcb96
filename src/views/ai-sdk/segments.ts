/** Where calls stand in a text, as it is written: markers included. */

import type { ToolDefinitions } from '../../calls/tools.ts'
import { createSinkParser } from '../../parser.ts'
import type { Dialect } from '../../wire/dialect.ts'
import { literalsOf } from './markers.ts'

export interface SegmentOptions {
  readonly text: string
  readonly dialect: Dialect | readonly Dialect[]
  readonly tools?: ToolDefinitions | undefined
}

/**
 * The calls of a text, each as the model wrote it. One that was cut off is none.
 *
 *     extractToolCallSegments({ text, dialect: hermes })   // ['<tool_call>{"name": "ls"}</tool_call>']
 */
export function extractToolCallSegments(options: SegmentOptions): string[] {
  return toolCallSpans(options).map(({ start, end }) => options.text.slice(start, end))
}

export function toolCallSpans({ text, dialect, tools }: SegmentOptions): { start: number; end: number }[] {
  const closers = [dialect].flat().flatMap((one: Dialect) => one.calls.flatMap(closersOf))
  const spans: { start: number; end: number }[] = []
  let from = 0
  const parser = createSinkParser(
    (event) => {
      if (event.type !== 'tool-call' || event.raw === undefined || event.status === 'truncated') return
      const start = text.indexOf(event.raw, from)
      if (start === -1) return
      from = endOf(text, start + event.raw.length, closers)
      spans.push({ start, end: from })
    },
    { dialect, ...(tools && { tools }), emit: { json: false, raw: true, input: false } },
  )
  parser.push(text)
  parser.end()
  return spans
}

/** A verdict comes as soon as it can, and the closer may still be behind it. */
function endOf(text: string, end: number, closers: readonly string[]): number {
  let at = end
  while (/\s/.test(text.charAt(at))) at++
  const closer = closers.find((one) => text.startsWith(one, at))
  return closer === undefined ? end : at + closer.length
}

function closersOf({ nodes }: Dialect['calls'][number]): string[] {
  return nodes.flatMap((node) => (node.kind === 'closer' ? literalsOf(node) : []))
}
