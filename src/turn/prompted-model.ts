/** A model without tools of its own: it is told about them in text, and its calls are read from what it writes. */

import { type PromptOptions, promptRequest } from '../prompt/prompt-request.ts'
import type { Model } from './model.ts'

/**
 * Gives any model tools, in any dialect.
 *
 *     const model = promptedModel(openaiChatModel({ model: 'hermes-4', baseUrl }), { dialect: hermes })
 */
export function promptedModel(model: Model, options: PromptOptions): Model {
  // Wrong options are reported here and not by the first turn.
  promptRequest({ messages: [] }, options)
  return (given, context) => {
    const { request, parser } = promptRequest(given, options)
    return model(request, { ...context, reading: { ...context.reading, ...parser } })
  }
}
