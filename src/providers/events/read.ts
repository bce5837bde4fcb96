/**
 * Reads what `eventsWriter` wrote, on the side of a page. It is small, and knows no provider: the server has read the
 * provider's stream, and what arrives are its events.
 */

import { errorRecord, SluiceError } from '../../base/errors.ts'
import type { SluiceEvent } from '../../base/event.ts'
import { OpenEvents } from '../../base/open-events.ts'
import { ResponseError } from '../../base/source.ts'

const CONTENT_TYPE = 'text/event-stream'

/**
 * The events that a server sends with `toResponse(events, eventsWriter)`.
 *
 *     for await (const event of readEvents(fetch('/chat', { method: 'POST', body }))) show(event)
 *
 * Reading never rejects. If the connection breaks off, what is open is ended, a call as `truncated`; then come `error`
 * and `finish`. Leaving the loop cancels the response.
 */
export async function* readEvents(
  response: Response | PromiseLike<Response>,
): AsyncGenerator<SluiceEvent, void, undefined> {
  const open = new OpenEvents()
  try {
    for await (const event of eventsIn(await response)) {
      open.add(event)
      yield event
      if (event.type === 'finish') return
    }
    throw new Error('The connection ended before the response did.')
  } catch (error) {
    const isAborted = error instanceof Error && error.name === 'AbortError'
    yield* open.end()
    if (!isAborted) yield { type: 'error', error: errorRecord(error) }
    yield { type: 'finish', reason: isAborted ? 'aborted' : 'error' }
  }
}

async function* eventsIn(response: Response): AsyncGenerator<SluiceEvent, void, undefined> {
  checkResponse(response)
  if (response.body === null) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let line = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      // A return that is cut from its newline gives one more empty line, which says nothing.
      const [first, ...others] = decoder.decode(value, { stream: true }).split(/[\r\n]/)
      line += first
      for (const next of others) {
        if (line.startsWith('data:')) yield eventIn(line.slice(5))
        line = next
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** A refusal may hold events, too: the error that became its status, and the end. */
function checkResponse({ ok, status, statusText, headers }: Response): void {
  const type = headers.get('content-type') ?? ''
  if (type.startsWith(CONTENT_TYPE)) return
  if (!ok) throw new ResponseError(status, statusText, '')
  throw new SluiceError(
    'invalid-source',
    `readEvents reads what toResponse sends with eventsWriter (${CONTENT_TYPE}), not ${type === '' ? 'a response without a type' : type}.`,
  )
}

function eventIn(json: string): SluiceEvent {
  const event: unknown = JSON.parse(json)
  if (typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string')
    return event as SluiceEvent
  throw new SluiceError('invalid-source', 'The server sent something that is not an event.')
}
