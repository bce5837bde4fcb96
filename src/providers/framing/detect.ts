/**
 * Chooses the framing by the first byte that says something. What a provider usually sends is only the default:
 * a server that fails answers with a JSON document, and a response that was not streamed is one, too.
 */

import type { FramingName } from '../provider.ts'
import { createAwsFraming } from './aws.ts'
import type { FrameReceiver, Framing } from './framing.ts'
import { createJsonFraming } from './json.ts'
import { createSseFraming } from './sse.ts'

/** `usual`: how the provider frames its stream, or undefined where it is not known. */
export function createFraming(receiver: FrameReceiver, usual: FramingName | undefined): Framing {
  let framing: Framing | null = null
  const choose = (first: string, isText: boolean): Framing => {
    if (first === '{' || first === '[')
      return createJsonFraming(receiver, { lines: usual === 'lines' && first === '{' })
    // The first byte of a frame is the highest of its length. Where it is a letter, this is text.
    if (!isText && (first === '\0' || (usual === 'aws' && first < ' '))) return createAwsFraming(receiver)
    return createSseFraming(receiver)
  }
  return {
    push(chunk) {
      if (framing === null) {
        const at = firstOf(chunk)
        if (at === -1) return
        const isText = typeof chunk === 'string'
        framing = choose(isText ? chunk[at]! : String.fromCharCode(chunk[at]!), isText)
        framing.push(isText ? chunk.slice(at) : chunk.subarray(at))
      } else framing.push(chunk)
    },
    end: () => framing?.end(),
  }
}

/** Where something begins: leading space and a BOM say nothing, and no framing needs them. */
function firstOf(chunk: string | Uint8Array): number {
  return typeof chunk === 'string'
    ? chunk.search(/[^\s\uFEFF]/)
    : chunk.findIndex((byte) => !SILENT.has(byte))
}

/** Space, and the three bytes of a BOM. */
const SILENT = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])
