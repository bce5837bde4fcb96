/** Conversations that grow. Nothing is changed in place: each function gives a new request. */

import type { Message } from '../../engine/message.ts'
import type { AnswerPart, ConversationPart, ModelRequest, WrittenSource } from './model-request.ts'

/** A message of the user behind the others. */
export function appendUser<R extends ModelRequest>(
  request: R,
  content: string | readonly ConversationPart[],
): R {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content
  return { ...request, messages: [...request.messages, { role: 'user', parts }] }
}

/**
 * The response of the model, as `collect`, `parse` or `MessageFold` gives it.
 *
 *     const message = await collect(readProvider(response, { provider: anthropic }))
 *     request = appendResponse(request, message)
 */
export function appendResponse<R extends ModelRequest>(
  request: R,
  { parts, finish, source }: Pick<Message, 'parts' | 'finish'> & { readonly source?: WrittenSource },
): R {
  // A provider names itself in what it attaches to its response.
  const [provider] = Object.keys(finish.metadata ?? {})
  const { model } = request
  const message = {
    role: 'assistant',
    parts,
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    ...(source !== undefined && { source }),
  } as const
  return { ...request, messages: [...request.messages, message] }
}

/** What the tools answered, one for each call: `[{ id: call.id, content: 'ok' }]`. */
export function appendResults<R extends ModelRequest>(
  request: R,
  results: readonly Omit<AnswerPart, 'type'>[],
): R {
  const parts = results.map((result) => ({ ...result, type: 'result' as const }))
  return { ...request, messages: [...request.messages, { role: 'tool', parts }] }
}
