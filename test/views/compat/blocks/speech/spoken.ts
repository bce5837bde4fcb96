/** What is spoken of a text, however it was cut. */

import { expect } from 'vitest'
import { createSpeaker, type SpeechOptions } from '../../../../../src/views/compat/blocks/index.ts'

/** The pieces that are spoken of a text that comes in these chunks. */
export function spokenPieces(chunks: readonly string[], options: SpeechOptions = {}): string[] {
  const pieces: string[] = []
  const speaker = createSpeaker((piece) => pieces.push(piece), options)
  for (const delta of chunks) speaker.add({ type: 'text-delta', id: 'text-1', delta })
  speaker.end()
  return pieces
}

/** The pieces that are spoken of a text, cut in every way there is. */
export function spoken(text: string, options: SpeechOptions = {}): string[] {
  const pieces = spokenPieces([text], options)
  expect(spokenPieces(text.split(''), options)).toEqual(pieces)
  for (let at = 1; at < text.length; at++)
    expect(spokenPieces([text.slice(0, at), text.slice(at)], options), `cut at ${at}`).toEqual(pieces)
  return pieces
}
