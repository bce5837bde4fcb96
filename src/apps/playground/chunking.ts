/** Cuts a text into chunks: as it was recorded, into equal pieces, at random, or between bytes. */

import { ChunkDecoder } from '../../base/source.ts'
import type { Cut, Sample, SampleChunk } from './settings.ts'

/** Characters per second of a text whose timing is not known, and the longest that it may play. */
const TYPING_SPEED = 160
const LONGEST_SECONDS = 25
/** Characters in a chunk of a text of which only the text is known: about a token. */
const TOKEN = 4
const LONGEST_RANDOM_CHUNK = 12

export function cutSample(sample: Sample, cut: Cut): readonly SampleChunk[] {
  const { text, chunks } = sample
  if (cut.by === 'recorded' && chunks !== undefined) return chunks
  const ends = endsOf(text, cut)
  const duration = chunks?.at(-1)?.at ?? durationOf(text.length)
  return ends.map((to) => ({ to, at: (duration * to) / Math.max(1, text.length) }))
}

/** Milliseconds that a text plays. */
function durationOf(length: number): number {
  return Math.min(length / TYPING_SPEED, LONGEST_SECONDS) * 1000
}

function endsOf(text: string, cut: Cut): number[] {
  if (cut.by === 'random') return randomEnds(text.length, cut.seed)
  if (cut.by === 'bytes') return byteEnds(text, cut.size)
  return equalEnds(text.length, cut.by === 'recorded' ? TOKEN : cut.size)
}

function equalEnds(length: number, size: number): number[] {
  return Array.from({ length: Math.ceil(length / size) }, (_, index) => Math.min(length, (index + 1) * size))
}

/** The same for the same seed, so that a link shows the same cuts (a linear congruential generator). */
function randomEnds(length: number, seed: number): number[] {
  const ends: number[] = []
  let state = seed >>> 0
  for (let at = 0; at < length; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    at = Math.min(length, at + 1 + ((state >>> 16) % LONGEST_RANDOM_CHUNK))
    ends.push(at)
  }
  return ends
}

/** Where the decoder is after each piece of so many bytes: a character that is cut comes with the next piece. */
function byteEnds(text: string, size: number): number[] {
  const bytes = new TextEncoder().encode(text)
  const decoder = new ChunkDecoder()
  const ends: number[] = []
  let at = 0
  for (let from = 0; from < bytes.length; from += size) {
    const decoded = decoder.text(bytes.subarray(from, from + size)).length
    at += decoded
    if (decoded > 0) ends.push(at)
  }
  const rest = decoder.end().length
  if (rest > 0) ends.push(at + rest)
  return ends
}
