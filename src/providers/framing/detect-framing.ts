/**
 * Chooses the framing by the first byte that is not space. What a provider usually sends is only the default:
 * a server that fails answers with a JSON document, and a response that was not streamed is one, too.
 */

import { optional, resumed, type StateOf } from '../../base/declared-state.ts'
import { damaged, isAnything, oneOf } from '../../base/plain-state.ts'
import type { BinaryFraming, FrameReceiver, Framing, FramingName } from './framing.ts'
import { createJsonFraming } from './json-framing.ts'
import { createSseFraming } from './sse-framing.ts'

type Chosen = FramingName | 'binary'

const STATE = {
  /** Which framing it is, once something came. */
  chosen: optional<Chosen>(oneOf('sse', 'lines', 'json', 'binary')),
  /** It checks what is its own. */
  framing: optional(isAnything),
}

/** `usual`: how the provider frames its stream, or undefined where it is not known. */
export function createFraming(
  receiver: FrameReceiver,
  usual: FramingName | BinaryFraming | undefined,
  saved?: unknown,
): Framing {
  const binary = typeof usual === 'object' ? usual : undefined
  const before = resumed(STATE, saved)
  let { chosen } = before
  let framing = chosen === null ? null : open(chosen, before.framing)

  function choose(first: string, isText: boolean): Chosen {
    if (first === '{' || first === '[') return usual === 'lines' && first === '{' ? 'lines' : 'json'
    return !isText && binary?.begins(first.charCodeAt(0)) ? 'binary' : 'sse'
  }

  function open(kind: Chosen, state?: unknown): Framing {
    if (kind === 'binary') {
      if (binary !== undefined) return binary.open(receiver, state)
      throw damaged('the provider has no binary framing')
    }
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
    save: (): StateOf<typeof STATE> => ({ chosen, framing: framing?.save() ?? null }),
  }
}

/** Where something begins: leading space and a BOM are skipped, since no framing needs them. */
function firstOf(chunk: string | Uint8Array): number {
  return typeof chunk === 'string'
    ? chunk.search(/[^ \t\n\r\uFEFF]/)
    : chunk.findIndex((byte) => !SILENT.has(byte))
}

/** Space, and the three bytes of a BOM. */
const SILENT = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])
