/** Where calls stand in a text, as it is written: markers included. */

import type { ToolDefinitions } from '../../calls/tools.ts'
import type { Span } from '../../event.ts'
import { createSinkParser, dialectsOf, type ParserOptions } from '../../parser.ts'
import type { Dialect } from '../../wire/dialect.ts'
import type { Node } from '../../wire/template.ts'

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
  const closers = dialectsOf(options).flatMap((one) => one.calls.flatMap(({ nodes }) => closersOf(nodes)))
  const spans: Span[] = []
  const parser = createSinkParser(
    (event) => {
      if (event.type !== 'tool-call' || event.span === undefined || event.status === 'truncated') return
      const { start, end } = event.span
      spans.push({ start, end: endOf(text, end, closers) })
    },
    { ...options, emit: { json: false, input: false } },
  )
  parser.push(text)
  parser.end()
  return spans
}

/** A verdict comes as soon as it can, and closers may still be behind it: that of the call, that of its section. */
function endOf(text: string, end: number, closers: readonly string[]): number {
  let closed = end
  for (const closer of closers) {
    let at = closed
    while (/\s/.test(text.charAt(at))) at++
    if (text.startsWith(closer, at)) closed = at + closer.length
  }
  return closed
}

/** What is written behind the last part with content: in a call first, then in the section that it is in. */
function closersOf(nodes: readonly Node[]): string[] {
  let closers: string[] = []
  for (const node of nodes)
    if (node.kind === 'each') closers = closersOf(node.body)
    else if (node.kind === 'literal') closers.push(node.forms[0]!)
    else if ('body' in node) closers.push(...closersOf(node.body))
    else if (node.kind !== 'space') closers = []
  return closers
}
