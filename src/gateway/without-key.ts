/**
 * Takes the key out of what an upstream sends: some repeat it in their errors, from where it would get into responses, runs
 * and logs. What may be the beginning of the key is held back until the next piece.
 */

/**
 * Whether a key is looked for. Others could be words of an answer: the configuration takes none that is not a secret, but
 * for the words that stand for no key, and clients send what they like.
 */
export function isSecret(key: string): boolean {
  return key.length >= 12 || (key.length >= 8 && !/^[a-z]+$/i.test(key))
}

const SHOWN = Buffer.from('[key]')

export interface KeyFilter {
  push(piece: Uint8Array): Uint8Array
  /** How many bytes are held back. */
  readonly heldBytes: number
  /** What is still held back. */
  end(): Uint8Array
}

const NONE = new Uint8Array()

export function withoutKey(key: string | undefined): KeyFilter {
  if (key === undefined || !isSecret(key)) return { push: (piece) => piece, heldBytes: 0, end: () => NONE }
  const secret = Buffer.from(key)
  let held: Buffer = Buffer.alloc(0)
  return {
    push(piece) {
      let rest =
        held.length === 0
          ? Buffer.from(piece.buffer, piece.byteOffset, piece.length)
          : Buffer.concat([held, piece])
      const parts: Buffer[] = []
      for (let at = rest.indexOf(secret); at !== -1; at = rest.indexOf(secret)) {
        parts.push(rest.subarray(0, at), SHOWN)
        rest = rest.subarray(at + secret.length)
      }
      const cut = rest.length - heldLength(rest, secret)
      held = rest.subarray(cut)
      rest = rest.subarray(0, cut)
      return parts.length === 0 ? rest : Buffer.concat([...parts, rest])
    },
    get heldBytes() {
      return held.length
    },
    end() {
      const last = held
      held = Buffer.alloc(0)
      return last
    },
  }
}

/** How many bytes at the end may be the beginning of the secret. */
function heldLength(bytes: Buffer, secret: Buffer): number {
  for (let length = Math.min(bytes.length, secret.length - 1); length > 0; length--)
    if (
      bytes[bytes.length - length] === secret[0] &&
      bytes.subarray(-length).equals(secret.subarray(0, length))
    )
      return length
  return 0
}

/**
 * The body of a response without the key. `onPiece`: called with each piece when it is read, and with the offset of the next
 * piece in the upstream's body.
 */
export function bodyWithoutKey(
  body: ReadableStream<Uint8Array>,
  key: string | undefined,
  { onPiece, onEnd }: { onPiece?(piece: Uint8Array, next: number): void; onEnd?(): void } = {},
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const filter = withoutKey(key)
  let arrived = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const step = await reader.read()
            const piece = step.done ? filter.end() : filter.push(step.value)
            arrived += step.value?.length ?? 0
            if (piece.length > 0) {
              onPiece?.(piece, arrived - filter.heldBytes)
              controller.enqueue(piece)
            }
            if (step.done) {
              onEnd?.()
              controller.close()
            }
            if (step.done || piece.length > 0) return
          }
        } catch (error) {
          onEnd?.()
          controller.error(error)
        }
      },
      cancel: (reason) => {
        onEnd?.()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
