/** The body of a request, as JSON and not larger than allowed. */

import { type Fields, isFields } from '../fields.ts'
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

export async function readJson(request: Request, limit: number): Promise<Fields> {
  const bytes = await readBytes(request, limit)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new GatewayError(400, 'invalid-request', 'The body is not JSON.')
  }
  if (isFields(value)) return value
  throw new GatewayError(400, 'invalid-request', 'The body is not a JSON object.')
}
