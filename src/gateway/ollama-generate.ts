/**
 * Ollama's `/api/generate`: one prompt instead of a conversation, and text instead of a message. It is read and written as
 * Ollama's chat, of which it is a part.
 *
 *     { "model": "m", "prompt": "Hi", "system": "Be short." }
 *     { "model": "m", "response": "Hello", "done": false }
 */

import { type Fields, isFields } from '../base/fields.ts'
import { ollamaRequest } from '../providers/ollama/request.ts'
import { ollamaWriter } from '../providers/ollama/write.ts'
import { invalidRequest } from '../providers/request-fields.ts'
import type { Payload, WireFormat } from '../providers/wire-format.ts'
import type { RequestFormat } from '../requests/conversation/request-format.ts'

/** Fields that set the raw prompt, which Chat leaves to the server. */
const RAW = ['raw', 'template', 'suffix', 'context']

export const generateRequest: RequestFormat = {
  ...ollamaRequest,
  path: () => '/api/generate',
  read(body, report, path) {
    const { prompt, system, images, ...rest } = body
    const raw = RAW.find((field) => isSaid(rest[field]))
    if (raw !== undefined)
      throw invalidRequest(`'${raw}' cannot be used here; the prompt is sent as a message of a chat.`)
    if (prompt !== undefined && typeof prompt !== 'string') throw invalidRequest("'prompt' is a text.")
    const content = typeof prompt === 'string' ? prompt : ''
    const hasImages = Array.isArray(images) && images.length > 0
    const messages = [
      ...(typeof system === 'string' && system !== '' ? [{ role: 'system', content: system }] : []),
      ...(content !== '' || hasImages ? [{ role: 'user', content, ...(hasImages && { images }) }] : []),
    ]
    return ollamaRequest.read({ ...rest, messages }, report, path)
  },
}

const isSaid = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : value !== undefined && value !== null && value !== false && value !== ''

export const generateWriter: WireFormat = {
  ...ollamaWriter,
  open(about) {
    const writer = ollamaWriter.open(about)
    return { write: (event) => writer.write(event).map(generated) }
  },
}

function generated(payload: Payload): Payload {
  const { message, ...rest } = payload
  if (!isFields(message)) return payload
  const { content = '', thinking } = message as Fields
  return { ...rest, response: content, ...(thinking !== undefined && { thinking }) }
}
