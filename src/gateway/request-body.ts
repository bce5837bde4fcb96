/** The body of a request, as JSON and not larger than allowed. */

import { type Fields, isFields } from '../base/fields.ts'
import { parseWritten } from '../values/numbers/written.ts'
import { GatewayError } from './gateway-error.ts'

async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = (): GatewayError =>
    new GatewayError(413, 'invalid-request', `The body is larger than ${limit} bytes.`)
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge()
  if (request.body === null) return new Uint8Array()
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of request.body as unknown as AsyncIterable<Uint8Array>) {
    length += piece.length
    if (length > limit) throw tooLarge()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** What reads a request further on may be recursive. */
const DEEPEST = 500

/** Whether more lists and objects are inside of each other than anybody needs. */
function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isText) {
      if (byte === 0x5c) at++
      else if (byte === 0x22) isText = false
    } else if (byte === 0x22) isText = true
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > DEEPEST) return true
    } else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return false
}

export async function readJson(request: Request, limit: number): Promise<Fields> {
  const bytes = await readBytes(request, limit)
  if (isTooDeep(bytes))
    throw new GatewayError(400, 'invalid-request', `The body is nested more than ${DEEPEST} levels deep.`)
  let value: unknown
  try {
    value = parseWritten(new TextDecoder().decode(bytes))
  } catch {
    throw new GatewayError(400, 'invalid-request', 'The body is not JSON.')
  }
  if (isFields(value)) return value
  throw new GatewayError(400, 'invalid-request', 'The body is not a JSON object.')
}
