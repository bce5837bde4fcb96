/** What the two callbacks were told, as short lines: the way these tests write down what they expect. */

import { expect } from 'vitest'
import type { SluiceEvent } from '../../../../src/base/event.ts'
import { functionCalls } from '../../../../src/dialects/function-calls.ts'
import { createSinkParser, type ParserOptions } from '../../../../src/engine/parser.ts'
import {
  type BlockEvent,
  type BlocksViewOptions,
  type ChunkMeta,
  createBlocksView,
  IncrementalXmlParser,
} from '../../../../src/views/compat/blocks/index.ts'

/**
 *     0 text                         a block begins
 *     0 says Let me look.            its chunks, joined; `says` if they are visible, `hides` if not
 *     0 done Let me look.            it is complete, and this is its content
 *     1 tool_call
 *     1 name search                  the parts of a call, each joined
 *     1 id call-2
 *     1 input {"q":"cats"}
 *     1 done search call-2 {"q":"cats"}
 */
export class Trace {
  private readonly told: { head: string; text: string; joins: boolean }[] = []

  readonly onChunk = (chunk: string, meta: ChunkMeta): void => {
    const head = `${meta.blockIndex} ${meta.toolCallPart ?? (meta.visible ? 'says' : 'hides')}`
    const last = this.told.at(-1)
    if (last?.joins && last.head === head) last.text += chunk
    else this.told.push({ head, text: chunk, joins: true })
  }

  readonly onBlock = ({ event, index, block }: BlockEvent): void => {
    if (event === 'block_start') this.told.push({ head: `${index} ${block.type}`, text: '', joins: false })
    else this.told.push({ head: `${index} done`, text: wholeLine(block), joins: false })
  }

  get lines(): string[] {
    return this.told.map(({ head, text }) => (text === '' ? head : `${head} ${text}`))
  }
}

function wholeLine(block: (BlockEvent & { event: 'block_complete' })['block']): string {
  const { type, content, toolId, toolName, input, isError } = block
  const text = type === 'tool_call' ? (input ? JSON.stringify(input) : 'must not run') : content
  return [
    type === 'tool_call' ? toolName : '',
    toolId ?? '',
    type === 'tool_result' && isError ? 'error' : '',
    text,
  ]
    .filter((word) => word !== '')
    .join(' ')
}

/** What is told of events. */
export function traceEvents(events: Iterable<SluiceEvent>, options: BlocksViewOptions = {}): string[] {
  const trace = new Trace()
  const view = createBlocksView({ ...options, onChunk: trace.onChunk, onBlock: trace.onBlock })
  for (const event of events) view.add(event)
  return trace.lines
}

/** What is told of a response in the prefill mode that comes in these pieces. */
export function tracePieces(pieces: readonly string[], options: ParserOptions = {}): string[] {
  const events: SluiceEvent[] = []
  const parser = createSinkParser((event) => events.push(event), { dialect: functionCalls, ...options })
  for (const piece of pieces) parser.push(piece)
  parser.end()
  return traceEvents(events)
}

/** The same of a text that is cut in every way there is; the way it is cut must make no difference. */
export function trace(text: string, options: ParserOptions = {}): string[] {
  const lines = tracePieces([text], options)
  for (const pieces of cuts(text)) expect(tracePieces(pieces, options), JSON.stringify(pieces)).toEqual(lines)
  return lines
}

/** What the parser with the published name tells of it; the way it is cut must make no difference. */
export function traceParser(text: string, options: ParserOptions = {}): string[] {
  const told = (pieces: readonly string[]): string[] => {
    const parser = new IncrementalXmlParser(options)
    const parsed = [...pieces.map((piece) => parser.processChunk(piece)), parser.flush()]
    return inOrder(
      parsed.flatMap(({ content }) => content),
      parsed.flatMap(({ blockEvents }) => blockEvents),
    )
  }
  const lines = told([text])
  for (const pieces of cuts(text)) expect(told(pieces), JSON.stringify(pieces)).toEqual(lines)
  return lines
}

/** Chunks between the start and the end of the block with their index. */
export function inOrder(
  content: readonly { readonly text: string; readonly meta: ChunkMeta }[],
  blockEvents: readonly BlockEvent[],
): string[] {
  const trace = new Trace()
  for (const event of blockEvents) {
    if (event.event === 'block_complete')
      for (const { text, meta } of content) if (meta.blockIndex === event.index) trace.onChunk(text, meta)
    trace.onBlock(event)
  }
  return trace.lines
}

function* cuts(text: string): Generator<string[]> {
  yield text.split('')
  for (let at = 1; at < text.length; at++) yield [text.slice(0, at), text.slice(at)]
}
