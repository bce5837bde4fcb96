/**
 * Chooses the framing by the first byte that says something. What a provider usually sends is only the default:
 * a server that fails answers with a JSON document, and a response that was not streamed is one, too.
 */

import type { FramingName } from '../provider.ts'
import { createAwsFraming } from './aws-framing.ts'
import type { FrameReceiver, Framing } from './framing.ts'
import { createJsonFraming } from './json-framing.ts'
import { createSseFraming } from './sse-framing.ts'

interface DetectState {
  /** Which framing it is, once something came. */
  chosen: 'json' | 'lines' | 'aws' | 'sse' | undefined
  readonly framing: unknown
}

/** `usual`: how the provider frames its stream, or undefined where it is not known. */
export function createFraming(
  receiver: FrameReceiver,
  usual: FramingName | undefined,
  saved?: unknown,
): Framing {
  const before = saved as DetectState | undefined
  let chosen = before?.chosen
  let framing = chosen === undefined ? null : open(chosen, before?.framing)

  function choose(first: string, isText: boolean): NonNullable<typeof chosen> {
    if (first === '{' || first === '[') return usual === 'lines' && first === '{' ? 'lines' : 'json'
    // The first byte of a frame is the highest of its length. Where it is a letter, this is text.
    return !isText && (first === '\0' || (usual === 'aws' && first < ' ')) ? 'aws' : 'sse'
  }

  function open(kind: NonNullable<typeof chosen>, state?: unknown): Framing {
    if (kind === 'aws') return createAwsFraming(receiver, state)
    if (kind === 'sse') return createSseFraming(receiver, state)
    return createJsonFraming(receiver, { lines: kind === 'lines' }, state)
  }

  return {
    push(chunk) {
      if (framing === null) {
        const at = firstOf(chunk)
        if (at === -1) return
        const isText = typeof chunk === 'string'
        chosen = choose(isText ? chunk[at]! : String.fromCharCode(chunk[at]!), isText)
        framing = open(chosen)
        framing.push(isText ? chunk.slice(at) : chunk.subarray(at))
      } else framing.push(chunk)
    },
    end: () => framing?.end(),
    save: (): DetectState => ({ chosen, framing: framing?.save() }),
  }
}

/** Where something begins: leading space and a BOM say nothing, and no framing needs them. */
function firstOf(chunk: string | Uint8Array): number {
  return typeof chunk === 'string'
    ? chunk.search(/[^ \t\n\r\uFEFF]/)
    : chunk.findIndex((byte) => !SILENT.has(byte))
}

/** Space, and the three bytes of a BOM. */
const SILENT = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])
