/** A response as a list of short lines: the way these tests write down what they expect. */

import { expect } from 'vitest'
import type { CallPart, Part } from '../../../src/base/part.ts'
import { foldEvents, type Message, parse } from '../../../src/engine/message.ts'
import { createParser, type ParserOptions } from '../../../src/engine/parser.ts'

/**
 * What a text is read as.
 *
 *     thought Two jobs.
 *     text On it.
 *     call ring {"who":"Ann"}          complete; otherwise `repaired`, `truncated` or `invalid`
 *     result a1 fine                   or `error a1 not fine`
 *     note missing-closer              a diagnostic; all of them stand at the end
 *
 * It is read twice, at once and character by character, and must come out the same.
 */
export function outline(text: string, options: ParserOptions = {}): string[] {
  const lines = linesOf(parse(text, options))
  const parser = createParser(options)
  const events = text.split('').flatMap((character) => parser.push(character))
  expect(linesOf(foldEvents([...events, ...parser.end()]))).toEqual(lines)
  return lines
}

function linesOf(message: Message): string[] {
  return [...message.parts.map(lineOf), ...message.diagnostics.map(({ code }) => `note ${code}`)]
}

function lineOf(part: Part): string {
  switch (part.type) {
    case 'text':
      return `text ${part.text}`
    case 'reasoning':
      return `thought ${part.text}`
    case 'call':
      return callLine(part)
    case 'result':
      return `${part.isError ? 'error' : 'result'} ${part.id} ${part.content}`
    case 'custom':
      return `custom ${part.kind}`
  }
}

function callLine({ id, wireId, toolName, input, inputText, status }: CallPart): string {
  const own = wireId ?? (/^call-\d+$/.test(id ?? '') ? undefined : id)
  const verdict = status === 'complete' ? 'call' : status
  return `${verdict} ${toolName} ${inputText ?? JSON.stringify(input)}${own === undefined ? '' : ` #${own}`}`
}
