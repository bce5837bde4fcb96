/** Where calls stand in a text, as it is written: markers included. */

import type { Span } from '../../base/event.ts'
import type { ToolDefinitions } from '../../engine/calls/tools.ts'
import { createSinkParser, type ParserOptions } from '../../engine/parser.ts'
import type { Dialect } from '../../engine/wire/dialect.ts'
import { callClosers, endOfClosers } from './closers.ts'

/** Options of `extractToolCallSegments`. */
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
export function extractToolCallSegments({ text, dialect, tools }: SegmentOptions): string[] {
  const spans = toolCallSpans(text, { dialect, ...(tools && { tools }) })
  return spans.map(({ start, end }) => text.slice(start, end))
}

export function toolCallSpans(text: string, options: ParserOptions): Span[] {
  const closers = callClosers(options)
  const spans: Span[] = []
  const parser = createSinkParser(
    (event) => {
      if (event.type !== 'tool-call' || event.span === undefined || event.status === 'truncated') return
      const { start, end } = event.span
      spans.push({ start, end: endOfClosers(text, end, closers) })
    },
    { start: 'text', ...options, emit: { json: false, input: false } },
  )
  parser.push(text)
  parser.end()
  return spans
}
