/** A model without tools of its own: it is told about them in text, and its calls are read from what it writes. */

import { type PromptOptions, promptRequest } from '../requests/prompt/prompt-request.ts'
import type { Model } from './model.ts'
import { resumedResponse } from './resumed-response.ts'

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
    const stops = given.settings?.stopSequences ?? []
    const plan = { continued: () => request, canResume: false, parser, stops, closers: [] }
    return resumedResponse(model, { ...plan, dialect: options.dialect }, context)
  }
}
