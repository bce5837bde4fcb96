/** A JSON answer, with the numbers of calls as the model wrote them. */

import { writeJson } from '../values/numbers/written.ts'

export function jsonResponse(value: unknown, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers)
  headers.set('content-type', 'application/json')
  return new Response(writeJson(value), { ...init, headers })
}
