/** Reads a provider's stream. */

import type { Sink } from '../../base/event.ts'
import type { ParserOptions } from '../../engine/parser.ts'
import { anyProvider, findProvider } from '../../providers/any.ts'
import { createProviderParser, restoreProviderParser } from '../../providers/index.ts'
import { type WireReader, waitingIn } from './wire-reader.ts'

export function openProviderReader(form: string, options: ParserOptions, events: Sink): WireReader {
  const isBinary = form === 'bedrock'
  const provider = form === 'provider' ? anyProvider : findProvider(form)
  const all = { ...options, provider }
  const parser = createProviderParser(events, all)
  return {
    hasFrames: true,
    push: (text) => parser.push(isBinary ? bytesOf(text) : text),
    end: () => parser.end(),
    heldBack: () => waitingIn((sink) => restoreProviderParser(parser.snapshot(), sink, all).end()),
  }
}

/** A string in which each character is one byte, as those bytes. */
function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}
